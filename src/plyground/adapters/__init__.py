"""The games as learning environments: Gymnasium for one player, PettingZoo for two.

    import gymnasium, plyground.adapters
    env = gymnasium.make("plyground/Blockudoku-v0")

    from plyground.adapters.aec import connect4_v0
    env = connect4_v0.env(mean="none")

Needs the extra `rl`. Every game has one, those of other packages as well. Games that can step many
boards at a time have that in their folder: `games/NAME/environment/`.
"""

from __future__ import annotations

import gymnasium

from plyground.core.game import Game
from plyground.core.registry import games


def _register(game: type[Game]) -> None:
    """Make a one-player game known to Gymnasium, by an environment of its own if it has one."""
    name = f"plyground/{game.info.title.replace(' ', '')}-v0"
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
