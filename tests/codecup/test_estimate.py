"""Estimated numbers of solutions, beside numbers that are known."""

from __future__ import annotations

import numpy as np
import pytest

from plyground.core.limits import Limit
from plyground.core.registry import make_agent, make_game
from plyground.games.codecup_sudoku.players.estimate import Estimate, in_words
from plyground.games.codecup_sudoku.solvers.solutions import Finder

ALL_GRIDS = 6_670_903_752_021_072_936_960
"""Felgenhauer and Jarvis 2005."""


def test_the_empty_grid_has_about_as_many_solutions_as_are_known() -> None:
    estimate = Estimate(np.zeros(81, np.uint8))
    estimate.sample(4000)
    assert estimate.error < 0.1
    assert abs(estimate.solutions / ALL_GRIDS - 1) < 4 * estimate.error
    corner = [(0, digit) for digit in range(1, 10)]
    assert estimate.parts(corner) == pytest.approx([1 / 9] * 9, abs=0.03)


def test_counts_and_parts_are_those_of_the_listed_solutions() -> None:
    solved = np.array([(3 * row + row // 3 + c) % 9 + 1 for row in range(9) for c in range(9)])
    digits = np.where(np.random.default_rng(1).random(81) < 0.31, solved, 0).astype(np.uint8)
    known = Finder().solutions(digits, 400_000)
    assert known.complete and len(known) > 100
    estimate = Estimate(digits, seed=3)
    estimate.sample(5000)
    assert abs(estimate.solutions / len(known) - 1) < 4 * estimate.error
    moves = [
        (cell, digit)
        for cell in range(81)
        if digits[cell] == 0
        for digit in range(1, 10)
        if estimate.masks[cell] >> (digit - 1) & 1
    ]
    true = [float((known.grids[:, cell] == digit).mean()) for cell, digit in moves]
    wrong = np.abs(np.array(estimate.parts(moves)) - true)
    assert wrong.mean() < 0.05 and wrong.max() < 0.25


def test_a_grid_without_solutions_has_none() -> None:
    digits = np.zeros(81, np.uint8)
    digits[:8] = range(1, 9)
    digits[17] = 9  # nothing is left for the last cell of the first row
    estimate = Estimate(digits)
    estimate.sample(50)
    assert estimate.solutions == 0.0 and estimate.error == float("inf")


@pytest.mark.parametrize(
    ("number", "text"), [(7, "7"), (1234.5, "1,200"), (6.67e21, "6.7·10²¹"), (2e6, "2.0·10⁶")]
)
def test_large_numbers_in_words(number: float, text: str) -> None:
    assert in_words(number) == text


def test_moves_are_listed_by_the_part_that_they_are_said_to_keep() -> None:
    """What the samples do not tell apart is said to keep the same."""
    agent = make_agent("codecup-sudoku", "champion")
    game = make_game("codecup-sudoku")
    agent.new_game(game, 1)
    found = agent.analyse(game.play_line("Aa1 Be1 Ci1 Db1 Gc1"), Limit(nodes=600))
    kept = [move.kept or 0.0 for move in found.moves]
    assert found.move == found.moves[0].move and len(kept) > 200
    assert kept == sorted(kept, reverse=True) and len(set(kept)) > 1
