"""Imports point one way: what each room of the house may import."""

from __future__ import annotations

import ast
from pathlib import Path

HOUSE = Path(__file__).parents[2] / "src" / "plyground"

BASE = {"core"}
KERNELS = BASE | {"kernels"}
SEARCH = KERNELS | {"search"}
GAME = SEARCH | {"sudoku"}
ENGINES = SEARCH | {"engines"}
ARENA = ENGINES | {"arena", "stats", "store"}
PRESENTED = ARENA | {"report"}
MAY_IMPORT = {
    "core": {"core", "kernels"},  # a game finds its compiled rules
    "kernels": {"kernels", "core"},
    "stats": {"stats", "core"},
    "store": {"store", "core"},
    "search": SEARCH,
    "board": SEARCH | {"board"},
    "sudoku": KERNELS | {"sudoku"},
    "games": GAME | {"games", "stats"},
    "engines": ENGINES,
    "arena": ARENA,
    "report": PRESENTED,
    "lab": PRESENTED | {"lab"},
    "course": PRESENTED | {"course", "sudoku", "games"},  # the course plays one game
    "web": PRESENTED | {"web", "lab"},
    "adapters": SEARCH | {"adapters"},
    "api": BASE,
    "notebook": PRESENTED,
    "testing": SEARCH | {"board"},
    "cli": None,  # stands on top of everything
    # Parts of a game's folder that stand higher than its rules and players:
    "games/experiments": None,
    "games/commands": None,
    "games/environment": GAME | {"games", "adapters"},
    "games/measurements": GAME | {"games"},
    "games/bridge": GAME | {"games", "engines"},
}
HIGH_ROOMS = ("experiments", "commands", "environment", "measurements", "bridge")


def room_of(path: Path) -> str:
    """The row of the table that a file belongs to."""
    parts = path.relative_to(HOUSE).with_suffix("").parts
    if parts[0] == "games" and len(parts) > 2 and parts[2] in HIGH_ROOMS:
        return f"games/{parts[2]}"
    return parts[0]


def imported_modules(path: Path) -> set[str]:
    """All modules of ours that a file imports, inside functions as well."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            if node.module == "plyground":
                found |= {f"plyground.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {name for name in found if name.startswith("plyground.")}


def test_imports_point_one_way():
    wrong = []
    for path in HOUSE.rglob("*.py"):
        room = room_of(path)
        if room.startswith("__"):
            continue
        allowed = MAY_IMPORT[room]
        if allowed is None:
            continue
        for name in sorted(imported_modules(path)):
            target = name.split(".")[1]
            if target not in allowed and not target.startswith("__"):
                wrong.append(f"{path.relative_to(HOUSE)} ({room}) imports {name}")
    assert not wrong, "\n".join(wrong)


def test_no_game_names_another_game_or_is_named_by_the_house():
    games = {path.name for path in (HOUSE / "games").iterdir() if (path / "rules.py").exists()}
    wrong = []
    for path in HOUSE.rglob("*.py"):
        parts = path.relative_to(HOUSE).parts
        own = parts[1] if parts[0] == "games" and len(parts) > 2 else ""
        if parts[0] == "course":  # made for one game
            continue
        for name in imported_modules(path):
            words = name.split(".")
            if words[1] == "games" and len(words) > 2 and words[2] in games - {own}:
                wrong.append(f"{path.relative_to(HOUSE)} imports {name}")
    assert not wrong, "\n".join(wrong)
