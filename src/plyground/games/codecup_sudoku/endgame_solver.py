"""Python's side of the endgame search: memory, slices, values of a position and of its moves."""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from plyground import kernels
from plyground.games.codecup_sudoku import endgame as plain_endgame
from plyground.games.codecup_sudoku import frames as layout
from plyground.kernels.build import jit_disabled

LOSS = int(plain_endgame.LOSS)
WIN = int(plain_endgame.WIN)
SLICE = np.uint64(15_000)
"""Work between two looks at the clock: a few milliseconds."""

_MODULE = "plyground.games.codecup_sudoku.endgame_entry"
_SLOTS = {
    "plyground.games.codecup_sudoku.lanes": "plyground.games.codecup_sudoku.lanes_native"
}
_MAX_DEPTH = 96


@cache
def search_kernels() -> types.ModuleType:
    """The compiled search (plain Python with `NUMBA_DISABLE_JIT=1`)."""
    return kernels.compiled(_MODULE, None if jit_disabled() else _SLOTS)


@cache
def _zobrist() -> NDArray[np.uint64]:
    return np.random.default_rng(20240113).integers(
        0, 2**64, size=(81, 10), dtype=np.uint64, endpoint=False
    )


def new_table(megabytes: float = 128) -> NDArray[np.uint64]:
    """An empty table of solved positions, aligned to cache lines; at most this large."""
    entries = 8
    while entries * 2 * 8 <= megabytes * 2**20:
        entries *= 2
    raw = np.zeros(entries + 8, dtype=np.uint64)
    skip = (-raw.ctypes.data % 64) // 8
    return raw[skip : skip + entries]


@dataclass(frozen=True)
class RootMove:
    """A distinct move: all (cell, digit) pairs that keep the same solutions."""

    index: int
    count: int
    """Solutions that remain."""
    pairs: tuple[tuple[int, int], ...]
    """(cell 0..80, digit 1..9), in order."""


class EndgameSolver:
    """Values of one set of solutions and of its moves.

    `solutions` is an array (k, 81) of all solutions of a grid: every completion, none twice. The
    table may be shared between solvers: positions are identified by their solutions alone.
    """

    def __init__(
        self, solutions: NDArray[np.uint8], table: NDArray[np.uint64] | None = None
    ) -> None:
        self._kernels = search_kernels()
        self._table = new_table() if table is None else table
        grids = np.ascontiguousarray(solutions, dtype=np.uint8)
        self.size = len(grids)
        words = (self.size + 63) // 64
        self._arena = np.empty(int(layout.ARENA_START) + words * 3000 + 40_000, dtype=np.uint64)
        self._frames = np.zeros((_MAX_DEPTH, layout.FIELDS), dtype=np.uint64)
        self._control = np.zeros(4, dtype=np.uint64)
        ids = np.empty(self.size, dtype=np.uint64)
        self._kernels.load(grids, _zobrist(), ids, self._arena, self._frames)
        self.moves = self._distinct_moves()

    @property
    def nodes(self) -> int:
        """Positions expanded so far."""
        return int(self._control[plain_endgame.NODES])

    def _distinct_moves(self) -> list[RootMove]:
        frame = [int(field) for field in self._frames[1]]
        start = frame[int(layout.COUNTS)]
        counts = self._arena[start : start + frame[int(layout.MOVES)]].tolist()
        start = frame[int(layout.MAP)]
        targets = self._arena[start : start + 729].tolist()
        pairs: list[list[tuple[int, int]]] = [[] for _ in counts]
        for pair, target in enumerate(targets):
            if target:
                pairs[target - 1].append((pair // 9, pair % 9 + 1))
        return [
            RootMove(index, count, tuple(pairs[index])) for index, count in enumerate(counts)
        ]

    def value(self, out_of_time: Callable[[], bool] | None = None) -> int | None:
        """WIN or LOSS for the player to move; None when time ran out (ask again to go on)."""
        return self._solve(None, out_of_time)

    def value_after(
        self, move: RootMove, out_of_time: Callable[[], bool] | None = None
    ) -> int | None:
        """WIN or LOSS for the opponent after a move; None when time ran out."""
        return self._solve(move, out_of_time)

    def _solve(
        self, move: RootMove | None, out_of_time: Callable[[], bool] | None
    ) -> int | None:
        number = np.uint64(729 if move is None else move.index)
        status = self._repeat(lambda: self._kernels.begin(
            self._arena, self._frames, self._table, self._control, number
        ), out_of_time, first=True)
        return status

    def _repeat(self, begin, out_of_time, first) -> int | None:
        status = int(begin())
        while status == int(plain_endgame.OUT_OF_ROOM):
            self._enlarge()
            status = int(begin())
        while status not in (LOSS, WIN):
            if status == int(plain_endgame.OUT_OF_ROOM):
                self._enlarge()
            elif out_of_time is not None and out_of_time():
                return None
            status = int(
                self._kernels.search(self._arena, self._frames, self._table, self._control, SLICE)
            )
        return status

    def _enlarge(self) -> None:
        arena = np.empty(self._arena.size * 2, dtype=np.uint64)
        arena[: self._arena.size] = self._arena
        self._arena = arena
