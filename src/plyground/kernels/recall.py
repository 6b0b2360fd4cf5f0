"""Remembers what a package was made of, so that unchanged sources are not parsed again.

Beside the packages lies a small file for each module with its hooks: the checksums of all sources
that went in and of all files that came out. While every source is the same, so is the package.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from plyground.kernels import store
from plyground.kernels.sources import Source, SourceError, module_path, substitute


class Recipe(msgspec.Struct, frozen=True):
    """A package by its digest: checksums of its sources by module and of its files by name."""

    digest: str
    sources: dict[str, str]
    files: dict[str, str]


def recall(key: str, native: bool) -> tuple[str, Path] | None:
    """Digest and folder of the package that this key stands for, None unless all is unchanged."""
    try:
        recipe = msgspec.json.decode(_path(key).read_bytes(), type=Recipe)
        unchanged = all(
            substitute(name, {}, native) == name
            and checksum(module_path(name).read_bytes()) == sum_
            for name, sum_ in recipe.sources.items()
        )
    except (OSError, SourceError, msgspec.DecodeError):
        return None
    folder = store.find(recipe.digest, recipe.files) if unchanged else None
    return None if folder is None else (recipe.digest, folder)


def remember(key: str, digest: str, sources: Iterable[Source], files: Mapping[str, str]) -> None:
    """Note what a package was made of; a note that cannot be written is done without."""
    recipe = Recipe(
        digest,
        {source.name: checksum(source.text.encode()) for source in sources},
        {name: checksum(text.encode()) for name, text in files.items()},
    )
    store.write_whole(_path(key), msgspec.json.encode(recipe))


def _replaced(module: str, native: bool) -> bool:
    """Whether a `_native` sibling has come up since."""
    return substitute(module, {}, native) != module


def checksum(data: bytes) -> str:
    """What tells one content from another."""
    return hashlib.sha256(data).hexdigest()


def _path(key: str) -> Path:
    return store.kernels_root() / f"recipe-{key}.json"
