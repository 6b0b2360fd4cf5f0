"""Programs that are not on turn stand still, from a moment after their turn on.

To stop and start processes takes some hundredths of a millisecond each time, of the arena and of
those who are stopped. Where both players answer at once nobody stands still long enough to be
worth it; and what a program has to clear away after its answer is not charged to its next turn.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from typing import Protocol

LONGEST = 0.01
"""Seconds that a program may go on after its turn."""

SHARE = 0.01
"""The same as a share of what the turn might have taken: little is gained by thinking on."""

SHORTEST = 0.001
"""Who may go on for less than this stops at once."""


def moment(seconds: float) -> float:
    """How long a program may go on after a turn that might have taken so many seconds."""
    spell = min(LONGEST, SHARE * seconds)
    return spell if spell >= SHORTEST else 0.0


class Stoppable(Protocol):
    """What can be suspended."""

    def suspend(self) -> None:
        """Stop it, if it still may be stopped."""


class Warden:
    """Suspends whom it was told to, later, by a thread of its own that sleeps most of the time."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._due: dict[Stoppable, float] = {}
        self._process = 0
        self._idle = False

    def suspend_after(self, who: Stoppable, seconds: float) -> None:
        """Suspend it so many seconds from now, at once where no thread can be had for that."""
        with self._changed:
            if self._process != os.getpid():  # not yet begun, or in a fork of who did
                try:
                    threading.Thread(target=self._watch, name="warden", daemon=True).start()
                except RuntimeError:
                    who.suspend()
                    return
                self._process = os.getpid()
            self._due[who] = time.monotonic() + seconds
            if self._idle:
                self._idle = False
                self._changed.notify()

    def spare(self, who: Stoppable) -> None:
        """Do not suspend it; when this returns nobody is about to."""
        with self._changed:
            self._due.pop(who, None)

    def _watch(self) -> None:
        with self._changed:
            while True:
                now = time.monotonic()
                for who in [who for who, due in self._due.items() if due <= now]:
                    del self._due[who]
                    with contextlib.suppress(Exception):  # the others are to be suspended, too
                        who.suspend()
                self._idle = not self._due
                soonest = min(self._due.values(), default=None)
                self._changed.wait(None if soonest is None else max(0.0, soonest - now))


warden = Warden()
