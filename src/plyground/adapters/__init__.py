"""The games as learning environments: Gymnasium for one player, PettingZoo for two.

    import gymnasium, plyground.adapters
    env = gymnasium.make("plyground/Blockudoku-v0")

    from plyground.adapters.aec import connect4_v0
    env = connect4_v0.env(mean="none")

    env = plyground.adapters.make("konane.py", size=6)

Needs the extra `rl`. Every game has one, those of other packages and game files as well. Games that
can step many boards at a time have that in their folder: `games/NAME/environment/`.
"""

from __future__ import annotations

from typing import Any

import gymnasium

from plyground.core.game import Game
from plyground.core.registry import find_game, game_name, games


def make(game: str | Game, *, render_mode: str | None = None, **options: Any) -> Any:
    """The environment of a game by name, file or `pg.game(...)`; keywords are the game's options.

    Gymnasium's for one player, PettingZoo's for two.
    """
    if isinstance(game, Game):
        options = {**game.options, **options}
        game = game.info.name
    name = game_name(game)
    cls = find_game(name)
    if cls.info.players == 2:
        from plyground.adapters.aec import GameEnv

        return GameEnv(name, f"{cls.info.title.lower()}_v0", render_mode, **options)
    if cls.environments:
        return gymnasium.make(_registered_name(cls), render_mode=render_mode, **options)
    from plyground.adapters.solo import SoloEnv

    return SoloEnv(name, render_mode, **options)


def _registered_name(game: type[Game]) -> str:
    return f"plyground/{game.info.title.replace(' ', '')}-v0"


def _register(game: type[Game]) -> None:
    """Make a one-player game known to Gymnasium, by an environment of its own if it has one."""
    name = _registered_name(game)
    own = game.environments
    if own:
        vector = own.get("vector_entry_point")
        gymnasium.register(name, own["entry_point"], vector_entry_point=vector)
    else:
        settings = {"game": game.info.name}
        gymnasium.register(name, "plyground.adapters.solo:SoloEnv", kwargs=settings)


for _game in games().values():
    if _game.info.players == 1:
        _register(_game)
