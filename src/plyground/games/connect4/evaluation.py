"""A simple evaluation: three in a row is worth a fifth of a win."""

from __future__ import annotations

import numpy as np

from plyground.games.connect4.rules import STRIDE
from plyground.kernels import kernel
from plyground.kernels.words import ONE, ZERO

THREE_IN_LINE = np.int64(200)


@kernel(lean=True)
def has_three(stride: np.uint64, discs: np.uint64) -> bool:
    """Whether three of these discs stand in a line."""
    pairs = discs & (discs >> ONE)
    found = pairs & (pairs >> ONE)
    pairs = discs & (discs >> stride)
    found |= pairs & (pairs >> stride)
    diagonal = stride - ONE
    pairs = discs & (discs >> diagonal)
    found |= pairs & (pairs >> diagonal)
    diagonal = stride + ONE
    pairs = discs & (discs >> diagonal)
    return (found | (pairs & (pairs >> diagonal))) != ZERO


@kernel(lean=True)
def evaluate(params: np.ndarray, state: np.ndarray) -> np.int64:
    """0.2 of a win for having three in a line, minus the same for the opponent."""
    turn = state[2] & ONE
    value = np.int64(0)
    if has_three(params[STRIDE], state[turn]):
        value += THREE_IN_LINE
    if has_three(params[STRIDE], state[turn ^ ONE]):
        value -= THREE_IN_LINE
    return value
