"""The solution-set search for people: load a position, deepen, read values and moves."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from plyground import kernels
from plyground.games.competitive_sudoku import duel, duel_moves, duel_state, frames
from plyground.games.competitive_sudoku.root_search import (
    NO_LIMIT,
    RootMove,
    RootSearch,
    new_table,
    weights_for,
)
from plyground.games.competitive_sudoku.setup import Setup, neighbours

LEVELS = 120


class SolutionSearch(RootSearch):
    """One position with all its solutions, ready to be searched deeper and deeper."""

    def __init__(
        self,
        setup: Setup,
        solutions: npt.NDArray[np.int64],
        table: npt.NDArray[np.uint64] | None = None,
        weights: dict[int, int] | None = None,
    ) -> None:
        self.kernels = kernels.compiled(duel.__name__)
        self.helpers = kernels.compiled(duel_moves.__name__)
        self.setup = setup
        size = setup.size
        cells = np.array(setup.cells, np.int64)
        self.slots = np.flatnonzero(cells == 0)
        empty = len(self.slots)
        slot_of = np.full(size * size, -1, np.int64)
        slot_of[self.slots] = np.arange(empty)
        self.unit_of = np.array([setup.units(int(cell)) for cell in self.slots], np.int64)
        self.unit_of = self.unit_of.reshape(empty, 3)
        self.around = np.full((empty, 8), -1, np.int64)
        for slot, cell in enumerate(self.slots.tolist()):
            near = [slot_of[other] for other in neighbours(size, cell) if slot_of[other] >= 0]
            self.around[slot, : len(near)] = near
        self._set_board(cells, size)
        self._set_solutions(solutions, size)
        restricted = setup.allowed is not None
        self.near = np.zeros((2, empty), np.int64)
        for player, squares in enumerate(setup.allowed or ()):
            for cell in squares:
                if slot_of[cell] >= 0:
                    self.near[player, slot_of[cell]] += 1
            for cell in setup.occupied[player]:
                for other in neighbours(size, cell):
                    if slot_of[other] >= 0:
                        self.near[player, slot_of[other]] += 1
        self.taboo = np.zeros(empty, np.uint64)
        for cell, value in setup.taboo:
            if slot_of[cell] >= 0:
                self.taboo[slot_of[cell]] |= np.uint64(1 << value - 1)
        self.control = np.zeros(duel_state.CONTROL, np.int64)
        self.control[frames.MOVER] = setup.player
        self.control[duel_state.EMPTY] = empty
        self.control[frames.RESTRICTED] = restricted
        self.control[duel_state.OPEN_UNITS] = int((self.room > 0).sum())
        self.frames = np.zeros((LEVELS, frames.FRAME), np.int64)
        self.keys = np.full(LEVELS, duel.ROOT_KEY, np.uint64)
        self._played: list[tuple[Any, ...]] = []
        most = max(1, empty * size)
        self.moves = np.zeros((LEVELS, most), np.int64)
        self.ranks = np.zeros((LEVELS, most), np.int64)
        self.root_values = np.zeros(most, np.int64)
        self.distance = np.zeros((3, empty), np.int64)
        random = np.random.default_rng(2024)
        self.zobrist = random.integers(1, 2**63, (3, empty + 1, max(size, 2)), np.uint64)
        self.history = np.zeros((2, 64 * max(1, empty)), np.int64)
        self.table = new_table(4) if table is None else table
        self.weights = weights_for(restricted, weights)

    def _set_board(self, cells: npt.NDArray[np.int64], size: int) -> None:
        self.filled = np.zeros(len(self.slots), np.int64)
        self.used = np.zeros(3 * size, np.uint64)
        self.room = np.full(3 * size, size, np.int64)
        for cell in np.flatnonzero(cells):
            for unit in self.setup.units(int(cell)):
                self.used[unit] |= np.uint64(1 << int(cells[cell]) - 1)
                self.room[unit] -= 1

    def _set_solutions(self, solutions: npt.NDArray[np.int64], size: int) -> None:
        count, empty = len(solutions), len(self.slots)
        words = -(-count // 64)
        values = solutions[:, self.slots] - 1
        # One bit a solution: pack along the solutions for each slot and value.
        member = np.zeros((empty, size, words * 64), np.uint8)
        for slot in range(empty):
            member[slot, values[:, slot], np.arange(count)] = 1
        packed = np.packbits(member, axis=2, bitorder="little")
        self.solution_bits = np.ascontiguousarray(packed).view(np.uint64)
        self.alive = np.zeros((LEVELS, words), np.uint64)
        everything = np.zeros(words * 64, np.uint8)
        everything[:count] = 1
        self.alive[0] = np.packbits(everything, bitorder="little").view(np.uint64)
        self.options = np.zeros((LEVELS, empty), np.uint64)
        if empty:
            masks = (self.solution_bits != 0).any(axis=2)
            self.options[0] = (masks * (np.uint64(1) << np.arange(size, dtype=np.uint64))).sum(
                axis=1
            )
        self.places = np.full((count, 3 * size, size), -1, np.int16)
        numbers = np.arange(count)
        for slot in range(empty):
            for unit in self.unit_of[slot]:
                self.places[numbers, unit, values[:, slot]] = slot

    @property
    def passes(self) -> int:
        """The pool of passes on the root board, of both players together."""
        return int(
            self.helpers.count_passes(
                self.options[0], self.unit_of, self.filled, self.used, self.taboo
            )
        )

    @property
    def short_slice(self) -> int:
        """Nodes that surely take a few milliseconds at most: on large boards a node takes long."""
        return max(50, 1_000_000 // max(1, len(self.slots) * self.setup.size))

    def begin(
        self,
        depth: int,
        alpha: float,
        beta: float,
        pass_limit: int = NO_LIMIT,
        reduce: bool = False,
        separate: bool = False,
    ) -> None:
        self.control[duel_state.PASS_LIMIT] = pass_limit
        window = self.window(depth, alpha, beta, reduce, separate)
        self.kernels.begin(self.control, self.frames, *self._board, *window)

    @property
    def _board(self) -> tuple[Any, ...]:
        """The arrays that make and undo work on, in the kernels' order."""
        return (
            self.unit_of,
            self.around,
            self.filled,
            self.used,
            self.room,
            self.near,
            self.taboo,
        )

    def play(self, move: RootMove) -> None:
        """Make a move: the root is now the position after it, until `back`."""
        self.begin(0, 0, 0)
        player = self.control[frames.MOVER]
        self._played.append(
            (move.code, player, self.alive[0].copy(), self.options[0].copy(), self.keys[0])
        )
        _, self.control[frames.MOVER] = self.kernels.step(
            self.control,
            np.int64(0),
            np.int64(move.code),
            player,
            self.keys,
            self.alive,
            self.options,
            self.solution_bits,
            self.zobrist,
            *self._board,
        )
        for array in (self.alive, self.options, self.keys):
            array[0] = array[1]

    def reward(self, move: RootMove) -> int:
        """Points that a root move brings at once."""
        if move.is_pass:
            return 0
        complete = sum(int(self.room[unit]) == 1 for unit in self.setup.units(move.cell))
        return int(duel_state.REWARDS[complete])

    @property
    def is_over(self) -> bool:
        """Whether nobody can move at the root."""
        mover = int(self.control[frames.MOVER])
        restricted = bool(self.control[frames.RESTRICTED])
        open_squares = self.filled == 0
        return not (open_squares & (self.near[mover] > 0) if restricted else open_squares).any()

    def back(self) -> None:
        """Take the last move of `play` back."""
        self.begin(0, 0, 0)
        move, player, *saved = self._played.pop()
        self.control[frames.MOVER] = player
        self.alive[0], self.options[0], self.keys[0] = saved
        self.kernels.take_back(self.control, np.int64(move), player, *self._board)

    def run(self, budget: int) -> bool:
        return bool(
            self.kernels.run(
                self.control,
                self.frames,
                self.keys,
                self.moves,
                self.ranks,
                self.alive,
                self.options,
                self.root_values,
                self.history,
                self.table,
                self.solution_bits,
                self.places,
                self.zobrist,
                self.unit_of,
                self.around,
                self.filled,
                self.used,
                self.room,
                self.near,
                self.taboo,
                self.distance,
                self.weights,
                np.int64(budget),
            )
        )

    def root_move(self, move: int, points: float) -> RootMove:
        cell = int(self.slots[move // 64])
        return RootMove(cell, move % 64 // 2, bool(move & 1), points, move)

    @property
    def first_move(self) -> RootMove:
        """Some placement, for when there is no time at all."""
        cell = self.setup.squares_of(self.setup.player)[0]
        mask = int(self.options[0, int(np.flatnonzero(self.slots == cell)[0])])
        return RootMove(cell, (mask & -mask).bit_length(), False)
