"""Numbers as kernels need them: a 64-bit word and a plain integer would make a float."""

from __future__ import annotations

import numpy as np

ZERO = np.uint64(0)
ONE = np.uint64(1)
TWO = np.uint64(2)
THREE = np.uint64(3)
FOUR = np.uint64(4)
EIGHT = np.uint64(8)
NINE = np.uint64(9)

MIX = np.uint64(0x9E3779B97F4A7C15)
"""2**64 over the golden ratio, odd: multiplying by it spreads low bits over the high ones."""

ONGOING = np.int64(-(2**62))
"""What a game's `outcome` says of a position that is not finished."""
