"""Random games of Connect 4, in registers: count the moves, draw one, find it, play it."""

from __future__ import annotations

import numpy as np

from plyground.games.connect4.rules import (
    BOTTOM,
    COLUMN,
    MEAN,
    PLY_LIMIT,
    PLY_MASK,
    PLY_SHIFT,
    RESULT_FIRST,
    RESULT_SECOND,
    RESULT_SHIFT,
    SIMULTANEOUS,
    SIMULTANEOUS_DRAW,
    SIMULTANEOUS_FIRST,
    STRIDE,
    TOP,
    has_four,
)
from plyground.kernels import kernel
from plyground.kernels.bits import deposit_bits, popcount, trailing_zeros
from plyground.kernels.random import random_below
from plyground.kernels.words import ONE, ZERO


@kernel(lean=True)
def pick_bit(pick: np.uint64, mask: np.uint64) -> np.uint64:
    """The index of the set bit of `mask` that has `pick` others below it."""
    return np.uint64(trailing_zeros(deposit_bits(ONE << pick, mask)))


@kernel(lean=True)
def play_out(
    params: np.ndarray,
    most_plies: np.int64,
    random: np.ndarray,
    buffer: np.ndarray,
    state: np.ndarray,
    scratch: np.ndarray,
) -> np.int64:
    """Play uniformly random moves from `state` to the end; the outcome for the first player."""
    result = state[2] >> RESULT_SHIFT
    if result != ZERO:
        if result == np.uint64(RESULT_FIRST):
            return np.int64(1)
        return np.int64(-1) if result == np.uint64(RESULT_SECOND) else np.int64(0)
    stride = params[STRIDE]
    top = params[TOP]
    bottom = params[BOTTOM]
    turn = state[2] & ONE
    mine = state[turn]
    theirs = state[turn ^ ONE]
    plies_left = params[PLY_LIMIT] - ((state[2] >> PLY_SHIFT) & PLY_MASK)
    for _ in range(min(most_plies, np.int64(plies_left))):
        # Bits at the bottom of the columns, so that open columns and movable discs line up.
        open_columns = (top & ~(mine | theirs)) >> (stride - np.uint64(2))
        drops = np.uint64(popcount(open_columns))
        sources = ZERO
        mean_moves = ZERO
        if params[MEAN] & (ONE << turn) != ZERO:
            sources = theirs & bottom
            mean_moves = np.uint64(popcount(sources)) * drops - np.uint64(
                popcount(sources & open_columns)
            )
        pick = random_below(random, drops + mean_moves)
        sign = np.int64(1) if turn == ZERO else np.int64(-1)
        if pick < drops:
            place = pick_bit(pick, open_columns)
            column = params[COLUMN] << place
            mine |= (((mine | theirs) & column) + (ONE << place)) & column
            if has_four(stride, mine):
                return sign
        else:
            pick -= drops
            source = sources & (~sources + ONE)
            count = np.uint64(popcount(open_columns & ~source))
            while pick >= count:
                pick -= count
                sources ^= source
                source = sources & (~sources + ONE)
                count = np.uint64(popcount(open_columns & ~source))
            place = pick_bit(pick, open_columns & ~source)
            column = params[COLUMN] * source
            mine = (mine & ~column) | (((mine & column) >> ONE) & column)
            theirs = (theirs & ~column) | (((theirs & column & ~source) >> ONE) & column)
            column = params[COLUMN] << place
            theirs |= (((mine | theirs) & column) + (ONE << place)) & column
            mine_won = has_four(stride, mine)
            if has_four(stride, theirs):
                if not mine_won:
                    return -sign
                if params[SIMULTANEOUS] == np.uint64(SIMULTANEOUS_FIRST):
                    return np.int64(1)
                return np.int64(0) if params[SIMULTANEOUS] == np.uint64(SIMULTANEOUS_DRAW) else sign
            if mine_won:
                return sign
        if (mine | theirs) & top == top:
            return np.int64(0)
        mine, theirs = theirs, mine
        turn ^= ONE
    return np.int64(0)
