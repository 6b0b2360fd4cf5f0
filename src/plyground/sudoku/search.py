"""A resumable search for the solutions of one board, whatever its size."""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType

import numpy as np

from plyground import kernels
from plyground.sudoku.board import Board, Digits
from plyground.sudoku.geometry import geometry

NO_LIMIT = 2**62
SLICE_NODES = 20_000
"""Nodes between two looks at the clock or at Ctrl-C: a few milliseconds on every size."""


@lru_cache(maxsize=1)
def general_engine() -> ModuleType:
    """The compiled kernels for every size, warmed up."""
    engine = kernels.compiled("plyground.sudoku.general")
    with kernels.compilation(engine):
        _run_once(engine)
    return engine


def _run_once(engine: ModuleType) -> None:
    search = GeneralSearch(Board.empty(2, 2), engine)
    search.advance(limit=1, nodes=100, into=np.zeros((1, 16), np.uint8))


class GeneralSearch:
    """Solutions of a board of any size, found bit by bit with the general kernels."""

    def __init__(self, board: Board, engine: ModuleType | None = None) -> None:
        self._engine = engine or general_engine()
        shape = geometry(board.geometry.rows, board.geometry.columns)
        self._tables = (shape.units, shape.units_of, shape.peers)
        self._stack = np.zeros((shape.cells + 2, shape.cells + 1), np.uint32)
        self._control = np.zeros(2, np.int64)
        self._queue = np.zeros(shape.cells + 1, np.uint16)
        self._dirty = np.zeros(3 * shape.size, np.uint8)
        self._nothing = np.zeros((0, shape.cells), np.uint8)
        self._engine.begin(board.digits, shape.units, self._stack, self._control)

    @property
    def finished(self) -> bool:
        """Whether every solution has been found."""
        return bool(self._control[0] == 0)

    @property
    def nodes(self) -> int:
        """Boards looked at so far."""
        return int(self._control[1])

    def advance(self, limit: int, nodes: int, into: Digits | None = None) -> int:
        """Find up to `limit` more solutions within `nodes` more nodes; how many were found.

        The first `len(into)` of them are written to `into` (k, cells) uint8.
        """
        found: int = self._engine.advance(
            *self._tables,
            self._stack,
            self._control,
            self._queue,
            self._dirty,
            np.int64(limit),
            np.int64(nodes),
            self._nothing if into is None else into,
        )
        return int(found)


def search_of(board: Board) -> GeneralSearch:
    """A search over the solutions of this board."""
    return GeneralSearch(board)
