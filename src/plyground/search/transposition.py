"""The transposition table: two places a bucket, the full key verified.

The table is an array (buckets, 4) of words: lock and entry of the deeper result, lock and entry of
the latest. An entry packs value (32 bits), depth (8), bound (2) and move + 1 (22). Its lock is the
key exclusive-or the entry: what two threads wrote half each opens with no key, so threads may share
a table without waiting for each other.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from plyground.kernels import kernel

Table = npt.NDArray[np.uint64]

EXACT, LOWER, UPPER = np.int64(1), np.int64(2), np.int64(3)
MISSING = np.uint64(0)
CERTAIN_DEPTH = np.int64(255)
"""The depth of a value that no deeper search can change."""
VALUE_OFFSET = np.int64(1) << 31
BUCKET_BYTES = 32


def new_table(megabytes: float) -> Table:
    """An empty table of the largest power of two of buckets that fits; at least one."""
    buckets = 1 << max(0, int(megabytes * 2**20 / BUCKET_BYTES).bit_length() - 1)
    return np.zeros((buckets, 4), np.uint64)


@kernel(lean=True)
def pack(value: np.int64, depth: np.int64, bound: np.int64, move: np.int64) -> np.uint64:
    """An entry that is never MISSING."""
    return (
        np.uint64(value + VALUE_OFFSET)
        | (np.uint64(min(depth, CERTAIN_DEPTH)) << np.uint64(32))
        | (np.uint64(bound) << np.uint64(40))
        | (np.uint64(move + 1) << np.uint64(42))
    )


@kernel(lean=True)
def entry_value(entry: np.uint64) -> np.int64:
    """The stored value."""
    return np.int64(entry & np.uint64(0xFFFFFFFF)) - VALUE_OFFSET


@kernel(lean=True)
def entry_depth(entry: np.uint64) -> np.int64:
    """The depth to which the node was searched."""
    return np.int64((entry >> np.uint64(32)) & np.uint64(0xFF))


@kernel(lean=True)
def entry_bound(entry: np.uint64) -> np.int64:
    """EXACT, LOWER or UPPER."""
    return np.int64((entry >> np.uint64(40)) & np.uint64(3))


@kernel(lean=True)
def entry_move(entry: np.uint64) -> np.int64:
    """The best move, or -1."""
    return np.int64(entry >> np.uint64(42)) - 1


@kernel(lean=True)
def probe(table: np.ndarray, hashed: np.uint64) -> np.uint64:
    """The entry of a key, or MISSING."""
    bucket = hashed & np.uint64(table.shape[0] - 1)
    entry = table[bucket, 1]
    if table[bucket, 0] ^ entry == hashed:
        return entry
    entry = table[bucket, 3]
    if table[bucket, 2] ^ entry == hashed:
        return entry
    return MISSING


@kernel(lean=True)
def store(table: np.ndarray, hashed: np.uint64, entry: np.uint64) -> None:
    """Keep a result (see `pack`): the deeper one in the first place, the latest in the second."""
    bucket = hashed & np.uint64(table.shape[0] - 1)
    lock, kept = table[bucket, 0], table[bucket, 1]
    known = lock ^ kept == hashed
    if known or entry_depth(kept) <= entry_depth(entry):
        if not known:
            table[bucket, 2] = lock
            table[bucket, 3] = kept
        table[bucket, 0] = hashed ^ entry
        table[bucket, 1] = entry
    else:
        table[bucket, 2] = hashed ^ entry
        table[bucket, 3] = entry
