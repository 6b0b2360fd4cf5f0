"""Which digits of which cells leave a board solvable, for every board size.

Each question is a depth-first search for one solution that prefers digits not yet known to occur in
a solution, so that each solution found settles many questions at once. The searches work in the
`Workspace` of `general`: row d of its stack is the board at depth d, the last row the board asked
about. For 9x9 boards `candidates` does the same in vector registers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plyground.kernels import kernel
from plyground.sudoku.general import (
    NODES,
    ONE,
    SETTLED,
    ZERO,
    Workspace,
    draw_consequences,
    narrowest_cell,
    propagate,
    write_board,
    write_solution,
)

NONE, UNKNOWN = np.int64(-1), np.int64(-2)
"""Instead of the depth of a solution: there is none, or the guesses did not suffice."""

NO_SOLUTION, CERTAIN, OPEN = np.int64(0), np.int64(1), np.int64(-1)
"""What `solvable_values` returns."""


class Answers(NamedTuple):
    """What is known about the empty cells of a board. Masks have bit v-1 for digit v."""

    solvable: np.ndarray
    """(N*N,) uint32: digits that leave the board solvable; 0 for filled cells."""
    doubtful: np.ndarray
    """(N*N,) uint32: digits whose question stayed open within the budget."""
    witnesses: np.ndarray
    """(k, N*N): the first solutions found on the way; the row after the last one begins with 0."""


@kernel(lean=True)
def start_board(work: Workspace, grid: np.ndarray, board: np.ndarray) -> bool:
    """The board of `grid` (0 = empty) with all consequences drawn; False on a contradiction."""
    write_board(work, grid, board)
    return propagate(work, board)


@kernel(lean=True)
def choose_cell(work: Workspace, board: np.ndarray) -> bool:
    """Note the narrowest open cell of a board as the one to guess; False when all are settled."""
    cell = narrowest_cell(work, board)
    if cell < 0:
        return False
    board[np.uint64(work.units_of.shape[0])] = np.uint32(cell)
    return True


@kernel(lean=True)
def next_solution(
    work: Workspace, depth: np.int64, known: np.ndarray, budget: np.int64
) -> np.int64:
    """The depth of the next solution beyond row `depth`, whose cell is chosen; else NONE, UNKNOWN.

    A search goes on from one less than the depth of its last solution. Digits outside the masks
    `known` (N*N,) come first. It ends UNKNOWN when it has made `budget` guesses (`control[NODES]`).
    """
    stack = work.stack
    cells = np.uint64(work.units_of.shape[0])
    one = np.uint64(1)
    while depth >= 0:
        board = stack[np.uint64(depth)]
        cell = np.uint64(board[cells])
        mask = board[cell]
        if mask == ZERO:
            depth -= 1
            continue
        if work.control[NODES] >= budget:
            return UNKNOWN
        work.control[NODES] += 1
        fresh = mask & ~known[cell]
        pick = fresh if fresh != ZERO else mask
        digit = pick & (~pick + ONE)
        board[cell] = mask & ~digit
        child = stack[np.uint64(depth) + one]
        for index in range(cells + one):
            child[np.uint64(index)] = board[np.uint64(index)]
        child[cell] = digit
        if propagate(work, child):
            depth += 1
            if not choose_cell(work, child):
                return depth
    return NONE


@kernel(lean=True)
def find_solution(work: Workspace, known: np.ndarray, budget: np.int64) -> np.int64:
    """The depth (row of the stack) of a solution of row 0, whose consequences are drawn.

    NONE without one, UNKNOWN after `budget` guesses. Digits outside the masks `known` come first.
    """
    if not choose_cell(work, work.stack[np.uint64(0)]):
        return np.int64(0)
    work.control[NODES] = 0
    return next_solution(work, np.int64(0), known, budget)


@kernel(lean=True)
def first_solution(
    work: Workspace, grid: np.ndarray, known: np.ndarray, budget: np.int64, solution: np.ndarray
) -> np.int64:
    """A solution of `grid` (0 = empty) to `solution`; NONE or UNKNOWN (negative) without one."""
    if not start_board(work, grid, work.stack[np.uint64(0)]):
        return NONE
    depth = find_solution(work, known, budget)
    if depth >= 0:
        write_solution(work.stack[np.uint64(depth)], solution)
    return depth


@kernel(lean=True)
def list_solutions(
    work: Workspace, grid: np.ndarray, known: np.ndarray, budget: np.int64, solutions: np.ndarray
) -> np.int64:
    """All solutions of `grid` (0 = empty) as rows of `solutions`, and their number.

    UNKNOWN when there are more than rows or `budget` guesses did not suffice.
    """
    if not start_board(work, grid, work.stack[np.uint64(0)]):
        return np.int64(0)
    found = np.int64(0)
    depth = find_solution(work, known, budget)
    while depth >= 0:
        if found >= solutions.shape[0]:
            return UNKNOWN
        write_solution(work.stack[np.uint64(depth)], solutions[np.uint64(found)])
        found += 1
        depth = next_solution(work, depth - 1, known, budget)
    return found if depth == NONE else UNKNOWN


@kernel(lean=True)
def ask(work: Workspace, base: np.ndarray, cell: np.uint64, digit: np.uint32) -> bool:
    """Row 0: the board with this digit in this cell; False when that contradicts itself."""
    board = work.stack[np.uint64(0)]
    for index in range(base.shape[0]):
        board[np.uint64(index)] = base[np.uint64(index)]
    if base[cell] & SETTLED != ZERO:
        return True
    board[cell] = digit | SETTLED
    # The board may have lost digits since its consequences were drawn: look at every unit.
    for index in range(work.units.shape[0]):
        work.dirty[np.uint64(index)] = np.uint8(1)
    work.queue[np.uint64(0)] = np.uint16(cell)
    return draw_consequences(work, board, np.int64(1))


@kernel(lean=True)
def take_solution(
    work: Workspace, grid: np.ndarray, depth: np.int64, stored: np.int64, answers: Answers
) -> np.int64:
    """Note the digits of a solution as solvable and keep it as a witness; witnesses kept so far."""
    solution = work.stack[np.uint64(depth)]
    for index in range(grid.shape[0]):
        cell = np.uint64(index)
        if grid[cell] == 0:
            answers.solvable[cell] |= solution[cell] & ~SETTLED
    if stored < answers.witnesses.shape[0]:
        write_solution(solution, answers.witnesses[np.uint64(stored)])
        stored += 1
    return stored


@kernel(lean=True)
def solvable_values(
    work: Workspace,
    grid: np.ndarray,
    first: np.int64,
    last: np.int64,
    budget: np.int64,
    answers: Answers,
) -> np.int64:
    """For the empty cells from `first` to before `last` the digits that leave a solvable board.

    What is found out about other cells on the way is in `answers` too; digits in its `solvable`
    when called must be known to be so. `budget` guesses are spent on each question. Returns
    NO_SOLUTION, CERTAIN if every answer is certain, or OPEN if some stay open.
    """
    stored = np.int64(0)
    base = work.stack[np.uint64(work.stack.shape[0] - 1)]
    if not start_board(work, grid, base):
        return NO_SOLUTION
    result = CERTAIN
    for index in range(first, last):
        cell = np.uint64(index)
        answers.doubtful[cell] = ZERO
        if grid[cell]:
            answers.solvable[cell] = ZERO
            continue
        while True:
            open_digits = base[cell] & ~SETTLED
            open_digits &= ~(answers.solvable[cell] | answers.doubtful[cell])
            if open_digits == ZERO:
                break
            digit = open_digits & (~open_digits + ONE)
            depth = NONE
            if ask(work, base, cell, digit):
                depth = find_solution(work, answers.solvable, budget)
            if depth >= 0:
                stored = take_solution(work, grid, depth, stored, answers)
            elif depth == UNKNOWN:
                answers.doubtful[cell] |= digit
                result = OPEN
            elif base[cell] & SETTLED != ZERO:
                return NO_SOLUTION
            else:
                rest = base[cell] & ~digit
                if rest == ZERO:
                    return NO_SOLUTION
                # A last digit is settled as it stands; the questions to come draw what follows.
                base[cell] = rest | SETTLED if rest & (rest - ONE) == ZERO else rest
    if stored < answers.witnesses.shape[0]:
        answers.witnesses[np.uint64(stored), np.uint64(0)] = 0
    return result
