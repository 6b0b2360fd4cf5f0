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
