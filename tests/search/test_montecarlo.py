"""MCTS and pure Monte Carlo: proofs are right, trees survive turns, results repeat."""

from __future__ import annotations

import random

import pytest

from plyground.core.limits import Limit
from plyground.core.registry import make_game
from plyground.search.mcts import MonteCarloTreeSearch
from plyground.search.montecarlo import MonteCarlo
from positions import random_position

from .brute import brute_force


def test_proven_results_are_those_of_brute_force():
    game = make_game("connect4", {"width": 4, "height": 4, "ply_limit": 14})
    search = MonteCarloTreeSearch(game, megabytes=8)
    proven = 0
    for seed in range(40):
        source = random.Random(seed)
        position = random_position(game, source, 10)
        if position.is_over:
            continue
        search.start(seed)
        score = search.search(position, Limit(nodes=20_000)).score
        if score.value is not None:
            proven += 1
            value = brute_force(position, 4)
            assert score.value == ("win" if value > 0 else "loss" if value < 0 else "draw")
    assert proven >= 10


def test_visits_add_up_and_values_are_probabilities():
    game = make_game("connect4")
    search = MonteCarloTreeSearch(game, megabytes=16)
    result = search.search(game.start(), Limit(nodes=3000))
    assert result.nodes == 3000
    assert sum(m.visits for m in result.moves) == 3000
    assert all(0 <= m.score.probability <= 1 for m in result.moves)
    tree = search.tree
    for node in range(0, 400, 7):
        children = tree.children(node)
        if children:
            below = sum(int(tree.visits[child]) for child in children)
            assert below <= int(tree.visits[node])


def test_the_tree_is_kept_below_the_moves_played():
    game = make_game("connect4")
    search = MonteCarloTreeSearch(game, megabytes=16)
    first = search.search(game.start(), Limit(nodes=5000))
    child_visits = {m.move: m.visits for m in first.moves}
    position = game.start().play(first.move)
    search.advance(position)
    assert int(search.tree.visits[0]) == child_visits[first.move]
    second = search.search(position, Limit(nodes=1000))
    total = sum(m.visits for m in second.moves)
    assert total >= 1000 + child_visits[first.move] - 1
    for child in search.tree.children(0):
        assert int(search.tree.parents[child]) == 0


def test_a_full_memory_does_not_stop_the_search():
    game = make_game("connect4")
    search = MonteCarloTreeSearch(game, megabytes=0.05)
    result = search.search(game.start(), Limit(nodes=20_000))
    assert result.nodes == 20_000
    assert int(search.work.control[0]) <= len(search.tree.moves)


@pytest.mark.parametrize("searcher", [MonteCarloTreeSearch, MonteCarlo])
def test_the_same_seed_gives_the_same_result(searcher):
    game = make_game("connect4")
    results = []
    for _ in range(2):
        search = searcher(game)
        search.start(5)
        result = search.search(game.start(), Limit(nodes=2000))
        results.append((result.move, result.moves))
    assert results[0] == results[1]
    search.start(6)
    assert search.search(game.start(), Limit(nodes=2000)).moves != results[0][1]


def test_playouts_are_shared_evenly_over_the_moves():
    game = make_game("connect4")
    search = MonteCarlo(game, playouts=700)
    result = search.search(game.start(), Limit())
    assert [m.visits for m in result.moves] == [100] * 7


@pytest.mark.parametrize("simultaneous", ["mover", "first", "draw"])
@pytest.mark.parametrize("mean", ["none", "both", "first"])
def test_fast_random_games_end_as_often_as_slow_ones(mean, simultaneous):
    """The game's own random games have the outcomes of games picked from the list of moves."""
    options = {"mean": mean, "simultaneous": simultaneous, "width": 5, "height": 4}
    game = make_game("connect4", {**options, "ply_limit": 30})
    moves = "1 2 3 3 3 3" if mean == "none" else "1 2 1 2 5 4"
    position = game.parse_position(moves)
    games = 20_000
    counts = []
    for playout in (game.playout_module, "plyground.search.contract.playout"):
        search = MonteCarlo(game, playout=playout)
        counts.append(
            [search.sample(position, code, games) / games for code in position.move_codes]
        )
    for fast, slow in zip(*counts, strict=True):
        assert abs(fast - slow).max() < 5 * (0.5 / games) ** 0.5


def test_plain_and_compiled_random_games_agree():
    import numpy as np

    from plyground import kernels

    game = make_game("connect4", {"width": 5, "height": 4})
    position = game.parse_position("1 2 1 2 5 4")
    results = []
    for flavour in (kernels.compiled, kernels.plain):
        module = flavour(game.playout_module)
        generator = np.array([1, 2, 3, 4], np.uint64)
        buffer, scratch = np.zeros(game.max_moves, np.int64), np.zeros(3, np.uint64)
        results.append(
            [
                int(
                    module.play_out(
                        game.params, np.int64(99), generator, buffer, position.state.copy(), scratch
                    )
                )
                for _ in range(60)
            ]
        )
    assert results[0] == results[1]
    assert len(set(results[0])) > 1


def test_immediate_wins_are_found():
    game = make_game("connect4")
    position = game.parse_position("1 2 1 2 1 2")
    for search in (MonteCarloTreeSearch(game, megabytes=8), MonteCarlo(game, playouts=5000)):
        assert search.search(position, Limit(nodes=5000)).move == "1"


def test_a_round_of_games_ends_when_somebody_stops_it():
    search = MonteCarlo(make_game("connect4"))
    search.start(1)
    answers = iter([False, False, False])  # asked before the round, and after each of its games
    result = search.search(search.game.start(), Limit(), stop=lambda: next(answers, True))
    assert result.nodes == 3 * (2000 // 7) and result.move


def test_warming_up_takes_no_random_numbers():
    game = make_game("connect4")
    moves = []
    for warm in (False, True):
        search = MonteCarlo(game)
        search.start(7)
        if warm:
            search.warm_up()
        moves.append(search.search(game.start(), Limit(nodes=70)).moves)
    assert moves[0] == moves[1]
