"""What can go wrong with an engine, as the referee needs to know it."""

from __future__ import annotations

import contextlib
import os
import threading

from plyground.core.outcome import Termination

DETAIL_CHARACTERS = 500


def clean_text(text: str, most: int = DETAIL_CHARACTERS) -> str:
    """What a program said, fit for one line of a terminal or a record: printable and short."""
    cut = text if len(text) <= most else text[: most - 3] + "..."
    return "".join(mark if mark.isprintable() else " " for mark in cut)


class EngineError(Exception):
    """The engine cannot go on: how the game ends for it (`termination`), and why in words."""

    def __init__(self, termination: Termination, detail: str) -> None:
        detail = clean_text(detail)
        super().__init__(detail)
        self.termination = termination
        self.detail = detail


class GameFaultError(EngineError):
    """The engine says that the game's own file is at fault; `detail` names its line."""


class EngineStartError(EngineError):
    """The engine did not come up within its start-up budget."""


class MatchStoppedError(Exception):
    """The match was stopped by its owner; the game in progress does not count."""


class Interrupt:
    """A switch that ends every wait for an engine at once; it cannot be switched back."""

    def __init__(self) -> None:
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._reader, False)
        self._lock = threading.Lock()
        self._set = False

    @property
    def descriptor(self) -> int:
        """Readable from the moment the switch is set."""
        return self._reader

    @property
    def is_set(self) -> bool:
        return self._set

    def set(self) -> None:
        """Stop all waits, now and later."""
        with self._lock:
            if not self._set:
                self._set = True
                os.write(self._writer, b"x")

    def check(self) -> None:
        """Raise MatchStoppedError if the switch is set."""
        if self._set:
            raise MatchStoppedError("the match was stopped")

    def clear(self) -> None:
        """Take out what somebody else has written there; a switch that is set stays so."""
        with self._lock, contextlib.suppress(OSError):
            if not self._set:
                os.read(self._reader, 1 << 16)

    def __del__(self) -> None:
        for descriptor in (self._reader, self._writer):
            with contextlib.suppress(OSError):
                os.close(descriptor)
