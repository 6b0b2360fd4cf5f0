"""Solutions of boards of any size, in plain Python; hard ones go to the compiled solver.

Candidates are bit masks; squares and values with a single place are filled, then the square with
the fewest candidates is tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

GUESSES = 2000
"""After so many guesses a board is hard."""


class HardError(Exception):
    """The board needs more guesses than plain Python should make."""


def solvable(rows: int, columns: int, cells: Sequence[int]) -> bool:
    """Whether the empty squares (0) can be filled."""
    try:
        return _search(rows, columns, cells, GUESSES) is not None
    except HardError:
        return _ask_compiled(rows, columns, cells)


def solution(rows: int, columns: int, cells: Sequence[int]) -> list[int] | None:
    """A board with all squares filled, None if there is none; hard boards take their time."""
    grid = _search(rows, columns, cells, None)
    return None if grid is None else [mask.bit_length() for mask in grid]


def _search(rows: int, columns: int, cells: Sequence[int], guesses: int | None) -> list[int] | None:
    search = _Search(rows, columns, guesses)
    grid = [search.full] * len(cells)
    for cell, value in enumerate(cells):
        if value and not search.assign(grid, cell, 1 << (value - 1)):
            return None
    return search.complete(grid)


def _ask_compiled(rows: int, columns: int, cells: Sequence[int]) -> bool:
    try:
        import numpy as np

        from plyground.sudoku.geometry import geometry
        from plyground.sudoku.solvability import solvability
    except ImportError:  # another interpreter, without our libraries
        return _search(rows, columns, cells, None) is not None
    return bool(solvability(geometry(rows, columns)).solvable(np.array(cells, np.int64)))


@cache
def units(rows: int, columns: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """For every square its row, column and block, each as all of its squares."""
    size = rows * columns
    members: dict[tuple[str, int], list[int]] = {}
    names = []
    for cell in range(size * size):
        row, column = divmod(cell, size)
        block = row // rows * rows + column // columns
        mine = (("row", row), ("column", column), ("block", block))
        names.append(mine)
        for name in mine:
            members.setdefault(name, []).append(cell)
    return tuple(tuple(tuple(members[name]) for name in mine) for mine in names)


class _Search:
    """The search on boards of one shape; a grid is a list of masks, one a square."""

    def __init__(self, rows: int, columns: int, guesses: int | None) -> None:
        self.full = (1 << rows * columns) - 1
        self._units = units(rows, columns)
        self._left = guesses

    def assign(self, grid: list[int], cell: int, bit: int) -> bool:
        """Fix a square to a value and draw all conclusions; False on a contradiction."""
        waiting = [(cell, bit)]
        while waiting:
            cell, bit = waiting.pop()
            if not grid[cell] & bit:
                return False
            grid[cell] = bit
            if not all(self._exclude(grid, unit, cell, bit, waiting) for unit in self._units[cell]):
                return False
        return True

    def _exclude(
        self,
        grid: list[int],
        unit: tuple[int, ...],
        cell: int,
        bit: int,
        waiting: list[tuple[int, int]],
    ) -> bool:
        """Take a value from the rest of a region, and note what has only one place then."""
        once = twice = 0
        for other in unit:
            if other != cell and grid[other] & bit:
                grid[other] &= ~bit
                left = grid[other]
                if not left:
                    return False
                if not left & (left - 1):
                    waiting.append((other, left))
            twice |= once & grid[other]
            once |= grid[other]
        if once != self.full:
            return False
        single = once & ~twice
        for other in unit:
            place = grid[other] & single
            if place and grid[other] != place:
                waiting.append((other, place & -place))
        return True

    def complete(self, grid: list[int]) -> list[int] | None:
        """The grid with all that is open filled, None if it cannot be; HardError if too hard."""
        cell = min(
            (cell for cell, mask in enumerate(grid) if mask & (mask - 1)),
            key=lambda cell: bin(grid[cell]).count("1"),
            default=None,
        )
        if cell is None:
            return grid
        mask = grid[cell]
        while mask:
            bit = mask & -mask
            mask ^= bit
            if self._left is not None:
                self._left -= 1
                if self._left < 0:
                    raise HardError
            trial = grid.copy()
            if self.assign(trial, cell, bit):
                done = self.complete(trial)
                if done is not None:
                    return done
        return None
