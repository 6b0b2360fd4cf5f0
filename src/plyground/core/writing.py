"""Files that a user names to write to: never over a database, into no pipe that nobody reads."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Any

from plyground.core.errors import InputError

_DATABASES = (b"SQLite format 3\0", b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
"""How a database begins, and the log beside one."""

_NONBLOCK = getattr(os, "O_NONBLOCK", 0)


def check_target(path: Path | str) -> None:
    """InputError for a database: all its games would be lost."""
    try:
        descriptor = os.open(path, os.O_RDONLY | _NONBLOCK)
    except OSError:
        return  # whoever opens it to write says what is wrong
    with open(descriptor, "rb", buffering=0) as file:
        kept = stat.S_ISREG(os.fstat(descriptor).st_mode)
        if kept and file.read(16).startswith(_DATABASES):
            raise InputError(f"{str(path)!r} is a database and is not written over: name another")


def open_target(path: Path | str, mode: str = "w", **how: Any) -> Any:
    """The file opened as by `open`, in UTF-8 if it is text; InputError as above."""
    check_target(path)
    encoding = {} if "b" in mode else {"encoding": "utf-8"}
    return open(path, mode, opener=_at_once, **{**encoding, **how})


def write_text(path: Path | str, text: str) -> None:
    """Write a whole file."""
    with open_target(path) as file:
        file.write(text)


def _at_once(name: str, flags: int) -> int:
    try:
        descriptor = os.open(name, flags | _NONBLOCK, 0o666)
    except OSError as error:
        if error.errno != errno.ENXIO:
            raise
        raise InputError(f"{name!r} is a pipe that nobody reads") from None
    if _NONBLOCK:
        os.set_blocking(descriptor, True)
    return descriptor
