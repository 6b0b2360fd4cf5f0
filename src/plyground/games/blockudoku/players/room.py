"""The agent of the source document as a kernel: keep the most placements of all 47 pieces open.

Every order and every placement of the hand is tried. The search stops at the first board that has
more placements than a threshold: good enough, and fast on an open board. Of two neighbouring
placements that clear nothing only one order is tried, since both lead to the same board.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plyground.games.blockudoku.board import (
    Cells,
    fitting_anchors,
    lowest_anchor,
    occupied,
    placed,
    without_lowest,
)
from plyground.games.blockudoku.pieces import PIECE_COUNT
from plyground.kernels.marker import kernel
from plyground.kernels.words import ZERO


@kernel
def placement_count(low: np.uint64, high: np.uint64) -> np.int64:
    """Placements of all 47 pieces on a board."""
    total = np.int64(0)
    for piece in range(PIECE_COUNT):
        anchors_low, anchors_high = fitting_anchors(low, high, np.int64(piece))
        total += occupied(anchors_low, anchors_high)
    return total


class RoomiestTurn(NamedTuple):
    """What `roomiest_turn` found."""

    board: np.ndarray
    """(2,) uint64: the final board."""
    moves: np.ndarray
    """(3,) uint64: placement indices in the order of play."""
    evaluated: np.ndarray
    """(1,) int64: how many boards were evaluated, in all turns so far."""


def new_turn() -> RoomiestTurn:
    """Room for a turn."""
    return RoomiestTurn(np.zeros(2, np.uint64), np.zeros(3, np.uint64), np.zeros(1, np.int64))


@kernel(lean=True)
def roomiest_turn(
    start: Cells, hand: np.ndarray, threshold: np.int64, placements: np.ndarray, turn: RoomiestTurn
) -> np.int64:
    """The most placements left after the hand, whose turn is written; -1 if no order places it."""
    low, high = start
    board, moves = turn.board, turn.moves
    best = np.int64(-1)
    for order in range(6):
        first = order // 2
        second = (first + 1 + order % 2) % 3
        third = 3 - first - second
        x_piece, y_piece, z_piece = hand[first], hand[second], hand[third]
        low_0, high_0 = fitting_anchors(low, high, x_piece)
        while low_0 | high_0 != ZERO:
            x_index = np.uint64(81 * x_piece) + lowest_anchor(low_0, high_0)
            low_0, high_0 = without_lowest(low_0, high_0)
            low_x, high_x, x_quiet = placed(low, high, placements, x_index)
            low_1, high_1 = fitting_anchors(low_x, high_x, y_piece)
            while low_1 | high_1 != ZERO:
                y_index = np.uint64(81 * y_piece) + lowest_anchor(low_1, high_1)
                low_1, high_1 = without_lowest(low_1, high_1)
                low_y, high_y, y_quiet = placed(low_x, high_x, placements, y_index)
                if x_quiet and y_quiet and first > second:
                    continue
                low_2, high_2 = fitting_anchors(low_y, high_y, z_piece)
                while low_2 | high_2 != ZERO:
                    z_index = np.uint64(81 * z_piece) + lowest_anchor(low_2, high_2)
                    low_2, high_2 = without_lowest(low_2, high_2)
                    low_z, high_z, z_quiet = placed(low_y, high_y, placements, z_index)
                    if y_quiet and z_quiet and second > third:
                        continue
                    turn.evaluated[0] += 1
                    count = placement_count(low_z, high_z)
                    if count > best:
                        best = count
                        board[0], board[1] = low_z, high_z
                        moves[0], moves[1], moves[2] = x_index, y_index, z_index
                        if best > threshold:
                            return best
    return best
