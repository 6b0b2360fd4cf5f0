"""What most callers want: solve, count, enumerate, judge a board of any size.

A grid is a `Board`, text in any format that `read_board` knows, or a sequence of N*N digits with
0 for empty. Grids with two equal digits in a unit are not refused: they have no solution.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from plyground.sudoku.board import Digits, GridLike, as_board
from plyground.sudoku.search import NO_LIMIT, SLICE_NODES, Desk, is_classic, search_of


def count(grid: GridLike, limit: int | None = None) -> int:
    """Number of solutions, at most `limit` (None: all of them, however long that takes)."""
    search = search_of(as_board(grid))
    wanted = NO_LIMIT if limit is None else limit
    found = 0
    while found < wanted and not search.finished:
        found += search.advance(wanted - found, SLICE_NODES)
    return found


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


def solve(grid: GridLike) -> Digits | None:
    """A solution (the only one, if the grid is a proper puzzle), or None: (N*N,) uint8."""
    solutions = enumerate_solutions(grid, 1)
    return solutions[0] if len(solutions) else None


def solvable(grid: GridLike) -> bool:
    """Whether the grid has a solution."""
    return count(grid, 1) == 1


def true_candidates(grid: GridLike) -> npt.NDArray[np.uint32]:
    """For each cell the digits that occur there in some solution: bit v-1 for digit v.

    All masks are zero when there is no solution. A filled cell has the mask of its digit.
    """
    board = as_board(grid)
    if is_classic(board):
        return Desk().true_candidates(board.digits, NO_LIMIT)[1].astype(np.uint32)
    size = board.geometry.size
    masks = np.zeros(board.geometry.cells, np.uint32)

    def see(solution: Digits) -> None:
        np.bitwise_or(masks, np.uint32(1) << (solution - 1).astype(np.uint32), out=masks)

    first = solve(board)
    if first is None:
        return masks
    see(first)
    digits = board.digits.copy()
    for cell in np.flatnonzero(board.digits == 0):
        for digit in range(1, size + 1):
            if masks[cell] >> (digit - 1) & 1:
                continue
            digits[cell] = digit
            solution = solve(type(board)(board.geometry, digits))
            if solution is not None:
                see(solution)
        digits[cell] = 0
    return masks
