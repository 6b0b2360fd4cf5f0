"""Python's side of the endgame search: memory, slices, values of a position and of its moves."""

from __future__ import annotations

import types
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from plyground import kernels
from plyground.games.codecup_sudoku.solvers import bitset_stack as layout
from plyground.games.codecup_sudoku.solvers import endgame
from plyground.games.codecup_sudoku.solvers import solved_positions as values
from plyground.games.codecup_sudoku.solvers.solutions import OutOfTime, never

LOSS = int(values.LOSS)
WIN = int(values.WIN)
OUT_OF_ROOM = int(endgame.OUT_OF_ROOM)
SLICE = np.uint64(15_000)
"""Work between two looks at the clock: a few milliseconds."""


_MODULE = "plyground.games.codecup_sudoku.solvers.endgame_entry"
_MAX_DEPTH = 96
_POSITION_ITSELF = int(layout.ROOT_MOVES)

Table = NDArray[np.uint64]


@cache
def search_kernels() -> types.ModuleType:
    """The compiled search, warmed up (plain Python with `NUMBA_DISABLE_JIT=1`)."""
    module = kernels.compiled(_MODULE)
    with kernels.compilation(module):
        grids = np.ones((2, 81), np.uint8)
        grids[1, :2] = 2
        EndgameSolver(grids, new_table(0.01), module).warm_up()
        module.identify(grids, _zobrist(), np.empty(2, np.uint64))
    return module


@cache
def _zobrist() -> NDArray[np.uint64]:
    return np.random.default_rng(20240113).integers(
        0, 2**64, size=(81, 10), dtype=np.uint64, endpoint=False
    )


def new_table(megabytes: float = 128) -> Table:
    """An empty table of solved positions, aligned to cache lines; at most this large."""
    entries = 8
    while entries * 2 * 8 <= megabytes * 2**20:
        entries *= 2
    raw = np.zeros(entries + 8, dtype=np.uint64)
    skip = (-raw.ctypes.data % 64) // 8
    return raw[skip : skip + entries]


def solution_ids(grids: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """The 64-bit identifiers of solutions (k, 81), the same for the same digits everywhere."""
    ids = np.empty(len(grids), np.uint64)
    search_kernels().identify(grids, _zobrist(), ids)
    return ids


@dataclass(frozen=True)
class RootMove:
    """A distinct move: all (cell, digit) pairs that keep the same solutions."""

    index: int
    count: int
    """Solutions that remain."""
    pairs: tuple[tuple[int, int], ...]
    """(cell 0..80, digit 1..9), in order."""


@dataclass(frozen=True)
class Refutation:
    """A reply that beats a move: what it leaves, and the moves that amount to this reply."""

    count: int
    moves: tuple[RootMove, ...]


class EndgameSolver:
    """Values of one set of solutions and of its moves.

    `solutions` is an array (k, 81) of all solutions of a grid: every completion, none twice. The
    table may be shared between solvers: positions are identified by their solutions alone.
    """

    def __init__(
        self,
        solutions: NDArray[np.uint8],
        table: Table | None = None,
        module: types.ModuleType | None = None,
    ) -> None:
        self._kernels = module or search_kernels()
        grids = np.ascontiguousarray(solutions, dtype=np.uint8)
        self.size = len(grids)
        words = (self.size + 63) // 64
        self._work = endgame.Workspace(
            layout.Stack(
                np.empty(int(layout.ARENA_START) + words * 3000 + 40_000, np.uint64),
                np.zeros((_MAX_DEPTH, layout.FIELDS), np.uint64),
            ),
            new_table() if table is None else table,
            np.zeros(4, np.uint64),
        )
        ids = np.empty(self.size, np.uint64)
        self._kernels.load(self._work, grids, _zobrist(), ids)

    def warm_up(self) -> None:
        """Call every kernel once, whatever comes of it."""
        self.value()
        self.value_after(self.moves[0])
        self._work.control[:] = 0
        self._kernels.search(self._work, np.uint64(0))

    @property
    def _stack(self) -> layout.Stack:
        return self._work.stack

    @property
    def nodes(self) -> int:
        """Positions expanded so far."""
        return int(self._work.control[endgame.NODES])

    def value(self, out_of_time: OutOfTime = never) -> int | None:
        """WIN or LOSS for the player to move; None when time ran out."""
        return self._solve(_POSITION_ITSELF, out_of_time)

    def value_after(self, move: RootMove, out_of_time: OutOfTime = never) -> int | None:
        """WIN or LOSS for the opponent after a move; None when time ran out."""
        return self._solve(move.index, out_of_time)

    def winning_moves_seen(self) -> list[RootMove]:
        """After `value` was WIN: moves known to win. None when the table knew the value."""
        return [self.moves[index] for index in self._refuters()]

    def refutations_seen(self) -> list[Refutation]:
        """After `value_after` was WIN: replies known to win. None when the table knew the value.

        The moves of a refutation lose as well, unless they leave no more than the refutation.
        """
        return [self._refutation(reply) for reply in self._refuters()]

    def _refutation(self, reply: int) -> Refutation:
        child = self._fields(2)
        count = int(self._stack.arena[child[layout.COUNTS] + reply])
        if self._fields(1)[layout.WORDS] == 1:
            parent = self._fields(1)
            start = parent[layout.MASKS]
            masks = self._stack.arena[start : start + len(self.moves)]
            chosen = masks[parent[layout.MOVE]]
            target = self._stack.arena[child[layout.MASKS] + reply]
            same = np.flatnonzero(masks & chosen == target)
        else:
            start = child[layout.MAP]
            same = np.flatnonzero(
                self._stack.arena[start : start + len(self.moves)] == np.uint64(reply + 1)
            )
        return Refutation(count, tuple(self.moves[int(index)] for index in same))

    def _fields(self, ply: int) -> dict[np.uint64, int]:
        return {np.uint64(i): int(field) for i, field in enumerate(self._stack.frames[ply])}

    def _refuters(self) -> list[int]:
        start = int(layout.REFUTERS)
        length = int(self._stack.arena[int(layout.REFUTER_COUNT)])
        return [int(index) for index in self._stack.arena[start : start + length]]

    @cached_property
    def moves(self) -> list[RootMove]:
        """The moves that keep different solutions, each with all the ways to write it."""
        frame = self._fields(1)
        start = frame[layout.COUNTS]
        counts = self._stack.arena[start : start + frame[layout.MOVES]].tolist()
        start = frame[layout.MAP]
        targets = self._stack.arena[start : start + _POSITION_ITSELF].tolist()
        pairs: list[list[tuple[int, int]]] = [[] for _ in counts]
        for pair, target in enumerate(targets):
            if target:
                pairs[target - 1].append((pair // 9, pair % 9 + 1))
        return [RootMove(index, count, tuple(pairs[index])) for index, count in enumerate(counts)]

    def _solve(self, move: int, out_of_time: OutOfTime) -> int | None:
        number = np.uint64(move)
        status = OUT_OF_ROOM
        while status == OUT_OF_ROOM:
            status = int(self._kernels.begin(self._work, number))
            if status == OUT_OF_ROOM:
                self._enlarge()
        while status not in (LOSS, WIN):
            if status == OUT_OF_ROOM:
                self._enlarge()
            elif out_of_time():
                return None
            status = int(self._kernels.search(self._work, SLICE))
        return status

    def _enlarge(self) -> None:
        old = self._stack.arena
        arena = np.empty(old.size * 2, np.uint64)
        arena[: old.size] = old
        self._work = self._work._replace(stack=self._stack._replace(arena=arena))
