"""Moves near the middle first, drops before mean moves."""

from __future__ import annotations

import numpy as np

from plyground.games.connect4.rules import MEAN_CODE, WIDTH
from plyground.kernels import kernel


@kernel(lean=True)
def promise(params: np.ndarray, state: np.ndarray, move: np.int64) -> np.int64:
    """Larger for columns near the middle; a mean move counts by its target."""
    target = move % MEAN_CODE
    off_centre = abs(2 * target - np.int64(params[WIDTH]) + 1)
    bonus = np.int64(64) if move < MEAN_CODE else np.int64(0)
    return np.int64(32) - off_centre + bonus
