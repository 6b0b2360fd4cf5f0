"""The complete solution of 4x4 boards agrees with the champion's searches."""

from __future__ import annotations

import random

import numpy as np
import pytest

from plyground.games.competitive_sudoku.position_data import PositionData
from plyground.games.competitive_sudoku.solvers.many_solutions import ManySolutionsSearch
from plyground.games.competitive_sudoku.solvers.one_solution import OneSolutionSearch
from plyground.games.competitive_sudoku.solvers.parity import GRIDS
from plyground.games.competitive_sudoku.solvers.small_board import positions_seen, value_of
from plyground.sudoku import geometry
from plyground.sudoku.solution_lister import SolutionLister


def searched(cells: list[int]) -> float:
    """What the search of the champion finds, deep enough to be exact."""
    solutions = SolutionLister(geometry(2, 2)).solutions(np.array(cells, np.int64), 300)
    assert solutions is not None
    setup = PositionData(2, 2, tuple(cells))
    search: OneSolutionSearch | ManySolutionsSearch
    if len(solutions) == 1:
        search = OneSolutionSearch(setup, solutions[0].copy())
    else:
        search = ManySolutionsSearch(setup, solutions.copy())
    search.begin(48, -300, 300)
    while not search.run(100_000):
        pass
    assert search.resolved
    return search.value


@pytest.mark.parametrize("seed", range(12))
def test_searches_find_the_value(seed: int) -> None:
    chance = random.Random(seed)
    cells = [int(digit) for digit in chance.choice(GRIDS)]
    for cell in chance.sample(range(16), chance.randrange(3, 9)):
        cells[cell] = 0
    before = positions_seen()
    assert value_of(bytes(cells)) == searched(cells)
    assert positions_seen() >= before


def test_exceptions_to_the_parity_law() -> None:
    """A draw, a win from two even numbers, a loss from an odd one."""
    boards = ("0234340221434321", "0004041203414120", "0204041003404103")
    assert [value_of(bytes(map(int, board))) for board in boards] == [0, 3, -4]
