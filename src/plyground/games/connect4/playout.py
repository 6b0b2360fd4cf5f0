"""Random games of Connect 4 without listing all moves: count them, draw one, find it."""

from __future__ import annotations

import numpy as np

from plyground.games.connect4.rules import BOTTOM, MEAN, MEAN_CODE, STRIDE, TOP
from plyground.kernels import kernel
from plyground.kernels.bits import deposit_bits, popcount, trailing_zeros
from plyground.kernels.random import random_below

ONE = np.uint64(1)
ZERO = np.uint64(0)


@kernel
def random_move(
    params: np.ndarray, state: np.ndarray, random: np.ndarray, moves: np.ndarray
) -> np.int64:
    """A uniformly random legal move, found by counting open columns and movable discs."""
    stride = params[STRIDE]
    turn = state[2] & ONE
    # Bits at the bottom of the columns, so that open columns and movable discs line up.
    open_columns = (params[TOP] & ~(state[0] | state[1])) >> (stride - np.uint64(2))
    drops = np.uint64(popcount(open_columns))
    sources = ZERO
    mean_moves = ZERO
    if params[MEAN] & (ONE << turn) != ZERO:
        sources = state[turn ^ ONE] & params[BOTTOM]
        mean_moves = np.uint64(popcount(sources)) * drops - np.uint64(
            popcount(sources & open_columns)
        )
    pick = random_below(random, drops + mean_moves)
    if pick < drops:
        return np.int64(
            np.uint64(trailing_zeros(deposit_bits(ONE << pick, open_columns))) // stride
        )
    pick -= drops
    while True:
        source = sources & (~sources + ONE)
        targets = open_columns & ~source
        count = np.uint64(popcount(targets))
        if pick < count:
            target = np.uint64(trailing_zeros(deposit_bits(ONE << pick, targets))) // stride
            column = np.uint64(trailing_zeros(source)) // stride
            return MEAN_CODE * np.int64(column + ONE) + np.int64(target)
        pick -= count
        sources ^= source
