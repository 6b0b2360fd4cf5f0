"""A resumable search for the solutions of one board, whatever its size."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import lru_cache
from types import ModuleType

import numpy as np
import numpy.typing as npt

from plyground import kernels
from plyground.sudoku.board import Board, Digits
from plyground.sudoku.general import make_workspace

NO_LIMIT = 2**62
SLICE_NODES = 20_000
"""Nodes between two looks at the clock or at Ctrl-C: a few milliseconds."""


class Search(ABC):
    """The solutions of a board, found bit by bit."""

    control: npt.NDArray[np.int64]
    """Boards still to be looked at, and boards looked at so far."""

    @property
    def finished(self) -> bool:
        """Whether every solution has been found."""
        return bool(self.control[0] == 0)

    @property
    def nodes(self) -> int:
        """Boards looked at so far."""
        return int(self.control[1])

    @abstractmethod
    def advance(self, limit: int, nodes: int, into: Digits | None = None) -> int:
        """Find up to `limit` more solutions within `nodes` more nodes; how many were found.

        The first `len(into)` of them are written to `into` (k, cells) uint8.
        """


def search_of(board: Board) -> Search:
    """A search over the solutions of this board, with the engine that suits its size."""
    return NineSearch(board) if is_classic(board) else GeneralSearch(board)


def is_classic(board: Board) -> bool:
    """Whether the board is the usual one: 9x9 with blocks of 3x3."""
    return board.geometry.rows == 3 and board.geometry.columns == 3


@lru_cache(maxsize=1)
def general_engine() -> ModuleType:
    """The compiled kernels for every size, warmed up."""
    engine = kernels.compiled("plyground.sudoku.general")
    with kernels.compilation(engine):
        search = GeneralSearch(Board.empty(2, 2), engine)
        search.advance(limit=1, nodes=100, into=np.zeros((1, 16), np.uint8))
    return engine


@lru_cache(maxsize=1)
def classic_engine() -> ModuleType:
    """The compiled kernels for 9x9 boards (`plyground.sudoku.classic`), warmed up."""
    engine = kernels.compiled("plyground.sudoku.classic")
    with kernels.compilation(engine):
        desk = Desk(engine)
        grids = np.zeros((1, 81), np.uint8)
        counts = np.zeros(1, np.int64)
        desk.solve_each(grids, 1, counts, grids.copy())
        desk.count_each(grids, 1, counts)
        desk.true_candidates(grids[0], 10)
    return engine


def aligned_words(words: int) -> npt.NDArray[np.uint16]:
    """Zeroed uint16 words that begin at a cache line, as vector loads like them."""
    room = np.zeros(2 * words + 64, np.uint8)
    start = -room.ctypes.data % 64
    return room[start : start + 2 * words].view(np.uint16)


class Desk:
    """Working arrays of the 9x9 kernels, to be reused for many boards by one thread."""

    def __init__(self, engine: ModuleType | None = None) -> None:
        self.engine = engine or classic_engine()
        self.stack = aligned_words(self.engine.STACK_WORDS)
        self.control = np.zeros(2, np.int64)
        self.no_preference = aligned_words(96)
        self.witnessed = aligned_words(96)
        self.root = aligned_words(96)
        self.nothing = np.zeros((0, 81), np.uint8)

    def count_each(self, grids: Digits, limit: int, counts: npt.NDArray[np.int64]) -> None:
        """Solutions of each grid (k, 81), at most `limit`, to `counts` (k,)."""
        self.engine.count_each(
            grids,
            self.stack,
            self.control,
            self.no_preference,
            self.nothing,
            np.int64(limit),
            counts,
        )

    def solve_each(
        self, grids: Digits, limit: int, counts: npt.NDArray[np.int64], solutions: Digits
    ) -> None:
        """As `count_each`, and the first solution of each grid to `solutions` (k, 81)."""
        self.engine.solve_each(
            grids,
            self.stack,
            self.control,
            self.no_preference,
            np.int64(limit),
            counts,
            solutions,
        )

    def true_candidates(self, grid: Digits, nodes: int) -> tuple[int, npt.NDArray[np.uint16]]:
        """Verdict (1 complete, 0 no solution, -1 node budget spent) and the masks of all cells."""
        masks = np.zeros(81, np.uint16)
        verdict = self.engine.true_candidates(
            grid,
            self.root,
            self.stack,
            self.control,
            self.witnessed,
            self.nothing,
            np.int64(nodes),
            masks,
        )
        return int(verdict), masks


class NineSearch(Search):
    """Solutions of a 9x9 board with blocks of 3x3."""

    def __init__(self, board: Board) -> None:
        self._desk = Desk()
        self.control = self._desk.control
        self._desk.engine.begin(board.digits, self._desk.stack, self.control)

    def advance(self, limit: int, nodes: int, into: Digits | None = None) -> int:
        desk = self._desk
        found: int = desk.engine.advance(
            desk.stack,
            desk.control,
            desk.no_preference,
            np.int64(limit),
            np.int64(nodes),
            desk.nothing if into is None else into,
        )
        return int(found)


class GeneralSearch(Search):
    """Solutions of a board of any size."""

    def __init__(self, board: Board, engine: ModuleType | None = None) -> None:
        self._engine = engine or general_engine()
        self._work = make_workspace(board.geometry.tables)
        self._nothing = np.zeros((0, board.geometry.cells), np.uint8)
        self.control = self._work.control
        self._engine.begin(self._work, board.digits)

    def advance(self, limit: int, nodes: int, into: Digits | None = None) -> int:
        room = self._nothing if into is None else into
        return int(self._engine.advance(self._work, np.int64(limit), np.int64(nodes), room))
