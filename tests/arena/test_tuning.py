"""Tuning finds the optimum of noisy games, goes on from its file, and says what it cannot read."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

pytest.importorskip("optuna", reason="needs the extra `tune`")

from plyground.arena.tuning import Parameter, Space, Trial, Tuning
from plyground.cli import run
from plyground.core.errors import InputError


def noisy(setting, number):
    """Pairs whose expectation peaks at c = 2 and order = yes."""
    generator = random.Random(number)
    chance = 0.7 - 0.12 * abs(float(setting["c"]) - 2.0) - 0.2 * (setting["order"] == "no")
    return [(generator.random() < chance) / 2 + (generator.random() < chance) / 2 for _ in range(6)]


def test_the_optimum_of_noisy_games_is_found_and_resumed(tmp_path):
    space = Space.parse("mcts:c=0..6,order=yes|no")
    whole = Tuning(space, tmp_path / "whole.jsonl", seed=3)
    whole.run(50, noisy)
    best = whole.best()
    assert best["order"] == "yes" and abs(float(best["c"]) - 2.0) < 1.3
    parts = Tuning(space, tmp_path / "parts.jsonl", seed=3)
    parts.run(20, noisy)
    again = Tuning(space, tmp_path / "parts.jsonl", seed=3)
    assert len(again.trials) == 20
    again.run(30, noisy)
    assert again.trials == whole.trials[:30]


def test_a_trial_that_was_cut_off_by_a_kill_is_played_again(tmp_path):
    space, path = Space.parse("mcts:c=0..6,order=yes|no"), tmp_path / "trials.jsonl"
    whole = Tuning(space, path, seed=3)
    whole.run(4, noisy)
    path.write_bytes(path.read_bytes()[:-7])
    again = Tuning(space, path, seed=3)
    assert again.trials == whole.trials[:3]
    again.run(4, noisy)
    assert Tuning(space, path, seed=3).trials == whole.trials


def test_a_one_player_game_is_tuned_on_the_same_deals(tmp_path, capsys):
    words = ["tune", "blockudoku", "occupancy:depth=1..2", "--json"]
    assert run(words) == 2  # no such parameter, said before any game
    capsys.readouterr()
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import plyground as pg\n\nclass Bot(pg.Agent):\n"
        "    def __init__(self, which=0):\n        self.which = which\n"
        "    def choose(self, position, limit):\n"
        "        return position.legal_moves[self.which % len(position.legal_moves)]\n"
    )
    words = ["tune", "blockudoku", f"{bot}:which=0..3", "--against", "random", "--games", "4"]
    words += ["--trial", "2", "--confirm", "2", "--turns", "2", "--nodes", "1", "--json"]
    assert run([*words, "--out", str(tmp_path / "tuning")]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["trials"] == 2 and found["elo"]["low"] <= found["elo"]["difference"]


def test_the_luckiest_trial_is_not_the_best():
    tuning = Tuning(Space.parse("mcts:c=0..10"), Path("none"))
    tuning.trials = [
        Trial({"c": 9.0}, (1.0,)),
        Trial({"c": 9.1}, (0.0,)),
        Trial({"c": 8.9}, (0.0,)),
    ]
    tuning.trials += [Trial({"c": 2.0 + 0.1 * n}, (0.75,)) for n in range(5)]
    assert float(tuning.best()["c"]) < 3.0


def test_spaces_are_read():
    space = Space.parse("mybot.py:Bot:depth=1..6,order=yes|no,memory=32")
    assert space.agent == "mybot.py:Bot" and space.fixed == ("memory=32",)
    assert space.parameters[0] == Parameter("depth", 1.0, 6.0, whole=True)
    player = space.player({"depth": 3, "order": "no"})
    assert player == "mybot.py:Bot:memory=32,depth=3,order=no"
    assert space.default() == "mybot.py:Bot:memory=32"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("mcts", "say what to tune"),
        ("mcts:c=2", "nothing to tune"),
        ("mcts:c=3..1", "empty"),
        ("mcts:c=a..b", "range"),
    ],
)
def test_spaces_that_make_no_sense(text, words):
    with pytest.raises(InputError, match=words):
        Space.parse(text)


def test_a_file_of_another_tuning_is_refused(tmp_path):
    path = tmp_path / "trials.jsonl"
    path.write_text('{"setting": {"d": 1}, "scores": [0.5]}\n')
    with pytest.raises(InputError, match="another tuning"):
        Tuning(Space.parse("mcts:c=0..6"), path)
    path.write_text("nonsense\n")
    with pytest.raises(InputError, match="line 1"):
        Tuning(Space.parse("mcts:c=0..6"), path)


def test_the_command_ends_with_a_match(tmp_path, capsys):
    words = ["tune", "connect4", "mcts:c=0.5..3", "--against", "random", "--nodes", "10"]
    words += ["--games", "8", "--trial", "4", "--confirm", "2", "--out", str(tmp_path), "--json"]
    assert run(words) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["trials"] == 2 and found["best"].startswith("mcts:c=")
    assert (tmp_path / "trials.svg").stat().st_size > 1000
    assert run(["tune", "connect4", "mcts:cc=0.5..3", "--nodes", "1"]) == 2
    assert "parameter of agent mcts" in capsys.readouterr().err
    assert run(["tune", "connect4", "mcts:c=0.5..3", "--games", "8", "--nodes", "1"]) == 2
    assert "--games 8 is less than one trial (--trial 10)" in capsys.readouterr().err


def test_the_first_trials_leave_no_value_out(tmp_path):
    space = Space.parse("bot.py:fear=0..2,order=yes|no,c=0.5..3")
    for seed in range(5):
        tuning = Tuning(space, tmp_path / f"{seed}.jsonl", seed)
        tuning.run(4, lambda setting, number: [0.5])
        first = [trial.setting for trial in tuning.trials]
        assert {trial["fear"] for trial in first} == {0, 1, 2}
        assert {trial["order"] for trial in first} == {"yes", "no"}
        assert all(0.5 <= trial["c"] <= 3 for trial in first)
