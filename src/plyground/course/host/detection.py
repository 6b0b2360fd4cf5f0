"""Which generation of the course's framework a submission was written for, read off its code."""

from __future__ import annotations

import ast
from pathlib import Path

from plyground.core.errors import InputError

OLDER, NEWER = "older", "newer"

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


def find_submission(text: str) -> Path:
    """The folder of a submission; InputError if there is no `sudokuai.py` in it."""
    path = Path(text).expanduser().resolve()
    if path.name == "sudokuai.py":
        path = path.parent
    if not path.is_dir():
        raise InputError(f"player course:{text}: there is no folder {path}")
    if not (path / "sudokuai.py").is_file():
        raise InputError(f"player course:{text}: {path} has no sudokuai.py")
    return path


def detect_generation(folder: Path) -> str:
    """OLDER or NEWER by what the code calls: the arguments of `Move`, attributes, methods."""
    votes = 0
    for source in sorted(folder.rglob("*.py")):
        try:
            tree = ast.parse(source.read_text(encoding="utf-8", errors="replace"))
        except (SyntaxError, ValueError):
            continue
        votes += _votes(tree)
    return NEWER if votes > 0 else OLDER


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
