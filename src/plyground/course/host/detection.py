"""Which generation of the course's framework a submission was written for, read off its code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from plyground.core.errors import InputError
from plyground.core.paths import expanded
from plyground.core.reading import parse_python
from plyground.course.host.submission import NEWER, OLDER

_NEWER_NAMES = {
    "square",
    "player_squares",
    "occupied_squares",
    "allowed_squares1",
    "allowed_squares2",
    "occupied_squares1",
    "occupied_squares2",
    "is_classic_game",
    "square2index",
    "index2square",
}
_OLDER_NAMES = {"rc2f", "f2rc", "i", "j"}
PROGRAM = "simulate_game.py"
"""The course's program: submissions import from the folder in which it lies."""

MOST_UPS = 4
"""So far above a submission it is looked for."""

MOST_BYTES = 2 << 20
"""More code than this is not looked through: its tree takes hundreds of times the memory."""


def find_submission(text: str) -> Path:
    """The folder of a submission; InputError if there is no `sudokuai.py` in it."""
    path = expanded(text).resolve()
    if path.name == "sudokuai.py":
        path = path.parent
    if not path.is_dir():
        raise InputError(f"player course:{text}: there is no folder {path}")
    if not (path / "sudokuai.py").is_file():
        raise InputError(f"player course:{text}: {path} has no sudokuai.py")
    return path


def read_source(path: Path) -> ast.Module | None:
    """The code of a file as Python reads it, marks of its encoding and all.

    SyntaxError or ValueError if it is none; None if nothing can be said without running it.
    """
    try:
        if not path.is_file() or path.stat().st_size > MOST_BYTES:
            return None
        return parse_python(path.read_bytes())
    except (RecursionError, MemoryError, OSError):
        return None


def _sources(folder: Path) -> Iterator[tuple[Path, ast.Module]]:
    """The code of a file, or of all in a folder, that can be read, as far as it is not too much."""
    left = MOST_BYTES
    for path in [folder] if folder.is_file() else sorted(folder.rglob("*.py")):
        try:
            tree = read_source(path)
            left -= path.stat().st_size
        except (SyntaxError, ValueError, OSError):
            continue
        if left < 0:
            return
        if tree is not None:
            yield path, tree


def detect_generation(folder: Path) -> str:
    """OLDER or NEWER by what the code calls: the arguments of `Move`, attributes, methods."""
    return NEWER if sum(_votes(tree) for _, tree in _sources(folder)) > 0 else OLDER


def _votes(tree: ast.AST) -> int:
    """Above zero for the newer generation, below for the older one."""
    votes = 0
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            votes += 2 * (node.attr in _NEWER_NAMES) - 2 * (node.attr in _OLDER_NAMES)
            if node.attr == "current_player":
                votes += -3 if id(node) in called else 3
        elif isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else ""
            arguments = len(node.args) + len(node.keywords)
            if name in ("Move", "TabooMove") and not any(
                isinstance(argument, ast.Starred) for argument in node.args
            ):
                votes += {2: 4, 3: -4}.get(arguments, 0)
    return votes


def find_siblings(folder: Path) -> list[Path]:
    """What lies beside or above a submission and is its own.

    Packages and modules that it imports, those that they import, and data that any of them names:
    beside its folder, and beside the course's program, if that lies above it.
    """
    found: set[Path] = set()
    waiting = [folder]
    places = {folder.parent, _course_folder(folder)}
    while waiting:
        mentioned = _mentioned(waiting.pop())
        for path in {*_modules(places, mentioned.imported), *mentioned.above} - found:
            if not folder.is_relative_to(path):
                found.add(path)
                waiting.append(path)
        data = {place / name for place in places for name in mentioned.named} - {folder}
        found |= {
            path
            for path in data
            if path.exists()
            and not folder.is_relative_to(path)
            and not (path / "sudokuai.py").exists()
        }
    return sorted(found)


def _modules(places: Iterable[Path], names: Iterable[str]) -> set[Path]:
    """The packages and modules of these names that lie in some folders."""
    paths = {place / end for place in places for name in names for end in (name, f"{name}.py")}
    return {path for path in paths if path.exists()}


def _course_folder(folder: Path) -> Path:
    """Where the course's program would be run: it lies there, or else what is beside is all."""
    above = (place for place in folder.parents[:MOST_UPS] if (place / PROGRAM).is_file())
    return next(above, folder.parent)


def package_name(folder: Path) -> str:
    """The end of its path that is the package of a submission: all from which it imports."""
    mentioned = _mentioned(folder)
    tops = {path.parent.parent for path in mentioned.above}
    course = _course_folder(folder)
    if _modules({course}, mentioned.imported):
        tops.add(course)
    return "/".join(folder.parts[min((len(top.parts) for top in tops), default=-1) :])


class _Mentioned(NamedTuple):
    """First words of imports and of paths in texts; what is imported from above by dots."""

    imported: set[str]
    named: set[str]
    above: set[Path]


def _mentioned(place: Path) -> _Mentioned:
    """What a module, or all modules of a folder, mention."""
    imported: set[str] = set()
    texts: set[str] = set()
    above: set[Path] = set()
    for path, tree in _sources(place):
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                imported |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level:
                above |= _above(path, node, place)
            elif isinstance(node, ast.ImportFrom) and node.module:
                imported.add(node.module.split(".")[0])
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.add(re.sub(r"^(\./)+", "", node.value).split("/")[0])
    named = {text for text in texts if re.fullmatch(r"[\w-][\w. -]{0,99}", text)}
    return _Mentioned(imported - {"competitive_sudoku"}, named, above)


def _above(path: Path, node: ast.ImportFrom, place: Path) -> set[Path]:
    """What an import by dots takes from outside of a place, as far as it is there."""
    if node.level > len(path.parents):
        return set()
    base = path.parents[node.level - 1]
    if base.is_relative_to(place):
        return set()
    names = [node.module.split(".")[0]] if node.module else [alias.name for alias in node.names]
    targets = (base / file for name in names for file in (name, f"{name}.py"))
    return {target for target in targets if target.exists()}
