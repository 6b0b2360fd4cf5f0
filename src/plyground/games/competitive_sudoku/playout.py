"""Random games of Competitive Sudoku: a move is drawn first, and only that one is asked about.

A move is legal if its value fits, its square is open to the mover, and it is not taboo. Whether it
is a placement or a pass is known as soon as a solution with it is known, or that there is none. One
solution of the board is kept on the way; it settles many questions itself, and more after an
exchange of two of its values.
"""

from __future__ import annotations

import numpy as np

from plyground.games.competitive_sudoku.rules import (
    BLOCK_COLUMNS,
    BLOCK_ROWS,
    CODE_CELL,
    SIZE,
    fitting_values,
    list_moves,
    outcome,
    play,
    read_squares,
)
from plyground.kernels import kernel
from plyground.kernels.random import random_below
from plyground.kernels.words import ONGOING
from plyground.sudoku.general import make_workspace
from plyground.sudoku.tables import Tables, make_tables
from plyground.sudoku.witness_search import NONE, first_solution

FIRST_BUDGET, BUDGET = np.int64(2000), np.int64(60)
"""Guesses for the first solution of a board, without which a game counts as drawn, and for a move;
where these do not suffice the value of the solution at hand is played."""


@kernel(lean=True)
def exchange(
    tables: Tables,
    cells: np.ndarray,
    solution: np.ndarray,
    cell: np.int64,
    value: np.int64,
    chain: np.ndarray,
) -> bool:
    """Give a square of the solution this value if it has to change on empty squares only.

    The value and the one that stands there change places along the chain of squares that force each
    other to. False, and nothing changed, if the chain meets a filled square. `chain` (2N,) is room.
    """
    size = np.int64(tables.units.shape[1])
    other = solution[cell]
    chain[0] = cell
    length = np.int64(1)
    at = np.int64(0)
    while at < length:
        here = chain[at]
        if cells[here] != 0:
            return False
        wanted = other if solution[here] == value else value
        for kind in range(3):
            unit = tables.units_of[here, kind]
            for place in range(size):
                there = np.int64(tables.units[unit, place])
                if solution[there] == wanted:
                    seen = False
                    for index in range(length):
                        seen |= chain[index] == there
                    if not seen:
                        chain[length] = there
                        length += 1
                    break
        at += 1
    for index in range(length):
        there = chain[index]
        solution[there] = other if solution[there] == value else value
    return True


@kernel
def play_out(
    params: np.ndarray,
    most_plies: np.int64,
    random: np.ndarray,
    buffer: np.ndarray,
    state: np.ndarray,
    scratch: np.ndarray,
) -> np.int64:
    """Play uniformly random moves from `state` (overwritten) to the end; its outcome, or a draw."""
    here, there = state, scratch
    result = outcome(params, here)
    if result != ONGOING:
        return result
    count = np.int64(params[SIZE]) * np.int64(params[SIZE])
    tables = make_tables(np.int64(params[BLOCK_ROWS]), np.int64(params[BLOCK_COLUMNS]))
    work = make_workspace(tables)
    cells, solution, trial = (
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
    )
    fitting = np.zeros(count, np.uint64)
    nothing = np.zeros(count, np.uint32)
    chain = np.zeros(2 * np.int64(params[SIZE]), np.int64)
    read_squares(params, here, cells)
    if first_solution(work, cells, nothing, FIRST_BUDGET, solution) < 0:
        return np.int64(0)
    for _ in range(most_plies):
        fitting_values(params, cells, fitting)
        # As if nothing were solvable: what is not taboo, each as a pass.
        moves = list_moves(params, here, fitting, nothing, buffer)
        move = buffer[random_below(random, np.uint64(moves))]
        cell, value = move // CODE_CELL, move % CODE_CELL // 2
        if solution[cell] == value or exchange(tables, cells, solution, cell, value, chain):
            move -= 1
        else:
            cells[cell] = value
            found = first_solution(work, cells, nothing, BUDGET, trial)
            cells[cell] = 0
            if found >= 0:
                solution, trial = trial, solution
                move -= 1
            elif found != NONE:
                move = cell * CODE_CELL + 2 * solution[cell]
        if move % 2 == 0:
            cells[cell] = solution[cell]
        play(params, here, move, there)
        here, there = there, here
        result = outcome(params, here)
        if result != ONGOING:
            return result
    return np.int64(0)
