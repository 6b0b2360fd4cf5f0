"""Operations on eight 64-bit words at once; `eight_words_native` has them as vector code.

A lane is one of eight consecutive words of an array; results are bit masks over the lanes.
"""

from __future__ import annotations

import numpy as np

from plyground.kernels import kernel

LANES = 8


@kernel(lean=True)
def common_lanes(
    words: np.ndarray, at: np.uint64, query: np.uint64, wanted: np.uint64
) -> np.uint64:
    """The lanes `k` where `words[at + k] & query` has exactly `wanted` bits."""
    found = 0
    for lane in range(LANES):
        if int(words[int(at) + lane] & query).bit_count() == wanted:
            found |= 1 << lane
    return np.uint64(found)


@kernel(lean=True)
def common_lanes_wide(
    words: np.ndarray,
    at: np.uint64,
    stride: np.uint64,
    query_at: np.uint64,
    query_stride: np.uint64,
    count: np.uint64,
    wanted: np.uint64,
) -> np.uint64:
    """The same for bitsets of `count` words; those of a bitset lie a stride apart."""
    found = 0
    for lane in range(LANES):
        total = 0
        for row in range(int(count)):
            query = words[int(query_at) + row * int(query_stride)]
            common = words[int(at) + row * int(stride) + lane] & query
            total += int(common).bit_count()
        if total == wanted:
            found |= 1 << lane
    return np.uint64(found)


@kernel(lean=True)
def equal_lanes(
    words: np.ndarray, at: np.uint64, wanted: np.uint64, significant: np.uint64
) -> np.uint64:
    """The lanes `k` where `words[at + k]` equals `wanted` in the significant bits."""
    found = 0
    for lane in range(LANES):
        if words[int(at) + lane] & significant == wanted:
            found |= 1 << lane
    return np.uint64(found)


@kernel(lean=True)
def xor_selected(words: np.ndarray, at: np.uint64, mask: np.uint64) -> np.uint64:
    """The xor of `words[at + k]` over the set bits `k` of the mask."""
    out, remaining = 0, int(mask)
    while remaining:
        low = remaining & -remaining
        out ^= int(words[int(at) + low.bit_length() - 1])
        remaining ^= low
    return np.uint64(out)
