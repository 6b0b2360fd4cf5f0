"""The lab's own small searches against independent ones."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from plyground.games.codecup_sudoku.experiments.solution_sets import (
    PLAIN,
    SWITCHED_OFF,
    SetSearch,
    random_set,
)
from plyground.games.competitive_sudoku.experiments.details import block_row_test
from plyground.sudoku import Board, count, geometry, solvable


def naive_win(solutions: np.ndarray) -> bool:
    """The rules of the game on rows of digits, without masks or tricks."""

    @cache
    def wins(rows: frozenset[int]) -> bool:
        chosen = solutions[sorted(rows)]
        children = {
            frozenset(row for row in rows if solutions[row, cell] == digit)
            for cell in range(81)
            for digit in set(chosen[:, cell].tolist())
        }
        reducing = [child for child in children if len(child) < len(rows)]
        return any(len(child) == 1 or not wins(child) for child in reducing)

    return wins(frozenset(range(len(solutions))))


@pytest.mark.parametrize("seed", range(4))
def test_every_rule_keeps_the_value(seed: int) -> None:
    solutions = random_set(seed, 8, 30)
    assert 8 <= len(solutions) <= 30
    expected = naive_win(solutions)
    assert SetSearch(solutions, PLAIN).wins() is expected
    for rules in SWITCHED_OFF.values():
        assert SetSearch(solutions, rules).wins() is expected


def test_random_sets_hold_all_solutions_of_a_position() -> None:
    solutions = random_set(5, 20, 60)
    same = (solutions == solutions[0]).all(axis=0)
    text = "".join(str(d) if fixed else "." for d, fixed in zip(solutions[0], same, strict=True))
    assert count(text) == len(solutions)


def test_block_row_test_is_never_wrong() -> None:
    """What it calls impossible has no solution; boards with a solution pass."""
    chance = np.random.default_rng(3)
    shape = geometry(2, 3)
    impossible = 0
    for _ in range(400):
        cells = np.zeros(36, np.uint8)
        for cell in chance.permutation(36)[:14]:
            fits = [v for v in range(1, 7) if _fits(cells, int(cell), v)]
            if fits:
                cells[cell] = chance.choice(fits)
        board = Board(shape, cells)
        if block_row_test(cells.reshape(6, 6).tolist(), 2, 3):
            impossible += 1
            assert not solvable(board)
    assert impossible > 10


def _fits(cells: np.ndarray, cell: int, value: int) -> bool:
    grid = cells.reshape(6, 6)
    row, column = divmod(cell, 6)
    top, left = row // 2 * 2, column // 3 * 3
    return bool(
        value not in grid[row]
        and value not in grid[:, column]
        and value not in grid[top : top + 2, left : left + 3]
    )
