"""The table of the proof search: what is known about a position, for all depths at once.

A bucket is one cache line, four entries of two words. The first word of an entry holds everything
that is *proven*, together with what identifies the position, so that facts can never be torn from
their position, not even in a file that a killed process leaves behind:

    tag (44 bits) | attacking (1) | used (1) | won_in (6) | held (6) | size (6)

The second word holds `phi` and `delta`, which only guide the search. Keys are mixed by a bijection:
place and tag together are the whole key, so two positions are never mistaken for each other.
"""

from __future__ import annotations

import numpy as np

from plyground.kernels import kernel
from plyground.kernels.words import MIX, ONE, ZERO

BUCKET_WORDS = 8
TAG_BITS = 44

SIX_BITS = np.uint64(63)
HALF = np.uint64(0xFFFFFFFF)
HALF_SHIFT = np.uint64(32)
HELD_SHIFT = np.uint64(6)
WON_SHIFT = np.uint64(12)
USED_SHIFT = np.uint64(18)
TAG_SHIFT = np.uint64(20)
IDENTITY = ~np.uint64((1 << 18) - 1)
MIX_FACTOR_2 = np.uint64(0xD1342543DE82EF95)
MIX_SHIFT = np.uint64(32)

INFINITE = np.int64(1 << 31)
"""What no work reaches: the numbers of a goal that is out of reach."""


@kernel(lean=True)
def mix(key: np.uint64) -> np.uint64:
    """A bijection of words that spreads the bits of a key."""
    key *= MIX
    key ^= key >> MIX_SHIFT
    key *= MIX_FACTOR_2
    return key ^ (key >> MIX_SHIFT)


@kernel(lean=True)
def identity(bucket_bits: np.uint64, mixed: np.uint64, attacking: np.int64) -> np.uint64:
    """The part of an entry's first word that says which position it is about."""
    tag = mixed >> bucket_bits
    return (tag << TAG_SHIFT) | (((np.uint64(attacking) << ONE) | ONE) << USED_SHIFT)


@kernel(lean=True)
def probe(table: np.ndarray, bucket: np.uint64, wanted: np.uint64) -> np.uint64:
    """The place of an entry's first word in its bucket, or BUCKET_WORDS if there is none."""
    for place in range(0, BUCKET_WORDS, 2):
        if table[bucket, np.uint64(place)] & IDENTITY == wanted:
            return np.uint64(place)
    return np.uint64(BUCKET_WORDS)


@kernel(lean=True)
def won_in(facts: np.uint64) -> np.uint64:
    """Within how many plies the attacker wins, or NOT_PROVEN."""
    return (facts >> WON_SHIFT) & SIX_BITS


@kernel(lean=True)
def held(facts: np.uint64) -> np.uint64:
    """Within fewer plies than this there is no win."""
    return (facts >> HELD_SHIFT) & SIX_BITS


@kernel(lean=True)
def size_class(work: np.int64) -> np.uint64:
    """The number of bits of an amount of work."""
    size = ZERO
    while work > 0:
        size += ONE
        work >>= np.int64(1)
    return size


@kernel(lean=True)
def store(
    table: np.ndarray,
    bucket: np.uint64,
    wanted: np.uint64,
    verdict: np.uint64,
    numbers: np.uint64,
    size: np.uint64,
) -> None:
    """Keep facts and numbers; a new position takes the place of the one with the least work.

    `verdict` is `won_in | held << 8`. Facts about the same position are joined: both stay true.
    """
    proven = verdict & SIX_BITS
    refuted = (verdict >> np.uint64(8)) & SIX_BITS
    chosen = ZERO
    least = np.uint64(64)
    for place in range(0, BUCKET_WORDS, 2):
        facts = table[bucket, np.uint64(place)]
        if facts & IDENTITY == wanted:
            proven = min(proven, won_in(facts))
            refuted = max(refuted, held(facts))
            size = max(size, facts & SIX_BITS)
            chosen = np.uint64(place)
            break
        if facts == ZERO:
            chosen = np.uint64(place)
            break
        if facts & SIX_BITS < least:
            least = facts & SIX_BITS
            chosen = np.uint64(place)
    # The numbers first: if the process ends between the two, they misguide but never lie.
    table[bucket, chosen | ONE] = numbers
    table[bucket, chosen] = wanted | (proven << WON_SHIFT) | (refuted << HELD_SHIFT) | size
