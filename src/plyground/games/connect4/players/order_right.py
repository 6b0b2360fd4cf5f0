"""Moves strictly from right to left, drops before mean moves."""

from __future__ import annotations

import numpy as np

from plyground.games.connect4.rules import MEAN_CODE
from plyground.kernels import kernel


@kernel(lean=True)
def promise(params: np.ndarray, state: np.ndarray, move: np.int64) -> np.int64:
    """Moves strictly from right to left, drops before mean moves."""
    first = np.int64(500) if move < MEAN_CODE else np.int64(0)
    return first + move
