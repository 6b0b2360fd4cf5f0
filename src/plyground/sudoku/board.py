"""A Sudoku board as a value: geometry and digits. Everything that solves takes one of these."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Union

import numpy as np
import numpy.typing as npt

from plyground.core.errors import InputError
from plyground.sudoku.geometry import Geometry, GeometryError, geometry, geometry_of_size

Digits = npt.NDArray[np.uint8]


class BoardError(InputError, kind="bad-board"):
    """A board that cannot be read or breaks the rules; the message names cell and reason."""


@dataclass(frozen=True, eq=False)
class Board:
    """Digits of a board, row by row: (N*N,) uint8, 0 = empty. Not checked for equal digits."""

    geometry: Geometry
    digits: Digits

    @classmethod
    def of(cls, digits: npt.ArrayLike, shape: Geometry | None = None) -> Board:
        """From any sequence of N*N numbers (or N rows of N), 0 = empty.

        Without a geometry the blocks are as square as possible, not taller than wide.
        """
        values = np.asarray(digits)
        if values.dtype.kind not in "iu":
            raise BoardError(f"a board is made of whole numbers, not of {values.dtype}")
        values = values.ravel()
        side = math.isqrt(values.size)
        if shape is None:
            if side * side != values.size:
                raise BoardError(f"{values.size} cells are not a square board")
            shape = geometry_of_size(side)
        if values.size != shape.cells:
            raise BoardError(f"a {shape} board has {shape.cells} cells, not {values.size}")
        wrong = np.flatnonzero((values < 0) | (values > shape.size))
        if wrong.size:
            row, column = divmod(int(wrong[0]), shape.size)
            raise BoardError(
                f"row {row + 1}, column {column + 1}: {int(values[wrong[0]])} "
                f"is not a digit from 0 to {shape.size}"
            )
        return cls(shape, np.ascontiguousarray(values, np.uint8))

    @classmethod
    def empty(cls, rows: int, columns: int) -> Board:
        """The empty board with blocks of `rows` x `columns`."""
        shape = geometry(rows, columns)
        return cls(shape, np.zeros(shape.cells, np.uint8))

    @property
    def clues(self) -> int:
        """Number of filled cells."""
        return int(np.count_nonzero(self.digits))

    def conflict(self) -> tuple[int, int, str] | None:
        """Two cells with the same digit in one unit, and which kind of unit; None when legal."""
        size = self.geometry.size
        bits = np.int64(1) << self.digits.astype(np.int64)[self.geometry.units] & ~np.int64(1)
        clashes = bits.sum(axis=1) != np.bitwise_or.reduce(bits, axis=1)
        for unit in np.flatnonzero(clashes).tolist():
            members = self.geometry.units[unit]
            seen: dict[int, int] = {}
            for cell in members.tolist():
                digit = int(self.digits[cell])
                if digit and digit in seen:
                    return seen[digit], cell, ("row", "column", "block")[unit // size]
                seen[digit] = cell
        return None

    def check(self) -> Board:
        """This board, if no digit occurs twice in a row, column or block; else `BoardError`."""
        clash = self.conflict()
        if clash is not None:
            first, second, kind = clash
            size = self.geometry.size
            row, column = divmod(second, size)
            other_row, other_column = divmod(first, size)
            raise BoardError(
                f"row {row + 1}, column {column + 1}: digit {int(self.digits[second])} is already "
                f"in this {kind}, at row {other_row + 1}, column {other_column + 1}"
            )
        return self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self.geometry == other.geometry and bool(np.array_equal(self.digits, other.digits))

    def __hash__(self) -> int:
        return hash((self.geometry, self.digits.tobytes()))


GridLike = Union[Board, str, Sequence[int], Sequence[Sequence[int]], npt.NDArray[np.integer]]  # noqa: UP007


def as_board(grid: GridLike) -> Board:
    """A board from what callers have: a `Board`, text in any format, or a sequence of numbers."""
    if isinstance(grid, Board):
        return grid
    if isinstance(grid, str):
        from plyground.sudoku.text import read_board

        return read_board(grid)
    return Board.of(np.asarray(grid))


__all__ = ["Board", "BoardError", "Digits", "GeometryError", "GridLike", "as_board"]
