"""A board for searches that do not ask for solvability: what fits may be placed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plyground.games.competitive_sudoku.rewards import REWARDS
from plyground.kernels.marker import kernel
from plyground.kernels.words import ONE, TWO, ZERO

# Places in `totals`.
EMPTY, RESTRICTED = 0, 1
TOTALS = 2


class Board(NamedTuple):
    """A board of N x N squares. Regions are numbered: rows, then columns, then blocks."""

    unit_of: np.ndarray
    """(N*N, 3) uint16: the three regions of each square."""
    around: np.ndarray
    """(N*N, 8) int64: the neighbours of each square; missing ones are -1."""
    filled: np.ndarray
    """(N*N,) int64: 0 or 1."""
    used: np.ndarray
    """(3N,) uint64: the values in each region, bit v-1 for value v."""
    room: np.ndarray
    """(3N,) int64: the empty squares of each region."""
    near: np.ndarray
    """(2, N*N) int64: for either player the reasons to be allowed on a square."""
    scores: np.ndarray
    """(2,) int64."""
    totals: np.ndarray
    """(2,) int64: empty squares, and whether squares are restricted."""
    taboo: np.ndarray
    """(N*N,) uint64: values that may not be proposed."""


@kernel(lean=True)
def load(board: Board, cells: np.ndarray) -> None:
    """Set up a board from its values (not `near`, nor scores or taboo values)."""
    size = board.used.shape[0] // 3
    board.totals[EMPTY] = 0
    for unit in range(board.used.shape[0]):
        board.used[unit] = ZERO
        board.room[unit] = size
    for cell in range(cells.shape[0]):
        board.filled[cell] = 0
        if cells[cell]:
            board.filled[cell] = 1
            bit = ONE << np.uint64(cells[cell] - 1)
            for index in range(3):
                board.used[board.unit_of[cell, index]] |= bit
                board.room[board.unit_of[cell, index]] -= 1
        else:
            board.totals[EMPTY] += 1


@kernel(lean=True)
def copy_board(source: Board, target: Board) -> None:
    """Take over another board of the same size; taboo values are not copied."""
    for index in range(source.filled.shape[0]):
        target.filled[index] = source.filled[index]
    for index in range(source.used.shape[0]):
        target.used[index] = source.used[index]
        target.room[index] = source.room[index]
    for index in range(2):
        target.scores[index] = source.scores[index]
        target.totals[index] = source.totals[index]
    if source.totals[RESTRICTED]:
        for player in range(2):
            for cell in range(source.filled.shape[0]):
                target.near[player, cell] = source.near[player, cell]


@kernel(inline=True, lean=True)
def taken_values(board: Board, cell: np.uint64) -> np.uint64:
    """The values in the row, column and block of a square."""
    return (
        board.used[board.unit_of[cell, ZERO]]
        | board.used[board.unit_of[cell, ONE]]
        | board.used[board.unit_of[cell, TWO]]
    )


@kernel(inline=True, lean=True)
def may_use(board: Board, player: np.int64, cell: np.uint64) -> bool:
    """Whether a player may play on this square if it is empty."""
    return board.totals[RESTRICTED] == 0 or board.near[player, cell] > 0


@kernel(inline=True, lean=True)
def reward_of(board: Board, cell: np.uint64) -> np.int64:
    """Points for filling an empty square now."""
    complete = (
        np.uint64(board.room[board.unit_of[cell, ZERO]] == 1)
        + np.uint64(board.room[board.unit_of[cell, ONE]] == 1)
        + np.uint64(board.room[board.unit_of[cell, TWO]] == 1)
    )
    return REWARDS[complete]


@kernel(lean=True)
def place(board: Board, cell: np.int64, bit: np.uint64, player: np.int64) -> None:
    """Fill a square for a player."""
    square = np.uint64(cell)
    row, column = board.unit_of[square, ZERO], board.unit_of[square, ONE]
    block = board.unit_of[square, TWO]
    board.scores[np.uint64(player)] += reward_of(board, square)
    board.used[row] |= bit
    board.used[column] |= bit
    board.used[block] |= bit
    board.room[row] -= 1
    board.room[column] -= 1
    board.room[block] -= 1
    board.filled[square] = 1
    board.totals[EMPTY] -= 1
    if board.totals[RESTRICTED]:
        note_neighbours(board, cell, player, np.int64(1))


@kernel(lean=True)
def unplace(board: Board, cell: np.int64, bit: np.uint64, player: np.int64) -> None:
    """Take back the last placement."""
    square = np.uint64(cell)
    row, column = board.unit_of[square, ZERO], board.unit_of[square, ONE]
    block = board.unit_of[square, TWO]
    board.used[row] &= ~bit
    board.used[column] &= ~bit
    board.used[block] &= ~bit
    board.room[row] += 1
    board.room[column] += 1
    board.room[block] += 1
    board.scores[np.uint64(player)] -= reward_of(board, square)
    board.filled[square] = 0
    board.totals[EMPTY] += 1
    if board.totals[RESTRICTED]:
        note_neighbours(board, cell, player, np.int64(-1))


@kernel(lean=True)
def note_neighbours(board: Board, cell: np.int64, player: np.int64, reasons: np.int64) -> None:
    """Add or take away a reason for a player to be allowed around a square."""
    for index in range(8):
        other = board.around[cell, index]
        if other < 0:
            break
        board.near[player, other] += reasons


@kernel(lean=True)
def has_square(board: Board, player: np.int64) -> bool:
    """Whether the player may play on some empty square."""
    if board.totals[RESTRICTED] == 0:
        return board.totals[EMPTY] > 0
    for cell in range(board.filled.shape[0]):
        if board.filled[cell] == 0 and board.near[player, cell] > 0:
            return True
    return False


@kernel(lean=True)
def next_player(board: Board, last: np.int64) -> np.int64:
    """Who moves after `last`: the other player, unless that one is stuck."""
    following = 1 - last
    if board.totals[RESTRICTED] and not has_square(board, following):
        return last
    return following


@kernel(lean=True)
def block_row_contradiction(board: Board, block_rows: np.int64, block_columns: np.int64) -> bool:
    """Whether some value has no place left in a block, seen from one of the block's rows.

    That is so if the value is not in the block, but in every other row of the block, and in every
    column in which the considered row has an empty square.
    """
    size = block_rows * block_columns
    full = (ONE << np.uint64(size)) - ONE
    used = board.used
    for row in range(size):
        top = row - row % block_rows
        for left in range(0, size, block_columns):
            missing = full & ~used[board.unit_of[row * size + left, 2]]
            for other in range(top, top + block_rows):
                if other != row:
                    missing &= used[other]
            for column in range(left, left + block_columns):
                if board.filled[row * size + column] == 0:
                    missing &= used[size + column]
            if missing:
                return True
    return False


@kernel(lean=True)
def mark_blocking(
    board: Board,
    block_rows: np.int64,
    block_columns: np.int64,
    cells: np.ndarray,
    bits: np.ndarray,
    marks: np.ndarray,
) -> None:
    """Set `marks` where a move, a square and a value's mask, gives a block-row contradiction."""
    for index in range(cells.shape[0]):
        cell, bit = cells[index], bits[index]
        for part in range(3):
            board.used[board.unit_of[cell, part]] |= bit
        board.filled[cell] = 1
        marks[index] = block_row_contradiction(board, block_rows, block_columns)
        for part in range(3):
            board.used[board.unit_of[cell, part]] &= ~bit
        board.filled[cell] = 0
