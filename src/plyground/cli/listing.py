"""Facts about all games, kept in the cache: to list them, no game need be imported.

What is kept holds while no file of a game and no folder of installed packages has changed. Games of
other packages are asked every time: nobody says when their files change.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyground.core.paths import cache_root
from plyground.core.rooms import HOUSE, installation_state

if TYPE_CHECKING:
    from plyground.core.game import GameInfo

Facts = dict[str, Any]


def game_facts() -> list[Facts]:
    """All games in the shape that `plyground games --json` prints."""
    state = _state()
    known = None if "plyground.core.registry" in sys.modules else _kept(state)
    return _ask(state) if known is None else known


def _path() -> Path:
    return cache_root() / "games.json"


def _kept(state: str) -> list[Facts] | None:
    try:
        kept = json.loads(_path().read_text(encoding="utf-8"))
        games: list[Facts] | None = kept["games"] if kept["state"] == state else None
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return games


def _ask(state: str) -> list[Facts]:
    """Import the games, and keep what they say if all of them are our own."""
    from plyground.core.registry import games
    from plyground.kernels.store import write_whole

    known = games()
    facts = [_describe(game.info) for game in known.values()]
    if all(game.__module__.startswith("plyground.games.") for game in known.values()):
        write_whole(_path(), json.dumps({"state": state, "games": facts}).encode())
    return facts


def _describe(info: GameInfo) -> Facts:
    return {
        "name": info.name,
        "title": info.title,
        "summary": info.summary,
        "players": info.players,
        "chance": info.chance,
        "scoring": info.scoring.value,
        "options": [
            {
                "name": option.name,
                "default": option.default,
                "choices": list(option.choices),
                "help": option.help + (f"; or {option.files}" if option.files else ""),
            }
            for option in info.options
        ],
    }


def _state() -> str:
    files = [*HOUSE.glob("__init__.py"), *HOUSE.glob("core/*.py"), *HOUSE.glob("games/*/*.py")]
    return installation_state(files)
