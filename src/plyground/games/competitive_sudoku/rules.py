"""Competitive Sudoku as kernels: every block size up to 5x5, free and restricted squares.

A position is `head`, `scores`, `empties`, then the squares (12 of 5 bits a word), the taboo list
(bit cell*N + value-1), and four sets of squares: occupied and allowed ones of either player. The
head holds the mover (bit 0) and the plies played (from bit 8). A move has the code
`cell * 64 + value * 2 + pass`: legal moves are placements that leave the board solvable, and
passes, which are first proposals of a value that fits but leaves no solution.
"""

from __future__ import annotations

import numpy as np

from plyground.games.competitive_sudoku.rewards import REWARDS
from plyground.kernels.marker import kernel
from plyground.kernels.random import split_mix
from plyground.kernels.words import ONE, ONGOING, ZERO
from plyground.sudoku.general import make_workspace
from plyground.sudoku.tables import make_tables
from plyground.sudoku.witness_search import Answers, solvable_values

# Places in `params`: block size, side, squares, whether squares are restricted, and where the
# parts of a position begin.
BLOCK_ROWS, BLOCK_COLUMNS, SIZE, CELLS, RESTRICTED, TABOO, OCCUPIED, ALLOWED, SET_WORDS = range(9)
PARAM_WORDS = 9

# Places in a position.
HEAD, SCORES, EMPTIES, SQUARES = range(4)

CELLS_PER_WORD = np.uint64(12)
CELL_BITS = np.uint64(5)
CELL_MASK = np.uint64(31)
PLY_SHIFT = np.uint64(8)
SCORE_SHIFT = np.uint64(32)
SCORE_MASK = np.uint64(0xFFFFFFFF)
CODE_CELL = np.int64(64)
LEGAL_BUDGET = np.int64(20000)
"""Guesses spent on one question in `legal_moves`; a value that stays open counts as solvable."""


@kernel
def square(state: np.ndarray, cell: np.uint64) -> np.uint64:
    """The value of a square, 0 = empty."""
    word = state[np.uint64(SQUARES) + cell // CELLS_PER_WORD]
    return (word >> (cell % CELLS_PER_WORD * CELL_BITS)) & CELL_MASK


@kernel
def set_square(state: np.ndarray, cell: np.uint64, value: np.uint64) -> None:
    """Put a value on an empty square."""
    state[np.uint64(SQUARES) + cell // CELLS_PER_WORD] |= value << (
        cell % CELLS_PER_WORD * CELL_BITS
    )


@kernel
def has_bit(state: np.ndarray, start: np.uint64, index: np.uint64) -> bool:
    """Whether a bit of the set that begins at word `start` is set."""
    return (state[start + (index >> np.uint64(6))] >> (index & np.uint64(63))) & ONE != ZERO


@kernel
def set_bit(state: np.ndarray, start: np.uint64, index: np.uint64) -> None:
    """Set a bit of the set that begins at word `start`."""
    state[start + (index >> np.uint64(6))] |= ONE << (index & np.uint64(63))


@kernel
def read_squares(params: np.ndarray, state: np.ndarray, cells: np.ndarray) -> None:
    """All squares as an array of values."""
    for cell in range(np.int64(params[CELLS])):
        cells[cell] = square(state, np.uint64(cell))


@kernel
def fitting_values(params: np.ndarray, cells: np.ndarray, masks: np.ndarray) -> None:
    """For each empty square the values that are not yet in its row, column or block."""
    size = np.int64(params[SIZE])
    rows, columns = np.int64(params[BLOCK_ROWS]), np.int64(params[BLOCK_COLUMNS])
    used = np.zeros((3, size), np.uint64)
    for cell in range(size * size):
        if cells[cell]:
            row, column = cell // size, cell % size
            bit = ONE << np.uint64(cells[cell] - 1)
            used[0, row] |= bit
            used[1, column] |= bit
            used[2, row // rows * rows + column // columns] |= bit
    full = (ONE << np.uint64(size)) - ONE
    for cell in range(size * size):
        masks[cell] = ZERO
        if cells[cell] == 0:
            row, column = cell // size, cell % size
            block = row // rows * rows + column // columns
            masks[cell] = full & ~(used[0, row] | used[1, column] | used[2, block])


@kernel
def reachable(params: np.ndarray, state: np.ndarray, player: np.uint64, cell: np.uint64) -> bool:
    """Whether the player may play on this empty square (always, when nothing is restricted)."""
    if params[RESTRICTED] == ZERO:
        return True
    words = params[SET_WORDS]
    if has_bit(state, params[ALLOWED] + player * words, cell):
        return True
    occupied = params[OCCUPIED] + player * words
    size = np.int64(params[SIZE])
    row, column = np.int64(cell) // size, np.int64(cell) % size
    for near in range(9):
        r, c = row + near // 3 - 1, column + near % 3 - 1
        if not (0 <= r < size and 0 <= c < size):
            continue
        if has_bit(state, occupied, np.uint64(r * size + c)):
            return True
    return False


@kernel
def is_stuck(params: np.ndarray, state: np.ndarray, player: np.uint64) -> bool:
    """Whether the player has no square to play on."""
    if params[RESTRICTED] == ZERO:
        return state[EMPTIES] == ZERO
    for index in range(np.int64(params[CELLS])):
        cell = np.uint64(index)
        if square(state, cell) == ZERO and reachable(params, state, player, cell):
            return False
    return True


@kernel
def hand_over(params: np.ndarray, state: np.ndarray, player: np.uint64) -> None:
    """Make `player` the mover, or the other one if only `player` is stuck."""
    turn = player
    if params[RESTRICTED] != ZERO and is_stuck(params, state, player):
        other = ONE - player
        if not is_stuck(params, state, other):
            turn = other
    state[HEAD] = (state[HEAD] & ~ONE) | turn


@kernel
def list_moves(
    params: np.ndarray,
    state: np.ndarray,
    fitting: np.ndarray,
    solvable: np.ndarray,
    moves: np.ndarray,
) -> np.int64:
    """The legal moves when it is known which values fit and which leave the board solvable."""
    size = np.int64(params[SIZE])
    player = state[HEAD] & ONE
    count = np.int64(0)
    for cell in range(size * size):
        mask = np.uint64(fitting[cell])
        if mask == ZERO or not reachable(params, state, player, np.uint64(cell)):
            continue
        for value in range(1, size + 1):
            bit = ONE << np.uint64(value - 1)
            if mask & bit == ZERO:
                continue
            code = cell * CODE_CELL + 2 * value
            if np.uint64(solvable[cell]) & bit == ZERO:
                if has_bit(state, params[TABOO], np.uint64(cell * size + value - 1)):
                    continue
                code += 1
            moves[count] = code
            count += 1
    return count


@kernel
def legal_moves(params: np.ndarray, state: np.ndarray, moves: np.ndarray) -> np.int64:
    """Placements and passes by square and value."""
    size = np.int64(params[SIZE])
    rows, columns = np.int64(params[BLOCK_ROWS]), np.int64(params[BLOCK_COLUMNS])
    count = size * size
    cells = np.zeros(count, np.int64)
    read_squares(params, state, cells)
    work = make_workspace(make_tables(rows, columns))
    answers = Answers(
        np.zeros(count, np.uint32), np.zeros(count, np.uint32), np.zeros((0, count), np.int64)
    )
    solvable_values(work, cells, np.int64(0), count, LEGAL_BUDGET, answers)
    fitting = np.zeros(count, np.uint64)
    fitting_values(params, cells, fitting)
    for cell in range(count):
        answers.solvable[cell] |= answers.doubtful[cell]
    return list_moves(params, state, fitting, answers.solvable, moves)


@kernel
def completed_units(params: np.ndarray, state: np.ndarray, cell: np.int64) -> np.int64:
    """How many of the row, column and block of an empty square have no other empty square."""
    size = np.int64(params[SIZE])
    rows, columns = np.int64(params[BLOCK_ROWS]), np.int64(params[BLOCK_COLUMNS])
    row, column = cell // size, cell % size
    top, left = row - row % rows, column - column % columns
    open_row, open_column, open_block = np.int64(0), np.int64(0), np.int64(0)
    for step in range(size):
        if square(state, np.uint64(row * size + step)) == ZERO:
            open_row += 1
        if square(state, np.uint64(step * size + column)) == ZERO:
            open_column += 1
        in_block = (top + step // columns) * size + left + step % columns
        if square(state, np.uint64(in_block)) == ZERO:
            open_block += 1
    return np.int64(open_row == 1) + np.int64(open_column == 1) + np.int64(open_block == 1)


@kernel
def play(params: np.ndarray, state: np.ndarray, move: np.int64, child: np.ndarray) -> None:
    """The position after a placement or a pass."""
    for word in range(state.shape[0]):
        child[word] = state[word]
    player = state[HEAD] & ONE
    cell = move // CODE_CELL
    value = (move % CODE_CELL) // 2
    child[HEAD] = state[HEAD] + (ONE << PLY_SHIFT)
    if move % 2 == 1:
        index = cell * np.int64(params[SIZE]) + value - 1
        set_bit(child, params[TABOO], np.uint64(index))
    else:
        reward = np.uint64(REWARDS[completed_units(params, state, cell)])
        child[SCORES] += reward << (player * SCORE_SHIFT)
        set_square(child, np.uint64(cell), np.uint64(value))
        child[EMPTIES] -= ONE
        if params[RESTRICTED] != ZERO:
            set_bit(child, params[OCCUPIED] + player * params[SET_WORDS], np.uint64(cell))
    hand_over(params, child, ONE - player)


@kernel
def mover(params: np.ndarray, state: np.ndarray) -> np.int64:
    """The player to move."""
    return np.int64(state[HEAD] & ONE)


@kernel
def outcome(params: np.ndarray, state: np.ndarray) -> np.int64:
    """ONGOING, or 1, 0, -1 for the first player: the higher score wins."""
    if state[EMPTIES] != ZERO:
        if params[RESTRICTED] == ZERO:
            return ONGOING
        if not is_stuck(params, state, state[HEAD] & ONE):
            return ONGOING
    first = np.int64(state[SCORES] & SCORE_MASK)
    second = np.int64(state[SCORES] >> SCORE_SHIFT)
    return np.int64(first > second) - np.int64(first < second)


@kernel
def key(params: np.ndarray, state: np.ndarray) -> np.uint64:
    """Everything but the number of plies."""
    result = split_mix(state[HEAD] & ONE)
    for word in range(1, state.shape[0]):
        result = split_mix(result ^ state[word])
    return result
