"""The compiled entry for 9x9 boards: one search, true candidates, and batches of puzzles.

Everything comes from one generated package, so that the engine is compiled once.
"""

from __future__ import annotations

import numpy as np

from plyground.kernels import kernel
from plyground.sudoku.candidates import true_candidates
from plyground.sudoku.nine import STACK_WORDS, advance, begin

__all__ = ["STACK_WORDS", "advance", "begin", "count_each", "solve_each", "true_candidates"]

UNBOUNDED = np.int64(1 << 62)


@kernel(lean=True)
def count_each(
    grids: np.ndarray,
    stack: np.ndarray,
    control: np.ndarray,
    witnessed: np.ndarray,
    nothing: np.ndarray,
    limit: np.int64,
    counts: np.ndarray,
) -> None:
    """The number of solutions of each grid (k, 81) uint8, at most `limit`, to `counts` (k,) int64.

    `witnessed` (96,) uint16 is all zero, `nothing` is (0, 81) uint8.
    """
    for index in range(grids.shape[0]):
        begin(grids[np.uint64(index)], stack, control)
        counts[np.uint64(index)] = advance(stack, control, witnessed, limit, UNBOUNDED, nothing)


@kernel
def solve_each(
    grids: np.ndarray,
    stack: np.ndarray,
    control: np.ndarray,
    witnessed: np.ndarray,
    limit: np.int64,
    counts: np.ndarray,
    solutions: np.ndarray,
) -> None:
    """As `count_each`, and the first solution of each grid to `solutions` (k, 81) uint8."""
    for index in range(grids.shape[0]):
        row = np.uint64(index)
        begin(grids[row], stack, control)
        counts[row] = advance(
            stack, control, witnessed, limit, UNBOUNDED, solutions[row : row + np.uint64(1)]
        )
