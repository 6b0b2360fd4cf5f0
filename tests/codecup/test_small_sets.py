"""Grids with few solutions: 2, 3 and 5 are won at once, 6 nearly always but not always."""

from __future__ import annotations

import numpy as np
import pytest

from plyground.games.codecup_sudoku.experiments.solution_sets import PLAIN, SetSearch, random_set
from plyground.sudoku import enumerate_solutions

LOST_SIX = "....4..1858.61..94419..3.67896751423352..417.74123.85.1.54.8932..43.5681.381..745"


def wins(sets: frozenset[int], moves: list[frozenset[int]]) -> bool:
    """Whether the player to move wins, by the rules alone."""
    children = {sets & move for move in moves} - {frozenset(), sets}
    return any(len(child) == 1 for child in children) or any(
        not wins(child, moves) for child in children
    )


def moves_of(solutions: np.ndarray) -> list[frozenset[int]]:
    return [
        frozenset(np.flatnonzero(solutions[:, cell] == digit).tolist())
        for cell in range(81)
        for digit in range(1, 10)
    ]


def test_six_solutions_may_be_lost_for_the_player_to_move() -> None:
    solutions = np.asarray(enumerate_solutions(LOST_SIX.replace(".", "0")))
    assert len(solutions) == 6
    moves = moves_of(solutions)
    assert {len(move) for move in moves} == {0, 2, 4, 6}
    assert not wins(frozenset(range(6)), moves)
    assert not SetSearch(solutions, PLAIN).wins()
    assert not SetSearch(solutions).wins()
    # Every move is answered by a claim: each set of four or two has a digit for one solution only.
    for left in {move for move in moves if len(move) in (2, 4)}:
        assert any(len(left & reply) == 1 for reply in moves)


@pytest.mark.parametrize("count", [2, 3, 5])
def test_two_three_and_five_solutions_are_won_at_once(count: int) -> None:
    for seed in range(5):
        moves = moves_of(random_set(seed, count, count))
        assert any(len(move) == 1 for move in moves)
