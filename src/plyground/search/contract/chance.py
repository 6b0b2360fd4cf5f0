"""Random events of a game. This default is for games that have none."""

from __future__ import annotations

import numpy as np

from plyground.kernels import kernel

HAS_CHANCE = False
"""Whether `mover` may be -1: a constant, so that games without chance pay nothing for it."""


@kernel(lean=True)
def happen(
    params: np.ndarray,
    state: np.ndarray,
    random: np.ndarray,
    buffer: np.ndarray,
    child: np.ndarray,
) -> None:
    """Write the position after a random event, drawn by `random` (see `kernels.random`).

    Called only where `mover` is -1. `buffer` (the game's `playout_room`) is scratch space, `child`
    another row than `state`.
    """
