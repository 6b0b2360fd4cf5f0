"""Where a computation runs: at once when its like was quick, in a thread when it was not.

A thread costs more than most moves do, and a long computation must not hold up the event loop:
how long the last call of the same kind took decides between the two.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import ParamSpec, TypeVar

QUICK_SECONDS = 0.002
"""The event loop does nothing else for this long at most, as far as earlier calls tell."""

FORGETTING = 0.25
"""A long call counts for the next ones as well: by this share of its time."""

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class Pace:
    """Computations under one set of rules, told apart by the name of their function."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._seconds: dict[str, float] = {}

    async def run(
        self,
        work: Callable[Arguments, Result],
        *arguments: Arguments.args,
        **named: Arguments.kwargs,
    ) -> Result:
        """The result of `work`, whose first call is always in a thread."""

        def timed() -> Result:
            began = self._clock()
            try:
                return work(*arguments, **named)
            finally:
                taken = self._clock() - began
                before = self._seconds.get(work.__name__, 0.0)
                self._seconds[work.__name__] = max(taken, FORGETTING * before)

        if self._seconds.get(work.__name__, QUICK_SECONDS) < QUICK_SECONDS:
            return timed()
        return await asyncio.to_thread(timed)
