"""The search over many solutions, for people: load a position, deepen, read values and moves."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from plyground.games.competitive_sudoku.position_data import PositionData, neighbours
from plyground.games.competitive_sudoku.rewards import REWARDS
from plyground.games.competitive_sudoku.solvers import many_solutions_board as layout
from plyground.games.competitive_sudoku.solvers import many_solutions_kernel as hooks
from plyground.games.competitive_sudoku.solvers.pockets import find_pockets
from plyground.games.competitive_sudoku.solvers.root_search import (
    Integers,
    RootMove,
    RootSearch,
    weights_for,
)
from plyground.games.competitive_sudoku.solvers.selection import RESTRICTED
from plyground.search.alphabeta import new_work
from plyground.search.transposition import Table, new_table

MOST_PLIES = 118
TABLE_MEGABYTES = 4.0


class ManySolutionsSearch(RootSearch):
    """One position with all its solutions, ready to be searched deeper and deeper."""

    positions: layout.ManySolutions

    def __init__(
        self,
        data: PositionData,
        solutions: Integers,
        table: Table | None = None,
        weights: dict[int, int] | None = None,
    ) -> None:
        super().__init__(hooks.__name__)
        self.data = data
        size, rows = data.size, MOST_PLIES + 2
        cells = np.array(data.cells, np.int64)
        self.slots = np.flatnonzero(cells == 0)
        empty = len(self.slots)
        slot_of = np.full(size * size, -1, np.int64)
        slot_of[self.slots] = np.arange(empty)
        unit_of = np.array([data.units(int(cell)) for cell in self.slots], np.int64)
        unit_of = unit_of.reshape(empty, 3)
        used, room = self._regions(cells)
        bits = _solution_bits(solutions[:, self.slots] - 1, size)
        words = bits.shape[2]
        self.positions = layout.ManySolutions(
            switches=np.zeros(layout.SWITCHES, np.int64),
            movers=np.full(rows, data.player, np.int64),
            keys=np.full(rows, layout.ROOT_KEY, np.uint64),
            alive=np.zeros((rows, words), np.uint64),
            options=np.zeros((rows, empty), np.uint64),
            solution_bits=bits,
            places=_places(solutions[:, self.slots] - 1, unit_of, size),
            zobrist=np.random.default_rng(2024).integers(
                1, 2**63, (3, empty + 1, max(size, 2)), np.uint64
            ),
            unit_of=unit_of,
            around=self._around(slot_of),
            filled=np.zeros(empty, np.int64),
            used=used,
            room=room,
            near=self._near(slot_of),
            taboo=np.zeros(empty, np.uint64),
            distance=np.zeros((3, empty), np.int64),
            pockets=find_pockets(data, slot_of, empty),
            held=np.zeros((2, 3 * size), np.int64),
            weights=weights_for(self.restricted, weights),
        )
        everything = np.zeros(words * 64, np.uint8)
        everything[: len(solutions)] = 1
        self.positions.alive[0] = np.packbits(everything, bitorder="little").view(np.uint64)
        if empty:
            masks = (bits != 0).any(axis=2)
            powers = np.uint64(1) << np.arange(size, dtype=np.uint64)
            self.positions.options[0] = (masks * powers).sum(axis=1)
        for cell, value in data.taboo:
            if slot_of[cell] >= 0:
                self.positions.taboo[slot_of[cell]] |= np.uint64(1 << value - 1)
        switches = self.positions.switches
        switches[RESTRICTED] = self.restricted
        switches[layout.EMPTY] = empty
        switches[layout.OPEN_UNITS] = int((room > 0).sum())
        self.work = new_work(
            MOST_PLIES,
            most_moves=max(1, empty * size),
            history_size=64 * max(1, empty),
            table=new_table(TABLE_MEGABYTES) if table is None else table,
        )
        self._played: list[tuple[Any, ...]] = []

    def _regions(self, cells: Integers) -> tuple[npt.NDArray[np.uint64], Integers]:
        """The values used and the room left in each region."""
        size = self.data.size
        used, room = np.zeros(3 * size, np.uint64), np.full(3 * size, size, np.int64)
        for cell in np.flatnonzero(cells):
            for unit in self.data.units(int(cell)):
                used[unit] |= np.uint64(1 << int(cells[cell]) - 1)
                room[unit] -= 1
        return used, room

    def _around(self, slot_of: Integers) -> Integers:
        around = np.full((len(self.slots), 8), -1, np.int64)
        for slot, cell in enumerate(self.slots.tolist()):
            near = slot_of[neighbours(self.data.size, cell)]
            near = near[near >= 0]
            around[slot, : len(near)] = near
        return around

    def _near(self, slot_of: Integers) -> Integers:
        """How many reasons either player has to be allowed on each empty square."""
        near = np.zeros((2, len(self.slots)), np.int64)
        for player, squares in enumerate(self.data.allowed or ()):
            reasons = list(squares)
            for cell in self.data.occupied[player]:
                reasons += neighbours(self.data.size, cell)
            for cell in reasons:
                if slot_of[cell] >= 0:
                    near[player, slot_of[cell]] += 1
        return near

    @property
    def passes(self) -> int:
        """The pool of passes on the root board, of both players together."""
        board = self.positions
        taken = np.bitwise_or.reduce(board.used[board.unit_of], axis=1)
        full = np.uint64((1 << self.data.size) - 1)
        pool = full & ~(taken | board.options[0] | board.taboo)
        return int(np.bitwise_count(pool[board.filled == 0]).sum())

    @property
    def short_slice(self) -> int:
        """Nodes that surely take a few milliseconds at most: on large boards a node takes long."""
        return max(50, 1_000_000 // max(1, len(self.slots) * self.data.size))

    def limit_passes(self, most: int) -> None:
        self.positions.switches[layout.PASS_LIMIT] = most

    def play(self, move: RootMove) -> None:
        self.begin(0, 0, 0)  # takes back what an unfinished search has made
        board = self.positions
        by_ply = (board.movers, board.keys, board.alive, board.options)
        self._played.append((move.code, *(array[0].copy() for array in by_ply)))
        self.kernels.play(board, np.int64(0), np.int64(move.code))
        for array in by_ply:
            array[0] = array[1]

    def back(self) -> None:
        self.begin(0, 0, 0)
        board = self.positions
        move, board.movers[0], board.keys[0], board.alive[0], board.options[0] = self._played.pop()
        self.kernels.undo(board, np.int64(0), np.int64(move))

    def reward(self, move: RootMove) -> int:
        """Points that a root move brings at once."""
        if move.is_pass:
            return 0
        complete = sum(int(self.positions.room[unit]) == 1 for unit in self.data.units(move.cell))
        return int(REWARDS[complete])

    @property
    def is_over(self) -> bool:
        """Whether nobody can move at the root."""
        open_squares = self.positions.filled == 0
        if self.restricted:
            open_squares &= self.positions.near[self.mover] > 0
        return not open_squares.any()

    def root_move(self, move: int, points: float) -> RootMove:
        cell = int(self.slots[move // 64])
        return RootMove(cell, move % 64 // 2, bool(move & 1), points, move)

    @property
    def first_move(self) -> RootMove:
        """Some placement, for when there is no time at all."""
        cell = self.data.squares_of(self.data.player)[0]
        mask = int(self.positions.options[0, int(np.flatnonzero(self.slots == cell)[0])])
        return RootMove(cell, (mask & -mask).bit_length(), False)


def _solution_bits(values: Integers, size: int) -> npt.NDArray[np.uint64]:
    """(slots, values, words): one bit for each solution (row of `values`, from 0)."""
    count, empty = values.shape
    member = np.zeros((empty, size, -(-count // 64) * 64), np.uint8)
    for slot in range(empty):
        member[slot, values[:, slot], np.arange(count)] = 1
    packed = np.packbits(member, axis=2, bitorder="little")
    return np.ascontiguousarray(packed).view(np.uint64)


def _places(values: Integers, unit_of: Integers, size: int) -> npt.NDArray[np.int16]:
    """(solutions, regions, values): the slot that has a value, -1 for none."""
    count, empty = values.shape
    places = np.full((count, 3 * size, size), -1, np.int16)
    for slot in range(empty):
        for unit in unit_of[slot]:
            places[np.arange(count), unit, values[:, slot]] = slot
    return places
