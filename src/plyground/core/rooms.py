"""The rooms of the house: where players, commands, experiments and bridges are found.

A room is a folder of modules, or a single module, with the same name in every package that has
one: `games/connect4/players/`, `search/players.py`, `course/bridge.py`. A package of somebody
else's takes part when an entry point in the group `plyground.games` names a module in it.
"""

from __future__ import annotations

import hashlib
import pkgutil
import sys
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

HOUSE = Path(__file__).parent.parent


@cache
def games() -> tuple[str, ...]:
    """The packages of our own games."""
    return tuple(_inside("plyground.games", [str(HOUSE / "games")]))


def modules(room: str) -> list[str]:
    """The names of all modules in rooms of this name, none of them imported."""
    return [*own_modules(room), *guest_modules(room)]


@cache
def own_modules(room: str) -> tuple[str, ...]:
    """Those of the house itself, looked for once: a server asks with every new game."""
    found: list[str] = []
    for path in sorted([*HOUSE.glob(f"*/{room}*"), *HOUSE.glob(f"games/*/{room}*")]):
        if path.name not in (room, f"{room}.py"):
            continue
        name = ".".join(("plyground", *path.relative_to(HOUSE).with_suffix("").parts))
        found += _inside(name, [str(path)]) if path.is_dir() else [name]
    return tuple(found)


def guest_modules(room: str) -> list[str]:
    """Those of other packages."""
    return [name for entry in guests() for name in _room_of_guest(entry.module, room)]


def guests() -> list[EntryPoint]:
    """The games of other packages, as those announce them."""
    from importlib.metadata import entry_points  # slow to import; only discovery needs it

    return list(entry_points(group="plyground.games"))


def installation_state(paths: Iterable[Path]) -> str:
    """Changes with every edit of these files and with every package that comes or goes."""
    seen = [sys.version]
    for path in sorted([*paths, *map(Path, sys.path)]):
        try:
            facts = path.stat()
        except OSError:
            continue
        seen.append(f"{path} {facts.st_mtime_ns} {facts.st_size}")
    return hashlib.sha256("\n".join(seen).encode()).hexdigest()


def _inside(package: str, folders: list[str]) -> list[str]:
    return [module.name for module in pkgutil.iter_modules(folders, f"{package}.")]


def _room_of_guest(module: str, room: str) -> list[str]:
    """Like `modules`, for the package around a module; nothing if it cannot be imported."""
    try:
        home = find_spec(module)
        if home is None:
            return []
        package = module if home.submodule_search_locations else module.rpartition(".")[0]
        spec = find_spec(f"{package}.{room}") if package else None
    except Exception:  # whatever a package of somebody else's does on import
        return []
    if spec is None:
        return []
    if spec.submodule_search_locations:
        return _inside(spec.name, list(spec.submodule_search_locations))
    return [spec.name]
