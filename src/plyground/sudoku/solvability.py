"""Certain answers to "does this board have a solution?", remembered as solutions.

The boards of a game only grow, so a solution found once answers most later questions. What the
fast search cannot settle within its budget goes to a SAT solver.
"""

from __future__ import annotations

from functools import lru_cache
from threading import Lock
from types import ModuleType

import numpy as np
import numpy.typing as npt

from plyground import kernels
from plyground.sudoku import witness_search
from plyground.sudoku.board import Board, Digits
from plyground.sudoku.general import make_workspace
from plyground.sudoku.geometry import Geometry, geometry
from plyground.sudoku.sat import SatJudge
from plyground.sudoku.witness_search import Answers

Cells = npt.NDArray[np.int64]
Masks = npt.NDArray[np.uint32]

FAST_BUDGET = 20_000
REMEMBERED = 64


@lru_cache(maxsize=1)
def witness_engine() -> ModuleType:
    """The compiled kernels of `witness_search`."""
    return kernels.compiled(witness_search.__name__)


class Solvability:
    """Answers for boards of one geometry. Shared by all games of that size.

    Boards are values of all cells in order, 0 = empty: (N*N,) int64.
    """

    def __init__(self, shape: Geometry) -> None:
        self._shape = shape
        self._kernels = witness_engine()
        self._work = make_workspace(shape.tables)
        self._known: list[Digits] = []
        self._all = np.zeros((0, shape.cells), np.uint8)  # the same, one in each row
        self._lock = Lock()
        self._nothing = np.zeros((1, shape.cells), np.int64)

    def solution(self, cells: Cells) -> Digits | None:
        """A solution of this board, or None if there is none."""
        with self._lock:
            filled = cells.nonzero()[0]
            wanted = cells[filled]
            for index, known in enumerate(self._known):
                if (known[filled] == wanted).all():
                    self._known.insert(0, self._known.pop(index))
                    return known
            return self._search(cells)

    def _search(self, cells: Cells) -> Digits | None:
        found = np.zeros((1, self._shape.cells), np.uint8)
        no_masks = np.zeros(len(cells), np.uint32)
        budget = np.int64(FAST_BUDGET)
        status = int(self._kernels.first_solution(self._work, cells, no_masks, budget, found[0]))
        if status == witness_search.UNKNOWN:
            judge = SatJudge(Board(self._shape, cells.astype(np.uint8)))
            try:
                certain = judge.solve()
            finally:
                judge.close()
            if isinstance(certain, np.ndarray):
                found[0], status = certain, 1
        if status < 0:
            return None
        self._known = [found[0], *self._known[: REMEMBERED - 1]]
        self._all = np.array(self._known)
        return found[0]

    def solvable(self, cells: Cells) -> bool:
        """Whether this board has a solution."""
        return self.solution(cells) is not None

    def values(self, cells: Cells) -> Masks:
        """For each empty cell the mask of values that leave the board solvable."""
        doubtful = np.zeros(len(cells), np.uint32)
        filled = cells > 0
        with self._lock:
            fitting = self._all[(self._all[:, filled] == cells[filled]).all(axis=1)]
            settled = np.bitwise_or.reduce(np.uint32(1) << (fitting - np.uint32(1)), axis=0)
            settled[filled] = 0
            status = self._kernels.solvable_values(
                self._work,
                cells,
                np.int64(0),
                np.int64(len(cells)),
                np.int64(FAST_BUDGET),
                Answers(settled, doubtful, self._nothing[:0]),
            )
        if status == witness_search.OPEN:
            settle_doubts(Board(self._shape, cells.astype(np.uint8)), settled, doubtful)
        return settled


def settle_doubts(board: Board, settled: Masks, doubtful: Masks) -> None:
    """Ask a SAT solver for the values in doubt and add those with a solution to `settled`.

    Every solution found settles many questions at once.
    """
    judge = SatJudge(board)
    empty = board.digits == 0
    try:
        for cell in np.flatnonzero(doubtful).tolist():
            for digit in range(1, board.geometry.size + 1):
                bit = np.uint32(1 << digit - 1)
                if not doubtful[cell] & ~settled[cell] & bit:
                    continue
                answer = judge.solve(cell, digit)
                if isinstance(answer, np.ndarray):
                    bits = np.uint32(1) << (answer - 1).astype(np.uint32)
                    settled[empty] |= bits[empty]
    finally:
        judge.close()


def true_candidates(board: Board) -> Masks:
    """Masks of the digits that each cell has in some solution; all zero without a solution."""
    answers = solvability(board.geometry)
    cells = board.digits.astype(np.int64)
    masks = answers.values(cells)
    if not answers.solvable(cells):
        return np.zeros_like(masks)
    filled = cells > 0
    masks[filled] = np.uint32(1) << (cells[filled] - 1).astype(np.uint32)
    return masks


@lru_cache(maxsize=32)
def solvability(shape: Geometry) -> Solvability:
    """The one that belongs to a geometry."""
    return Solvability(geometry(shape.rows, shape.columns))
