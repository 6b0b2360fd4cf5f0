"""The geometry of a Sudoku board: regions of m rows by n columns, N = m*n, board N x N."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from plyground.core.errors import InputError

SMALLEST, LARGEST = 4, 25
"""Board sizes N that are supported."""


class GeometryError(InputError):
    """A board size that is not m x n, or one that is not supported."""

    kind = "bad-size"


@dataclass(frozen=True)
class Geometry:
    """A board with blocks of `rows` x `columns` cells. Cells are numbered row by row from 0."""

    rows: int
    columns: int

    def __post_init__(self) -> None:
        if min(self.rows, self.columns) < 2 or self.size > LARGEST:
            raise GeometryError(
                f"regions of {self.rows} x {self.columns} cells are not supported: "
                f"m and n must be at least 2 and m*n at most {LARGEST}"
            )

    @property
    def size(self) -> int:
        """N: the number of rows, columns, blocks and digits."""
        return self.rows * self.columns

    @property
    def cells(self) -> int:
        """N * N."""
        return self.size * self.size

    def block(self, row: int, column: int) -> int:
        """The block of a cell, numbered row by row from 0."""
        return row // self.rows * self.rows + column // self.columns

    @cached_property
    def units(self) -> npt.NDArray[np.uint16]:
        """(3N, N): the cells of each row, then of each column, then of each block."""
        size = self.size
        members: list[list[int]] = [[] for _ in range(3 * size)]
        for row in range(size):
            for column in range(size):
                cell = row * size + column
                members[row].append(cell)
                members[size + column].append(cell)
                members[2 * size + self.block(row, column)].append(cell)
        return np.array(members, np.uint16)

    @cached_property
    def units_of(self) -> npt.NDArray[np.uint16]:
        """(N*N, 3): the row, column and block (as indices into `units`) of each cell."""
        out = np.zeros((self.cells, 3), np.uint16)
        for unit, members in enumerate(self.units):
            out[members, unit // self.size] = unit
        return out

    @cached_property
    def peers(self) -> npt.NDArray[np.uint16]:
        """(N*N, P): for each cell the other cells of its row, column and block."""
        out = []
        for cell in range(self.cells):
            near = {int(other) for unit in self.units_of[cell] for other in self.units[unit]}
            out.append(sorted(near - {cell}))
        return np.array(out, np.uint16)

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns}"


@lru_cache(maxsize=64)
def geometry(rows: int, columns: int) -> Geometry:
    """The geometry with blocks of `rows` x `columns`; the same object for the same arguments."""
    return Geometry(rows, columns)


def geometry_of_size(size: int) -> Geometry:
    """The usual geometry of an N x N board: blocks as square as possible, not taller than wide."""
    rows = next((m for m in range(math.isqrt(max(size, 1)), 1, -1) if size % m == 0), 0)
    if rows == 0 or not SMALLEST <= size <= LARGEST:
        raise GeometryError(
            f"a {size} x {size} board has no regions of m x n cells with m, n >= 2 "
            f"and {SMALLEST} <= m*n <= {LARGEST}"
        )
    return geometry(rows, size // rows)
