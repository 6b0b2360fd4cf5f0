"""Mean Connect 4 as kernels.

A position is three words: the first player's discs, the second player's discs, and
`turn | plies << 1 | result << 16`. Column c takes the bits c*(H+1) .. c*(H+1)+H, bottom row
lowest, with one spare bit on top. A drop has the code of its column (from 0); a mean move from
column a to column b has the code 16*(a+1) + b.
"""

from __future__ import annotations

import numpy as np

from plyground.kernels import kernel
from plyground.kernels.random import split_mix
from plyground.kernels.words import ONE, ONGOING, ZERO

STATE_WORDS = 3
PARAM_WORDS = 10
# Places in `params`.
WIDTH, HEIGHT, STRIDE, BOTTOM, TOP, MEAN, SIMULTANEOUS, PLY_LIMIT, CELLS, COLUMN = range(10)

MEAN_FIRST, MEAN_SECOND = 1, 2
SIMULTANEOUS_MOVER, SIMULTANEOUS_FIRST, SIMULTANEOUS_DRAW = 0, 1, 2
RESULT_ONGOING, RESULT_FIRST, RESULT_SECOND, RESULT_DRAW = 0, 1, 2, 3

PLY_SHIFT = np.uint64(1)
PLY_MASK = np.uint64(0x7FFF)
RESULT_SHIFT = np.uint64(16)
MEAN_CODE = np.int64(16)

KEY_SALT = np.uint64(0xD1342543DE82EF95)
PLIES_THAT_MATTER = np.uint64(64)
"""With more plies left than this, no search reaches the limit, so the key may leave them out."""


@kernel(lean=True)
def has_four(stride: np.uint64, discs: np.uint64) -> bool:
    """Whether four of these discs stand in a line."""
    pairs = discs & (discs >> ONE)
    if pairs & (pairs >> np.uint64(2)) != ZERO:
        return True
    pairs = discs & (discs >> stride)
    if pairs & (pairs >> (stride + stride)) != ZERO:
        return True
    diagonal = stride - ONE
    pairs = discs & (discs >> diagonal)
    if pairs & (pairs >> (diagonal + diagonal)) != ZERO:
        return True
    diagonal = stride + ONE
    pairs = discs & (discs >> diagonal)
    return pairs & (pairs >> (diagonal + diagonal)) != ZERO


@kernel(lean=True)
def legal_moves(params: np.ndarray, state: np.ndarray, moves: np.ndarray) -> np.int64:
    """All drops from left to right, then the mean moves by source and target column."""
    occupied = state[0] | state[1]
    stride = params[STRIDE]
    open_tops = params[TOP] & ~occupied
    width = np.int64(params[WIDTH])
    count = np.int64(0)
    top = ONE << (stride - np.uint64(2))
    for column in range(width):
        if open_tops & top != ZERO:
            moves[np.uint64(count)] = column
            count += 1
        top <<= stride
    turn = state[2] & ONE
    if params[MEAN] & (ONE << turn) != ZERO:
        theirs = state[ONE ^ turn] & params[BOTTOM]
        drops = count
        bottom = ONE
        for source in range(width):
            if theirs & bottom != ZERO:
                base = MEAN_CODE * (source + 1)
                for index in range(drops):
                    target = moves[np.uint64(index)]
                    if target != source:
                        moves[np.uint64(count)] = base + target
                        count += 1
            bottom <<= stride
    return count


@kernel(lean=True)
def play(params: np.ndarray, state: np.ndarray, move: np.int64, child: np.ndarray) -> None:
    """The position after a drop or a mean move, with its result."""
    stride = params[STRIDE]
    turn = state[2] & ONE
    other = turn ^ ONE
    mine = state[turn]
    theirs = state[other]
    plies = ((state[2] >> PLY_SHIFT) & PLY_MASK) + ONE
    result = np.uint64(RESULT_ONGOING)
    if move < MEAN_CODE:
        column = params[COLUMN] << (np.uint64(move) * stride)
        occupied = mine | theirs
        mine |= ((occupied & column) + (params[BOTTOM] & column)) & column
        if has_four(stride, mine):
            result = turn + ONE
    else:
        source = np.uint64(move // MEAN_CODE - 1) * stride
        target = np.uint64(move % MEAN_CODE) * stride
        column = params[COLUMN] << source
        mine = (mine & ~column) | (((mine & column) >> ONE) & column)
        theirs = (theirs & ~column) | (((theirs & column & ~(ONE << source)) >> ONE) & column)
        column = params[COLUMN] << target
        occupied = mine | theirs
        theirs |= ((occupied & column) + (ONE << target)) & column
        mine_won = has_four(stride, mine)
        theirs_won = has_four(stride, theirs)
        if mine_won and theirs_won:
            if params[SIMULTANEOUS] == np.uint64(SIMULTANEOUS_MOVER):
                result = turn + ONE
            elif params[SIMULTANEOUS] == np.uint64(SIMULTANEOUS_FIRST):
                result = np.uint64(RESULT_FIRST)
            else:
                result = np.uint64(RESULT_DRAW)
        elif mine_won:
            result = turn + ONE
        elif theirs_won:
            result = other + ONE
    if result == ZERO and (
        plies >= params[PLY_LIMIT] or (mine | theirs) & params[TOP] == params[TOP]
    ):
        result = np.uint64(RESULT_DRAW)
    child[turn] = mine
    child[other] = theirs
    child[2] = other | (plies << PLY_SHIFT) | (result << RESULT_SHIFT)


@kernel(lean=True)
def mover(params: np.ndarray, state: np.ndarray) -> np.int64:
    """The player to move."""
    return np.int64(state[2] & ONE)


@kernel(lean=True)
def outcome(params: np.ndarray, state: np.ndarray) -> np.int64:
    """ONGOING, or 1, 0, -1 for the first player."""
    result = state[2] >> RESULT_SHIFT
    if result == ZERO:
        return ONGOING
    if result == np.uint64(RESULT_FIRST):
        return np.int64(1)
    if result == np.uint64(RESULT_SECOND):
        return np.int64(-1)
    return np.int64(0)


@kernel(lean=True)
def key(params: np.ndarray, state: np.ndarray) -> np.uint64:
    """Discs and side to move; the plies left too, wherever the limit can matter."""
    plies = (state[2] >> PLY_SHIFT) & PLY_MASK
    left = params[PLY_LIMIT] - plies
    horizon = PLIES_THAT_MATTER
    if params[MEAN] == ZERO:
        horizon = params[CELLS] - plies
    extra = state[2] & ONE
    if left < horizon:
        extra |= left << ONE
    return split_mix(split_mix(state[0] + extra * KEY_SALT) ^ state[1])
