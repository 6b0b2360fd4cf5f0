"""Two players side by side, from stored games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plyground.cli import run
from plyground.core.errors import InputError
from plyground.report.compare import compare_players
from plyground.report.games import load_run
from plyground.store import Store


def test_direct_games_and_common_opponents(store: Store) -> None:
    result = compare_players(store, "ann", "dot")
    games = load_run(store, "cup")
    direct = [g for g in games if {g.first, g.second} == {"ann", "dot"}]
    assert result.direct is not None and result.direct.games == len(direct)
    assert result.direct.wins == sum(game.winner == "ann" for game in direct)
    assert result.headline.startswith("ann scores ")
    opponents = {(ours.opponent, ours.limit) for ours, _ in result.common}
    assert opponents == {
        (name, limit)
        for name in ("bob:depth=3", "cyd <b>&")
        for limit in ("0.1 s a move", "1 s a move")
    }
    for ours, theirs in result.common:
        assert ours.player == "ann" and theirs.player == "dot" and ours.opponent == theirs.opponent
        assert ours.games == theirs.games == 12


def test_command_prints_what_the_library_says(
    database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "c.html"
    where = ["--database", str(database), "--out", str(out)]
    assert run(["compare", "ann", "dot", *where, "--json"]) == 0
    fields = json.loads(capsys.readouterr().out)
    with Store(database) as store:
        result = compare_players(store, "ann", "dot")
    assert result.direct is not None
    assert fields["wins"] == [result.direct.wins, result.direct.losses]
    assert fields["headline"] in out.read_text(encoding="utf-8")
    assert (tmp_path / "c-opponents.svg").exists()


def test_nothing_to_compare_is_said_clearly(store: Store, database: Path) -> None:
    with pytest.raises(InputError, match="two different players"):
        compare_players(store, "ann", "ann")
    with pytest.raises(InputError, match="plyground match"):
        compare_players(store, "eve", "mallory")
    assert run(["compare", "eve", "mallory", "--database", str(database)]) == 2
    assert run(["report", "nosuch", "--database", str(database)]) == 2
    assert run(["report", "--database", str(database.parent / "missing.sqlite")]) == 2


def test_an_edited_file_is_compared_by_its_last_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = (
        "import plyground as pg\nclass Bot(pg.Agent):\n"
        "    def choose(self, position, limit):\n        return {}\n"
    )
    monkeypatch.chdir(tmp_path)
    where = ["--database", "r.sqlite"]
    for answer, nodes in (("None", "1"), ("position.legal_moves[0]", "1"), (None, "2")):
        if answer is not None:
            Path("bot.py").write_text(bot.format(answer))
        match = ["match", "connect4", "bot.py", "random", "--games", "2", "--nodes", nodes]
        assert run([*match, *where]) == 0
    capsys.readouterr()
    assert run(["compare", "bot.py", "random", "--out", "c.html", "--json", *where]) == 0
    fields = json.loads(capsys.readouterr().out)
    assert sum(fields["wins"]) + fields["draws"] == 4
    left, pooled = fields["remarks"]
    assert left.startswith("2 games of bot.py before its last change left out")
    assert pooled == "counted together: 2 games with 1 nodes, 2 games with 2 nodes"
    assert "left out" in Path("c.html").read_text(encoding="utf-8")
