"""Several threads: the same values where a game is solved, and never a move that is not legal."""

from __future__ import annotations

import random

import numpy as np
import pytest

import plyground as pg
from plyground import kernels
from plyground.core.errors import LimitError
from plyground.core.limits import MOST_THREADS, Limit
from plyground.core.registry import make_agent, make_game
from plyground.search.alphabeta import AlphaBeta
from plyground.search.mcts import MonteCarloTreeSearch
from plyground.search.side_by_side import side_by_side

from .brute import as_number

SMALL = {"mean": "both", "width": 4, "height": 4, "ply_limit": 14}


def positions(game, plies, count):
    """Unfinished positions after random moves."""
    source = random.Random(1)
    found = []
    while len(found) < count:
        position = game.start()
        for _ in range(plies):
            if not position.is_over:
                position = position.play(source.choice(position.move_codes))
        if not position.is_over:
            found.append(position)
    return found


def test_alphabeta_finds_the_same_values():
    game = make_game("connect4", SMALL)
    search = AlphaBeta(game, "plyground.search.contract.evaluation", table_megabytes=1)
    for position in positions(game, 7, 12):
        search.clear()
        alone = search.search(position, Limit(depth=7))
        search.clear()
        together = search.search(position, Limit(depth=7, threads=3))
        assert as_number(together.score) == as_number(alone.score), position.text
        assert together.move in position.legal_moves


def test_the_champion_proves_the_same():
    game = make_game("connect4", SMALL)
    agent = make_agent("connect4", "champion:megabytes=1")
    agent.new_game(game, 0)
    for position in positions(game, 6, 12):
        alone = agent.searcher.search(position, Limit(depth=9))
        agent.searcher.clear()
        together = agent.searcher.search(position, Limit(depth=9, threads=2))
        agent.searcher.clear()
        assert together.score is not None
        if alone.score.value is not None:
            assert together.score.value == alone.score.value, position.text
        assert together.move in position.legal_moves


@pytest.mark.parametrize("player", ["alphabeta:megabytes=0.01", "mcts", "champion:megabytes=0.01"])
def test_games_between_threads_that_fight_over_a_tiny_table_stay_legal(player):
    game = make_game("connect4", {"width": 5, "height": 4})
    agent = make_agent("connect4", player)
    for seed in range(3):
        agent.new_game(game, seed)
        position = game.start()
        while not position.is_over:
            result = agent.search(position, Limit(nodes=6000, threads=4))
            assert result.move in position.legal_moves
            assert all(entry.move in position.legal_moves for entry in result.moves)
            position = position.play(result.move)
            agent.observe(position, result.move)


def test_one_thread_under_node_limits_is_what_it_was():
    game = make_game("connect4")
    for player in ("alphabeta", "mcts", "champion"):
        answers = []
        for limit in (Limit(nodes=3000), Limit(nodes=3000, threads=1)):
            agent = make_agent("connect4", player)
            agent.new_game(game, 5)
            result = agent.search(game.play_line(["4", "4", "3"]), limit)
            answers.append((result.move, result.score, result.nodes, result.moves))
        assert answers[0] == answers[1]


def test_trees_are_counted_together():
    game = make_game("connect4")
    search = MonteCarloTreeSearch(game, megabytes=4)
    result = search.search(game.start(), Limit(nodes=60_000, threads=3))
    assert 20_000 <= result.nodes <= 60_000
    assert result.nodes - 3 <= sum(entry.visits for entry in result.moves) <= result.nodes


def test_a_node_limit_is_for_all_threads():
    game = make_game("connect4")
    search = AlphaBeta(game, table_megabytes=1)
    assert search.search(game.start(), Limit(nodes=20_000, threads=4)).nodes <= 20_000


def test_an_entry_that_two_threads_wrote_half_each_is_not_found():
    table_kernels = kernels.plain("plyground.search.transposition")
    table = np.zeros((1, 4), np.uint64)
    mine, other = np.uint64(0x1234_5678_9ABC), np.uint64(0xFEDC_BA98_7654)
    exact = table_kernels.EXACT
    entry = table_kernels.pack(np.int64(40), np.int64(5), exact, np.int64(3))
    table_kernels.store(table, mine, entry)
    assert table_kernels.entry_value(table_kernels.probe(table, mine)) == 40
    half = table[0].copy()
    entry = table_kernels.pack(np.int64(-9), np.int64(7), exact, np.int64(1))
    table_kernels.store(table, other, entry)
    table[0, 0], table[0, 2:] = half[0], 0
    assert table_kernels.probe(table, mine) == table_kernels.MISSING
    assert table_kernels.probe(table, other) == table_kernels.MISSING


def test_what_a_thread_raises_is_raised():
    def fail(stop):
        raise RuntimeError("in a thread")

    with pytest.raises(RuntimeError, match="in a thread"):
        side_by_side(lambda: 1, [fail])


def test_the_others_are_stopped_when_the_first_fails():
    def wait(stop):
        while not stop():
            pass

    with pytest.raises(ZeroDivisionError):
        side_by_side(lambda: 1 // 0, [wait, wait])


@pytest.mark.parametrize("threads", [0, -1, MOST_THREADS + 1])
def test_a_number_of_threads_must_make_sense(threads):
    with pytest.raises(LimitError, match="threads must be between 1"):
        Limit(time=1, threads=threads)


def test_an_analysis_has_all_cores_unless_it_is_counted(monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 6)
    assert Limit(time=2).on_all_cores().threads == 6
    assert Limit(nodes=100).on_all_cores().threads == 1
    assert Limit(time=2, depth=3).on_all_cores().threads == 1


def test_helpers_end_a_little_before_the_one_who_waits_for_them():
    assert Limit(time=2, threads=2).for_helpers().time == pytest.approx(1.98)
    assert Limit(time=0.02, threads=2).for_helpers().time == pytest.approx(0.018)
    assert Limit(nodes=1000, threads=4).for_helpers() == Limit(nodes=250)


def test_analyse_takes_threads():
    position = pg.game("connect4", width=4, height=4).start()
    result = pg.analyse(position, "alphabeta", depth=5, threads=2)
    assert result.move in position.legal_moves
