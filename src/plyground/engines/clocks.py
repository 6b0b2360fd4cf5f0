"""The clock that a program's turn is charged by: the wall's, or that of the processors it uses.

A conversation is told instants and gives deadlines; it does not know by which clock. Outside a turn
the instants are those of the monotonic clock. In a turn by processor time they go on from there by
the seconds that processors have worked for the program and everything it has started.
"""

from __future__ import annotations

import os
import time

from plyground.engines.engine import TurnBudget
from plyground.engines.process import EngineProcess

WALL_FACTOR = 10.0
WALL_SECONDS = 10.0
"""A turn by processor time may last this many times its time on the wall, and at least so many
seconds longer: a machine that stalls must not cost a game, a program that sleeps must. Who works
when that time is over goes on until it sleeps or has used up its processor time."""

LAST_FACTOR = 10.0
"""No turn lasts longer than this many times that, whoever works."""

LOOK_SECONDS = 0.05
SHORTEST_LOOK = 0.001
"""How often a program's processor time is looked at: at most and at least so many seconds apart."""


class TurnClock:
    """Instants for what is asked of a program once; they are the wall's until `begin`."""

    def __init__(self, process: EngineProcess) -> None:
        self._process = process
        self._budget: TurnBudget | None = None
        self._began = 0.0
        self._used = 0.0
        self._excused = 0.0
        self._over = False
        """The wall has ended the turn."""

    def begin(self, budget: TurnBudget) -> None:
        """From now on charge by what the budget says; nothing if a turn runs already."""
        if budget.by == "cpu" and self._budget is None:
            self._budget = budget
            self._began = time.monotonic()
            self._used = self._process.processor_seconds()

    def now(self) -> float:
        """The instant to tell the conversation."""
        now = time.monotonic()
        if self._budget is None:
            return now
        used = self._process.processor_seconds() - self._used
        return self._began + max(used, self._beyond(now))

    def excuse(self, seconds: float) -> bool:
        """Leave so much of the wall's time out of account; no, if the wall's is what is charged.

        Processors went on working for the program meanwhile, and that is charged.
        """
        if self._budget is None:
            return False
        self._excused += seconds
        return True

    def idleness(self) -> str:
        """That the wall has ended the turn, in words; empty as long as it has not."""
        if self._budget is None or self._beyond(time.monotonic()) <= 0.0:
            return ""
        used = self._process.processor_seconds() - self._used
        return f"{self._wall_seconds:g} s on the wall, {used:.2f} s of processor time among them"

    def look_at(self, deadline: float) -> float:
        """When, on the monotonic clock, to look again for a deadline of the conversation."""
        if self._budget is None:
            return deadline
        soonest = (deadline - self.now()) / (os.cpu_count() or 1)
        return time.monotonic() + min(LOOK_SECONDS, max(SHORTEST_LOOK, soonest))

    def latest(self, deadline: float) -> float:
        """When, on the monotonic clock, a deadline of the conversation will have passed surely."""
        return deadline if self._budget is None else self._wall_end

    @property
    def _wall_seconds(self) -> float:
        assert self._budget is not None
        return max(WALL_FACTOR * self._budget.hard, self._budget.hard + WALL_SECONDS)

    def _works(self) -> bool:
        return (held := self._process.held) is not None and held.working()

    @property
    def _wall_end(self) -> float:
        return self._began + self._wall_seconds + self._excused

    def _beyond(self, now: float) -> float:
        """After its seconds on the wall the program's time is over, and runs on by the wall.

        Unless it works then, however slowly: others keep it from the processors. That has an end.
        """
        assert self._budget is not None
        soft, hard = self._budget.soft, self._budget.hard
        late = now - self._wall_end
        last = self._began + LAST_FACTOR * self._wall_seconds
        if late >= 0 and not self._over and now < last and self._works():
            self._excused += late + LOOK_SECONDS
            return 0.0
        self._over = self._over or late >= 0
        return (hard if soft is None else soft) + late if late >= 0 else 0.0
