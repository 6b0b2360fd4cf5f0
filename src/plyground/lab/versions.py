"""Which version of a player or a measurement a result belongs to, by the content of its sources.

The digest covers the module of an agent and all that it uses of the games and searches: what it
imports, directly or not, the kernels that it names, and the data files beside them (weights, books,
certificates). What only shows, stores or referees games has no part in it.
"""

from __future__ import annotations

import ast
import hashlib
import re
from functools import cache
from pathlib import Path

import plyground
from plyground.core.registry import agents, games

HOUSE = Path(plyground.__file__).parent
ROOMS = ("games", "search", "sudoku", "board", "kernels")
"""Where players and their searches live."""
NOT_DATA = {".py", ".pyc", ".js", ".txt", ".md"}
MODULE_NAME = re.compile(r"plyground(\.\w+)+")


@cache
def player_version(game: str, player: str) -> str:
    """Version and content of a player's program: `0.1.0 3f9c2a7e`; empty for no player."""
    if not player:
        return ""
    known = agents(game)
    name = player.partition(":")[0]
    if name not in known:
        return plyground.__version__
    module = known[name].__module__
    rules = games()[game].__module__
    return f"{plyground.__version__} {content_digest(module, rules)}"


@cache
def content_digest(*modules: str) -> str:
    """A short text that depends on these modules and on everything of theirs that matters."""
    state = hashlib.blake2b(digest_size=4)
    files: set[Path] = set()
    for path in _closure(modules):
        files |= {path, *_data_beside(path)}
    for path in sorted(files):
        content = path.read_bytes()
        state.update(f"{path.relative_to(HOUSE).as_posix()}\0{len(content)}\0".encode() + content)
    return state.hexdigest()


def _closure(modules: tuple[str, ...]) -> set[Path]:
    """The files of modules and of all they use, directly or not."""
    found: set[Path] = set()
    waiting = [path for name in modules if (path := _file(name)) is not None]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += [used for name in _names(path) if (used := _file(name)) is not None]
    return found


@cache
def _names(path: Path) -> frozenset[str]:
    """Everything that a module imports or names by its full name."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module)
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names |= {node.value} if MODULE_NAME.fullmatch(node.value) else set()
    return frozenset(names)


def _file(module: str) -> Path | None:
    """The source of a module in one of the rooms; None for all others."""
    parts = module.split(".")
    if parts[0] != "plyground" or len(parts) < 2 or parts[1] not in ROOMS:
        return None
    path = HOUSE.joinpath(*parts[1:])
    choices = (path.with_suffix(".py"), path / "__init__.py")
    return next((choice for choice in choices if choice.is_file()), None)


def _data_beside(path: Path) -> list[Path]:
    """Data files in a module's folder and in folders below that hold nothing else."""
    folders = [path.parent, *(f for f in path.parent.iterdir() if f.is_dir() and _only_data(f))]
    return [
        file
        for folder in folders
        for file in folder.iterdir()
        if file.is_file() and file.suffix not in NOT_DATA
    ]


def _only_data(folder: Path) -> bool:
    return {file.name for file in folder.glob("*.py")} <= {"__init__.py"}
