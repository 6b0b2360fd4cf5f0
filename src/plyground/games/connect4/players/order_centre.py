"""Moves strictly from the middle outwards, drops before mean moves."""

from __future__ import annotations

import numpy as np

from plyground.games.connect4.rules import MEAN_CODE, WIDTH
from plyground.kernels import kernel


@kernel(lean=True)
def promise(params: np.ndarray, state: np.ndarray, move: np.int64) -> np.int64:
    """Moves strictly from the middle outwards, drops before mean moves."""
    target = move % MEAN_CODE
    first = np.int64(500) if move < MEAN_CODE else np.int64(0)
    return first + 64 - abs(2 * target - np.int64(params[WIDTH]) + 1)
