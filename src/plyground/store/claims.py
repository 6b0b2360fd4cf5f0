"""Who writes a run: a locked file beside the database, gone when the run is given up.

A process that dies gives up its locks, but leaves their files; the next one that claims a run of
the same database removes them.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import sys
import time
from pathlib import Path

from plyground.store.failure import StoreError

if sys.platform != "win32":
    import fcntl

_TRIES, _TRY_SECONDS = 5, 0.02
"""Somebody who looks whether a lock is still held has it for a moment."""

_CHARACTERS = 100
"""Names of files are short; a longer run's is cut, with a digest of all of it."""


class Claims:
    """The runs of one database that this process alone may write.

    Without effect on Windows, which has no such locks.
    """

    def __init__(self, database: Path) -> None:
        self._database = database
        self._held: dict[Path, int] = {}

    def claim(self, run: str) -> None:
        """Become the only writer of a run; StoreError if another process is."""
        if sys.platform == "win32":
            return
        self._sweep()
        path = self._path(run)
        if path in self._held:
            return
        lock = None
        try:
            for _ in range(_TRIES):
                lock = _lock(path)
                if lock is not None:
                    break
                time.sleep(_TRY_SECONDS)
        except OSError as error:
            raise StoreError(
                f"cannot claim run {run[:100]!r} in {str(self._database)!r}: {error.strerror}"
            ) from error
        if lock is None:
            raise StoreError(f"run {run!r} is being played by another process")
        self._held[path] = lock

    def give_up(self) -> None:
        """Let others write all of them."""
        for path, lock in self._held.items():
            with contextlib.suppress(OSError):
                path.unlink()
            os.close(lock)
        self._held.clear()

    def _path(self, run: str) -> Path:
        safe = re.sub(r"[^A-Za-z0-9_.-]", "_", run)
        if len(safe) > _CHARACTERS:
            digest = hashlib.blake2b(run.encode(errors="replace"), digest_size=8).hexdigest()
            safe = f"{safe[:_CHARACTERS]}-{digest}"
        return self._database.with_name(f"{self._database.name}.{safe}.lock")

    def _sweep(self) -> None:
        """Remove the files of processes that have died."""
        with contextlib.suppress(OSError):
            for path in self._database.parent.iterdir():
                name = path.name
                if not (name.startswith(f"{self._database.name}.") and name.endswith(".lock")):
                    continue
                if path in self._held:
                    continue
                lock = _lock(path)
                if lock is not None:
                    path.unlink()
                    os.close(lock)


def _lock(path: Path) -> int | None:
    """The descriptor of a file that is locked for us, None if another process has locked it."""
    while True:
        lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(lock)
            return None
        with contextlib.suppress(OSError):
            if os.path.samestat(os.fstat(lock), path.stat()):
                return lock
        os.close(lock)  # its owner has removed it meanwhile
