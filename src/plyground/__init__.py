"""plyground: a laboratory for game-playing programs.

    import plyground as pg

    game = pg.game("connect4", mean="none")
    print(pg.analyse(game.play_line("4 4 5 3"), time=0.5).move)
    pg.match("connect4", "champion", "mcts", games=10, nodes=1000)

Names are loaded when they are first used: importing the package itself costs nothing.
"""

TYPE_CHECKING = False  # checkers know the name; `typing` itself is a good part of a small process
if TYPE_CHECKING:
    from typing import Any

    from plyground.api import agent as agent
    from plyground.api import agents as agents
    from plyground.api import analyse as analyse
    from plyground.api import game as game
    from plyground.core.agent import Agent as Agent
    from plyground.core.errors import PlygroundError as PlygroundError
    from plyground.core.game import Game as Game
    from plyground.core.game import GameInfo as GameInfo
    from plyground.core.game import Position as Position
    from plyground.core.limits import Clock as Clock
    from plyground.core.limits import Limit as Limit
    from plyground.core.record import GameRecord as GameRecord
    from plyground.core.record import MoveRecord as MoveRecord
    from plyground.core.registry import register_agent as register_agent
    from plyground.core.registry import register_game as register_game
    from plyground.core.replay import Replay as Replay
    from plyground.core.search import SearchInfo as SearchInfo
    from plyground.core.search import SearchResult as SearchResult
    from plyground.notebook import match as match
    from plyground.notebook import tournament as tournament
    from plyground.notebook import tree as tree
    from plyground.store.frames import load_games as load_games
    from plyground.testing import check_game as check_game

__version__ = "0.2.0"

_HOMES = {
    "plyground.api": ("agent", "agents", "analyse", "game"),
    "plyground.core.agent": ("Agent",),
    "plyground.core.errors": ("PlygroundError",),
    "plyground.core.game": ("Game", "GameInfo", "Position"),
    "plyground.core.limits": ("Clock", "Limit"),
    "plyground.core.record": ("GameRecord", "MoveRecord"),
    "plyground.core.registry": ("register_agent", "register_game"),
    "plyground.core.search": ("SearchInfo", "SearchResult"),
    "plyground.core.replay": ("Replay",),
    "plyground.notebook": ("match", "tournament", "tree"),
    "plyground.store.frames": ("load_games",),
    "plyground.testing": ("check_game",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> "Any":
    from importlib import import_module  # not needed by who imports the package alone

    if name == "games":
        return import_module("plyground.games")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'plyground' has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME_OF})
