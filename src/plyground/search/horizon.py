"""An evaluation that tells whether a search ever had to guess: it raises a flag in `params`."""

from __future__ import annotations

import numpy as np

from plyground.kernels import kernel


@kernel(lean=True)
def evaluate(params: np.ndarray, state: np.ndarray) -> np.int64:
    """Nothing is known beyond the depth: a draw, and the last word of `params` says so."""
    params[params.shape[0] - 1] = np.uint64(1)
    return np.int64(0)
