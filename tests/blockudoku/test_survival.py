"""Survival runs and learning: repeatable, resumable, and right about who lives longer."""

from __future__ import annotations

import itertools
import json
import sys
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.linalg

from plyground import kernels
from plyground.core.errors import InputError, PlygroundError
from plyground.games.blockudoku.bridge.program import ProgramPlayer
from plyground.games.blockudoku.notation import parse_position
from plyground.games.blockudoku.players import ensemble, survival
from plyground.games.blockudoku.players.danger import new_lasts
from plyground.games.blockudoku.players.ensemble import (
    LEVELS,
    Ensemble,
    Plan,
    measure,
)
from plyground.games.blockudoku.players.learning import DeathRate, Strategy, learn, whole_weights
from plyground.games.blockudoku.players.selfplay import TOTAL_COUNT, TURNS
from plyground.games.blockudoku.players.settings import learned_weights, occupancy_weights
from plyground.stats.survival import clustered_rate

HARD = "32-46"
NAMES = ["static", "5ms"]
EXACT = "36-37"
"""Two pieces: few boards can come about."""
CROWDED = parse_position(
    "##.#...#.#........##....##....#...#........##....#.###.#....#####.#...#.##.#...#. 0 0 0"
)[:2]
"""A board from which few deals are dangerous, and those very."""


def exact_turns_per_death(player: survival.Player) -> float:
    """By solving the equations of all boards that can come about: deals per game."""
    hands = list(itertools.product(player.deck, repeat=3))
    numbers = {(0, 0): 0}
    rows, columns = [], []
    todo = [(0, 0)]
    while todo:
        board = todo.pop()
        after, alive = player.turns(
            np.array([board] * len(hands), np.uint64), np.array(hands, np.int64)
        )
        for low, high in after[alive].tolist():
            if (low, high) not in numbers:
                numbers[low, high] = len(numbers)
                todo.append((low, high))
            rows.append(numbers[board])
            columns.append(numbers[low, high])
    size = len(numbers)
    shares = np.full(len(rows), 1 / len(hands))
    moves = scipy.sparse.csc_matrix((shares, (rows, columns)), (size, size))
    equations = scipy.sparse.eye(size, format="csc") - moves
    return float(scipy.sparse.linalg.spsolve(equations, np.ones(size))[0])


def test_the_ensemble_agrees_with_the_exact_solution_of_a_small_game() -> None:
    player = survival.Player("static", EXACT)
    truth = exact_turns_per_death(player)
    for levels in ((), (400_000, 500_000, 600_000)):
        plan = Plan(steps=30, games=24 // (len(levels) + 1), levels=levels)
        runs = [measure(player, player.deck, plan, seed) for seed in range(8)]
        for kind in ("risk", "deaths"):
            low, _, high = clustered_rate([(run[kind], 1.0) for run in runs]).inverse()
            assert low < truth < high
            assert high / low < 1.3


def test_levels_see_rare_deaths_that_plain_games_hardly_meet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ensemble, "WARM_UP", 15)
    player = survival.Player("static", "0-46")
    found = []
    for levels, games in (((), 22), (LEVELS, 3)):
        plan = Plan(steps=20, games=games, levels=levels)
        found.append([measure(player, player.deck, plan, seed)["risk"] for seed in range(4)])
    assert 1 / 400_000 < np.mean(found[1]) < 1 / 20_000
    assert max(found[1]) < 4 * min(found[1])
    assert max(found[0]) > 10 * min(found[0])


def test_weights_always_add_up_and_deals_do_not_depend_on_the_player() -> None:
    dealt = []
    for weights in (occupancy_weights(), learned_weights()):
        player = survival.Player("static", HARD, weights)
        games = Ensemble(player, player.deck, seed=5)
        for _ in range(12):
            games.step([6, 6], (1,), [3, 4])
            assert games.weights.sum() == pytest.approx(1.0)
            assert set(games.levels) <= {0, 1, 2}
        dealt.append(
            games.deals([3, 4])[1][games.levels.repeat(np.array([3, 4, 1])[games.levels]) == 1]
        )
    assert np.array_equal(dealt[0], dealt[1])
    assert len(dealt[0]) == 24


def test_the_worst_deals_of_a_board_are_met_with_their_own_small_weight() -> None:
    player = survival.Player("static", "0-46")
    plan = Plan(steps=1, games=5)
    risks, tops = [], []
    for seed in range(6):
        games = Ensemble(player, player.deck, seed)
        games.boards, games.weights = np.array([CROWDED]), np.ones(1)
        games.levels = np.array([3])
        risks.append(games.step(plan.sizes(), plan.levels, [4000] * 7)["risk"])
        tops.append(games.weights[games.levels >= 5].max(initial=0.0))
    assert min(tops) > 0
    assert max(tops) < 0.01
    deals = np.sort(np.array(list(itertools.product(range(47), repeat=3))), axis=1)
    hands, counts = np.unique(deals, axis=0, return_counts=True)
    after, _ = player.turns(np.array([CROWDED] * len(hands)), hands)
    exact = np.zeros(len(hands))
    danger = kernels.compiled("plyground.games.blockudoku.players.danger")
    danger.risk_each(after, player.deck, new_lasts(), exact)
    assert np.mean(risks) == pytest.approx(exact @ counts / len(deals), rel=0.4)


def test_results_do_not_depend_on_stopping_and_resuming(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ensemble, "WARM_UP", 3)
    monkeypatch.setattr(ensemble, "CLIMB", 1)
    work = survival.Work(HARD, seed=3, steps=5, games=2, levels=(600_000,))
    whole = survival.run_all(work, NAMES, 3, 1, tmp_path / "whole.jsonl")
    survival.run_all(work, ["5ms"], 2, 1, tmp_path / "parts.jsonl")
    resumed = survival.run_all(work, NAMES, 3, 1, tmp_path / "parts.jsonl")

    def figures(results: survival.Results) -> dict[tuple[str, int], tuple[float, ...]]:
        return {key: (row["turns"], row["deaths"], row["risk"]) for key, row in results.items()}

    assert figures(whole) == figures(resumed)
    shown = survival.summary(whole, NAMES)
    assert [one["runs"] for one in shown] == [3, 3]
    assert shown[1]["times_last"] == pytest.approx([1.0, 1.0, 1.0])
    rates = [sum(row["risk"] for (who, _), row in whole.items() if who == name) for name in NAMES]
    assert shown[0]["times_last"][1] == pytest.approx(rates[1] / rates[0])


def test_a_file_of_other_work_or_a_damaged_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "state.jsonl"
    work = survival.Work(HARD, seed=3, steps=1, games=1)
    survival.run_all(work, ["static"], 1, 1, path)
    with pytest.raises(InputError, match="other work"):
        survival.read_results(path, survival.Work(HARD, seed=3, steps=2, games=1))
    before = path.read_text()
    path.write_text(before[:-10])
    with pytest.raises(InputError, match="damaged"):
        survival.read_results(path, work)


def test_the_risk_of_a_board_is_the_share_of_deals_that_cannot_be_placed() -> None:
    danger = kernels.compiled("plyground.games.blockudoku.players.danger")
    board_module = kernels.compiled("plyground.games.blockudoku.board")
    board = np.zeros(2, np.uint64)
    player = survival.Player("static", HARD)
    totals = np.zeros(TOTAL_COUNT)
    deck = np.array([1, 7, 15, 30, 33, 41, 46])
    risky = 0
    for turn in range(150):
        player.play(9, turn, 1, board, totals)
        failures = sum(
            not board_module.can_place_all(board[0], board[1], np.array(hand))
            for hand in itertools.product(deck, repeat=3)
        )
        assert danger.deal_risk(board[0], board[1], deck, new_lasts()) == failures / 343
        risky += failures > 0
    assert risky > 10


PEER = """
import sys
import numpy as np
from plyground import kernels
from plyground.games.blockudoku.notation import parse_position
from plyground.games.blockudoku.players.survival import Player
from plyground.games.blockudoku.players.planners import turn_moves
player = Player("static", "0-46")
for line in sys.stdin:
    state = parse_position(line)
    hand = [int(word) for word in line.split()[1:]]
    player.turns(np.array([state[:2]]), np.array([hand]))
    best = player.plan.best
    dead = best.values[0] >= 2**62
    print("-" if dead else " ".join(turn_moves(tuple(hand), best.moves[0].tolist())), flush=True)
"""


def test_a_program_is_measured_like_the_player_that_it_is(tmp_path: Path) -> None:
    (tmp_path / "peer.py").write_text(PEER)
    program = f"program:{sys.executable} {tmp_path / 'peer.py'}"
    work = survival.Work(HARD, seed=4, steps=4, games=3)
    results = survival.run_all(work, ["static", program], 1, 1, tmp_path / "state.jsonl")
    own, other = results["static", 0], results[program, 0]
    assert own["deaths"] > 0
    for name in ("risk", "deaths", "cells", "turns"):
        assert own[name] == other[name]
    assert other["seconds"] > 0


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("-", "it has a turn"),
        ("1@0,0", "leaves a piece"),
        ("1@0,0 2@0,0 3@0,0", "does not fit"),
        ("1@0,0 1@4,4 3@8,8", "does not fit"),
        ("here", "not a placement"),
        ("", "no answer"),
    ],
)
def test_wrong_answers_of_a_program_are_named(answer: str, message: str) -> None:
    board, hand = np.zeros((1, 2), np.uint64), np.array([[0, 3, 5]])
    program = f"{sys.executable} -c \"input(); print('{answer}')\""
    with ProgramPlayer(program) as player, pytest.raises(PlygroundError, match=message):
        player.turns(board, hand)
    with pytest.raises(InputError, match="cannot be started"):
        ProgramPlayer("/nowhere/at-all")


def test_better_weights_live_longer_on_the_same_deals() -> None:
    lived = []
    for weights in (occupancy_weights(), learned_weights()):
        totals = np.zeros(TOTAL_COUNT)
        player = survival.Player("static", "13-46", weights)
        player.play(11, 0, 400, np.zeros(2, np.uint64), totals)
        lived.append(totals[1])
    assert lived[0] > 5 * (lived[1] + 0.1)


def test_looking_ahead_plays_another_game_than_the_evaluation_alone() -> None:
    boards = []
    for effort in ("static", "5ms"):
        totals = np.zeros(TOTAL_COUNT)
        board = np.zeros(2, np.uint64)
        survival.Player(effort, "24-46").play(11, 0, 60, board, totals)
        assert totals[TURNS] > 30
        boards.append(board.tolist())
    assert boards[0] != boards[1]


def test_learning_repeats_itself_and_goes_on_from_its_log(tmp_path: Path) -> None:
    rate = DeathRate(np.arange(32, 47), turns=60, probes=8)
    straight = learn(Strategy.start(0.3), rate, 1, 2, 4, tmp_path / "straight.jsonl")
    learn(Strategy.start(0.3), rate, 1, 1, 4, tmp_path / "parts.jsonl")
    last = json.loads((tmp_path / "parts.jsonl").read_text().splitlines()[-1])
    resumed = learn(Strategy.from_json(last), rate, 1, 2, 4, tmp_path / "parts.jsonl")
    assert np.array_equal(straight.mean, resumed.mean)
    assert (tmp_path / "straight.jsonl").read_text() == (tmp_path / "parts.jsonl").read_text()
    assert whole_weights(straight.mean)[1] == 2000


def test_the_strategy_finds_the_bottom_of_a_bowl() -> None:
    strategy = Strategy.start(0.3)
    target = strategy.mean + np.linspace(-0.5, 0.5, len(strategy.mean))
    target[1] = strategy.mean[1]
    for _ in range(120):
        steps = strategy.sample(20, seed=1)
        costs = np.array(
            [float(((strategy.candidate(step) - target) ** 2).sum()) for step in steps]
        )
        strategy.update(steps, costs)
    assert np.abs(strategy.mean - target).max() < 0.05
