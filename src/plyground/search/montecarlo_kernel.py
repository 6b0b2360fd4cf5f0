"""Pure Monte Carlo: random games after each move, shared evenly."""

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
    counts: np.ndarray,
) -> None:
    """Play random games after a move; adds to `counts`: first player's wins, draws, losses.

    `states` (3, words) and `buffer` are scratch space.
    """
    here, there = row(states, np.int64(0)), row(states, np.int64(1))
    for _ in range(playouts):
        play(params, root_state, move, here)
        result = play_out(params, most_plies, random, buffer, here, there)
        counts[0 if result > 0 else 1 if result == 0 else 2] += 1
