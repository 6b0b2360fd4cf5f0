"""The champion's search: its view of the board against the rules, its claims against the tables."""

from __future__ import annotations

import random

import numpy as np
import pytest

from plyground import kernels
from plyground.core.limits import Limit
from plyground.core.registry import make_agent, make_game
from plyground.games.connect4.players.champion_search import SLOTS, ChampionSearch
from plyground.games.connect4.solvers.tablebase import finished_value, value_of
from plyground.games.connect4.solvers.tablebase_check import random_placement
from plyground.search.alphabeta import TEMPLATE

from .test_tablebase import OPTION_SETS, table_for


def champion_words(game, position):
    search = ChampionSearch(game, megabytes=0.1)
    search.set_root(position)
    return search


@pytest.mark.parametrize(("mean", "simultaneous"), OPTION_SETS)
def test_moves_results_and_wins_at_once_are_those_of_the_rules(mean, simultaneous):
    game = make_game("connect4", {"mean": mean, "simultaneous": simultaneous, "width": 6})
    module = kernels.compiled("plyground.games.connect4.players.champion_board")
    rng = random.Random(f"{mean}{simultaneous}")
    wins = ends = 0
    for _ in range(60):
        position = random_placement(game, rng, plies=10)
        search = champion_words(game, position)
        side = np.uint64(position.turn)
        own, other = search.positions.discs[0]
        won = False
        for code in position.move_codes:
            child = position.play(code)
            after = np.zeros(2, np.uint64)
            module.play_on(search.positions.board, search.positions.discs[0], np.int64(code), after)
            turn = child.turn
            assert (after[0], after[1]) == (child.state[turn], child.state[1 - turn])
            result = module.result_of(search.positions.board, after, np.int64(code), side)
            if child.is_over:
                ends += 1
                assert result == {"loss": 1, "draw": 0, "win": -1}[finished_value(child).kind]
                won |= result == 1
            else:
                assert result == 2
        assert module.can_win_now(search.positions.board, own, other, side) == won
        wins += won
    assert wins > 5
    assert ends > wins


@pytest.mark.parametrize("mean", ["first", "second", "both"])
def test_proven_results_are_true(mean):
    game, table = table_for(4, 5, mean)
    search = ChampionSearch(game, megabytes=1)
    rng = random.Random(mean)
    proven = 0
    for _ in range(60):
        position = random_placement(game, rng, plies=rng.choice((0, 60, 90)))
        score = search.search(position, Limit(depth=9)).score
        expected = value_of(table, position)
        if score.value is not None:
            proven += 1
            assert score.value == expected.kind
            if score.value != "draw":
                assert score.distance >= expected.distance
    assert proven > 20


def test_the_last_plies_are_exact():
    left = 5
    for mean in ("second", "both"):
        game, table = table_for(4, 4, mean)
        rng = random.Random(mean)
        for _ in range(40):
            position = random_placement(game, rng, plies=100 - left)
            result = ChampionSearch(game, megabytes=1).search(position, Limit(depth=20))
            assert result.score.value == value_of(table, position).kind


def test_values_of_all_moves_in_analysis():
    game = make_game("connect4")
    position = game.parse_position("......./......./......./......./......./xxx.oo. o 5")
    search = ChampionSearch(game, megabytes=1)
    search.value_all(True)
    result = search.search(position, Limit(depth=4))
    assert {move.move for move in result.moves} == set(position.legal_moves)
    values = {move.move: move.score for move in result.moves}
    assert values["1"].value == "loss"
    assert values["1"].distance == 2
    assert values["4"].value != "loss"


def test_same_nodes_same_game():
    game = make_game("connect4")
    lines = []
    for _ in range(2):
        agent = make_agent("connect4", "champion:megabytes=1")
        position = game.start()
        agent.new_game(game, 1)
        while not position.is_over and len(lines) < 100:
            position = position.play(agent.search(position, Limit(nodes=2000)).move)
        lines.append(position.text)
    assert lines[0] == lines[1]


def test_plain_and_compiled_kernels_agree():
    game = make_game("connect4", {"width": 4, "height": 4})
    results = []
    for twin in (kernels.compiled(TEMPLATE, SLOTS), kernels.plain(TEMPLATE, SLOTS)):
        search = ChampionSearch(game, megabytes=0.1)
        search.module = twin
        result = search.search(game.start(), Limit(depth=5))
        results.append((result.move, result.nodes, result.score))
    assert results[0] == results[1]
