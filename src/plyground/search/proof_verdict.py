"""What a look at a position tells a proof search, packed into one word.

A *verdict* holds the least number of plies within which the attacker is known to win, how far it is
known not to win, and two numbers that say how much work the player to move (`phi`) and its opponent
(`delta`) seem to need to reach what they want, which for the defender is to hold out.
"""

from __future__ import annotations

import numpy as np

from plyground.kernels import kernel
from plyground.kernels.words import EIGHT

NOT_PROVEN = np.uint64(63)
"""As the plies of a win: none is known."""
FOREVER = np.uint64(63)
"""As the number of plies held: the attacker never wins."""

NUMBERS = np.uint64(16)
NUMBER_MASK = np.uint64(0xFFFFFF)
NUMBER_BITS = np.uint64(24)


@kernel(lean=True)
def pack_verdict(won_in: np.uint64, held: np.uint64, phi: np.uint64, delta: np.uint64) -> np.uint64:
    """A verdict: the attacker wins within `won_in` plies, and not within fewer than `held`.

    So `held` = n + 1 says that there is no win within n plies; 0 says nothing. `phi` and `delta`
    are at least 1 and below 2**24; they count only where nothing is decided.
    """
    return won_in | (held << EIGHT) | (phi << NUMBERS) | (delta << (NUMBERS + NUMBER_BITS))
