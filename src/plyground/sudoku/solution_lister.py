"""All solutions of a board, or a few that show every possible value."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from plyground.sudoku import witness_search
from plyground.sudoku.general import make_workspace
from plyground.sudoku.geometry import Geometry
from plyground.sudoku.solvability import witness_engine
from plyground.sudoku.witness_search import Answers

SOLUTIONS = 4096
STEP_SMALL = 9
"""Squares between two looks at the clock; on boards above 9x9 there is one for every square."""

Cells = npt.NDArray[np.int64]
Masks = npt.NDArray[np.uint32]
OutOfTime = Callable[[], bool]


def never() -> bool:
    """An `OutOfTime` for callers without a clock."""
    return False


class SolutionLister:
    """Lists all solutions of a board, if they are few and found within a budget of guesses."""

    def __init__(self, shape: Geometry, most: int = SOLUTIONS) -> None:
        self._kernels = witness_engine()
        self._work = make_workspace(shape.tables)
        self._rows = np.zeros((most, shape.cells), np.int64)
        self._no_masks = np.zeros(shape.cells, np.uint32)
        self._cover = self._rows[:0].copy()

    def solutions(self, cells: Cells, guesses: int) -> Cells | None:
        """Rows of values, or None when there are too many or the budget ran out."""
        count = self._kernels.list_solutions(
            self._work, cells, self._no_masks, np.int64(guesses), self._rows
        )
        return None if count == witness_search.UNKNOWN else self._rows[:count]

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
            self._kernels.solvable_values(
                self._work,
                cells,
                np.int64(first),
                np.int64(last),
                np.int64(guesses),
                Answers(settled, doubtful, self._rows[found:]),
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
