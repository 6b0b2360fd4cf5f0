"""What every command understands: `--quiet` and `--log-file FILE`, anywhere on the line.

Results go to standard output; progress and remarks go to standard error, from where they can be
left out or written to a file. The environment can ask for the same: `PLYGROUND_QUIET=1` and
`PLYGROUND_LOG_FILE=FILE`. Errors are always shown.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from plyground import __version__
from plyground.core.errors import InputError
from plyground.core.writing import open_target

_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@dataclass(frozen=True)
class Wishes:
    """How much a user wants to hear, and the command without these words."""

    arguments: list[str]
    quiet: bool = False
    log: Path | None = None

    @classmethod
    def read(cls, arguments: list[str]) -> Wishes:
        """Take the global options out of a command line; what follows `--` is left alone."""
        quiet = os.environ.get("PLYGROUND_QUIET", "") not in ("", "0")
        log = os.environ.get("PLYGROUND_LOG_FILE", "")
        rest: list[str] = []
        words = iter(arguments)
        for word in words:
            if word == "--":
                rest += [word, *words]
            elif word == "--quiet":
                quiet = True
            elif word == "--log-file":
                log = next(words, "")
                if not log:
                    raise InputError("--log-file needs the name of a file")
            elif word.startswith("--log-file="):
                log = word.partition("=")[2]
            else:
                rest.append(word)
        return cls(rest, quiet, Path(log) if log else None)


class RemarkStream(io.TextIOBase):
    """Standard error for everything but errors: shown unless `quiet`, and copied to a log."""

    def __init__(self, shown: TextIO | None, log: TextIO | None) -> None:
        self._shown = shown
        self._log = log
        self._line = ""

    def write(self, text: str) -> int:
        if self._shown is not None:
            self._shown.write(text)
        if self._log is not None:
            *lines, self._line = (self._line + text).replace("\r", "\n").split("\n")
            for line in lines:
                self.note(line)
        return len(text)

    def note(self, line: str) -> None:
        """A line for the log alone."""
        plain = _CONTROL.sub("", line).rstrip()
        if self._log is not None and plain:
            self._log.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {plain}\n")
            self._log.flush()

    def flush(self) -> None:
        if self._shown is not None:
            self._shown.flush()

    def isatty(self) -> bool:
        return self._shown is not None and self._shown.isatty()

    def fileno(self) -> int:
        return (self._shown or sys.__stderr__ or sys.stdout).fileno()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return "utf-8" if self._shown is None else self._shown.encoding


@contextlib.contextmanager
def heard(wishes: Wishes) -> Iterator[RemarkStream]:
    """Let standard error be what the user wants it to be, for one command."""
    before = sys.stderr
    with contextlib.ExitStack() as stack:
        log = None
        if wishes.log is not None:
            log = stack.enter_context(open_target(wishes.log, "a"))
        stream = RemarkStream(None if wishes.quiet else before, log)
        stream.note(f"plyground {__version__}: {' '.join(wishes.arguments)}")
        if wishes.quiet or log is not None:
            sys.stderr = stream
        try:
            yield stream
        finally:
            sys.stderr = before
