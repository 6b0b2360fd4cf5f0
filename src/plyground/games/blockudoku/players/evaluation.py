"""The shape evaluation: how dangerous a board is. Lower is better; every term is at least 0.

Terms are added in stages from cheap to dear. A board whose sum reaches the running bound is given
up at once: later terms cannot bring it back, so what is lost is only the exact value of a board
that would not have been chosen.

The weights are whole numbers, in the order of `NAMES`. A cell of a side box costs `weights[1]`;
the scale is free.
"""

from __future__ import annotations

import numpy as np

from plyground.games.blockudoku.board import (
    FULL_HIGH,
    FULL_LOW,
    LEFT_HIGH,
    LEFT_LOW,
    ROW,
    Cells,
    fitting_anchors,
    occupied,
)
from plyground.games.blockudoku.pieces import LINES, SIZES
from plyground.kernels.bits import popcount, trailing_zeros
from plyground.kernels.marker import kernel
from plyground.kernels.words import NINE, ONE, TWO, ZERO

NAMES = (
    "centre cell",
    "side cell",
    "corner cell",
    "centre box",
    "side box",
    "corner box",
    "transition",
    "unaligned transition",
    "cornered",
    "squashed",
    "squashed at edge",
    "hole",
    "no bar of three",
    "no square",
    "hard piece shut out",
    "four-cell piece shut out",
    "scarce places",
    "no clear in reach",
    "clears wanted",
)
WEIGHT_COUNT = len(NAMES)
CROWDED = 20
"""Cells above which scarcity of places and of clears is charged, in proportion."""
CLEARS_FROM = 29
"""Cells from which the pieces that could clear are counted."""
ENOUGH_PLACES = 4
"""A hard piece with fewer places than this is scarce."""

_UP_CARRY = np.uint64(45)
_RIGHT_LOW = np.uint64(int(LEFT_LOW) << 8)
_RIGHT_HIGH = np.uint64(int(LEFT_HIGH) << 8)
_NOT_LEFT_LOW = np.uint64(~int(LEFT_LOW) & int(FULL_LOW))
_NOT_LEFT_HIGH = np.uint64(~int(LEFT_HIGH) & int(FULL_HIGH))
_NOT_RIGHT_LOW = np.uint64(~int(_RIGHT_LOW) & int(FULL_LOW))
_NOT_RIGHT_HIGH = np.uint64(~int(_RIGHT_HIGH) & int(FULL_HIGH))
_ENDS_LOW = np.uint64(int(LEFT_LOW) << 2 | int(LEFT_LOW) << 5)
_ENDS_HIGH = np.uint64(int(LEFT_HIGH) << 2 | int(LEFT_HIGH) << 5)
_UPPER_ROWS_HIGH = np.uint64((1 << 18) - 1)
_LAST_ROW = np.uint64(0x1FF << 18)
_SIDES = np.uint64(int(LEFT_LOW) | int(LEFT_LOW) << 8)
_WORD = np.uint64(54)
_ROW_2_5 = np.uint64(0x1FF << 18 | 0x1FF << 45)
_EDGE_LOW = np.uint64(int(LEFT_LOW) | int(LEFT_LOW) << 8 | 0x1FF)
_EDGE_HIGH = np.uint64(int(LEFT_HIGH) | int(LEFT_HIGH) << 8 | 0x1FF << 18)
_BOX = 0x7 | 0x7 << 9 | 0x7 << 18
_BOX_0, _BOX_1, _BOX_2 = np.uint64(_BOX), np.uint64(_BOX << 3), np.uint64(_BOX << 6)
_BOX_3, _BOX_4, _BOX_5 = np.uint64(_BOX << 27), np.uint64(_BOX << 30), np.uint64(_BOX << 33)
_SIDES_LOW = np.uint64(int(_BOX_1) | int(_BOX_3) | int(_BOX_5))
_CORNERS_LOW = np.uint64(int(_BOX_0) | int(_BOX_2))
_CORNERS_HIGH = np.uint64(int(_BOX_0) | int(_BOX_2))
HARD_PIECES = np.array([7, 8, *range(32, 47)], dtype=np.int64)
FOUR_CELL_PIECES = np.array(range(13, 32), dtype=np.int64)


@kernel(lean=True)
def crowding_cost(low: np.uint64, high: np.uint64, weights: np.ndarray) -> np.int64:
    """What the filled cells and the boxes they touch cost. Grows with every cell added."""
    cost = weights[0] * popcount(low & _BOX_4)
    cost += weights[1] * (popcount(low & _SIDES_LOW) + popcount(high & _BOX_1))
    cost += weights[2] * (popcount(low & _CORNERS_LOW) + popcount(high & _CORNERS_HIGH))
    cost += weights[3] * np.int64(low & _BOX_4 != ZERO)
    cost += weights[4] * (
        np.int64(low & _BOX_1 != ZERO)
        + np.int64(low & _BOX_3 != ZERO)
        + np.int64(low & _BOX_5 != ZERO)
        + np.int64(high & _BOX_1 != ZERO)
    )
    cost += weights[5] * (
        np.int64(low & _BOX_0 != ZERO)
        + np.int64(low & _BOX_2 != ZERO)
        + np.int64(high & _BOX_0 != ZERO)
        + np.int64(high & _BOX_2 != ZERO)
    )
    return cost


@kernel
def transition_cost(
    low: np.uint64, high: np.uint64, aligned: np.int64, unaligned: np.int64
) -> np.int64:
    """What the ends of all horizontal and vertical runs of open cells cost.

    An end against a filled cell across the border of two boxes is aligned; every other end,
    against a filled cell or the edge of the board, is not.
    """
    across_low = (low ^ (low >> ONE)) & _NOT_RIGHT_LOW
    across_high = (high ^ (high >> ONE)) & _NOT_RIGHT_HIGH
    down_low = (low ^ ((low >> NINE) | (high << _UP_CARRY))) & FULL_LOW
    down_high = (high ^ (high >> NINE)) & _UPPER_ROWS_HIGH
    on_boxes = (
        popcount(across_low & _ENDS_LOW)
        + popcount(across_high & _ENDS_HIGH)
        + popcount(down_low & _ROW_2_5)
    )
    elsewhere = (
        popcount((across_low & ~_ENDS_LOW) | ((~low & ROW) << _WORD))
        + popcount((down_low & ~_ROW_2_5) | ((~high & _LAST_ROW) << np.uint64(36)))
        + popcount((across_high & ~_ENDS_HIGH) | (down_high << np.uint64(32)))
        + popcount(~low & _SIDES)
        + popcount(~high & _SIDES & FULL_HIGH)
    )
    return aligned * on_boxes + unaligned * elsewhere


@kernel(lean=True)
def evaluate(board: Cells, weights: np.ndarray, covers: np.ndarray, bound: np.int64) -> np.int64:
    """The cost of a board, or `bound` if it is at least that much."""
    low, high = board
    cost = crowding_cost(low, high, weights)
    cost += transition_cost(low, high, weights[6], weights[6] + weights[7])
    if cost < bound:
        cost = shape_cost(board, weights, cost, bound)
    if cost < bound:
        cost = room_cost(board, weights, covers, cost, bound)
    return min(cost, bound)


@kernel(lean=True)
def shape_cost(board: Cells, weights: np.ndarray, cost: np.int64, bound: np.int64) -> np.int64:
    """Add what blocked open cells cost."""
    low, high = board
    open_low = ~low & FULL_LOW
    open_high = ~high & FULL_HIGH
    left_low = (low << ONE) & _NOT_LEFT_LOW & open_low
    left_high = (high << ONE) & _NOT_LEFT_HIGH & open_high
    right_low = (low >> ONE) & _NOT_RIGHT_LOW & open_low
    right_high = (high >> ONE) & _NOT_RIGHT_HIGH & open_high
    up_low = (low << NINE) & open_low
    up_high = ((high << NINE) | (low >> _UP_CARRY)) & open_high
    down_low = ((low >> NINE) | ((high & ROW) << _UP_CARRY)) & open_low
    down_high = (high >> NINE) & open_high
    cornered = (
        popcount(left_low & up_low)
        + popcount(left_low & down_low)
        + popcount(right_low & up_low)
        + popcount(right_low & down_low)
        + popcount(left_high & up_high)
        + popcount(left_high & down_high)
        + popcount(right_high & up_high)
        + popcount(right_high & down_high)
    )
    cost += weights[8] * cornered
    if cost >= bound:
        return bound
    left_low |= open_low & LEFT_LOW
    left_high |= open_high & LEFT_HIGH
    right_low |= open_low & _RIGHT_LOW
    right_high |= open_high & _RIGHT_HIGH
    up_low |= open_low & ROW
    down_high |= open_high & _LAST_ROW
    beside_low, beside_high = left_low & right_low, left_high & right_high
    above_low, above_high = up_low & down_low, up_high & down_high
    at_edge = (
        popcount(beside_low & _EDGE_LOW)
        + popcount(beside_high & _EDGE_HIGH)
        + popcount(above_low & _EDGE_LOW)
        + popcount(above_high & _EDGE_HIGH)
    )
    squashed = (
        popcount(beside_low) + popcount(beside_high) + popcount(above_low) + popcount(above_high)
    )
    cost += weights[9] * (squashed - at_edge) + weights[10] * at_edge
    hole_low = (beside_low & (up_low | down_low)) | (above_low & (left_low | right_low))
    hole_high = (beside_high & (up_high | down_high)) | (above_high & (left_high | right_high))
    cost += weights[11] * (popcount(hole_low) + popcount(hole_high))
    return cost


@kernel(lean=True)
def room_cost(
    board: Cells, weights: np.ndarray, covers: np.ndarray, cost: np.int64, bound: np.int64
) -> np.int64:
    """Add what missing room costs: for bars, squares and pieces, and for clearing."""
    low, high = board
    open_low = ~low & FULL_LOW
    open_high = ~high & FULL_HIGH
    pair_low = open_low & (open_low >> ONE) & _NOT_RIGHT_LOW
    pair_high = open_high & (open_high >> ONE) & _NOT_RIGHT_HIGH
    bar_low = pair_low & (pair_low >> ONE)
    bar_high = pair_high & (pair_high >> ONE)
    bar_low |= (bar_low << ONE) | (bar_low << TWO)
    bar_high |= (bar_high << ONE) | (bar_high << TWO)
    post_low = open_low & ((open_low >> NINE) | (open_high << _UP_CARRY))
    post_low &= (open_low >> np.uint64(18)) | (open_high << np.uint64(36))
    post_low &= FULL_LOW
    post_high = open_high & (open_high >> NINE) & (open_high >> np.uint64(18))
    post_high |= (post_low >> np.uint64(45)) | (post_low >> np.uint64(36))
    post_low |= (post_low << NINE) | (post_low << np.uint64(18))
    third_row = open_high & (open_high >> NINE) & (open_high >> np.uint64(18)) & ROW
    post_high |= (third_row << NINE) | (third_row << np.uint64(18))
    cost += weights[12] * (
        popcount(open_low & ~bar_low)
        + popcount(open_high & ~bar_high)
        + popcount(open_low & ~post_low)
        + popcount(open_high & ~post_high)
    )
    square_low = pair_low & ((pair_low >> NINE) | (pair_high << _UP_CARRY)) & FULL_LOW
    square_high = pair_high & (pair_high >> NINE)
    square_low |= square_low << ONE
    square_high |= square_high << ONE
    square_high |= (square_high << NINE) | (square_low >> _UP_CARRY)
    square_low |= square_low << NINE
    cost += weights[13] * (popcount(open_low & ~square_low) + popcount(open_high & ~square_high))
    if cost >= bound:
        return bound
    filled = occupied(low, high)
    crowding = max(np.int64(0), filled - CROWDED)
    scarce = np.int64(0)
    for index in range(HARD_PIECES.shape[0]):
        anchors_low, anchors_high = fitting_anchors(low, high, HARD_PIECES[np.uint64(index)])
        places = popcount(anchors_low) + popcount(anchors_high)
        if places < ENOUGH_PLACES:
            scarce += ENOUGH_PLACES - places
            if places == 0:
                cost += weights[14]
    cost += weights[16] * scarce * crowding
    if cost >= bound or crowding == 0:
        return cost
    for index in range(FOUR_CELL_PIECES.shape[0]):
        anchors_low, anchors_high = fitting_anchors(low, high, FOUR_CELL_PIECES[np.uint64(index)])
        if anchors_low | anchors_high == ZERO:
            cost += weights[15]
    if cost >= bound or filled < CLEARS_FROM:
        return cost
    wanted = weights[18] * filled // 100
    missing = wanted - clearing_pieces(low, high, covers, np.int64(13), np.int64(47))
    return cost + weights[17] * crowding * max(np.int64(0), missing)


@kernel(lean=True)
def clearing_pieces(
    low: np.uint64, high: np.uint64, covers: np.ndarray, first: np.int64, last: np.int64
) -> np.int64:
    """How many of the pieces first .. last-1 can be placed so that some line is cleared."""
    reached = np.uint64(0)
    for line in range(27):
        missing_low = LINES[np.uint64(line), 0] & ~low
        missing_high = LINES[np.uint64(line), 1] & ~high
        missing = popcount(missing_low) + popcount(missing_high)
        if missing > 5:
            continue
        for piece in range(first, last):
            if SIZES[np.uint64(piece)] < missing or (reached >> np.uint64(piece)) & ONE != ZERO:
                continue
            anchors_low, anchors_high = covering_anchors(
                missing_low, missing_high, np.int64(piece), covers
            )
            if anchors_low | anchors_high == ZERO:
                continue
            fits_low, fits_high = fitting_anchors(low, high, np.int64(piece))
            if (anchors_low & fits_low) | (anchors_high & fits_high) != ZERO:
                reached |= ONE << np.uint64(piece)
    return popcount(reached)


@kernel(lean=True)
def covering_anchors(
    cells_low: np.uint64, cells_high: np.uint64, piece: np.int64, covers: np.ndarray
) -> tuple[np.uint64, np.uint64]:
    """The anchors at which a piece covers all these cells (at least one must be given)."""
    anchors_low, anchors_high = FULL_LOW, FULL_HIGH
    first = np.uint64(81 * piece)
    while cells_low != ZERO:
        index = first + np.uint64(trailing_zeros(cells_low))
        anchors_low &= covers[index, 0]
        anchors_high &= covers[index, 1]
        cells_low &= cells_low - ONE
    first += np.uint64(54)
    while cells_high != ZERO:
        index = first + np.uint64(trailing_zeros(cells_high))
        anchors_low &= covers[index, 0]
        anchors_high &= covers[index, 1]
        cells_high &= cells_high - ONE
    return anchors_low, anchors_high
