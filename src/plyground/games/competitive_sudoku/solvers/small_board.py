"""Classic Competitive Sudoku on 4x4 boards, solved completely.

A position is the board and the passes that are used up. Renaming, transposing and swapping lines
make boards alike (3,072 ways), so few different ones are left, and every position is looked at
once, whatever the number of ways to it. The value is what the player to move wins by from here on
with best play of both. Plain Python, to compare searches with.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations, product

import numpy as np

from plyground.games.competitive_sudoku.rewards import REWARDS
from plyground.sudoku import geometry
from plyground.sudoku.solution_lister import SolutionLister

SIZE, CELLS = 4, 16
Board = bytes
"""Sixteen values, 0 for an empty square."""
Passes = frozenset[tuple[int, int]]
"""Squares and values that fit, cannot be part of a solution, and have been proposed before."""


@cache
def _units() -> tuple[tuple[int, ...], ...]:
    """The squares of each row, column and block."""
    of_cell = geometry(2, 2).units_of
    return tuple(
        tuple(cell for cell in range(CELLS) if unit in of_cell[cell]) for unit in range(3 * SIZE)
    )


@cache
def _units_of(cell: int) -> tuple[tuple[int, ...], ...]:
    return tuple(unit for unit in _units() if cell in unit)


@cache
def _near(cell: int) -> tuple[int, ...]:
    """The squares that share a region with a square."""
    return tuple(sorted({other for unit in _units_of(cell) for other in unit} - {cell}))


@cache
def _solutions() -> tuple[tuple[int, ...], ...]:
    """For each square and value the grids that have it there, as bits."""
    grids = SolutionLister(geometry(2, 2)).solutions(np.zeros(CELLS, np.int64), 1000)
    assert grids is not None
    return tuple(
        tuple(
            sum(1 << number for number, grid in enumerate(grids) if grid[cell] == value)
            for value in range(SIZE + 1)
        )
        for cell in range(CELLS)
    )


@cache
def symmetries() -> tuple[np.ndarray, np.ndarray]:
    """The 128 ways to rearrange squares and the 24 ways to rename values."""
    lines = [
        (*first, *second)
        for halves in (((0, 1), (2, 3)), ((2, 3), (0, 1)))
        for first in permutations(halves[0])
        for second in permutations(halves[1])
    ]
    places = [
        [SIZE * (c if turned else r) + (r if turned else c) for r in rows for c in columns]
        for rows, columns, turned in product(lines, lines, (False, True))
    ]
    names = [(0, *values) for values in permutations(range(1, SIZE + 1))]
    return np.array(places), np.array(names, np.uint8)


@cache
def _canonical(board: Board) -> tuple[Board, tuple[int, ...], tuple[int, ...]]:
    """The first of all boards like this one, and how squares and values get there."""
    places, names = symmetries()
    cells = np.frombuffer(board, np.uint8)
    images = names[:, cells[places]].reshape(-1, CELLS)
    best = int(np.lexsort(images.T[::-1])[0])
    renamed, moved = divmod(best, len(places))
    where = np.argsort(places[moved])
    return images[best].tobytes(), tuple(where.tolist()), tuple(names[renamed].tolist())


def fits(board: Board, cell: int, value: int) -> bool:
    """Whether a value conflicts with nothing."""
    return not board[cell] and all(board[other] != value for other in _near(cell))


@cache
def _moves(board: Board) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
    """Placements, and passes: what fits and is part of a solution, and what fits and is not."""
    table = _solutions()
    left = table[0][0] | -1
    for cell, value in enumerate(board):
        if value:
            left &= table[cell][value]
    fitting = [
        (cell, value)
        for cell in range(CELLS)
        for value in range(1, SIZE + 1)
        if fits(board, cell, value)
    ]
    good = tuple(move for move in fitting if left & table[move[0]][move[1]])
    return good, tuple(move for move in fitting if not left & table[move[0]][move[1]])


def value_of(board: Board, used: Passes = frozenset()) -> int:
    """What the player to move wins by from here on. The board must have a solution."""
    canonical, where, names = _canonical(board)
    return _value(canonical, frozenset((where[cell], names[value]) for cell, value in used))


@cache
def _value(board: Board, used: Passes) -> int:
    placements, passes = _moves(board)
    if not placements:
        return 0
    best = -100
    for cell, value in placements:
        child = board[:cell] + bytes([value]) + board[cell + 1 :]
        still = frozenset(entry for entry in used if fits(child, *entry))
        done = sum(all(child[other] for other in unit) for unit in _units_of(cell))
        best = max(best, REWARDS[done] - value_of(child, still))
    for entry in passes:
        if entry not in used:
            best = max(best, -value_of(board, used | {entry}))
    return best


def positions_seen() -> int:
    """How many different positions have been valued so far."""
    return _value.cache_info().currsize
