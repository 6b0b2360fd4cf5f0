"""Pure Monte Carlo: random games after each move, shared evenly."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plyground.kernels import kernel
from plyground.kernels.rows import row
from plyground.search.contract.game import play
from plyground.search.contract.playout import play_out


class Playouts(NamedTuple):
    """What random games work on.

    `random` (4,) is the generator's state, `moves` (most moves,) and `states` (2, words) are
    scratch space, `most_plies` (1,) ends a game that goes on and on.
    """

    random: np.ndarray
    moves: np.ndarray
    states: np.ndarray
    most_plies: np.ndarray


@kernel
def run(
    params: np.ndarray,
    root_state: np.ndarray,
    move: np.int64,
    playouts: np.int64,
    work: Playouts,
    counts: np.ndarray,
) -> None:
    """Play random games after a move; adds to `counts`: first player's wins, draws, losses, margin.

    The margin is the sum of all outcomes: of points, or of wins less losses.
    """
    here, there = row(work.states, np.int64(0)), row(work.states, np.int64(1))
    for _ in range(playouts):
        play(params, root_state, move, here)
        result = play_out(params, work.most_plies[0], work.random, work.moves, here, there)
        counts[0 if result > 0 else 1 if result == 0 else 2] += 1
        counts[3] += result
