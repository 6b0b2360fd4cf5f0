"""How dangerous a board is: the exact chance that the next deal cannot be placed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plyground.games.blockudoku.board import (
    board_after,
    fitting_anchors,
    lowest_anchor,
    without_lowest,
)
from plyground.games.blockudoku.pieces import CELLS, PIECE_COUNT
from plyground.kernels.bits import trailing_zeros
from plyground.kernels.marker import kernel
from plyground.kernels.words import ONE, ZERO


def _parts(piece: int) -> int:
    """The pieces that fit wherever this one does, as a set of bits."""
    cells = set(CELLS[piece])
    return sum(1 << other for other in range(PIECE_COUNT) if _fits_in(CELLS[other], cells))


def _fits_in(part: Sequence[tuple[int, int]], cells: set[tuple[int, int]]) -> bool:
    """Whether some shift moves all cells of a part onto these: its first lies on one of them."""
    first_row, first_column = part[0]
    return any(
        {(row - first_row + down, column - first_column + right) for row, column in part} <= cells
        for down, right in cells
    )


PARTS = np.array([_parts(piece) for piece in range(PIECE_COUNT)], dtype=np.uint64)


def new_lasts() -> np.ndarray:
    """Room for what `deal_risk` works on."""
    return np.zeros((PIECE_COUNT, PIECE_COUNT), np.uint64)


@kernel(lean=True)
def last_pieces(
    low: np.uint64, high: np.uint64, first: np.int64, second: np.int64, wanted: np.uint64
) -> np.uint64:
    """The pieces of a set that can be placed after `first`, then `second`."""
    missing = wanted
    low_0, high_0 = fitting_anchors(low, high, first)
    while low_0 | high_0 != ZERO and missing != ZERO:
        anchor = lowest_anchor(low_0, high_0)
        low_0, high_0 = without_lowest(low_0, high_0)
        next_low, next_high = board_after(low, high, first, anchor)
        low_1, high_1 = fitting_anchors(next_low, next_high, second)
        while low_1 | high_1 != ZERO and missing != ZERO:
            anchor = lowest_anchor(low_1, high_1)
            low_1, high_1 = without_lowest(low_1, high_1)
            last_low, last_high = board_after(next_low, next_high, second, anchor)
            for piece in range(PIECE_COUNT - 1, -1, -1):
                if (missing >> np.uint64(piece)) & ONE != ZERO:
                    low_2, high_2 = fitting_anchors(last_low, last_high, np.int64(piece))
                    if low_2 | high_2 != ZERO:
                        missing &= ~PARTS[np.uint64(piece)]
                        if missing == ZERO:
                            break
    return wanted & ~missing


@kernel(lean=True)
def deal_risk(low: np.uint64, high: np.uint64, deck: np.ndarray, lasts: np.ndarray) -> np.float64:
    """The share of all deals of three pieces of the deck that cannot be placed in any order.

    `lasts[a, b]` becomes the set of pieces that can follow a and b. A deal can be placed if one of
    its pieces can follow the other two.
    """
    whole = ZERO
    for index in range(deck.shape[0]):
        whole |= ONE << np.uint64(deck[index])
    for place in range(deck.shape[0]):
        for other in range(place + 1):
            first, second = deck[place], deck[other]
            found = last_pieces(low, high, first, second, whole)
            if found != whole and first != second:
                found |= last_pieces(low, high, second, first, whole & ~found)
            lasts[first, second] = lasts[second, first] = found
    failures = np.int64(0)
    for place in range(deck.shape[0]):
        for other in range(place + 1):
            first, second = deck[place], deck[other]
            missing = whole & ~lasts[first, second]
            while missing != ZERO:
                third = np.int64(trailing_zeros(missing))
                missing &= missing - ONE
                if (lasts[first, third] >> np.uint64(second)) & ONE == ZERO and (
                    lasts[second, third] >> np.uint64(first)
                ) & ONE == ZERO:
                    failures += 1 if first == second else 2
    return failures / np.float64(deck.shape[0]) ** 3


@kernel(lean=True)
def risk_each(boards: np.ndarray, deck: np.ndarray, lasts: np.ndarray, risks: np.ndarray) -> None:
    """The risk of each board (n, 2) at the next deal."""
    for row in range(boards.shape[0]):
        risks[row] = deal_risk(boards[row, 0], boards[row, 1], deck, lasts)
