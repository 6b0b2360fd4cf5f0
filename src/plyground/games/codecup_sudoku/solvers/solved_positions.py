"""The table of solved positions: eight entries of eight bytes in each cache line.

A position is known by the 64-bit xor of its solutions' identifiers. An entry keeps that hash but
for its low six bits, which hold the value (two bits) and the work it took (four bits, a base-2
logarithm). The bucket is chosen by bits above those six. Zero is an empty entry. Words are written
whole, so threads may share a table.
"""

from __future__ import annotations

import numpy as np

from plyground.games.codecup_sudoku.solvers.eight_words import equal_lanes
from plyground.kernels import kernel
from plyground.kernels.bits import leading_zeros, prefetch, trailing_zeros
from plyground.kernels.words import ONE, ZERO

UNKNOWN = np.uint64(0)
LOSS = np.uint64(1)
"""The player to move loses (or has already lost: the grid is unique)."""
WIN = np.uint64(2)
"""The player to move wins."""

ENTRIES = np.uint64(8)
VALUE_BITS = np.uint64(3)
WORK_SHIFT = np.uint64(2)
WORK_BITS = np.uint64(60)
LOW_BITS = np.uint64(6)
HASH_BITS = ~np.uint64(63)
LANE_MASK = np.uint64(7)
FIRST_LANE = np.uint64(50)
SECOND_LANE = np.uint64(53)
WORD_SIZE = np.uint64(64)


@kernel(lean=True)
def bucket_of(table: np.ndarray, position: np.uint64) -> np.uint64:
    """Where the bucket of a position begins; the table's length is eight times a power of two."""
    mask = np.uint64(table.size) - ENTRIES
    return (position >> LOW_BITS << np.uint64(3)) & mask


@kernel(lean=True)
def prefetch_bucket(table: np.ndarray, position: np.uint64) -> None:
    """Ask for the cache line of a position early."""
    prefetch(table, bucket_of(table, position))


@kernel(lean=True)
def probe(table: np.ndarray, position: np.uint64) -> np.uint64:
    """The value of a position for the player to move, or UNKNOWN."""
    bucket = bucket_of(table, position)
    wanted = position & HASH_BITS
    lanes = equal_lanes(table, bucket, wanted, HASH_BITS)
    if lanes == ZERO:
        return UNKNOWN
    return table[bucket + np.uint64(trailing_zeros(lanes))] & VALUE_BITS


@kernel(lean=True)
def store(table: np.ndarray, position: np.uint64, value: np.uint64, work: np.uint64) -> None:
    """Remember a value; the entry replaced is the same, an empty one, or the cheaper of two."""
    bucket = bucket_of(table, position)
    wanted = position & HASH_BITS
    effort = WORD_SIZE - ONE - np.uint64(leading_zeros(work | ONE))
    effort = min(effort, np.uint64(15))
    entry = wanted | (effort << WORK_SHIFT) | value
    lanes = equal_lanes(table, bucket, wanted, HASH_BITS)
    if lanes == ZERO:
        lanes = equal_lanes(table, bucket, ZERO, ~ZERO)
    if lanes != ZERO:
        table[bucket + np.uint64(trailing_zeros(lanes))] = entry
        return
    first = bucket + ((position >> FIRST_LANE) & LANE_MASK)
    second = bucket + ((position >> SECOND_LANE) & LANE_MASK)
    if table[first] & WORK_BITS <= table[second] & WORK_BITS:
        table[first] = entry
    else:
        table[second] = entry
