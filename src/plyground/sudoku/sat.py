"""Certain answers on boards that defeat the search: a SAT solver that can be interrupted."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from plyground.sudoku.board import Board, Digits

SOLVER = "glucose4"
CONFLICTS_PER_SLICE = 2000
"""Conflicts between two calls of `stop`: some milliseconds on 16x16, tens on 25x25."""


class SatJudge:
    """A board as clauses, built once and asked many times."""

    def __init__(self, board: Board) -> None:
        from pysat.solvers import Solver

        self._shape = board.geometry
        candidates = visible_candidates(board)
        cells, digits = np.nonzero(candidates)
        self._numbers = np.zeros(candidates.shape, np.int64)
        self._numbers[cells, digits] = np.arange(1, len(cells) + 1)
        self._places = np.stack([cells, digits], axis=1)
        self._possible = bool(candidates.any(axis=1).all())
        self._solver = Solver(name=SOLVER)
        if self._possible:
            self._add_clauses()

    def _add_clauses(self) -> None:
        """Every cell has a digit, every digit a place in each unit, and neither has two."""
        groups = [row[row > 0].tolist() for row in self._numbers]
        for members in self._shape.units:
            groups += [column[column > 0].tolist() for column in self._numbers[members].T]
        for group in groups:
            self._solver.add_clause(group)
            for first, second in itertools.combinations(group, 2):
                self._solver.add_clause([-first, -second])

    def solve(
        self,
        cell: int | None = None,
        digit: int | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> Digits | bool | None:
        """A solution, optionally with `digit` in `cell`; False when there is none.

        None when `stop` said so before the answer was known; it is called between slices of work.
        """
        if not self._possible:
            return False
        assumptions = []
        if cell is not None and digit is not None:
            number = int(self._numbers[cell, digit - 1])
            if number == 0:
                return False
            assumptions = [number]
        while True:
            self._solver.conf_budget(CONFLICTS_PER_SLICE)
            answer = self._solver.solve_limited(assumptions=assumptions)
            if answer is not None:
                return self._solution() if answer else False
            if stop is not None and stop():
                return None

    def _solution(self) -> Digits:
        model = np.array(self._solver.get_model()[: len(self._places)])
        chosen = self._places[model > 0]
        out = np.zeros(self._shape.cells, np.uint8)
        out[chosen[:, 0]] = chosen[:, 1] + 1
        return out

    def close(self) -> None:
        """Free the solver."""
        self._solver.delete()


def visible_candidates(board: Board) -> npt.NDArray[np.bool_]:
    """(cells, N): which digits no filled cell of the row, column or block rules out.

    A filled cell keeps its own digit unless a peer has the same.
    """
    size = board.geometry.size
    filled = np.zeros((board.geometry.cells, size + 1), bool)
    filled[np.arange(board.geometry.cells), board.digits] = True
    ruled_out = np.any(filled[board.geometry.peers], axis=1)[:, 1:]
    own = np.where((board.digits == 0)[:, None], True, filled[:, 1:])
    return own & ~ruled_out
