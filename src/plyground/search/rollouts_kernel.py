"""Random games after a move, their results summed: for games with chance or one player."""

from __future__ import annotations

import numpy as np

from plyground.kernels import kernel
from plyground.kernels.rows import row
from plyground.search.contract.game import play
from plyground.search.contract.playout import play_out


@kernel
def run(
    params: np.ndarray,
    root_state: np.ndarray,
    move: np.int64,
    playouts: np.int64,
    most_plies: np.int64,
    random: np.ndarray,
    buffer: np.ndarray,
    states: np.ndarray,
) -> np.float64:
    """The sum of the results (points, or 1, 0, -1 of the first player) of random games.

    `states` (2, words) and `buffer` are scratch space; the playout deals random events itself.
    """
    here, there = row(states, np.int64(0)), row(states, np.int64(1))
    total = np.float64(0.0)
    for _ in range(playouts):
        play(params, root_state, move, here)
        total += play_out(params, most_plies, random, buffer, here, there)
    return total
