"""Memory claimed ahead keeps what it holds."""

from __future__ import annotations

import numpy as np

from plyground.search.pages import PAGE_BYTES, claim_pages


def test_claimed_memory_is_there_and_keeps_what_it_holds() -> None:
    table = np.arange(4 * PAGE_BYTES, dtype=np.uint64).reshape(-1, 4)
    small = np.array([7, 8, 9], np.int8)
    claim_pages((table, small, np.zeros(0, np.float64)))
    assert (table.reshape(-1) == np.arange(4 * PAGE_BYTES, dtype=np.uint64)).all()
    assert small.tolist() == [7, 8, 9]


def resident_bytes() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * PAGE_BYTES


def test_the_beginning_alone_can_be_claimed() -> None:
    tree = np.zeros(64 << 20, np.int8)
    before = resident_bytes()
    claim_pages([tree], 8 << 20)
    grown = resident_bytes() - before
    assert 6 << 20 <= grown <= 24 << 20
