"""CodeCup Sudoku as kernels: legality by looking for solutions.

A position is six words of cells (four bits a cell, 0 = empty) and a head: the plies so far, and
who has won. Moves are numbered `9 * cell + digit - 1`, with a claim `CLAIMED` more; `CLAIM` is the
claim alone.
"""

from __future__ import annotations

import numpy as np

from plyground.kernels import kernel
from plyground.kernels.random import random_below, seed_random, split_mix
from plyground.kernels.words import ONE, ONGOING
from plyground.sudoku.candidates import true_candidates
from plyground.sudoku.nine import STACK_WORDS, advance, begin

CELLS = 81
HEAD = np.uint64(6)
STATE_WORDS = 7
CLAIMED = 729
CLAIM = 1458
MAX_MOVES = 729

CELLS_PER_WORD = np.uint64(16)
CELL_BITS = np.uint64(4)
CELL_MASK = np.uint64(15)
PLY_MASK = np.uint64(0xFFFF)
RESULT_SHIFT = np.uint64(16)
PATIENCE = np.int64(4000)
"""Nodes after which a search for solutions begins anew."""

MANY = np.int64(0)
"""What `examine` finds: a legal move, and more than one solution is left."""
UNIQUE = np.int64(1)
"""A legal move that leaves exactly one solution."""
OCCUPIED = np.int64(2)
CONFLICT = np.int64(3)
UNSOLVABLE = np.int64(4)
NOT_REDUCING = np.int64(5)


@kernel
def read_cells(state: np.ndarray, digits: np.ndarray) -> None:
    """The digits of all cells to `digits` (81,) uint8, 0 = empty."""
    for cell in range(CELLS):
        place = np.uint64(cell)
        shift = (place & CELL_MASK) * CELL_BITS
        digits[place] = np.uint8((state[place // CELLS_PER_WORD] >> shift) & CELL_MASK)


@kernel
def disguise(digits: np.ndarray, random: np.ndarray, disguised: np.ndarray) -> None:
    """The same grid with digits, rows within bands and columns within stacks changed at random."""
    names = np.arange(10)
    rows = np.arange(9)
    columns = np.arange(9)
    for index in range(8):
        other = np.int64(index) + np.int64(random_below(random, np.uint64(9 - index)))
        names[index + 1], names[other + 1] = names[other + 1], names[index + 1]
    for band in range(3):
        for index in range(2):
            here = 3 * band + index
            other = here + np.int64(random_below(random, np.uint64(3 - index)))
            rows[here], rows[other] = rows[other], rows[here]
            other = here + np.int64(random_below(random, np.uint64(3 - index)))
            columns[here], columns[other] = columns[other], columns[here]
    for row in range(9):
        for column in range(9):
            digit = np.int64(digits[rows[row] * 9 + columns[column]])
            disguised[row * 9 + column] = names[digit]


@kernel
def count_up_to(digits: np.ndarray, limit: np.int64) -> np.int64:
    """Solutions of a grid (81,) uint8, at most `limit`.

    On grids with few digits a search now and then gets lost in a corner without solutions. One
    that takes too long begins anew with a disguise of the grid, which has as many solutions.
    """
    stack = np.empty(STACK_WORDS, np.uint16)
    control = np.zeros(2, np.int64)
    no_preference = np.zeros(96, np.uint16)
    nothing = np.empty((0, 81), np.uint8)
    begin(digits, stack, control)
    nodes = PATIENCE
    found = advance(stack, control, no_preference, limit, nodes, nothing)
    if found >= limit or control[0] == 0:
        return found
    random = np.empty(4, np.uint64)
    seed_random(random, np.uint64(1))
    disguised = np.empty(CELLS, np.uint8)
    while True:
        nodes += nodes >> 2
        disguise(digits, random, disguised)
        begin(disguised, stack, control)
        found = advance(stack, control, no_preference, limit, nodes, nothing)
        if found >= limit or control[0] == 0:
            return found


@kernel
def candidates(digits: np.ndarray, masks: np.ndarray) -> None:
    """The digits of each cell in any solution, to `masks` (81,) uint16: bit v-1 for digit v."""
    verdict = true_candidates(
        digits,
        np.empty(96, np.uint16),
        np.empty(STACK_WORDS, np.uint16),
        np.zeros(2, np.int64),
        np.zeros(96, np.uint16),
        np.empty((0, 81), np.uint8),
        PATIENCE,
        masks,
    )
    if verdict >= 0:
        return
    for cell in range(CELLS):
        if digits[cell] != 0:
            masks[cell] = np.uint16(1 << (np.int64(digits[cell]) - 1))
            continue
        for digit in range(1, 10):
            known = (np.int64(masks[cell]) >> (digit - 1)) & 1
            if known == 0 and not has_conflict(digits, np.int64(cell), np.int64(digit)):
                digits[cell] = digit
                if count_up_to(digits, np.int64(1)) > 0:
                    masks[cell] |= np.uint16(1 << (digit - 1))
                digits[cell] = 0


@kernel
def has_conflict(digits: np.ndarray, cell: np.int64, digit: np.int64) -> bool:
    """Whether the digit already stands in the row, column or box of the cell."""
    row, column = cell // 9, cell % 9
    top, left = row - row % 3, column - column % 3
    for index in range(9):
        if digits[row * 9 + index] == digit or digits[index * 9 + column] == digit:
            return True
        if digits[(top + index // 3) * 9 + left + index % 3] == digit:
            return True
    return False


@kernel
def examine(digits: np.ndarray, cell: np.int64, digit: np.int64) -> np.int64:
    """What a move would be, in the order in which the contest judges it. Restores `digits`."""
    if digits[cell] != 0:
        return OCCUPIED
    if has_conflict(digits, cell, digit):
        return CONFLICT
    digits[cell] = digit
    left = count_up_to(digits, np.int64(2))
    digits[cell] = 0
    if left == 0:
        return UNSOLVABLE
    for other in range(1, 10):
        if other != digit and not has_conflict(digits, cell, np.int64(other)):
            digits[cell] = other
            found = count_up_to(digits, np.int64(1))
            digits[cell] = 0
            if found > 0:
                return UNIQUE if left == 1 else MANY
    return NOT_REDUCING


@kernel
def legal_moves(params: np.ndarray, state: np.ndarray, moves: np.ndarray) -> np.int64:
    """Every reducing move by cell and digit, with a claim exactly where one solution is left."""
    digits = np.empty(CELLS, np.uint8)
    read_cells(state, digits)
    masks = np.zeros(CELLS, np.uint16)
    candidates(digits, masks)
    count = np.int64(0)
    for cell in range(CELLS):
        mask = np.int64(masks[cell])
        if digits[cell] != 0 or mask & (mask - 1) == 0:
            continue
        for digit in range(1, 10):
            if (mask >> (digit - 1)) & 1:
                digits[cell] = digit
                unique = count_up_to(digits, np.int64(2)) == 1
                digits[cell] = 0
                moves[count] = cell * 9 + digit - 1 + (CLAIMED if unique else 0)
                count += 1
    if count == 0:
        moves[0] = CLAIM
        count = np.int64(1)
    return count


@kernel
def play(params: np.ndarray, state: np.ndarray, move: np.int64, child: np.ndarray) -> None:
    """The position after a legal turn; one with a claim ends the game."""
    for word in range(STATE_WORDS):
        child[word] = state[word]
    mover_wins = ONE << (RESULT_SHIFT + (state[HEAD] & ONE))
    child[HEAD] = state[HEAD] + ONE
    if move >= CLAIMED:
        child[HEAD] |= mover_wins
    if move < CLAIM:
        pair = np.uint64(move % CLAIMED)
        cell = pair // np.uint64(9)
        digit = pair % np.uint64(9) + ONE
        child[cell // CELLS_PER_WORD] |= digit << ((cell & CELL_MASK) * CELL_BITS)


@kernel
def mover(params: np.ndarray, state: np.ndarray) -> np.int64:
    """The player to move."""
    return np.int64(state[HEAD] & ONE)


@kernel
def outcome(params: np.ndarray, state: np.ndarray) -> np.int64:
    """1 or -1 after a correct claim of the first or second player."""
    result = state[HEAD] >> RESULT_SHIFT
    if result == np.uint64(0):
        return ONGOING
    return np.int64(1) if result == ONE else np.int64(-1)


@kernel
def key(params: np.ndarray, state: np.ndarray) -> np.uint64:
    """A hash of cells and head."""
    word = np.uint64(0)
    for index in range(STATE_WORDS):
        word = split_mix(word ^ state[index])
    return word
