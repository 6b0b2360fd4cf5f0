"""The board as kernels: where a piece fits, what a placement clears and scores, what is dealt.

A board is two words (see `pieces`), passed one by one or as `Cells`.
"""

from __future__ import annotations

import numpy as np

from plyground.games.blockudoku.pieces import ANCHORS, LINES, OFFSETS, SHAPES, SIZES
from plyground.kernels.bits import multiply_high, popcount, trailing_zeros
from plyground.kernels.marker import kernel
from plyground.kernels.random import split_mix
from plyground.kernels.words import NINE, ONE, ZERO

Cells = tuple[np.uint64, np.uint64]

FULL_LOW = np.uint64((1 << 54) - 1)
FULL_HIGH = np.uint64((1 << 27) - 1)
ROW = np.uint64(0x1FF)
LEFT_LOW = np.uint64(sum(1 << (9 * row) for row in range(6)))
LEFT_HIGH = np.uint64(sum(1 << (9 * row) for row in range(3)))
BOXES_LOW = np.uint64(0x49 | 0x49 << 27)
BOXES_HIGH = np.uint64(0x49)
BOX = np.uint64(0x7 | 0x7 << 9 | 0x7 << 18)


@kernel
def full_lines(low: np.uint64, high: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The cells of every full row, column and box."""
    pairs_low = low & (low >> ONE)
    pairs_high = high & (high >> ONE)
    threes_low = pairs_low & (low >> np.uint64(2))
    threes_high = pairs_high & (high >> np.uint64(2))
    boxes_low = threes_low & (threes_low >> NINE) & (threes_low >> np.uint64(18)) & BOXES_LOW
    boxes_high = threes_high & (threes_high >> NINE) & (threes_high >> np.uint64(18)) & BOXES_HIGH
    rows_low = threes_low & (threes_low >> np.uint64(3)) & (threes_low >> np.uint64(6)) & LEFT_LOW
    rows_high = (
        threes_high & (threes_high >> np.uint64(3)) & (threes_high >> np.uint64(6)) & LEFT_HIGH
    )
    stacked = low & (low >> np.uint64(27)) & high
    columns = stacked & (stacked >> NINE) & (stacked >> np.uint64(18)) & ROW
    return (
        rows_low * ROW | columns * LEFT_LOW | boxes_low * BOX,
        rows_high * ROW | columns * LEFT_HIGH | boxes_high * BOX,
    )


@kernel(inline=True, lean=True)
def placed(
    low: np.uint64, high: np.uint64, placements: np.ndarray, index: np.uint64
) -> tuple[np.uint64, np.uint64, bool]:
    """The board after a placement with full lines cleared, and whether there were none."""
    low |= placements[index, 0]
    high |= placements[index, 1]
    clear_low, clear_high = full_lines(low, high)
    return low ^ clear_low, high ^ clear_high, clear_low | clear_high == ZERO


@kernel
def full_line_count(low: np.uint64, high: np.uint64) -> np.int64:
    """How many rows, columns and boxes are full."""
    full = np.int64(0)
    for line in range(27):
        cells_low, cells_high = LINES[line, 0], LINES[line, 1]
        if low & cells_low == cells_low and high & cells_high == cells_high:
            full += 1
    return full


@kernel
def fitting_anchors(
    low: np.uint64, high: np.uint64, piece: np.int64
) -> tuple[np.uint64, np.uint64]:
    """The anchors at which a piece fits on a board, as a set of cells."""
    open_low = ~low & FULL_LOW
    open_high = ~high & FULL_HIGH
    index = np.uint64(piece)
    anchors_low = ANCHORS[index, 0]
    anchors_high = ANCHORS[index, 1]
    for cell in range(SIZES[index]):
        shift = OFFSETS[index, np.uint64(cell)]
        anchors_low &= (open_low >> shift) | (open_high << (np.uint64(54) - shift))
        anchors_high &= open_high >> shift
    return anchors_low, anchors_high


@kernel
def lowest_anchor(low: np.uint64, high: np.uint64) -> np.uint64:
    """The first cell of a non-empty set of cells."""
    if low != ZERO:
        return np.uint64(trailing_zeros(low))
    return np.uint64(54) + np.uint64(trailing_zeros(high))


@kernel
def without_lowest(low: np.uint64, high: np.uint64) -> tuple[np.uint64, np.uint64]:
    """A non-empty set of cells without its first cell."""
    if low != ZERO:
        return low & (low - ONE), high
    return low, high & (high - ONE)


@kernel
def occupied(low: np.uint64, high: np.uint64) -> np.int64:
    """How many cells are filled."""
    return popcount(low) + popcount(high)


@kernel
def placement_score(lines: np.int64, remaining: np.int64, streak: np.int64) -> np.int64:
    """Points of one placement.

    `lines` were cleared by it, `remaining` of its cells were not; `streak` is 1 when the placement
    before it cleared too.
    """
    if lines == 0:
        return remaining
    factor = 18
    if lines >= 8:
        factor = 72
    elif lines >= 5:
        factor = 54
    elif lines >= 3:
        factor = 36
    return remaining + factor * lines + 9 * streak


@kernel(lean=True)
def deal(seed: np.uint64, turn: np.int64, deck: np.ndarray, hand: np.ndarray) -> None:
    """Write the three pieces of a turn into `hand`: a pure function of seed and turn.

    Each is drawn uniformly and independently from `deck`, the piece numbers in use.
    """
    base = split_mix(seed)
    for slot in range(3):
        word = split_mix(base ^ split_mix(np.uint64(3 * turn + slot)))
        hand[slot] = deck[multiply_high(word, np.uint64(deck.shape[0]))]


@kernel
def placed_cells(piece: np.int64, anchor: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The cells of a piece at an anchor."""
    shape = SHAPES[np.uint64(piece)]
    if anchor < np.uint64(54):
        return (shape << anchor) & FULL_LOW, shape >> (np.uint64(54) - anchor)
    return ZERO, shape << (anchor - np.uint64(54))


@kernel
def board_after(
    low: np.uint64, high: np.uint64, piece: np.int64, anchor: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """The board after a placement and its clears."""
    cells_low, cells_high = placed_cells(piece, anchor)
    clear_low, clear_high = full_lines(low | cells_low, high | cells_high)
    return (low | cells_low) & ~clear_low, (high | cells_high) & ~clear_high


@kernel(lean=True)
def can_place_all(low: np.uint64, high: np.uint64, hand: np.ndarray) -> bool:
    """Whether some order places every piece of the hand (the empty piece always fits)."""
    for first in range(3):
        low_0, high_0 = fitting_anchors(low, high, hand[first])
        while low_0 | high_0 != ZERO:
            anchor = lowest_anchor(low_0, high_0)
            low_0, high_0 = without_lowest(low_0, high_0)
            next_low, next_high = board_after(low, high, hand[first], anchor)
            for other in range(1, 3):
                second = (first + other) % 3
                third = 3 - first - second
                low_1, high_1 = fitting_anchors(next_low, next_high, hand[second])
                while low_1 | high_1 != ZERO:
                    anchor = lowest_anchor(low_1, high_1)
                    low_1, high_1 = without_lowest(low_1, high_1)
                    last_low, last_high = board_after(next_low, next_high, hand[second], anchor)
                    low_2, high_2 = fitting_anchors(last_low, last_high, hand[third])
                    if low_2 | high_2 != ZERO:
                        return True
    return False
