"""Watching the clock around a search that runs in slices."""

from __future__ import annotations

from plyground.core.agent import Stop, no_stop
from plyground.core.limits import Clock, Limit, Seconds

SLICE_SECONDS = 0.004
"""How long a slice of compiled search may run between two looks at the clock."""

UNTIMED_SLICE = 2000
"""Nodes of every slice when no time limit is set."""

FIRST_TIMED_SLICE = 2
"""Nodes of the first slice under a time limit: few, for one may cost 80 ms."""

SAFETY_SECONDS = 0.004
"""Kept back from a time limit for the last slice and the way out."""


def share_of_clock(clock: Clock, moves_left: int) -> float:
    """Seconds to use for this move when about `moves_left` own moves remain in the game."""
    reserve = min(0.2, 0.1 * clock.remaining)
    usable = max(0.0, clock.remaining - reserve)
    return min(usable, usable / max(1, moves_left) + 0.8 * clock.increment)


class Stopwatch:
    """Decides how many nodes the next slice may have, and when the search is over.

    Under node limits alone it never looks at the time, so that the same search is repeatable.
    """

    def __init__(
        self,
        limit: Limit,
        stop: Stop = no_stop,
        moves_left: int = 25,
        now: Seconds | None = None,
        most: int = 1_000_000,
    ) -> None:
        """`most` bounds a slice: nodes may become a hundred times slower from one to the next."""
        self._now = now or limit.now
        self._stop = stop
        self.started = self._now()
        self.nodes = 0
        self._node_limit = limit.nodes
        seconds = limit.time
        if limit.clock is not None:
            share = share_of_clock(limit.clock, moves_left)
            seconds = share if seconds is None else min(seconds, share)
        self.seconds = seconds
        self._slice = UNTIMED_SLICE if seconds is None else min(FIRST_TIMED_SLICE, most)
        self._node_seconds = 0.0
        self._slice_started = self.started
        self._most = most

    @property
    def elapsed(self) -> float:
        """Seconds since the search began."""
        return self._now() - self.started

    @property
    def remaining(self) -> float:
        """Seconds left for this move; infinite without a time limit."""
        return float("inf") if self.seconds is None else self.seconds - self.elapsed

    @property
    def is_over(self) -> bool:
        """Whether somebody stopped the search or its time is up; nodes are not looked at."""
        if self._stop():
            return True
        return self.seconds is not None and self.remaining <= min(SAFETY_SECONDS, self.seconds / 4)

    def next_slice(self) -> int:
        """Nodes for the next slice; 0 when the search has to end."""
        if self.is_over or self._node_seconds / 2 > self.remaining:
            return 0  # a node that ends later than it is early is not begun
        budget = self._slice
        if self._node_limit is not None:
            budget = min(budget, self._node_limit - self.nodes)
        self._slice_started = self._now()
        return max(0, budget)

    def spent(self, nodes: int) -> None:
        """Tell how many nodes the slice took; the next one is sized to take a few milliseconds."""
        self.nodes += nodes
        if self.seconds is None:
            return  # slices that depend on the time would make the search unrepeatable
        seconds = self._now() - self._slice_started
        self._node_seconds = seconds / max(1, nodes)
        if 2 * nodes >= self._slice or seconds > SLICE_SECONDS:
            rate = nodes / max(seconds, 1e-6)
            self._slice = int(min(max(rate * SLICE_SECONDS, 1), self._slice * 4, self._most))
