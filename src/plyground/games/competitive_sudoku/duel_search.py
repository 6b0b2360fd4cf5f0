"""The solution-set search for people: load a position, deepen, read values and moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from plyground import kernels
from plyground.games.competitive_sudoku import duel, duel_moves, duel_state, estimate, frames
from plyground.games.competitive_sudoku.setup import Setup, neighbours
from plyground.games.competitive_sudoku.solvability import Workspace

SOLUTIONS = 4096
LEVELS = 120
NO_LIMIT = 1 << 30
STEP_SMALL = 9
"""Squares between two looks at the clock; on boards above 9x9 there is one for every square."""

Cells = npt.NDArray[np.int64]
Masks = npt.NDArray[np.uint32]
OutOfTime = Callable[[], bool]


def never() -> bool:
    """An `OutOfTime` for callers without a clock."""
    return False


CLASSIC_WEIGHTS = {estimate.PARITY: 60, estimate.PARITY_BASE: 100, estimate.REWARD_NOW: 50}
RESTRICTED_WEIGHTS = {
    estimate.PARITY: 20,
    estimate.PARITY_BASE: 50,
    estimate.REWARD_NOW: 60,
    estimate.THEIR_REWARD: 40,
    estimate.ZONE: 120,
    estimate.WAIT: 220,
    estimate.STAMINA: 50,
}


def weights_for(restricted: bool, chosen: dict[int, int] | None = None) -> npt.NDArray[np.int64]:
    """The weights of the estimate; `chosen` replaces the usual ones."""
    weights = np.zeros(estimate.WEIGHTS, np.int64)
    for index, weight in (
        chosen or (RESTRICTED_WEIGHTS if restricted else CLASSIC_WEIGHTS)
    ).items():
        weights[index] = weight
    return weights


def new_table(megabytes: float) -> npt.NDArray[np.uint64]:
    """A transposition table of about this size, for either search."""
    bits = max(10, int(np.log2(megabytes * 2**20 / 16)))
    return np.zeros((1 << bits, 2), np.uint64)


class SolutionLister:
    """Lists all solutions of a board, if they are few and found within a budget of guesses."""

    def __init__(self, rows: int, columns: int, most: int = SOLUTIONS) -> None:
        self._work = Workspace(rows, columns)
        self._rows = np.zeros((most, (rows * columns) ** 2), np.int64)
        self._cover = self._rows[:0].copy()

    def solutions(self, cells: Cells, guesses: int) -> Cells | None:
        """Rows of values, or None when there are too many or the budget ran out."""
        work = self._work
        work.kernels.start_grid(cells, work.peers, work.units, work.queue, work.levels[0])
        count = work.kernels.enumerate_solutions(
            work.levels,
            work.peers,
            work.units,
            work.queue,
            work.choices,
            np.int64(guesses),
            self._rows,
        )
        return None if count < 0 else self._rows[:count]

    def forget(self) -> None:
        """Start from nothing: what a game finds must not depend on the games before it."""
        self._cover = self._cover[:0]

    def cover(
        self, cells: Cells, guesses: int, out_of_time: OutOfTime = never
    ) -> tuple[Cells, Masks]:
        """Some solutions in which every value that leaves the board solvable occurs.

        Those of the last call that still fit are used again. Also the masks of values that stayed
        undecided within `guesses` a question, or because time ran out.
        """
        known = _needed(_fitting(self._cover, cells), cells)
        _, doubtful, found = self._ask(cells, known, guesses, out_of_time)
        self._cover = np.concatenate([known, found])
        return self._cover, doubtful

    def values_after(
        self, cells: Cells, guesses: int, out_of_time: OutOfTime = never
    ) -> Masks | None:
        """The values that leave a board solvable after the last `cover`, as masks.

        Undecided ones count as unsolvable. None when time ran out.
        """
        values, _, _ = self._ask(cells, _fitting(self._cover, cells), guesses, out_of_time)
        return None if out_of_time() else values

    def _ask(
        self, cells: Cells, known: Cells, guesses: int, out_of_time: OutOfTime
    ) -> tuple[Masks, Masks, Cells]:
        """Solvable values, undecided values, and the solutions found on the way."""
        work = self._work
        settled = _masks(known, cells)
        doubtful = np.zeros(len(cells), np.uint32)
        step = STEP_SMALL if len(cells) <= 81 else 1
        found = 0
        for first in range(0, len(cells), step):
            last = min(first + step, len(cells))
            if cells[first:last].all():
                continue
            if (found or len(known)) and out_of_time():
                doubtful[first:] = ~settled[first:]
                break
            work.kernels.solvable_values(
                cells,
                work.peers,
                work.units,
                work.levels,
                work.queue,
                work.choices,
                np.int64(guesses),
                np.int64(first),
                np.int64(last),
                settled,
                doubtful,
                self._rows[found:],
            )
            while found < len(self._rows) and self._rows[found, 0]:
                found += 1
        return settled, doubtful, self._rows[:found].copy()


def _fitting(solutions: Cells, cells: Cells) -> Cells:
    """The solutions that agree with a board."""
    filled = cells > 0
    return solutions[(solutions[:, filled] == cells[filled]).all(axis=1)]


def _masks(solutions: Cells, cells: Cells) -> Masks:
    """For each empty square the values that occur in some solution, as a mask."""
    seen = np.bitwise_or.reduce(np.uint32(1) << (solutions - 1).astype(np.uint32), axis=0)
    return np.where(cells > 0, np.uint32(0), seen.astype(np.uint32))


def _needed(solutions: Cells, cells: Cells) -> Cells:
    """The solutions that show a value which those before them do not."""
    bits = np.uint32(1) << (solutions - 1).astype(np.uint32)
    bits[:, cells > 0] = 0
    before = np.bitwise_or.accumulate(bits, axis=0)
    before = np.concatenate([np.zeros_like(before[:1]), before[:-1]]) if len(bits) else before
    return solutions[(bits & ~before).any(axis=1)]


@dataclass(frozen=True)
class RootMove:
    """A move at the root: square (flat index), value, whether it is a pass, value in points.

    `code` is the move's number in the search that it comes from.
    """

    cell: int
    value: int
    is_pass: bool
    points: float | None = None
    code: int = -1


class SolutionSearch:
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

    @property
    def nodes(self) -> int:
        """Nodes searched so far."""
        return int(self.control[frames.NODES])

    def begin(
        self,
        depth: int,
        alpha: float,
        beta: float,
        pass_limit: int = NO_LIMIT,
        reduce: bool = False,
        separate: bool = False,
    ) -> None:
        """Start a search to a depth in plies, within a window in points.

        `pass_limit`: passes tried at a node. `reduce`: late moves are searched less deep.
        `separate`: every root move gets its own value within the window, not only the best one.
        """
        limit = int(frames.INFINITE)
        scale = int(frames.SCALE)
        self.control[duel_state.PASS_LIMIT] = pass_limit
        self.control[frames.REDUCE] = reduce
        self.control[frames.SEPARATE] = separate
        self.kernels.begin(
            self.control,
            self.frames,
            *self._board,
            np.int64(depth),
            np.int64(max(-limit, round(alpha * scale))),
            np.int64(min(limit, round(beta * scale))),
        )

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
        """Search on for about so many nodes; True when the depth is finished."""
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

    @property
    def value(self) -> float:
        """Points that the mover will gain on the opponent, by the last finished search."""
        return float(self.control[frames.ROOT_VALUE]) / float(frames.SCALE)

    @property
    def resolved(self) -> bool:
        """Whether that value (or bound) is certain under the full rules."""
        return bool(self.control[frames.ROOT_RESOLVED])

    @property
    def best(self) -> RootMove | None:
        """The best root move so far, also of an unfinished search."""
        if self.frames[0, frames.BEST] <= -int(frames.INFINITE):
            return None
        return self._root_move(int(self.frames[0, frames.BEST_MOVE]), self.frames[0, frames.BEST])

    def _root_move(self, move: int, value: int | None = None) -> RootMove:
        points = None if value is None else float(value) / float(frames.SCALE)
        cell = int(self.slots[move // 64])
        return RootMove(cell, move % 64 // 2, bool(move & 1), points, move)

    @property
    def tried(self) -> list[RootMove]:
        """The root moves finished so far, in the order in which they were tried."""
        count = int(self.frames[0, frames.NEXT])
        return [
            self._root_move(int(self.moves[0, index]), int(self.root_values[index]))
            for index in range(count)
        ]

    @property
    def first_move(self) -> RootMove:
        """Some placement, for when there is no time at all."""
        cell = self.setup.squares_of(self.setup.player)[0]
        mask = int(self.options[0, int(np.flatnonzero(self.slots == cell)[0])])
        return RootMove(cell, (mask & -mask).bit_length(), False)

    def solve(self) -> float:
        """The exact margin that the mover can force, however long it takes."""
        depth = 4
        while True:
            self.begin(min(depth, 250), -300, 300)
            while not self.run(100_000):
                pass
            if self.resolved:
                return self.value
            depth += 4
