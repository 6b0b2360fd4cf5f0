"""Operations on eight 64-bit words at once; `eight_words_native` has them as vector code.

A lane is one of eight consecutive words of an array; results are bit masks over the lanes.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from plyground.kernels import kernel

LANES = 8


def _mask(flags: Iterable[bool]) -> np.uint64:
    return np.uint64(sum(1 << lane for lane, flag in enumerate(flags) if flag))


@kernel(lean=True)
def common_lanes(
    words: np.ndarray, at: np.uint64, query: np.uint64, wanted: np.uint64
) -> np.uint64:
    """The lanes `k` where `words[at + k] & query` has exactly `wanted` bits."""
    return _mask(int(words[int(at) + lane] & query).bit_count() == wanted for lane in range(LANES))


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
    totals = [0] * LANES
    for row in range(int(count)):
        query = words[int(query_at) + row * int(query_stride)]
        for lane in range(LANES):
            common = words[int(at) + row * int(stride) + lane] & query
            totals[lane] += int(common).bit_count()
    return _mask(total == wanted for total in totals)


@kernel(lean=True)
def equal_lanes(
    words: np.ndarray, at: np.uint64, wanted: np.uint64, significant: np.uint64
) -> np.uint64:
    """The lanes `k` where `words[at + k]` equals `wanted` in the significant bits."""
    return _mask(words[int(at) + lane] & significant == wanted for lane in range(LANES))


@kernel(lean=True)
def xor_selected(words: np.ndarray, at: np.uint64, mask: np.uint64) -> np.uint64:
    """The xor of `words[at + k]` over the set bits `k` of the mask."""
    out, remaining = 0, int(mask)
    while remaining:
        low = remaining & -remaining
        out ^= int(words[int(at) + low.bit_length() - 1])
        remaining ^= low
    return np.uint64(out)
