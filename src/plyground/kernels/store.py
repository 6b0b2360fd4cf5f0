"""The folder of generated packages and machine code: where it is, its locks, its checksums.

Layout: `<cache>/kernels/<digest>/` holds the generated modules; Numba keeps machine code in its
`__pycache__`. `checksums.json` covers that machine code, because loading a damaged file would
crash the process, and code without a checksum is not loaded. Loading is running: a folder that
somebody else owns or may write to is not used. Nothing here is precious: any folder may be deleted
at any time.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from plyground.core.paths import cache_root

try:
    import fcntl
except ImportError:  # Windows: no lock, compilation may be done twice
    fcntl = None  # type: ignore[assignment]

LOCK_DEADLINE = 180.0
"""Seconds to wait for another process that compiles the same module; then compile anyway."""

CHECKSUMS = "checksums.json"
LOCKS = "locks"
_fallback: Path | None = None
_complaint = ""
_used: set[Path] = set()


def kernels_root() -> Path:
    """The folder that holds the generated packages; a temporary one if the cache is unusable."""
    if _fallback is not None:
        return _fallback
    root = cache_root() / "kernels"
    try:
        root.parent.mkdir(parents=True, exist_ok=True, mode=0o755)
        root.mkdir(exist_ok=True, mode=0o700)
        danger = _danger(root)
        if danger:
            raise OSError(danger)
        with tempfile.TemporaryFile(dir=root):
            pass
    except OSError as error:
        return _fall_back(root, error)
    return root


def _danger(root: Path) -> str:
    """Why code in this folder might be somebody else's; empty if it cannot be."""
    if not hasattr(os, "geteuid"):
        return ""
    for folder in (root, root.parent):
        facts = folder.stat()
        if facts.st_uid not in (os.geteuid(), 0):
            return f"{folder} belongs to another user"
        sticky = folder != root and facts.st_mode & stat.S_ISVTX
        if facts.st_mode & (stat.S_IWGRP | stat.S_IWOTH) and not sticky:
            return f"others may write to {folder}: chmod go-w it, or delete it"
    return ""


def _fall_back(root: Path, error: OSError) -> Path:
    """Use a folder that ends with this process; said once, when something must be compiled."""
    global _fallback, _complaint
    _fallback = Path(tempfile.mkdtemp(prefix="plyground-kernels-"))
    atexit.register(shutil.rmtree, _fallback, ignore_errors=True)
    _complaint = (
        f"plyground: cannot use the cache folder {root} ({error.strerror or error}); "
        "compiled code will not be kept. Set PLYGROUND_CACHE_DIR to a writable folder."
    )
    return _fallback


def _borrow(digest: str, files: Mapping[str, str]) -> bool:
    """Copy a package from a cache that can only be read; whether it was there, compiled."""
    source = cache_root() / "kernels" / digest
    assert _fallback is not None
    if not source.is_dir() or _danger(source.parent):
        return False
    if not _intact(source, files) or not _machine_code(source):
        return False
    try:
        # Numba goes by the times of the sources: the copy keeps them.
        shutil.copytree(source, _fallback / digest, ignore=shutil.ignore_patterns(".*"))
    except (OSError, shutil.Error):
        shutil.rmtree(_fallback / digest, ignore_errors=True)
        return False
    return True


def place(digest: str, files: Mapping[str, str]) -> Path:
    """The folder of a package, with exactly these sources in it and no damaged machine code."""
    global _complaint
    folder = kernels_root() / digest
    if _fallback is not None and not folder.exists() and not _borrow(digest, files) and _complaint:
        print(_complaint, file=sys.stderr)
        _complaint = ""
    if not _intact(folder, files):
        try:
            _write(folder, files)
        except OSError as error:
            folder = _fall_back(folder, error) / digest
            print(_complaint, file=sys.stderr)
            _complaint = ""
            _write(folder, files)
    _drop_damaged(folder)
    try:
        os.utime(folder)  # the clean-up goes by last use
    except OSError:
        pass
    return _use(folder)


def find(digest: str, sums: Mapping[str, str]) -> Path | None:
    """The folder of a package whose files have these checksums, None if it is not whole.

    Machine code that is damaged is dropped from it.
    """
    folder = kernels_root() / digest
    try:
        if any(_checksum(folder / name) != sum_ for name, sum_ in sums.items()):
            return None
        os.utime(folder)  # the clean-up goes by last use
    except OSError:
        return None
    _drop_damaged(folder)
    return _use(folder)


def _intact(folder: Path, files: Mapping[str, str]) -> bool:
    try:
        return all((folder / name).read_text() == text for name, text in files.items())
    except (OSError, UnicodeDecodeError):
        return False


def _write(folder: Path, files: Mapping[str, str]) -> None:
    """Write a package so that no other process ever sees half of it."""
    staging = Path(tempfile.mkdtemp(prefix=".new-", dir=folder.parent.resolve()))
    try:
        for name, text in files.items():
            (staging / name).write_text(text)
        try:
            staging.rename(folder)
            return
        except OSError:
            if _intact(folder, files):  # another process was faster
                return
        # A damaged folder is in the way: move it aside, then take its place.
        if folder.is_dir():
            folder.rename(Path(tempfile.mkdtemp(prefix=".old-", dir=folder.parent)) / "damaged")
        else:
            folder.unlink(missing_ok=True)
        staging.rename(folder)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _machine_code(folder: Path) -> list[Path]:
    return sorted((folder / "__pycache__").glob("*.nb[ic]"))


def _checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def seal_used() -> None:
    """Seal what this process has compiled in all packages that it uses; so does its end."""
    for folder in _used:
        if not _locked_by_another(folder):
            seal(folder)


def _use(folder: Path) -> Path:
    if not _used:
        atexit.register(seal_used)
    _used.add(folder)
    return folder


def seal(folder: Path) -> None:
    """Record the checksums of the machine code that is in a folder now."""
    try:
        codes = _machine_code(folder)
        if _is_sealed(folder, codes):
            return
        sums = {path.name: _checksum(path) for path in codes}
    except OSError:
        return  # what is not sealed is compiled again by the next process
    write_whole(folder / CHECKSUMS, json.dumps(sums).encode())


def _is_sealed(folder: Path, codes: list[Path]) -> bool:
    """Whether the record is younger than all of this machine code and names it all."""
    path = folder / CHECKSUMS
    if not path.exists():
        return False
    written = path.stat().st_mtime_ns
    try:
        names = set(json.loads(path.read_text()))
    except (ValueError, TypeError):
        return False
    return names == {code.name for code in codes} and all(
        code.stat().st_mtime_ns < written for code in codes
    )


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that nobody sees half of it; nothing happens where that cannot be done."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".new-", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).replace(path)
    except OSError:
        return


def _drop_damaged(folder: Path) -> None:
    """Delete machine code without its recorded checksum; Numba compiles it again."""
    path = folder / CHECKSUMS
    try:
        sums = json.loads(path.read_text()) if path.exists() else {}
        damaged = [code for code in _machine_code(folder) if sums.get(code.name) != _checksum(code)]
    except (OSError, ValueError, TypeError, AttributeError):
        damaged = [*_machine_code(folder), path]
    if damaged and not _locked_by_another(folder):
        for code in damaged:
            code.unlink(missing_ok=True)


def _locked_by_another(folder: Path) -> bool:
    """Whether some process is compiling there now: its files change before it seals them."""
    if fcntl is None:
        return False
    try:
        with _lock_file(folder) as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return False
    except OSError:
        return True


def _lock_file(folder: Path) -> IO[str]:
    """The file whose lock is the right to compile in a folder; OSError where none can be had.

    Whoever can read a file can lock it: it does not lie among what programs in a sandbox see.
    """
    locks = cache_root() / LOCKS
    if _fallback is not None:
        locks = folder
    locks.mkdir(exist_ok=True, mode=0o700)
    return open(locks / f".{folder.name}.lock", "a")


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a folder's compile lock; after a deadline, or where locks do not work, go on without."""
    try:
        file = _lock_file(folder)
    except OSError:
        yield
        return
    with file:
        end = time.monotonic() + LOCK_DEADLINE
        while fcntl is not None and time.monotonic() < end:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(0.05)
            except OSError:
                break
        yield


def size() -> tuple[int, int]:
    """Number of cached packages and their total size in bytes."""
    root = cache_root() / "kernels"
    folders = [path for path in root.glob("*") if path.is_dir()] if root.is_dir() else []
    total = sum(f.stat().st_size for folder in folders for f in folder.rglob("*") if f.is_file())
    return len(folders), total


def clean(unused_days: float = 0.0) -> int:
    """Delete packages that were last used more than this many days ago; how many went."""
    root = cache_root() / "kernels"
    if not root.is_dir():
        return 0
    before = time.time() - unused_days * 86400
    gone = 0
    for recipe in root.glob("recipe-*.json"):  # made again by the next use
        recipe.unlink(missing_ok=True)
    for folder in root.iterdir():
        if folder.is_dir() and folder.stat().st_mtime <= before:
            shutil.rmtree(folder, ignore_errors=True)
            gone += 1
    return gone
