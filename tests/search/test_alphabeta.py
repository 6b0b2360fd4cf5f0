"""Alpha-beta finds the value that brute force finds."""

from __future__ import annotations

import random

import pytest

from plyground.core.limits import Limit
from plyground.core.registry import make_agent, make_game
from plyground.search.alphabeta import AlphaBeta

from .brute import as_number, brute_force

NO_EVALUATION = "plyground.search.contract.evaluation"
VARIANTS = [(table, order) for table in (False, True) for order in (False, True)]
SETTINGS = [
    # options, plies played at random, plies to the end
    ({"mean": "none", "width": 4, "height": 4}, 6, 10),
    ({"mean": "none", "width": 5, "height": 4}, 10, 10),
    ({"mean": "none", "width": 7, "height": 6}, 33, 9),
    ({"mean": "both", "width": 4, "height": 4, "ply_limit": 13}, 8, 5),
    ({"mean": "both", "width": 4, "height": 4, "ply_limit": 8, "simultaneous": "draw"}, 3, 5),
    ({"mean": "both", "width": 4, "height": 4, "ply_limit": 7}, 0, 7),
    ({"mean": "second", "width": 5, "height": 4, "ply_limit": 15}, 9, 6),
    ({"mean": "first", "width": 4, "height": 5, "ply_limit": 17, "simultaneous": "first"}, 11, 6),
]


def random_position(game, plies, seed):
    """A position after random moves; None if the game ended."""
    source = random.Random(seed)
    position = game.start()
    for _ in range(plies):
        position = position.play(source.choice(position.move_codes))
        if position.is_over:
            return None
    return position


@pytest.mark.parametrize(("table", "order"), VARIANTS)
@pytest.mark.parametrize(("options", "plies", "left"), SETTINGS, ids=str)
def test_values_equal_brute_force_to_the_end(options, plies, left, table, order):
    game = make_game("connect4", options)
    search = AlphaBeta(game, NO_EVALUATION, table_megabytes=1, use_table=table, use_order=order)
    positions = (random_position(game, plies, seed) for seed in range(60))
    for position in [p for p in positions if p is not None][:8]:
        expected = brute_force(position, left)
        result = search.search(position, Limit(depth=left))
        assert as_number(result.score) == expected, position.text
        reply = -brute_force(position.play(result.move), left - 1)
        assert reply == expected + (1 if expected > 0 else -1 if expected < 0 else 0)


def test_depth_limits_equal_brute_force_of_that_depth():
    game = make_game("connect4")
    search = AlphaBeta(game, NO_EVALUATION, table_megabytes=1)
    for seed in range(6):
        position = random_position(game, 10, seed)
        for depth in (1, 2, 3, 4):
            search.clear()
            result = search.search(position, Limit(depth=depth))
            assert as_number(result.score) == brute_force(position, depth)


def test_exact_root_values_are_those_of_brute_force():
    game = make_game("connect4", {"width": 4, "height": 4, "ply_limit": 12})
    search = AlphaBeta(game, NO_EVALUATION, table_megabytes=1, exact_root=True)
    position = random_position(game, 7, 3)
    result = search.search(position, Limit(depth=5))
    assert {m.move for m in result.moves} == set(position.legal_moves)
    for entry in result.moves:
        value = -brute_force(position.play(entry.move), 4)
        value -= 1 if value > 0 else -1 if value < 0 else 0
        assert as_number(entry.score) == value


def test_the_same_table_serves_searches_at_other_plies():
    """The plies left decide: a table filled with one ply limit in sight must not mislead."""
    options = {"width": 4, "height": 5}
    game = make_game("connect4", {**options, "ply_limit": 20})
    search = AlphaBeta(game, NO_EVALUATION, table_megabytes=1)
    varied = 0
    for seed in range(200):
        start = random_position(make_game("connect4", options), 12, seed)
        rows = start.text.split()[0] if start else ""
        if not start or abs(brute_force(game.parse_position(f"{rows} x 17"), 3)) not in (97, 98):
            continue
        values = []
        for plies in (19, 18, 17, 16):
            position = game.parse_position(f"{rows} x {plies}")
            result = search.search(position, Limit(depth=20 - plies))
            values.append(as_number(result.score))
            assert values[-1] == brute_force(position, 20 - plies)
        varied += len(set(values)) > 1
    assert varied >= 3


def test_a_node_limit_is_kept_and_repeatable():
    game = make_game("connect4")
    results = []
    for _ in range(2):
        search = AlphaBeta(game, table_megabytes=1)
        result = search.search(game.start(), Limit(nodes=5000))
        assert result.nodes <= 5000
        results.append((result.move, result.score, result.line, result.nodes))
    assert results[0] == results[1]


def test_slices_do_not_change_the_result(monkeypatch):
    game = make_game("connect4")
    whole = AlphaBeta(game, table_megabytes=1).search(game.start(), Limit(depth=6))
    monkeypatch.setattr(
        "plyground.search.timing.Stopwatch.next_slice", lambda self: 7 if self.nodes < 10**9 else 0
    )
    sliced = AlphaBeta(game, table_megabytes=1).search(game.start(), Limit(depth=6))
    assert (whole.move, whole.score, whole.line, whole.nodes) == (
        sliced.move,
        sliced.score,
        sliced.line,
        sliced.nodes,
    )


def test_stop_ends_the_search_with_a_move():
    game = make_game("connect4")
    calls = iter(range(100))
    result = AlphaBeta(game, table_megabytes=1).search(
        game.start(), Limit(), stop=lambda: next(calls) > 20
    )
    assert result.move in game.start().legal_moves


def test_the_agent_takes_its_parameters():
    agent = make_agent("connect4", "alphabeta:depth=3,megabytes=1")
    game = make_game("connect4")
    agent.new_game(game, seed=0)
    assert agent.search(game.start(), Limit(time=10)).depth == 3
