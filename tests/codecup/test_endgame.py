"""The endgame search against brute force, and each of its rules on its own."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from codecup.oracle import children, random_endgame, wins
from plyground.games.codecup_sudoku.players.solution_searcher import value_of
from plyground.games.codecup_sudoku.solvers.endgame_solver import (
    LOSS,
    WIN,
    EndgameSolver,
    new_table,
)


def members_after(grids, move):
    cell, digit = move.pairs[0]
    return frozenset(np.flatnonzero(grids[:, cell] == digit).tolist())


@pytest.mark.parametrize("block", range(8))
def test_values_agree_with_brute_force(block: int) -> None:
    table = new_table(1)
    for seed in range(30 * block, 30 * block + 30):
        _, grids = random_endgame(seed, 2, 45)
        memo: dict = {}
        everything = frozenset(range(len(grids)))
        expected = wins(grids, everything, memo)
        solver = EndgameSolver(grids, table)
        assert (solver.value() == WIN) == expected
        for move in solver.moves:
            rest = members_after(grids, move)
            assert (solver.value_after(move) == WIN) == wins(grids, rest, memo)


@pytest.mark.parametrize("seed", range(1000, 1006))
def test_larger_sets_agree_with_brute_force(seed: int) -> None:
    _, grids = random_endgame(seed, 100, 250)
    memo: dict = {}
    expected = wins(grids, frozenset(range(len(grids))), memo)
    assert (EndgameSolver(grids, new_table(1)).value() == WIN) == expected


def test_distinct_moves_are_exactly_the_distinct_sets() -> None:
    for seed in range(20):
        _, grids = random_endgame(seed, 2, 150)
        solver = EndgameSolver(grids, new_table(0.1))
        sets = [members_after(grids, move) for move in solver.moves]
        assert [len(members) for members in sets] == [move.count for move in solver.moves]
        assert len(set(sets)) == len(sets)
        assert set(sets) == children(grids, frozenset(range(len(grids))))
        for move, members in zip(solver.moves, sets, strict=True):
            for cell, digit in move.pairs:
                assert frozenset(np.flatnonzero(grids[:, cell] == digit).tolist()) == members


def small_positions(limit: int = 40):
    for seed in range(limit):
        _, grids = random_endgame(seed, 2, 45)
        yield grids, children(grids, frozenset(range(len(grids)))), {}


def test_two_three_and_five_solutions_can_always_be_made_one() -> None:
    seen = {2: 0, 3: 0, 5: 0}
    for grids, moves, _ in small_positions(60):
        for members in moves:
            if len(members) in seen:
                seen[len(members)] += 1
                assert any(len(child) == 1 for child in children(grids, members))
    assert min(seen.values()) > 20


def test_four_solutions_without_a_singleton_move_are_lost() -> None:
    seen = 0
    for grids, moves, memo in small_positions(60):
        for members in moves:
            if len(members) == 4 and all(len(child) > 1 for child in children(grids, members)):
                seen += 1
                assert {len(child) for child in children(grids, members)} == {2}
                assert not wins(grids, members, memo)
    assert seen > 10


def test_moves_with_one_common_solution_refute_each_other() -> None:
    seen = 0
    for grids, moves, memo in small_positions():
        for first, second in itertools.combinations(moves, 2):
            if len(first & second) == 1 and min(len(first), len(second)) > 1:
                seen += 1
                assert wins(grids, first, memo)
                assert wins(grids, second, memo)
    assert seen > 1000


def test_a_move_that_loses_to_a_reply_beats_that_reply() -> None:
    seen = 0
    for grids, moves, memo in small_positions():
        for first, second in itertools.permutations(moves, 2):
            common = first & second
            if common and common not in (first, second) and not wins(grids, common, memo):
                seen += 1
                assert wins(grids, second, memo)
    assert seen > 1000


def test_refutations_beat_the_move_and_lose_themselves() -> None:
    checked = 0
    for seed in range(60):
        _, grids = random_endgame(seed, 20, 150)
        memo: dict = {}
        for move in EndgameSolver(grids, new_table(0.01)).moves:
            solver = EndgameSolver(grids, new_table(0.1))
            if solver.value_after(move) != WIN:
                continue
            members = members_after(grids, move)
            for refutation in solver.refutations_seen():
                for reply in refutation.moves:
                    answer = members_after(grids, reply)
                    assert len(members & answer) == refutation.count
                    assert not wins(grids, members & answer, memo)
                    if reply.count > refutation.count:
                        assert wins(grids, answer, memo)
                    checked += 1
            if checked > 400:
                return
    raise AssertionError(f"only {checked} refutations were seen")


def test_winning_moves_seen_win() -> None:
    for seed in range(40):
        _, grids = random_endgame(seed, 5, 100)
        solver = EndgameSolver(grids, new_table(0.1))
        if solver.value() == WIN:
            winning = solver.winning_moves_seen()
            assert winning
            for move in winning:
                assert not wins(grids, members_after(grids, move), {})


def test_a_search_can_be_interrupted_and_asked_again() -> None:
    _, grids = random_endgame(5, 2000, 4000)
    expected = EndgameSolver(grids, new_table(8)).value()
    solver = EndgameSolver(grids, new_table(8))
    looks = itertools.count()
    value = solver.value(lambda: next(looks) >= 1)
    while value is None:
        value = solver.value(lambda: next(looks) % 3 == 2)
    assert value == expected


def test_a_tiny_table_does_not_change_values() -> None:
    for seed in range(12):
        _, grids = random_endgame(seed, 100, 400)
        small = EndgameSolver(grids, new_table(0.0001))
        assert small.value() == EndgameSolver(grids, new_table(4)).value()


def test_one_solution_is_lost_for_the_player_to_move() -> None:
    _, grids = random_endgame(1, 2, 60)
    solver = EndgameSolver(grids[:1], new_table(0.01))
    assert solver.value() == LOSS
    assert solver.moves == []


def test_the_documents_search_agrees() -> None:
    lost = 0
    for seed in range(60):
        _, grids = random_endgame(seed, 60, 900)
        value = EndgameSolver(grids, new_table(1)).value()
        found, _, move, _ = value_of(grids, new_table(1))
        assert found == value
        lost += value == LOSS
        if move is not None:
            cell, digit = move
            rest = grids[grids[:, cell] == digit]
            assert EndgameSolver(rest, new_table(1)).value() == LOSS
    assert lost > 0
