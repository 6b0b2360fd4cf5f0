"""A board for searches that do not ask for solvability: what fits may be placed.

The arrays of a board: `filled` (0/1 for each square), `used` (values in each row, column, block as
masks), `room` (empty squares in each), `near` (for either player and square how many reasons there
are to be allowed there), `scores`, and `totals` (empty squares; whether squares are restricted).
`unit_of` and `around` are tables: the three regions and the neighbours of each square.
"""

from __future__ import annotations

import numpy as np

from plyground.kernels.bits import ONE, ZERO
from plyground.kernels.marker import kernel

EMPTY, RESTRICTED = 0, 1
TOTALS = 2

REWARDS = np.array([0, 1, 3, 7], np.int64)
TWO = np.uint64(2)


@kernel(lean=True)
def fill_tables(
    block_rows: np.int64, block_columns: np.int64, unit_of: np.ndarray, around: np.ndarray
) -> None:
    """Regions and neighbours of each square; missing neighbours are -1."""
    size = block_rows * block_columns
    for cell in range(size * size):
        row, column = cell // size, cell % size
        unit_of[cell, 0] = row
        unit_of[cell, 1] = size + column
        unit_of[cell, 2] = 2 * size + row // block_rows * block_rows + column // block_columns
        count = 0
        for place in range(9):
            r, c = row + place // 3 - 1, column + place % 3 - 1
            if place != 4 and 0 <= r < size and 0 <= c < size:
                around[cell, count] = r * size + c
                count += 1
        while count < 8:
            around[cell, count] = -1
            count += 1


@kernel(lean=True)
def load(
    cells: np.ndarray,
    unit_of: np.ndarray,
    filled: np.ndarray,
    used: np.ndarray,
    room: np.ndarray,
    totals: np.ndarray,
) -> None:
    """Set up a board from its values (not `near`, nor the scores)."""
    size = used.shape[0] // 3
    totals[EMPTY] = 0
    for unit in range(used.shape[0]):
        used[unit] = ZERO
        room[unit] = size
    for cell in range(cells.shape[0]):
        filled[cell] = 0
        if cells[cell]:
            filled[cell] = 1
            bit = ONE << np.uint64(cells[cell] - 1)
            for index in range(3):
                used[unit_of[cell, index]] |= bit
                room[unit_of[cell, index]] -= 1
        else:
            totals[EMPTY] += 1


@kernel(lean=True)
def reward_of(unit_of: np.ndarray, room: np.ndarray, cell: np.int64) -> np.int64:
    """Points for filling an empty square now."""
    square = np.uint64(cell)
    complete = (
        np.uint64(room[np.uint64(unit_of[square, ZERO])] == 1)
        + np.uint64(room[np.uint64(unit_of[square, ONE])] == 1)
        + np.uint64(room[np.uint64(unit_of[square, TWO])] == 1)
    )
    return REWARDS[complete]


@kernel(lean=True)
def place(
    cell: np.int64,
    bit: np.uint64,
    player: np.int64,
    unit_of: np.ndarray,
    around: np.ndarray,
    filled: np.ndarray,
    used: np.ndarray,
    room: np.ndarray,
    near: np.ndarray,
    scores: np.ndarray,
    totals: np.ndarray,
) -> np.int64:
    """Fill a square for a player; its reward."""
    square = np.uint64(cell)
    row = np.uint64(unit_of[square, ZERO])
    column = np.uint64(unit_of[square, ONE])
    block = np.uint64(unit_of[square, TWO])
    used[row] |= bit
    used[column] |= bit
    used[block] |= bit
    room[row] -= 1
    room[column] -= 1
    room[block] -= 1
    complete = (
        np.uint64(room[row] == 0) + np.uint64(room[column] == 0) + np.uint64(room[block] == 0)
    )
    filled[square] = 1
    totals[EMPTY] -= 1
    scores[np.uint64(player)] += REWARDS[complete]
    if totals[RESTRICTED]:
        for index in range(8):
            other = around[cell, index]
            if other < 0:
                break
            near[player, other] += 1
    return REWARDS[complete]


@kernel(lean=True)
def unplace(
    cell: np.int64,
    bit: np.uint64,
    player: np.int64,
    unit_of: np.ndarray,
    around: np.ndarray,
    filled: np.ndarray,
    used: np.ndarray,
    room: np.ndarray,
    near: np.ndarray,
    scores: np.ndarray,
    totals: np.ndarray,
) -> None:
    """Take back the last placement."""
    square = np.uint64(cell)
    row = np.uint64(unit_of[square, ZERO])
    column = np.uint64(unit_of[square, ONE])
    block = np.uint64(unit_of[square, TWO])
    complete = (
        np.uint64(room[row] == 0) + np.uint64(room[column] == 0) + np.uint64(room[block] == 0)
    )
    used[row] &= ~bit
    used[column] &= ~bit
    used[block] &= ~bit
    room[row] += 1
    room[column] += 1
    room[block] += 1
    filled[square] = 0
    totals[EMPTY] += 1
    scores[np.uint64(player)] -= REWARDS[complete]
    if totals[RESTRICTED]:
        for index in range(8):
            other = around[cell, index]
            if other < 0:
                break
            near[player, other] -= 1


@kernel(lean=True)
def has_square(player: np.int64, filled: np.ndarray, near: np.ndarray, totals: np.ndarray) -> bool:
    """Whether the player may play on some empty square."""
    if totals[RESTRICTED] == 0:
        return totals[EMPTY] > 0
    for cell in range(filled.shape[0]):  # noqa: SIM110
        if filled[cell] == 0 and near[player, cell] > 0:
            return True
    return False


@kernel(lean=True)
def block_row_contradiction(
    block_rows: np.int64,
    block_columns: np.int64,
    unit_of: np.ndarray,
    filled: np.ndarray,
    used: np.ndarray,
) -> bool:
    """Whether some value has no place left in a block, seen from one of the block's rows.

    That is so if the value is not in the block, but in every other row of the block, and in every
    column in which the considered row has an empty square.
    """
    size = block_rows * block_columns
    full = (ONE << np.uint64(size)) - ONE
    for row in range(size):
        top = row - row % block_rows
        for left in range(0, size, block_columns):
            missing = full & ~used[unit_of[row * size + left, 2]]
            for other in range(top, top + block_rows):
                if other != row:
                    missing &= used[other]
            for column in range(left, left + block_columns):
                if filled[row * size + column] == 0:
                    missing &= used[size + column]
            if missing:
                return True
    return False
