"""Bit tricks over 64-bit words in plain Python; `bits_native` has them as instructions."""

from __future__ import annotations

import numpy as np

from plyground.kernels.marker import kernel


@kernel
def popcount(word: np.uint64) -> np.int64:
    """Number of set bits."""
    return np.int64(int(word).bit_count())


@kernel
def trailing_zeros(word: np.uint64) -> np.int64:
    """Index of the lowest set bit; 64 for zero."""
    value = int(word)
    return np.int64((value & -value).bit_length() - 1 if value else 64)


@kernel
def leading_zeros(word: np.uint64) -> np.int64:
    """Number of clear bits above the highest set one; 64 for zero."""
    return np.int64(64 - int(word).bit_length())


@kernel
def extract_bits(word: np.uint64, mask: np.uint64) -> np.uint64:
    """The bits of `word` under `mask`, packed to the low end (the instruction `pext`)."""
    source, remaining, out, position = int(word), int(mask), 0, 0
    while remaining:
        low = remaining & -remaining
        if source & low:
            out |= 1 << position
        position += 1
        remaining ^= low
    return np.uint64(out)


@kernel
def deposit_bits(word: np.uint64, mask: np.uint64) -> np.uint64:
    """The low bits of `word` spread to the places of `mask` (the instruction `pdep`)."""
    source, remaining, out = int(word), int(mask), 0
    while remaining:
        low = remaining & -remaining
        if source & 1:
            out |= low
        source >>= 1
        remaining ^= low
    return np.uint64(out)


@kernel
def multiply_high(a: np.uint64, b: np.uint64) -> np.uint64:
    """The upper 64 bits of the 128-bit product."""
    return np.uint64((int(a) * int(b)) >> 64)


@kernel(lean=True)
def prefetch(array: np.ndarray, index: np.uint64) -> None:
    """Ask for a cache line of a one-dimensional array early; a hint without effect on results."""
