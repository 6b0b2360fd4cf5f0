"""The search over one solution, for people; the same face as `ManySolutionsSearch`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from plyground.games.competitive_sudoku.position_data import PositionData, neighbours
from plyground.games.competitive_sudoku.rewards import REWARDS
from plyground.games.competitive_sudoku.solvers import one_solution_kernel as hooks
from plyground.games.competitive_sudoku.solvers.root_search import (
    NO_LIMIT,
    Integers,
    RootMove,
    RootSearch,
    weights_for,
)
from plyground.games.competitive_sudoku.solvers.selection import RESTRICTED
from plyground.search.alphabeta import new_work
from plyground.search.transposition import Table, new_table

MOST_PLIES = 198
MOST_SQUARES, MOST_PASSES = 64, 128
TABLE_MEGABYTES = 4.0


class OneSolutionSearch(RootSearch):
    """One position whose only solution is known. At most 64 empty squares."""

    positions: hooks.OneSolution

    def __init__(
        self,
        data: PositionData,
        solution: Integers,
        table: Table | None = None,
        weights: dict[int, int] | None = None,
    ) -> None:
        super().__init__(hooks.__name__)
        self.data = data
        self.solution = solution
        self.slots = np.array([c for c, value in enumerate(data.cells) if not value], np.int64)
        empty = len(self.slots)
        if empty > MOST_SQUARES:
            raise ValueError(f"{empty} empty squares are more than {MOST_SQUARES}")
        rows = max(empty, 1)
        self.positions = hooks.OneSolution(
            switches=np.zeros(hooks.SWITCHES, np.int64),
            movers=np.full(MOST_PLIES + 2, data.player, np.int64),
            words=np.zeros((MOST_PLIES + 2, hooks.WORDS), np.uint64),
            slot_units=np.zeros((rows, 3), np.int64),
            unit_squares=np.zeros(3 * data.size, np.uint64),
            slot_near=np.zeros(rows, np.uint64),
            slot_ends=np.zeros((rows, 2), np.uint64),
            pass_slot=np.zeros(MOST_PASSES, np.int64),
            pass_twin=np.full(MOST_PASSES, -1, np.int64),
            weights=weights_for(self.restricted, weights),
        )
        slot_of = {cell: slot for slot, cell in enumerate(self.slots.tolist())}
        self._set_squares(slot_of)
        self._set_passes(slot_of)
        self._set_root(slot_of)
        moves = MOST_SQUARES + MOST_PASSES
        table = new_table(TABLE_MEGABYTES) if table is None else table
        self.work = new_work(MOST_PLIES, moves, moves, table)
        self._played: list[tuple[npt.NDArray[np.uint64], np.int64]] = []

    def _set_squares(self, slot_of: dict[int, int]) -> None:
        tables = self.positions
        for cell, slot in slot_of.items():
            for index, unit in enumerate(self.data.units(cell)):
                tables.slot_units[slot, index] = unit
                tables.unit_squares[unit] |= np.uint64(1 << slot)
            for other in neighbours(self.data.size, cell):
                if other in slot_of:
                    tables.slot_near[slot] |= np.uint64(1 << slot_of[other])

    def _set_passes(self, slot_of: dict[int, int]) -> None:
        """The passes with the squares that end them.

        On free squares, two passes that the same squares end cancel: if one player uses the first,
        the other can use the second. On restricted squares all are kept, equal ones as twins.
        """
        data, solution = self.data, self.solution
        taboo = set(data.taboo)
        places: dict[tuple[int, int], int] = {}
        for cell, value in enumerate(solution.tolist()):
            for unit in data.units(cell):
                places[unit, value] = cell
        found: dict[tuple[int, frozenset[int]], list[int]] = {}
        self.pool = 0
        for cell in slot_of:
            for value in range(1, data.size + 1):
                ends = {places[unit, value] for unit in data.units(cell)}
                alive = all(other in slot_of for other in ends) and value != solution[cell]
                if alive and (cell, value) not in taboo:
                    self.pool += 1
                    owner = cell if self.restricted else -1
                    found.setdefault((owner, frozenset(ends | {cell})), []).append(
                        cell * 64 + 2 * value + 1
                    )
        self.pass_codes: list[int] = []
        tables = self.positions
        tables.switches[hooks.EXACT_POOL] = 1
        for (_, ends_in), codes in found.items():
            kept = codes if self.restricted else codes[: len(codes) % 2]
            for index, code in enumerate(kept):
                number = len(self.pass_codes)
                if number >= MOST_PASSES:
                    tables.switches[hooks.EXACT_POOL] = 0
                    break
                self.pass_codes.append(code)
                tables.pass_slot[number] = slot_of[code // 64]
                tables.pass_twin[number] = number - 1 if index else -1
                for cell in ends_in:
                    tables.slot_ends[slot_of[cell], number // 64] |= np.uint64(1 << number % 64)

    def _set_root(self, slot_of: dict[int, int]) -> None:
        root = self.positions.words[0]
        root[hooks.SQUARES] = (1 << len(slot_of)) - 1
        everything = (1 << len(self.pass_codes)) - 1
        root[hooks.PASSES] = everything & (2**64 - 1)
        root[hooks.MORE_PASSES] = everything >> 64
        for player in (0, 1) if self.restricted else ():
            reach = sum(1 << slot_of[cell] for cell in self.data.squares_of(player))
            root[hooks.FIRST_REACH + player] = reach
        self.positions.switches[RESTRICTED] = self.restricted

    @property
    def passes(self) -> int:
        """The pool of passes on the board, of both players together."""
        return self.pool

    @property
    def short_slice(self) -> int:
        """Nodes that surely take a few milliseconds at most."""
        return NO_LIMIT

    def limit_passes(self, most: int) -> None:
        """There are few: all of them are tried."""

    def play(self, move: RootMove) -> None:
        board = self.positions
        self._played.append((board.words[0].copy(), board.movers[0]))
        self.kernels.play(board, np.int64(0), np.int64(move.code))
        board.words[0], board.movers[0] = board.words[1], board.movers[1]

    def back(self) -> None:
        self.positions.words[0], self.positions.movers[0] = self._played.pop()

    def reward(self, move: RootMove) -> int:
        """Points that a root move brings at once."""
        if move.is_pass:
            return 0
        squares, bit = int(self.positions.words[0, hooks.SQUARES]), 1 << move.code
        units = self.positions.slot_units[move.code]
        complete = sum(int(self.positions.unit_squares[unit]) & squares == bit for unit in units)
        return int(REWARDS[complete])

    @property
    def is_over(self) -> bool:
        """Whether nobody can move at the root."""
        squares = int(self.positions.words[0, hooks.SQUARES])
        if self.restricted:
            squares &= int(self.positions.words[0, hooks.FIRST_REACH + self.mover])
        return squares == 0

    def root_move(self, move: int, points: float) -> RootMove:
        if move >= int(hooks.PASS_CODE):
            code = self.pass_codes[move - int(hooks.PASS_CODE)]
            return RootMove(code // 64, code % 64 // 2, True, points, move)
        cell = int(self.slots[move])
        return RootMove(cell, int(self.solution[cell]), False, points, move)

    @property
    def first_move(self) -> RootMove:
        """Some placement, for when there is no time at all."""
        cell = self.data.squares_of(self.data.player)[0]
        return RootMove(cell, int(self.solution[cell]), False)
