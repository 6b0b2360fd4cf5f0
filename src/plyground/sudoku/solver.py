"""What most callers want: solve, count, enumerate, judge a board of any size.

A grid is a `Board`, text in any format that `read_board` knows, or a sequence of N*N digits with
0 for empty. Grids with two equal digits in a unit are not refused: they have no solution.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from plyground.sudoku.board import Board, Digits, GridLike, as_board
from plyground.sudoku.sat import SatJudge, visible_candidates
from plyground.sudoku.search import NO_LIMIT, SLICE_NODES, Desk, is_classic, search_of
from plyground.sudoku.solvability import true_candidates as true_candidates_of_any_size

SEARCH_NODES = 1000
"""Nodes after which the question whether a large board has a solution goes to the SAT solver."""


def count(grid: GridLike, limit: int | None = None, stop: Callable[[], bool] | None = None) -> int:
    """Number of solutions, at most `limit` (None: all of them, however long that takes).

    `stop` is asked every few milliseconds; once it says True the count so far is returned.
    """
    board, alike = _fix_interchangeable_digits(as_board(grid))
    wanted = NO_LIMIT if limit is None else limit
    search = search_of(board)
    found = 0
    while found * alike < wanted and not search.finished and not (stop is not None and stop()):
        found += search.advance(-(-wanted // alike) - found, SLICE_NODES)
    return min(found * alike, wanted)


def _fix_interchangeable_digits(board: Board) -> tuple[Board, int]:
    """A board with more clues, and how many solutions of `board` each of its solutions stands for.

    Digits that are not on the board can be exchanged for each other: a cell where only such digits
    fit may as well hold the first of them.
    """
    present = set(np.unique(board.digits).tolist())
    absent = [digit for digit in range(1, board.geometry.size + 1) if digit not in present]
    digits, alike = board.digits.copy(), 1
    while len(absent) > 1:
        fits = visible_candidates(Board(board.geometry, digits))
        fits[:, np.array(absent) - 1] = False
        free = np.flatnonzero((digits == 0) & ~fits.any(axis=1))
        if len(free) == 0:
            break
        digits[free[0]] = absent[0]
        alike *= len(absent)
        del absent[0]
    return Board(board.geometry, digits), alike


def is_unique(grid: GridLike) -> bool:
    """Whether the grid has exactly one solution."""
    return count(grid, 2) == 1


def enumerate_solutions(grid: GridLike, limit: int | None = None) -> Digits:
    """All solutions, or the first `limit` of them, without duplicates: (k, N*N) uint8."""
    board = as_board(grid)
    search = search_of(board)
    wanted = NO_LIMIT if limit is None else limit
    chunks: list[Digits] = []
    found = 0
    while found < wanted and not search.finished:
        room = np.empty((min(wanted - found, 4096), board.geometry.cells), np.uint8)
        filled = 0
        while filled < len(room) and not search.finished:
            filled += search.advance(len(room) - filled, SLICE_NODES, room[filled:])
        chunks.append(room[:filled])
        found += filled
    if not chunks:
        return np.empty((0, board.geometry.cells), np.uint8)
    return np.concatenate(chunks)


def judge(grid: GridLike, stop: Callable[[], bool] | None = None) -> Digits | bool | None:
    """A solution, False when there is none, None when `stop` ended the work before the answer.

    Boards that the search does not settle within `SEARCH_NODES` nodes go to a SAT solver, so that
    the answer comes soon on every size. `stop` is called every few milliseconds.
    """
    board = as_board(grid)
    search = search_of(board)
    room = np.empty((1, board.geometry.cells), np.uint8)
    while not search.finished:
        if search.advance(1, SEARCH_NODES, room):
            return room[0]
        if stop is not None and stop():
            return None
        if not is_classic(board) and not search.finished:
            sat = SatJudge(board)
            try:
                return sat.solve(stop=stop)
            finally:
                sat.close()
    return False


def solve(grid: GridLike) -> Digits | None:
    """A solution (the only one, if the grid is a proper puzzle), or None: (N*N,) uint8."""
    answer = judge(grid)
    return answer if isinstance(answer, np.ndarray) else None


def solvable(grid: GridLike) -> bool:
    """Whether the grid has a solution."""
    return solve(grid) is not None


def true_candidates(grid: GridLike) -> npt.NDArray[np.uint32]:
    """For each cell the digits that occur there in some solution: bit v-1 for digit v.

    All masks are zero when there is no solution. A filled cell has the mask of its digit.
    """
    board = as_board(grid)
    if is_classic(board):
        return Desk().true_candidates(board.digits, NO_LIMIT)[1].astype(np.uint32)
    return true_candidates_of_any_size(board)
