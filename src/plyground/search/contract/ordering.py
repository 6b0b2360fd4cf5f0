"""Which moves to try first, as far as the game alone knows. This default leaves their order."""

from __future__ import annotations

import numpy as np

from plyground.kernels import kernel


@kernel(lean=True)
def promise(params: np.ndarray, state: np.ndarray, move: np.int64) -> np.int64:
    """How early to try a legal move: larger is earlier, between 0 and 1000."""
    return np.int64(0)
