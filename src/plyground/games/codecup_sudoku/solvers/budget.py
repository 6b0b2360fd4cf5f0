"""What a turn may cost: seconds of a clock or a number of nodes."""

from __future__ import annotations

from plyground.core.agent import Stop, no_stop
from plyground.core.limits import Limit

RESERVE = 0.2
RESERVE_PART = 0.04
"""Seconds, and part of the clock at the first turn, that are never planned for: what the moves of
a settled game cost on a busy machine comes from them."""


class Budget:
    """Counts nodes, watches clock and stop; `share` hands out parts of what is left.

    `clock` is true when the time left must last for the whole game; `whole` is what it showed at
    the first turn.
    """

    def __init__(self, limit: Limit, stop: Stop = no_stop, whole: float = 0.0) -> None:
        self.now = limit.now
        self.started = self.now()
        self.nodes = 0
        self._stop = stop
        self._node_limit = limit.nodes
        self.clock = limit.clock is not None and limit.time is None
        seconds = [] if limit.time is None else [limit.time * 0.95 - 0.01]
        if limit.clock is not None:
            remaining = limit.clock.remaining
            reserve = RESERVE + RESERVE_PART * max(whole, remaining)
            seconds.append(0.95 * (remaining - reserve))
        self._end = self.started + max(0.0, min(seconds)) if seconds else None

    @property
    def elapsed(self) -> float:
        """Seconds since the turn began."""
        return self.now() - self.started

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the end of the budget, None if time does not matter."""
        return None if self._end is None else max(0.0, self._end - self.now())

    def share(self, part: float) -> Share:
        """A part of the time left on a game clock; all of a budget for one move, or of nodes."""
        left = self.seconds_left
        if left is None or not self.clock:
            return Share(self, self._end)
        return Share(self, self.now() + left * part)

    def expired(self, end: float | None) -> bool:
        """Whether to stop: at `end`, at the end of the budget, or because somebody says so."""
        if self._stop() or (self._node_limit is not None and self.nodes >= self._node_limit):
            return True
        now = self.now()
        return (end is not None and now >= end) or (self._end is not None and now >= self._end)


class Share:
    """A part of a budget; calling it tells whether it is used up."""

    def __init__(self, budget: Budget, end: float | None) -> None:
        self.budget = budget
        self.end = end

    def __call__(self) -> bool:
        return self.budget.expired(self.end)

    def slice(self, part: float) -> Share:
        """A part of what is left of this share."""
        if self.end is None:
            return self
        left = max(0.0, self.end - self.budget.now())
        return Share(self.budget, self.budget.now() + left * part)
