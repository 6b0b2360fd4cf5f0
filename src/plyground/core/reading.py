"""Files that a user names, read with bounds: nothing endless, no pipe into which nobody writes.

What goes wrong is an OSError whose `strerror` says it in words, as for any other file.
"""

from __future__ import annotations

import ast
import contextlib
import errno
import os
import select
import stat
import threading
from pathlib import Path

MOST_BYTES = 1 << 30
SECONDS = 10.0
"""A pipe has to bring something at least so often."""

_PIECE = 1 << 20
_TRIALS = 3
_parsing = threading.Lock()


def read_bytes(path: Path | str) -> bytes:
    """All of a file or pipe."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    with open(descriptor, "rb", buffering=0) as file:
        flows = not stat.S_ISREG(os.fstat(descriptor).st_mode)
        pieces: list[bytes] = []
        left = MOST_BYTES
        while True:
            if flows and not select.select([descriptor], [], [], SECONDS)[0]:
                raise OSError(errno.ETIMEDOUT, f"nothing came for {SECONDS:g} s")
            piece = file.read(_PIECE)
            if piece is None:  # somebody else was faster
                continue
            if not piece:
                return b"".join(pieces)
            left -= len(piece)
            if left < 0:
                raise OSError(errno.EFBIG, f"it has more than {MOST_BYTES >> 20} MiB")
            pieces.append(piece)


def read_text(path: Path | str) -> str:
    """The same as UTF-8 (UnicodeDecodeError if it is none), with all ends of lines alike."""
    return read_bytes(path).decode().replace("\r\n", "\n").replace("\r", "\n")


def parse_python(code: bytes | str) -> ast.Module:
    """Python code as a tree; SyntaxError, ValueError, RecursionError or MemoryError if it is none.

    Python 3.11's parser sometimes fails when two threads use it at once: one waits for the other
    here, and where somebody else is at work it tries again.
    """
    with _parsing:
        for _ in range(_TRIALS):
            with contextlib.suppress(SystemError):
                return ast.parse(code)
        return ast.parse(code)
