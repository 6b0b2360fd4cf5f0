"""Brute force over sets of solutions: no pruning rules, no kernels."""

from __future__ import annotations

import random

import numpy as np
from numpy.typing import NDArray

from plyground.sudoku import enumerate_solutions, true_candidates

Sets = frozenset[int]


def children(grids: NDArray[np.uint8], members: Sets) -> set[Sets]:
    """The distinct sets that a move can leave."""
    found = set()
    for cell in range(81):
        by_digit: dict[int, list[int]] = {}
        for member in members:
            by_digit.setdefault(int(grids[member, cell]), []).append(member)
        if len(by_digit) > 1:
            found |= {frozenset(part) for part in by_digit.values()}
    return found


def wins(grids: NDArray[np.uint8], members: Sets, memo: dict[Sets, bool]) -> bool:
    """Whether the player to move wins: some child is lost for the opponent."""
    if members not in memo:
        memo[members] = any(
            not wins(grids, child, memo) for child in sorted(children(grids, members), key=len)
        )
    return memo[members]


def random_endgame(seed: int, low: int, high: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """A grid reached by random moves with low..high solutions, and all of these."""
    source = random.Random(seed)
    while True:
        digits = np.zeros(81, np.uint8)
        while True:
            grids = enumerate_solutions(digits, high + 1)
            if low <= len(grids) <= high:
                return digits, grids
            if len(grids) < low:
                break
            masks = true_candidates(digits)
            choices = [
                (cell, digit)
                for cell in range(81)
                if digits[cell] == 0 and int(masks[cell]).bit_count() > 1
                for digit in range(1, 10)
                if int(masks[cell]) >> (digit - 1) & 1
            ]
            cell, digit = source.choice(choices)
            digits[cell] = digit
