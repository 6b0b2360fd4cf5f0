"""A position as the arrays that `board_kernel` and the searches built on it work with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from plyground import kernels
from plyground.core.game import Position
from plyground.games.competitive_sudoku import CompetitiveSudoku
from plyground.games.competitive_sudoku.players import board_kernel
from plyground.games.competitive_sudoku.players.board_kernel import EMPTY, RESTRICTED, Board
from plyground.games.competitive_sudoku.position_data import PositionData, neighbours, unpack
from plyground.sudoku.geometry import Geometry


def new_board(shape: Geometry) -> Board:
    """An empty board of the kernels; regions and neighbours are filled in."""
    around = np.full((shape.cells, 8), -1, np.int64)
    for cell in range(shape.cells):
        near = neighbours(shape.size, cell)
        around[cell, : len(near)] = near
    return Board(
        shape.units_of,
        around,
        np.zeros(shape.cells, np.int64),
        np.zeros(3 * shape.size, np.uint64),
        np.zeros(3 * shape.size, np.int64),
        np.zeros((2, shape.cells), np.int64),
        np.zeros(2, np.int64),
        np.zeros(board_kernel.TOTALS, np.int64),
        np.zeros(shape.cells, np.uint64),
    )


class PlayerBoard:
    """A board of one block size; `load` fills it with a position."""

    def __init__(self, game: CompetitiveSudoku) -> None:
        self.geometry = game.data.geometry
        self.size = self.geometry.size
        self.kernels = kernels.compiled(board_kernel.__name__)
        self.arrays = new_board(self.geometry)
        self.player = 0

    def load(self, position: Position) -> PositionData:
        """Take over a position; returns it as plain values."""
        data = unpack(position.game.params, position.state)
        arrays = self.arrays
        self.kernels.load(arrays, np.array(data.cells, np.int64))
        arrays.totals[RESTRICTED] = data.allowed is not None
        arrays.near[:] = 0
        for player, squares in enumerate(data.allowed or ()):
            for cell in squares:
                arrays.near[player, cell] += 1
            for cell in data.occupied[player]:
                for other in neighbours(self.size, cell):
                    arrays.near[player, other] += 1
        arrays.scores[:] = data.scores
        arrays.taboo[:] = 0
        for cell, value in data.taboo:
            arrays.taboo[cell] |= np.uint64(1 << value - 1)
        self.player = data.player
        return data

    @property
    def empty(self) -> int:
        """Empty squares."""
        return int(self.arrays.totals[EMPTY])

    @property
    def fill(self) -> float:
        """The share of squares that are filled."""
        return 1.0 - self.empty / self.geometry.cells

    def fitting(self, player: int | None = None) -> list[tuple[int, int]]:
        """Moves that fit and are not taboo, by square and value; of one player or of both."""
        arrays = self.arrays
        taken = np.bitwise_or.reduce(arrays.used[arrays.unit_of], axis=1) | arrays.taboo
        open_squares = arrays.filled == 0
        if player is not None and arrays.totals[RESTRICTED]:
            open_squares &= arrays.near[player] > 0
        return [
            (int(cell), value)
            for cell in np.flatnonzero(open_squares)
            for value in range(1, self.size + 1)
            if not int(taken[cell]) >> (value - 1) & 1
        ]

    def reward(self, cell: int) -> int:
        """Points for filling this empty square now."""
        complete = sum(int(self.arrays.room[unit]) == 1 for unit in self.arrays.unit_of[cell])
        return (0, 1, 3, 7)[complete]

    def blocking(self, moves: Sequence[tuple[int, int]]) -> list[bool]:
        """For each of some moves whether the block-row test sees that it leaves no solution."""
        marks = np.zeros(len(moves), np.bool_)
        self.kernels.mark_blocking(
            self.arrays,
            np.int64(self.geometry.rows),
            np.int64(self.geometry.columns),
            np.array([cell for cell, _ in moves], np.int64),
            np.array([1 << value - 1 for _, value in moves], np.uint64),
            marks,
        )
        return [bool(mark) for mark in marks]

    def passes_after(self, cell: int, value: int, solvable: npt.NDArray[np.uint32]) -> int:
        """The pool of passes after a placement that leaves these values solvable."""
        arrays = self.arrays
        used = arrays.used.copy()
        used[arrays.unit_of[cell]] |= np.uint64(1 << value - 1)
        taken = np.bitwise_or.reduce(used[arrays.unit_of], axis=1)
        full = np.uint64((1 << self.size) - 1)
        pool = full & ~(taken | arrays.taboo | solvable.astype(np.uint64))
        pool[(arrays.filled == 1) | (np.arange(len(pool)) == cell)] = 0
        return int(np.bitwise_count(pool).sum())

    def text(self, cell: int, value: int) -> str:
        """A move in the course's notation."""
        return f"({cell // self.size},{cell % self.size}) -> {value}"
