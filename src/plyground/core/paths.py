"""Where plyground keeps its files: results and tables in the data folder, the rest in the cache."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from plyground.core.errors import InputError


def _folder(override: str, xdg: str, linux_default: str, mac_default: str) -> Path:
    given = os.environ.get(override)
    if given:
        return expanded(given)
    if sys.platform == "darwin":
        return expanded("~") / mac_default / "plyground"
    base = os.environ.get(xdg)
    return (expanded(base) if base else expanded("~") / linux_default) / "plyground"


def expanded(path: Path | str) -> Path:
    """A path with its `~` spelled out; InputError where nobody knows that home."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        raise InputError(
            f"{str(path)!r}: there is no such home folder; set HOME, or PLYGROUND_DATA_DIR and "
            "PLYGROUND_CACHE_DIR"
        ) from None


def cache_root() -> Path:
    """What may be deleted at any time: compiled code (`PLYGROUND_CACHE_DIR` overrides it)."""
    return _folder("PLYGROUND_CACHE_DIR", "XDG_CACHE_HOME", ".cache", "Library/Caches")


def data_root() -> Path:
    """What was made and should stay: games, tables, books (`PLYGROUND_DATA_DIR` overrides it)."""
    return _folder(
        "PLYGROUND_DATA_DIR", "XDG_DATA_HOME", ".local/share", "Library/Application Support"
    )


def is_file(path: Path | str) -> bool:
    """Whether there is such a file; also asked of texts that no file can be named."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False
