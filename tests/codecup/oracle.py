"""Brute force over sets of solutions: no pruning rules, no kernels."""

from __future__ import annotations

import random

import numpy as np
from numpy.typing import NDArray

from plyground.sudoku import enumerate_solutions

Sets = frozenset[int]


def children(grids: NDArray[np.uint8], members: Sets) -> set[Sets]:
    """The distinct sets that a move can leave."""
    found = set()
    numbers = list(members)
    rows = grids[numbers]
    for column in rows.T[(rows != rows[0]).any(axis=0)].tolist():
        by_digit: dict[int, list[int]] = {}
        for member, digit in zip(numbers, column, strict=True):
            by_digit.setdefault(digit, []).append(member)
        found |= {frozenset(part) for part in by_digit.values()}
    return found


def wins(grids: NDArray[np.uint8], members: Sets, memo: dict[Sets, bool]) -> bool:
    """Whether the player to move wins: some child is lost for the opponent."""
    if members not in memo:
        memo[members] = any(
            not wins(grids, child, memo) for child in sorted(children(grids, members), key=len)
        )
    return memo[members]


def random_solution(source: random.Random) -> list[int]:
    """A complete grid: the cyclic one with digits, rows and columns changed at random."""
    names = source.sample(range(1, 10), 9)
    rows = [3 * band + i for band in range(3) for i in source.sample(range(3), 3)]
    columns = [3 * stack + i for stack in range(3) for i in source.sample(range(3), 3)]
    return [names[(3 * row + row // 3 + column) % 9] for row in rows for column in columns]


def random_endgame(seed: int, low: int, high: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """A grid with low..high solutions, and all of these."""
    source = random.Random(seed)
    while True:
        solution = random_solution(source)
        digits = np.zeros(81, np.uint8)
        for number, cell in enumerate(source.sample(range(81), 81)):
            digits[cell] = solution[cell]
            if number < 19:
                continue
            grids = enumerate_solutions(digits, high + 1)
            if low <= len(grids) <= high:
                return digits, grids
            if len(grids) < low:
                break
