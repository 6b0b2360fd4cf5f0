"""Solutions that show every possible value, kept from one board to the next."""

from __future__ import annotations

import random

import numpy as np
import pytest

from plyground.core.registry import make_game
from plyground.sudoku import geometry
from plyground.sudoku.solution_lister import SolutionLister

NAME = "competitive-sudoku"


def masks(rows: np.ndarray, cells: np.ndarray) -> list[int]:
    seen = [0] * len(cells)
    for row in rows.tolist():
        for cell, value in enumerate(row):
            if cells[cell] == 0:
                seen[cell] |= 1 << value - 1
    return seen


@pytest.mark.parametrize("board", ["empty-2x3", "random-2x3", "random-3x3", "empty-2x2"])
def test_a_cover_shows_exactly_the_values_that_leave_a_solution(board):
    game = make_game(NAME, {"board": board, "seed": 3})
    lister = SolutionLister(game.data.geometry)
    chance = random.Random(5)
    position = game.start()
    reused = 0
    while not position.is_over:
        cells = np.array(position.data.cells, np.int64)
        before = {row.tobytes() for row in lister._cover}
        cover, doubtful = lister.cover(cells, 10_000)
        reused += any(row.tobytes() in before for row in cover)
        assert not doubtful.any()
        filled = cells > 0
        assert (cover[:, filled] == cells[filled]).all()
        for unit in range(3 * game.data.size):
            members = [c for c in range(len(cells)) if unit in game.data.units(c)]
            for row in cover:
                assert len(set(row[members].tolist())) == game.data.size
        exact = game.answers.values(cells).tolist()
        assert masks(cover, cells) == exact
        code = chance.choice([code for code in position.move_codes if not code & 1])
        position = position.play(code)
        after = np.array(position.data.cells, np.int64)
        values = lister.values_after(after, 10_000)
        assert values is not None
        assert values.tolist() == game.answers.values(after).tolist()
    assert reused > 0


def test_without_time_there_is_still_a_solution():
    game = make_game(NAME, {"board": "empty-3x3"})
    lister = SolutionLister(geometry(3, 3))
    cells = np.array(game.start().data.cells, np.int64)
    cover, doubtful = lister.cover(cells, 300, lambda: True)
    assert len(cover) >= 1
    assert doubtful.any()
    assert lister.values_after(cells, 300, lambda: True) is None


def test_a_new_game_does_not_know_the_last_one():
    game = make_game(NAME, {"board": "random-3x3"})
    cells = np.array(game.start().data.cells, np.int64)
    lister = SolutionLister(geometry(3, 3))
    first, _ = lister.cover(cells, 300)
    filled = cells.copy()
    filled[np.flatnonzero(cells == 0)[0]] = first[0, np.flatnonzero(cells == 0)[0]]
    lister.cover(filled, 300)
    lister.forget()
    again, _ = lister.cover(cells, 300)
    assert np.array_equal(first, again)
