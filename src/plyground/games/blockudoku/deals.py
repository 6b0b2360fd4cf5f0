"""The deal for the generic searches: three pieces of the deck, all equally likely."""

from __future__ import annotations

import numpy as np

from plyground.games.blockudoku.rules import DECK_SIZE, HAND
from plyground.kernels.marker import kernel
from plyground.kernels.random import random_below

HAS_CHANCE = True


@kernel(lean=True)
def happen(
    params: np.ndarray,
    state: np.ndarray,
    random: np.ndarray,
    buffer: np.ndarray,
    child: np.ndarray,
) -> None:
    """Fill the hand."""
    hand = np.uint64(0)
    for slot in range(3):
        piece = params[DECK_SIZE + 1 + np.int64(random_below(random, params[DECK_SIZE]))]
        hand |= piece << np.uint64(8 * slot)
    for word in range(len(state)):
        child[word] = state[word]
    child[HAND] = hand
