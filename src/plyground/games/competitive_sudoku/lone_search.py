"""The search over positions with one solution, for people; the same face as `SolutionSearch`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from plyground import kernels
from plyground.games.competitive_sudoku import frames, lone, lone_state
from plyground.games.competitive_sudoku.root_search import (
    NO_LIMIT,
    RootMove,
    RootSearch,
    new_table,
    weights_for,
)
from plyground.games.competitive_sudoku.setup import Setup, neighbours

LEVELS = 200
MOST_SQUARES, MOST_PASSES = 64, 128


class LoneSearch(RootSearch):
    """One position whose only solution is known. At most 64 empty squares."""

    def __init__(
        self,
        setup: Setup,
        solution: npt.NDArray[np.int64],
        table: npt.NDArray[np.uint64] | None = None,
        weights: dict[int, int] | None = None,
    ) -> None:
        self.kernels = kernels.compiled(lone.__name__)
        self.setup = setup
        self.solution = solution
        size = setup.size
        self.slots = np.array([c for c, value in enumerate(setup.cells) if not value], np.int64)
        empty = len(self.slots)
        if empty > MOST_SQUARES:
            raise ValueError(f"{empty} empty squares are more than {MOST_SQUARES}")
        slot_of = {cell: slot for slot, cell in enumerate(self.slots.tolist())}
        self.restricted = setup.allowed is not None
        self.slot_units = np.zeros((max(empty, 1), 3), np.int64)
        self.unit_squares = np.zeros(3 * size, np.uint64)
        self.slot_near = np.zeros(max(empty, 1), np.uint64)
        for cell, slot in slot_of.items():
            for index, unit in enumerate(setup.units(cell)):
                self.slot_units[slot, index] = unit
                self.unit_squares[unit] |= np.uint64(1 << slot)
            for other in neighbours(size, cell):
                if other in slot_of:
                    self.slot_near[slot] |= np.uint64(1 << slot_of[other])
        self._set_passes(slot_of)
        self.positions = np.zeros((LEVELS, lone_state.WORDS), np.uint64)
        self._set_root(slot_of, empty)
        self.control = np.zeros(lone_state.CONTROL, np.int64)
        self.control[frames.MOVER] = setup.player
        self.control[frames.RESTRICTED] = self.restricted
        self.control[lone_state.EXACT_POOL] = not self.left_out
        self.frames = np.zeros((LEVELS, frames.FRAME), np.int64)
        self.keys = np.zeros(LEVELS, np.uint64)
        self._played: list[tuple[npt.NDArray[np.uint64], np.int64]] = []
        self.moves = np.zeros((LEVELS, MOST_SQUARES + MOST_PASSES), np.int64)
        self.ranks = np.zeros((LEVELS, MOST_SQUARES + MOST_PASSES), np.int64)
        self.root_values = np.zeros(MOST_SQUARES + MOST_PASSES, np.int64)
        self.history = np.zeros((2, MOST_SQUARES + MOST_PASSES), np.int64)
        self.table = new_table(4) if table is None else table
        self.weights = weights_for(self.restricted, weights)

    def _set_passes(self, slot_of: dict[int, int]) -> None:
        """The passes with the squares that end them.

        On free squares, two passes that the same squares end cancel: if one player uses the first,
        the other can use the second. On restricted squares all are kept, equal ones as twins.
        """
        setup, solution = self.setup, self.solution
        taboo = set(setup.taboo)
        places: dict[tuple[int, int], int] = {}
        for cell, value in enumerate(solution.tolist()):
            for unit in setup.units(cell):
                places[unit, value] = cell
        found: dict[tuple[int, frozenset[int]], list[int]] = {}
        self.pool = 0
        for cell in slot_of:
            for value in range(1, setup.size + 1):
                ends = {places[unit, value] for unit in setup.units(cell)}
                alive = all(other in slot_of for other in ends) and value != solution[cell]
                if alive and (cell, value) not in taboo:
                    self.pool += 1
                    owner = cell if self.restricted else -1
                    found.setdefault((owner, frozenset(ends | {cell})), []).append(
                        cell * 64 + 2 * value + 1
                    )
        self.pass_slot = np.zeros(MOST_PASSES, np.int64)
        self.pass_twin = np.full(MOST_PASSES, -1, np.int64)
        self.pass_codes: list[int] = []
        self.slot_ends = np.zeros((max(len(slot_of), 1), 2), np.uint64)
        self.left_out = False
        for (_, ends_in), codes in found.items():
            kept = codes if self.restricted else codes[: len(codes) % 2]
            for index, code in enumerate(kept):
                number = len(self.pass_codes)
                if number >= MOST_PASSES:
                    self.left_out = True
                    break
                self.pass_codes.append(code)
                self.pass_slot[number] = slot_of[code // 64]
                self.pass_twin[number] = number - 1 if index else -1
                for cell in ends_in:
                    self.slot_ends[slot_of[cell], number // 64] |= np.uint64(1 << number % 64)

    def _set_root(self, slot_of: dict[int, int], empty: int) -> None:
        root = self.positions[0]
        root[lone_state.SQUARES] = (1 << empty) - 1
        everything = (1 << len(self.pass_codes)) - 1
        root[lone_state.PASSES] = everything & (2**64 - 1)
        root[lone_state.MORE_PASSES] = everything >> 64
        for player in (0, 1) if self.restricted else ():
            reach = sum(1 << slot_of[cell] for cell in self.setup.squares_of(player))
            root[lone_state.FIRST_REACH + player] = reach

    @property
    def passes(self) -> int:
        """The pool of passes on the board, of both players together."""
        return self.pool

    @property
    def short_slice(self) -> int:
        """Nodes that surely take a few milliseconds at most."""
        return NO_LIMIT

    def begin(
        self,
        depth: int,
        alpha: float,
        beta: float,
        pass_limit: int = NO_LIMIT,
        reduce: bool = False,
        separate: bool = False,
    ) -> None:
        # All passes are tried: they are few, and equal ones have cancelled.
        window = self.window(depth, alpha, beta, reduce, separate)
        self.kernels.begin(self.control, self.frames, *window)

    def play(self, move: RootMove) -> None:
        """Make a move: the root is now the position after it, until `back`."""
        player = self.control[frames.MOVER]
        self._played.append((self.positions[0].copy(), player))
        _, self.control[frames.MOVER] = self.kernels.step(
            self.control,
            self.positions,
            np.int64(0),
            np.int64(move.code),
            player,
            self.slot_units,
            self.unit_squares,
            self.slot_near,
            self.slot_ends,
        )
        self.positions[0] = self.positions[1]

    def reward(self, move: RootMove) -> int:
        """Points that a root move brings at once."""
        if move.is_pass:
            return 0
        squares, bit = int(self.positions[0, lone_state.SQUARES]), 1 << move.code
        units = self.slot_units[move.code]
        complete = sum(int(self.unit_squares[unit]) & squares == bit for unit in units)
        return int(lone_state.REWARDS[complete])

    @property
    def is_over(self) -> bool:
        """Whether nobody can move at the root."""
        squares = int(self.positions[0, lone_state.SQUARES])
        if self.restricted:
            mover = int(self.control[frames.MOVER])
            squares &= int(self.positions[0, lone_state.FIRST_REACH + mover])
        return squares == 0

    def back(self) -> None:
        """Take the last move of `play` back."""
        self.positions[0], self.control[frames.MOVER] = self._played.pop()

    def run(self, budget: int) -> bool:
        return bool(
            self.kernels.run(
                self.control,
                self.frames,
                self.positions,
                self.keys,
                self.moves,
                self.ranks,
                self.root_values,
                self.table,
                self.slot_units,
                self.unit_squares,
                self.slot_near,
                self.slot_ends,
                self.pass_slot,
                self.pass_twin,
                self.history,
                self.weights,
                np.int64(budget),
            )
        )

    def root_move(self, move: int, points: float) -> RootMove:
        if move >= int(lone_state.PASS_CODE):
            code = self.pass_codes[move - int(lone_state.PASS_CODE)]
            return RootMove(code // 64, code % 64 // 2, True, points, move)
        cell = int(self.slots[move])
        return RootMove(cell, int(self.solution[cell]), False, points, move)

    @property
    def first_move(self) -> RootMove:
        """Some placement, for when there is no time at all."""
        cell = self.setup.squares_of(self.setup.player)[0]
        return RootMove(cell, int(self.solution[cell]), False)
