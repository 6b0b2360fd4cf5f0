"""The geometry of a Sudoku board: regions of m rows by n columns, N = m*n, board N x N."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from plyground.core.errors import InputError
from plyground.sudoku.tables import Tables, make_tables

SMALLEST, LARGEST = 4, 25
"""Board sizes N that are supported."""


class GeometryError(InputError, kind="bad-size"):
    """A board size that is not m x n, or one that is not supported."""


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

    @cached_property
    def tables(self) -> Tables:
        """Units, units of each cell and peers, as kernels take them."""
        return make_tables(np.int64(self.rows), np.int64(self.columns))

    @property
    def units(self) -> npt.NDArray[np.uint16]:
        """(3N, N): the cells of each row, then of each column, then of each block."""
        return self.tables.units

    @property
    def units_of(self) -> npt.NDArray[np.uint16]:
        """(N*N, 3): the row, column and block (as indices into `units`) of each cell."""
        return self.tables.units_of

    @property
    def peers(self) -> npt.NDArray[np.uint16]:
        """(N*N, P): for each cell the other cells of its row, column and block."""
        return self.tables.peers

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
