"""Pencil marks: the digits that row, column and box do not exclude, and how moves thin them out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_CELLS = np.arange(81)
_ROW, _COLUMN = _CELLS // 9, _CELLS % 9
_BOX = _ROW // 3 * 3 + _COLUMN // 3
PEERS = (
    (_ROW[:, None] == _ROW) | (_COLUMN[:, None] == _COLUMN) | (_BOX[:, None] == _BOX)
) & ~np.eye(81, dtype=bool)
"""Which cells (81, 81) share a row, column or box."""


def pencil_marks(digits: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """For each cell (81) and digit - 1 (9): whether the empty cell may hold it at first sight."""
    filled = digits > 0
    marks = np.repeat(~filled[:, None], 9, axis=1)
    for digit in range(1, 10):
        marks[PEERS[digits == digit].any(axis=0), digit - 1] = False
    return marks


def marks_removed(digits: NDArray[np.uint8], moves: list[tuple[int, int]]) -> list[int]:
    """How many pencil marks each move (cell, digit) takes away, its own cell's included.

    The move with most removed leaves the position with fewest candidates in all.
    """
    marks = pencil_marks(digits)
    per_cell = marks.sum(axis=1)
    elsewhere = PEERS.astype(np.int64) @ marks.astype(np.int64)
    return [int(per_cell[cell] + elsewhere[cell, digit - 1]) for cell, digit in moves]
