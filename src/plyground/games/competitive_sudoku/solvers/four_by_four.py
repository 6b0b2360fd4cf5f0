"""The exact value of any 4x4 board of Competitive Sudoku, in every mode."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from plyground import kernels
from plyground.core.errors import InputError
from plyground.games.competitive_sudoku.position_data import PositionData, neighbours
from plyground.games.competitive_sudoku.solvers import four_by_four_kernel as layout
from plyground.games.competitive_sudoku.solvers.small_board import symmetries
from plyground.sudoku import geometry
from plyground.sudoku.solution_lister import SolutionLister

SLICE = 20_000
"""Positions between two looks at whether to go on."""
Continue = Callable[[int], bool]
"""Told the positions looked at so far; False ends the search."""


def _grids() -> np.ndarray:
    """For each square and value the grids that have it there, as bits."""
    found = SolutionLister(geometry(2, 2)).solutions(np.zeros(16, np.int64), 1000)
    assert found is not None
    bits = np.zeros((64, layout.WORDS * 64), np.uint8)
    for number, grid in enumerate(found):
        for cell, value in enumerate(grid):
            bits[4 * cell + int(value) - 1, number] = 1
    return np.packbits(bits, axis=1, bitorder="little").view(np.uint64)


def _turns() -> np.ndarray:
    """The eight ways to turn and mirror the board: neighbours stay neighbours."""
    board = np.arange(16).reshape(4, 4)
    turned = [np.rot90(board, k) for k in range(4)]
    return np.array([image.ravel() for one in turned for image in (one, one.T)], np.int64)


class FourByFour:
    """Positions of one mode. What is found about one helps with the next."""

    def __init__(self, restricted: bool, megabytes: float = 256.0) -> None:
        self.restricted = restricted
        self.kernel = kernels.compiled(layout.__name__)
        rows = layout.MOST_PLIES
        entries = 1 << max(8, int(megabytes * 2**20 / 32).bit_length() - 1)
        near = np.zeros(16, np.uint64)
        if restricted:
            near[:] = [sum(1 << other for other in neighbours(4, cell)) for cell in range(16)]
        self.work = layout.Workspace(
            grids=_grids(),
            maps=_turns() if restricted else symmetries()[0].astype(np.int64),
            units=np.array(geometry(2, 2).units_of, np.int64),
            near=near,
            cells=np.full(16, -1, np.int64),
            values=np.zeros(12, np.uint64),
            room=np.full(12, 4, np.int64),
            alive=np.zeros((rows, layout.WORDS), np.uint64),
            used=np.zeros(rows, np.uint64),
            allowed=np.zeros((rows, 2), np.uint64),
            keys=np.zeros((rows, layout.KEY_WORDS), np.uint64),
            moves=np.zeros((rows, layout.MOST_MOVES), np.int64),
            promises=np.zeros(layout.MOST_MOVES, np.int64),
            frames=np.zeros((rows, layout.FRAME_WORDS), np.int64),
            table=np.zeros((entries, layout.KEY_WORDS + 1), np.uint64),
            control=np.zeros(layout.CONTROL_WORDS, np.int64),
        )

    @property
    def positions(self) -> int:
        """Different positions that the table knows something about."""
        return int(self.work.control[layout.STORED])

    @property
    def searched(self) -> int:
        """Positions looked at so far."""
        return int(self.work.control[layout.NODES])

    @property
    def forgotten(self) -> int:
        """How often a value found no room in the table."""
        return int(self.work.control[layout.FULL])

    def margin(self, data: PositionData, keep_on: Continue | None = None) -> int | None:
        """What the player to move wins by from here on; None if told to end before.

        Asks "more than x?" again and again: first whether there is a winner, then by how much.
        """
        lower, upper = -int(layout.INFINITE), int(layout.INFINITE)
        guess = 0
        while lower < upper:
            asked = guess if guess < upper else upper - 1
            value = self._ask(data, asked, asked + 1, keep_on)
            if value is None:
                return None
            if value > asked:
                lower = guess = value
            else:
                upper = value
                guess = value - 1
        return lower

    def _ask(
        self, data: PositionData, alpha: int, beta: int, keep_on: Continue | None
    ) -> int | None:
        self._load(data)
        self.kernel.begin(self.work, np.int64(alpha), np.int64(beta))
        while not self.kernel.run(self.work, np.int64(SLICE)):
            if keep_on and not keep_on(self.searched):
                return None
        return int(self.work.control[layout.VALUE])

    def _load(self, data: PositionData) -> None:
        if (data.rows, data.columns) != (2, 2) or (data.allowed is not None) != self.restricted:
            raise InputError("this solver is for boards of 2x2 blocks in the mode it was made for")
        work, cells = self.work, np.array(data.cells, np.int64)
        work.cells[:] = cells - 1
        work.values[:] = 0
        work.room[:] = 4
        alive = np.full(layout.WORDS, ~np.uint64(0))
        for cell in np.flatnonzero(cells):
            value = int(cells[cell]) - 1
            alive &= work.grids[4 * cell + value]
            for unit in data.units(int(cell)):
                work.values[unit] |= np.uint64(1 << value)
                work.room[unit] -= 1
        work.alive[0] = alive
        work.control[layout.EMPTY] = np.count_nonzero(cells == 0)
        work.used[0] = sum(
            1 << 4 * cell + value - 1 for cell, value in data.taboo if self._fits(cell, value - 1)
        )
        for player in range(2):
            work.allowed[0, player] = sum(1 << cell for cell in data.squares_of(player))
        mover = data.player
        if not data.squares_of(mover) and data.squares_of(1 - mover):
            mover = 1 - mover
        work.frames[0, layout.MOVER] = mover

    def _fits(self, cell: int, value: int) -> bool:
        units = self.work.units[cell]
        seen = np.bitwise_or.reduce(self.work.values[units])
        return self.work.cells[cell] < 0 and not int(seen) >> value & 1
