"""How a random game goes on. This default picks uniformly among the legal moves."""

from __future__ import annotations

import numpy as np

from plyground.kernels import kernel
from plyground.kernels.random import random_below
from plyground.search.slots.game import legal_moves


@kernel
def random_move(
    params: np.ndarray, state: np.ndarray, random: np.ndarray, moves: np.ndarray
) -> np.int64:
    """A move of an ongoing position; `random` is the generator's state, `moves` a buffer."""
    count = legal_moves(params, state, moves)
    return moves[random_below(random, np.uint64(count))]
