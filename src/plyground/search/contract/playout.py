"""A random game. This default picks uniformly among the legal moves of the contract."""

from __future__ import annotations

import numpy as np

from plyground.kernels import kernel
from plyground.kernels.random import random_below
from plyground.kernels.words import ONGOING
from plyground.search.contract.chance import HAS_CHANCE, happen
from plyground.search.contract.game import legal_moves, mover, outcome, play


@kernel
def play_out(
    params: np.ndarray,
    most_plies: np.int64,
    random: np.ndarray,
    buffer: np.ndarray,
    state: np.ndarray,
    scratch: np.ndarray,
) -> np.int64:
    """Play randomly from `state` (overwritten) to the end; its outcome, or a draw if too long.

    `random` is the generator's state, `buffer` has room for the moves, `scratch` for a position.
    """
    here, there = state, scratch
    for _ in range(most_plies):
        result = outcome(params, here)
        if result != ONGOING:
            return result
        if HAS_CHANCE and mover(params, here) < 0:
            happen(params, here, random, buffer, there)
        else:
            count = legal_moves(params, here, buffer)
            play(params, here, buffer[random_below(random, np.uint64(count))], there)
        here, there = there, here
    result = outcome(params, here)
    return result if result != ONGOING else np.int64(0)
