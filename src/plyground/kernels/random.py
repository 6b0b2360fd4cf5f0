"""Random numbers for kernels: xoshiro256** over a state of four words that the caller passes in."""

from __future__ import annotations

import numpy as np

from plyground.kernels.bits import multiply_high
from plyground.kernels.marker import kernel
from plyground.kernels.words import MIX

STATE_WORDS = 4


@kernel
def split_mix(word: np.uint64) -> np.uint64:
    """A good 64-bit mix of a word (the finaliser of SplitMix64)."""
    word = word + MIX
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@kernel(lean=True)
def seed_random(state: np.ndarray, seed: np.uint64) -> None:
    """Fill a generator's state from one seed; different seeds give unrelated streams."""
    word = seed
    for index in range(4):
        word = split_mix(word + np.uint64(index))
        state[index] = word


@kernel(lean=True)
def next_random(state: np.ndarray) -> np.uint64:
    """The next 64 random bits."""
    second = state[1]
    product = second * np.uint64(5)
    result = ((product << np.uint64(7)) | (product >> np.uint64(57))) * np.uint64(9)
    shifted = second << np.uint64(17)
    state[2] ^= state[0]
    state[3] ^= second
    state[1] = second ^ state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    last = state[3]
    state[3] = (last << np.uint64(45)) | (last >> np.uint64(19))
    return result


@kernel(lean=True)
def random_below(state: np.ndarray, limit: np.uint64) -> np.uint64:
    """A random number in 0 .. limit-1 (bias below 2**-40 for limits that occur in games)."""
    return multiply_high(next_random(state), limit)
