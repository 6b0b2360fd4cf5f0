"""The examples on the arena page work as printed."""

from __future__ import annotations

import re
from pathlib import Path

from plyground.arena.config import read_config
from plyground.store import Store

PAGE = (Path(__file__).parents[2] / "docs" / "arena.md").read_text()


def block(language: str) -> str:
    return re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL).group(1)


def test_python_example_plays_a_match(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    exec(compile(block("python"), "arena.md", "exec"), {})
    assert capsys.readouterr().out.count("Outcome(") == 10
    with Store(tmp_path / "results.sqlite", create=False) as store:
        (run,) = store.runs()
        assert store.count_games(run.id) == 10


def test_configuration_example_is_read(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(block("toml"))
    config = read_config(path)
    assert config.labels == ("champion", "mcts:c=1.4", "my bot")
    assert config.players[2].limit.time == 0.5
    assert (config.games, config.seed, config.limit.time) == (20, 1, 0.1)
