"""Survival runs and learning: repeatable, resumable, and right about who lives longer."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from plyground.core.errors import InputError
from plyground.games.blockudoku.players import survival
from plyground.games.blockudoku.players.learning import DeathRate, Strategy, learn, whole_weights
from plyground.games.blockudoku.players.selfplay import TOTAL_COUNT, TURNS
from plyground.games.blockudoku.players.settings import learned_weights, occupancy_weights

HARD = "32-46"


def test_results_do_not_depend_on_stopping_and_resuming(tmp_path: Path) -> None:
    work = survival.Work("static", HARD, "chains", seed=3, turns=40)
    whole = survival.run_all(work, 4, 1, tmp_path / "whole.jsonl")
    survival.run_all(work, 2, 1, tmp_path / "parts.jsonl")
    resumed = survival.run_all(work, 4, 1, tmp_path / "parts.jsonl")

    def figures(results: dict[int, dict[str, float]]) -> list[tuple[float, ...]]:
        return [(r["number"], r["turns"], r["deaths"], r["risk"]) for r in results.values()]

    assert figures(whole) == figures(resumed)
    assert sum(row["deaths"] for row in whole.values()) > 0
    assert survival.summary(work, whole)["all_turns"] == sum(r["turns"] for r in whole.values())


def test_a_file_of_other_work_or_a_damaged_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "state.jsonl"
    work = survival.Work("static", HARD, "chains", seed=3, turns=10)
    survival.run_all(work, 1, 1, path)
    with pytest.raises(InputError, match="other work"):
        survival.read_results(path, survival.Work("5ms", HARD, "chains", seed=3, turns=10))
    before = path.read_text()
    path.write_text(before[:-10])
    with pytest.raises(InputError, match="damaged"):
        survival.read_results(path, work)


def test_risk_and_deaths_estimate_the_same_rate() -> None:
    work = survival.Work("static", HARD, "chains", seed=5, turns=1500)
    row = survival.run_work(work, 0)
    assert row["deaths"] > 30
    assert row["risk"] == pytest.approx(row["deaths"], rel=0.4)


def test_splitting_agrees_with_plain_counting() -> None:
    counted = survival.run_work(survival.Work("static", HARD, "chains", seed=6, turns=3000), 0)
    split = survival.Work("static", HARD, "splitting", seed=7, turns=1500, tries=150)
    results = {number: survival.run_work(split, number) for number in range(3)}
    low, middle, high = survival.summary(split, results)["turns_per_death_by_splitting"]
    turns_per_death = counted["turns"] / counted["deaths"]
    assert middle == pytest.approx(turns_per_death, rel=0.5)
    assert low < middle < high


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
