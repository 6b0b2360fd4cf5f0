"""A position as the arrays that `fastboard` and the searches built on it work with."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from plyground import kernels
from plyground.core.game import Position
from plyground.games.competitive_sudoku import CompetitiveSudoku, fastboard
from plyground.games.competitive_sudoku.setup import Setup, neighbours, unpack

Integers = npt.NDArray[np.int64]


class FastBoard:
    """Arrays for one block size; `load` fills them with a position."""

    def __init__(self, game: CompetitiveSudoku) -> None:
        setup = game.setup
        self.rows, self.columns, self.size = setup.rows, setup.columns, setup.size
        count = self.size * self.size
        self.unit_of = np.zeros((count, 3), np.int64)
        self.around = np.zeros((count, 8), np.int64)
        self.kernels = kernels.compiled(fastboard.__name__)
        self.kernels.fill_tables(
            np.int64(self.rows), np.int64(self.columns), self.unit_of, self.around
        )
        self.filled = np.zeros(count, np.int64)
        self.used = np.zeros(3 * self.size, np.uint64)
        self.room = np.zeros(3 * self.size, np.int64)
        self.near = np.zeros((2, count), np.int64)
        self.scores = np.zeros(2, np.int64)
        self.totals = np.zeros(fastboard.TOTALS, np.int64)
        self.taboo = np.zeros(count, np.uint64)
        self.player = 0

    @property
    def arrays(self) -> tuple[Any, ...]:
        """What the search kernels take, in their order."""
        return (
            self.unit_of,
            self.around,
            self.filled,
            self.used,
            self.room,
            self.near,
            self.scores,
            self.totals,
        )

    def load(self, position: Position) -> Setup:
        """Take over a position; returns it as plain values."""
        setup = unpack(position.game.params, position.state)
        cells = np.array(setup.cells, np.int64)
        self.kernels.load(cells, self.unit_of, self.filled, self.used, self.room, self.totals)
        self.totals[fastboard.RESTRICTED] = setup.allowed is not None
        self.near[:] = 0
        for player, squares in enumerate(setup.allowed or ()):
            for cell in squares:
                self.near[player, cell] += 1
            for cell in setup.occupied[player]:
                for other in neighbours(self.size, cell):
                    self.near[player, other] += 1
        self.scores[:] = setup.scores
        self.taboo[:] = 0
        for cell, value in setup.taboo:
            self.taboo[cell] |= np.uint64(1 << value - 1)
        self.player = setup.player
        return setup

    def fitting(self, player: int | None = None) -> list[tuple[int, int]]:
        """Moves that fit and are not taboo, by square and value; of one player or of both."""
        taken = (
            self.used[self.unit_of[:, 0]]
            | self.used[self.unit_of[:, 1]]
            | self.used[self.unit_of[:, 2]]
            | self.taboo
        )
        open_squares = self.filled == 0
        if player is not None and self.totals[fastboard.RESTRICTED]:
            open_squares &= self.near[player] > 0
        return [
            (int(cell), value)
            for cell in np.flatnonzero(open_squares)
            for value in range(1, self.size + 1)
            if not int(taken[cell]) >> (value - 1) & 1
        ]

    def reward(self, cell: int) -> int:
        """Points for filling this empty square now."""
        complete = sum(int(self.room[unit]) == 1 for unit in self.unit_of[cell])
        return (0, 1, 3, 7)[complete]

    def passes_after(self, cell: int, value: int, solvable: npt.NDArray[np.uint32]) -> int:
        """The pool of passes after a placement that leaves these values solvable."""
        bit = np.uint64(1 << value - 1)
        units = self.unit_of[cell]
        used = self.used.copy()
        used[units] |= bit
        taken = used[self.unit_of[:, 0]] | used[self.unit_of[:, 1]] | used[self.unit_of[:, 2]]
        full = np.uint64((1 << self.size) - 1)
        pool = full & ~(taken | self.taboo | solvable.astype(np.uint64))
        pool[(self.filled == 1) | (np.arange(len(pool)) == cell)] = 0
        return int(np.bitwise_count(pool).sum())

    def text(self, cell: int, value: int) -> str:
        """A move in the course's notation."""
        return f"({cell // self.size},{cell % self.size}) -> {value}"

    @property
    def fill(self) -> float:
        """The share of squares that are filled."""
        return 1.0 - float(self.totals[fastboard.EMPTY]) / len(self.filled)


__all__ = ["FastBoard", "Integers"]
