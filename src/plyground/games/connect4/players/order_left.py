"""Moves strictly from left to right, drops before mean moves."""

from __future__ import annotations

import numpy as np

from plyground.kernels import kernel


@kernel(lean=True)
def promise(params: np.ndarray, state: np.ndarray, move: np.int64) -> np.int64:
    """Moves strictly from left to right, drops before mean moves."""
    return np.int64(1000) - move
