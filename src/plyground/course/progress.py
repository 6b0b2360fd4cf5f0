"""How far a ranking has come: a bar in terminals, lines now and then in logs."""

from __future__ import annotations

import time
from collections.abc import Callable

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)

from plyground.arena.table import describe_duration

LINE_SECONDS = 30.0
"""In a log there is a line after so long, and when another tenth is done."""


class Stage:
    """Counts the pieces of one stage of the work, from `done` to `total`."""

    def __init__(self, console: Console, what: str, total: int, done: int = 0) -> None:
        self._what, self._total, self._done = what, total, done
        self._begun, self._at_first = time.monotonic(), done
        self._said, self._tenths = self._begun, 10 * done // max(1, total)
        self._console = console
        self._bar: Progress | None = None
        self._task = TaskID(0)
        if console.is_terminal:
            columns = (
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                MofNCompleteColumn(),
            )
            self._bar = Progress(*columns, TimeRemainingColumn(), console=console, transient=True)
            self._task = self._bar.add_task(what, total=total, completed=done)

    def __enter__(self) -> Stage:
        if self._bar is not None:
            self._bar.start()
        if self._at_first:
            self.say(f"{self._what}: {self._at_first} of {self._total} are there already")
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def advance(self) -> None:
        """One more is done."""
        self._done += 1
        if self._bar is not None:
            self._bar.update(self._task, completed=self._done)
            return
        now, tenths = time.monotonic(), 10 * self._done // max(1, self._total)
        if now - self._said < LINE_SECONDS and tenths == self._tenths:
            return
        self._said, self._tenths = now, tenths
        self._console.print(
            f"{self._what}: {self._done} of {self._total}{self._time_left(now)}",
            highlight=False,
            markup=False,
            soft_wrap=True,
        )

    def say(self, line: str) -> None:
        """A line above the bar."""
        self._console.print(line, highlight=False, markup=False, soft_wrap=True)

    def _time_left(self, now: float) -> str:
        made = self._done - self._at_first
        left = self._total - self._done
        if not made or not left:
            return ""
        return f", about {describe_duration(left * (now - self._begun) / made)} left"


StageMaker = Callable[[str, int, int], Stage]
"""Makes a stage from what is counted, how much of it there is, and how much is done already."""
