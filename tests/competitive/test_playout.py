"""Random games that ask about one move only are those that list all of them."""

from __future__ import annotations

import numpy as np
import pytest

from plyground.core.limits import Limit
from plyground.core.registry import make_game
from plyground.games.competitive_sudoku.playout import exchange
from plyground.search.montecarlo import MonteCarlo
from plyground.sudoku.tables import make_tables

BOARDS = [
    {"board": "empty-2x2"},
    {"board": "random-2x2", "mode": "rows"},
    {"board": "random-2x3", "seed": 3},
    {"board": "random-3x3", "mode": "border"},
    {"board": "random-3x3", "mode": "random", "seed": 5},
]


@pytest.mark.parametrize("options", BOARDS, ids=str)
def test_the_same_numbers_give_the_same_games(options):
    """Both draw from the same list, move by move: with the same seed all results are equal."""
    game = make_game("competitive-sudoku", options)
    position = game.start()
    found = []
    for playout in ("", "plyground.search.contract.playout"):
        search = MonteCarlo(game, playout=playout)
        search.start(7)
        codes = position.move_codes[:: max(1, len(position.move_codes) // 20)]
        found.append([search.sample(position, code, 20).tolist() for code in codes])
    assert found[0] == found[1]


def test_moves_that_were_never_tried_have_no_value():
    """One random game, and hundreds of moves: what is told is what was seen."""
    game = make_game("competitive-sudoku", {"board": "empty-2x3"})
    result = MonteCarlo(game).search(game.start(), Limit(nodes=1))
    assert len(result.moves) == len(game.start().legal_moves)
    search = MonteCarlo(game)
    looks = iter([False, False])
    stopped = search.search(game.start(), Limit(nodes=1), stop=lambda: next(looks, True))
    assert len(stopped.moves) < len(result.moves)
    assert stopped.move == stopped.moves[0].move


def test_an_exchange_leaves_a_solution():
    game = make_game("competitive-sudoku", {"board": "empty-3x3"})
    chance = np.random.default_rng(4)
    found = game.answers.solution(np.zeros(81, np.int64))
    assert found is not None
    solution = found.astype(np.int64)
    cells = np.where(chance.random(81) < 0.2, solution, 0)
    tables = make_tables(np.int64(3), np.int64(3))
    done = 0
    for _ in range(300):
        cell, value = chance.integers(81), chance.integers(1, 10)
        before = solution.copy()
        if solution[cell] == value:
            continue
        if exchange(tables, cells, solution, cell, value, np.zeros(18, np.int64)):
            done += 1
            assert solution[cell] == value
        else:
            assert (solution == before).all()
        assert ((cells == 0) | (solution == cells)).all()
        assert all(len(set(solution[unit])) == 9 for unit in tables.units)
    assert 20 < done < 280
