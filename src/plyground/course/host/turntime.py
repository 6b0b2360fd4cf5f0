"""What a turn of a submission may take, and what of it is left.

Most of it is needed by turns alone that last longer than a moment.
"""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plyground.engines.processor_time import TreeTime

CLOCK_MARGIN = 0.002
LOOK_SECONDS = 0.05
SLEEP_SECONDS = 0.01
IDLE_SHARE = 0.1
"""A turn that works less than this share of a while, and then has nothing to do, has slept."""

LONG_SLEEP = 0.2
"""Whoever sleeps for less than this before a first proposal is not told so."""

BREATH = 0.001
"""A proposal is passed on after so many seconds, unless the turn ends or a better one comes."""

MOVES_LEFT = 30
"""A game clock is shared out over so many moves."""


class Allowance:
    """The time of a turn under a limit as it comes over the wire."""

    def __init__(self, limit: dict[str, Any]) -> None:
        seconds: float | None = limit.get("time")
        clock = limit.get("clock")
        if clock is not None:
            share = clock["remaining"] / MOVES_LEFT + clock.get("increment", 0.0) * 0.8
            seconds = share if seconds is None else min(seconds, share)
        self.limit = limit
        self.seconds = seconds
        self.by_processor = limit.get("by") == "cpu"
        self.breath = 1000 * (BREATH if seconds is None else min(BREATH, seconds))
        """Milliseconds after which the turn is no quick one."""
        if self.by_processor:
            import plyground.engines.processor_time  # noqa: F401 - before the clock runs

    def begun(self, child: int, instant: float) -> TurnTime:
        """The clock of a turn whose process has started at this instant."""
        clock = TurnTime(self.seconds, self.by_processor)
        clock.begin(child, instant)
        return clock


class TurnTime:
    """What a turn may take; `seconds` is None where it may take any time.

    Once it has begun, `left` tells what is left: of the wall's seconds, or with `by_processor` of
    those of processors that work for the turn.
    """

    def __init__(self, seconds: float | None, by_processor: bool) -> None:
        self.seconds = seconds
        self.by_processor = by_processor
        self._used: TreeTime | None = None
        self.overslept = False
        """Whether it slept until the time was over, and made its first proposal then."""

    def begin(self, child: int, instant: float) -> None:
        """The process of the turn has started at this instant."""
        self._began = self._looked = instant
        self._worked = self._slept = 0.0
        if self.by_processor:
            from plyground.engines.processor_time import TreeTime  # others need not load it

            self._used = TreeTime(child, with_root=True)

    def left(self) -> float | None:
        if self.seconds is None:
            return None
        used = self._work(self._used) if self._used else time.monotonic() - self._began
        return max(self.seconds - CLOCK_MARGIN, 0.001) - used

    def _work(self, used: TreeTime) -> float:
        """Processor seconds, and those that it has slept: who waits for a processor does not."""
        now, worked = time.monotonic(), used.seconds()
        since = now - self._looked
        if since >= SLEEP_SECONDS:
            if worked - self._worked < IDLE_SHARE * since and used.asleep():
                # Who was kept from looking for longer does not know what happened meanwhile.
                self._slept += min(since, 2 * LOOK_SECONDS)
            self._looked, self._worked = now, worked
        return worked + self._slept

    @property
    def mostly_slept(self) -> bool:
        """Whether it has slept for a good part of its time, and not just been late to wake."""
        return self.by_processor and self._slept > max(LONG_SLEEP, (self.seconds or 0.0) / 2)

    @property
    def processes(self) -> bool:
        """Whether other processes were seen to work for the turn."""
        return self._used is not None and self._used.others_seen

    def patience(self) -> float | None:
        """How long, on the wall, to wait before looking at what is left."""
        left = self.left()
        if left is None or not self.by_processor:
            return left
        if left <= 0:
            return LOOK_SECONDS  # a proposal wakes us, and our looks are charged to the turn
        return min(LOOK_SECONDS, max(0.001, left / (os.cpu_count() or 1)))
