"""The games as learning environments: Gymnasium for one player, PettingZoo for two.

    import gymnasium, plyground.adapters
    env = gymnasium.make("plyground/Blockudoku-v0")

    from plyground.adapters.aec import connect4_v0
    env = connect4_v0.env(mean="none")

Needs the extra `rl`. Many games at a time: `blockudoku_batch.BlockudokuVector` (a Gymnasium vector
environment) and `connect4_batch.Connect4Batch`.
"""

from __future__ import annotations

import gymnasium

gymnasium.register(
    id="plyground/Blockudoku-v0",
    entry_point="plyground.games.blockudoku.environment.single:BlockudokuEnv",
    vector_entry_point="plyground.games.blockudoku.environment.vector:BlockudokuVector",
)
