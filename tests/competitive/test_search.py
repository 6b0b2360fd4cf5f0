"""Searches against brute force: exact game values, the reports' minimax, their lists of passes."""

from __future__ import annotations

import random

import numpy as np
import pytest

from plyground import kernels
from plyground.core.limits import Limit
from plyground.core.registry import make_agent, make_game
from plyground.games.competitive_sudoku.solvers import one_solution_kernel
from plyground.games.competitive_sudoku.solvers.many_solutions import ManySolutionsSearch
from plyground.games.competitive_sudoku.solvers.one_solution import OneSolutionSearch
from plyground.games.competitive_sudoku.solvers.root_search import TEMPLATE, slots_for
from plyground.sudoku.solution_lister import SolutionLister

from .brute import game_value, report_minimax

NAME = "competitive-sudoku"


def late_position(board: str, mode: str, seed: int, empties: int):
    """A position of a random game with so many empty squares, and all its solutions."""
    game = make_game(NAME, {"board": board, "mode": mode, "seed": seed})
    chance = random.Random(seed)
    position = game.start()
    while not position.is_over and position.data.cells.count(0) > empties:
        placements = [code for code in position.move_codes if not code & 1]
        position = position.play(chance.choice(placements))
    lister = SolutionLister(game.data.geometry)
    return position, lister.solutions(position.cells, 100_000).copy()


@pytest.mark.parametrize(
    ("board", "mode", "empties"),
    [
        ("random-2x2", "classic", 6),
        ("random-2x2", "border", 6),
        ("random-2x2", "random", 7),
        ("random-2x3", "classic", 5),
        ("random-2x3", "rows", 6),
        ("random-3x2", "border", 5),
    ],
)
def test_searches_return_the_true_game_value(board: str, mode: str, empties: int) -> None:
    compared = 0
    for seed in range(12):
        position, solutions = late_position(board, mode, seed, empties)
        passes = sum(code & 1 for code in position.move_codes)
        if position.is_over or passes > 5:
            continue
        expected = game_value(position.data)
        assert ManySolutionsSearch(position.data, solutions).solve() == expected
        if len(solutions) == 1:
            assert OneSolutionSearch(position.data, solutions[0]).solve() == expected
        compared += 1
    assert compared >= 4


@pytest.mark.parametrize("mode", ["classic", "border"])
def test_the_two_searches_agree_on_larger_boards(mode: str) -> None:
    compared = 0
    for seed in range(10):
        position, solutions = late_position("random-3x3", mode, seed, 9)
        if not position.is_over and len(solutions) == 1:
            general = ManySolutionsSearch(position.data, solutions)
            narrow = OneSolutionSearch(position.data, solutions[0])
            assert general.passes == narrow.passes
            assert general.solve() == narrow.solve()
            compared += 1
    assert compared >= 4


def test_an_unfinished_search_leaves_the_root_alone() -> None:
    position, solutions = late_position("random-2x3", "border", 3, 10)
    search = ManySolutionsSearch(position.data, solutions)
    passes = search.passes
    search.begin(6, -300, 300)
    search.run(200)
    search.begin(1, -300, 300)
    assert search.passes == passes
    assert search.solve() == ManySolutionsSearch(position.data, solutions).solve()


def test_the_champion_proves_small_boards() -> None:
    for seed in range(4):
        position, _ = late_position("random-2x3", "classic", seed, 6)
        agent = make_agent(NAME, "champion")
        agent.new_game(position.game, 0)
        result = agent.search(position, Limit(nodes=500_000))
        margin = game_value(position.data)
        first, second = position.data.scores
        total = margin + (first - second) * (1 if position.turn == 0 else -1)
        assert result.score.value == ("win" if total > 0 else "loss" if total < 0 else "draw")
        assert result.move in position.legal_moves


def test_compiled_and_plain_search_agree() -> None:
    position, solutions = late_position("easy-2x3", "classic", 1, 7)
    values = []
    slots = slots_for(one_solution_kernel.__name__)
    for module in (kernels.compiled(TEMPLATE, slots), kernels.plain(TEMPLATE, slots)):
        search = OneSolutionSearch(position.data, solutions[0])
        search.kernels = module
        search.begin(4, -300, 300)
        while not search.run(1000):
            pass
        values.append((search.value, search.nodes, search.best))
    assert values[0] == values[1]


@pytest.mark.parametrize("name", ["a1", "a2", "a3:unsolvable=no"])
@pytest.mark.parametrize("depth", [2, 3])
def test_the_reports_minimax_finds_the_naive_value(name: str, depth: int) -> None:
    for seed in range(4):
        game = make_game(NAME, {"board": "random-2x2", "seed": seed})
        agent = make_agent(NAME, name)
        agent.new_game(game, seed)
        position = game.start()
        result = agent.search(position, Limit(depth=depth))
        moves = [(c // 64, c % 64 // 2) for c in position.move_codes]
        values = report_minimax(position.data, moves, depth, bonus=name == "a2")
        if name == "a1" and abs(result.score.points) > 1000:
            continue  # a dead end, which that report counts as infinitely bad
        assert result.score.points == pytest.approx(max(values.values()), abs=1e-3)
        code = position.parse_move(result.move)
        assert values[code // 64, code % 64 // 2] == pytest.approx(result.score.points, abs=1e-3)


def test_merging_symmetric_values_keeps_the_value_and_saves_nodes() -> None:
    game = make_game(NAME, {"board": "empty-2x2"})
    results = []
    for name in ("a3:unsolvable=no", "a3:unsolvable=no,merge=yes"):
        agent = make_agent(NAME, name)
        agent.new_game(game, 0)
        results.append(agent.search(game.start(), Limit(depth=4)))
    assert results[0].score == results[1].score
    assert results[1].nodes < results[0].nodes / 4


def test_the_third_report_lists_only_true_passes() -> None:
    found = 0
    for seed in range(6):
        game = make_game(NAME, {"board": "random-3x3", "seed": seed})
        agent = make_agent(NAME, "a3")
        agent.new_game(game, seed)
        position = game.start()
        agent.search(position, Limit(nodes=2000))
        true_passes = {(c // 64, c % 64 // 2) for c in position.move_codes if c & 1}
        assert set(agent.passes) <= true_passes
        found += len(agent.passes)
        assert not agent.unfinished
    assert found > 0


@pytest.mark.parametrize(
    "name", ["random", "greedy", "a1", "a2", "a3", "mcts", "hybrid", "champion"]
)
@pytest.mark.parametrize(
    ("board", "mode"),
    [
        ("empty-4x4", "classic"),
        ("random-4x4", "border"),
        ("random-3x3", "rows"),
        ("hard-3x3", "random"),
    ],
)
def test_every_agent_moves_even_without_time(name: str, board: str, mode: str) -> None:
    game = make_game(NAME, {"board": board, "mode": mode})
    agent = make_agent(NAME, name)
    agent.new_game(game, 1)
    position = game.start()
    proposals = []
    result = agent.search(position, Limit(time=1e-4), lambda info: proposals.append(info.move))
    for move in (result.move, *filter(None, proposals)):
        assert game.judge(position, move).outcome is None


@pytest.mark.parametrize("name", ["a3", "mcts", "champion"])
def test_same_seed_and_nodes_give_the_same_game(name: str) -> None:
    game = make_game(NAME, {"board": "random-2x3", "mode": "rows"})
    games = []
    for _ in range(2):
        agent = make_agent(NAME, name)
        agent.new_game(game, 7)
        position, moves = game.start(), []
        while not position.is_over and len(moves) < 8:
            moves.append(agent.search(position, Limit(nodes=500)).move)
            position = game.judge(position, moves[-1]).position
            agent.observe(position, position.last_move)
        games.append(moves)
    assert games[0] == games[1]


def test_the_tree_is_kept_between_turns() -> None:
    game = make_game(NAME, {"board": "random-2x2"})
    agent = make_agent(NAME, "mcts")
    agent.new_game(game, 1)
    position = game.start()
    result = agent.search(position, Limit(nodes=2000))
    visits = next(m.visits for m in result.moves if m.move == result.move)
    after = position.play(result.move)
    agent.observe(after, after.last_move)
    if after.last_move.endswith("!"):
        assert agent.tree.used[0] == 0
    else:
        assert int(agent.tree.nodes[0, 4]) == visits
    assert np.sum([m.visits for m in result.moves]) <= 2000
