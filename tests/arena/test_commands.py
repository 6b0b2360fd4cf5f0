"""The commands `match`, `tournament`, `runs`, `export`, `check`: shapes, errors, repeatability."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path

import pytest

from plyground.cli import run
from plyground.store import Store, StoreError
from scripted_players import write_engine

SNAPSHOTS = Path(__file__).parent / "snapshots"


@pytest.fixture
def players(tmp_path):
    first = write_engine(tmp_path, "first")
    last = write_engine(tmp_path, "last", go="move = request['legal_moves'][-1]")
    return first, last


@pytest.fixture
def command(tmp_path, capsys):
    """Runs a command with --json on a database of this test: (exit code, parsed output)."""

    def call(*words, database=tmp_path / "results.sqlite"):
        code = run([*words, "--database", str(database), "--json"])
        out = capsys.readouterr().out
        return code, json.loads(out) if out else None

    return call


def without_chance(value, players):
    """The output without what changes from run to run: times, names of runs and files."""
    if isinstance(value, dict):
        return {
            key: None if key in ("run", "times", "seconds_per_move") else without_chance(v, players)
            for key, v in value.items()
        }
    if isinstance(value, list):
        return [without_chance(entry, players) for entry in value]
    if isinstance(value, str):
        for number, player in enumerate(players):
            value = value.replace(player, f"player {number}")
    if isinstance(value, float):
        return round(value, 6)
    return value


def compare_with_snapshot(name, value):
    path = SNAPSHOTS / f"{name}.json"
    if os.environ.get("PLYGROUND_WRITE_SNAPSHOTS"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(value, indent=1) + "\n")
    assert value == json.loads(path.read_text())


def test_match_json_is_stable(command, players):
    words = ("--games", "4", "--nodes", "1", "--seed", "3", "--option", "mean=none")
    code, output = command("match", "connect4", *players, *words)
    assert code == 0
    compare_with_snapshot("match", without_chance(output, players))


def test_tournament_json_is_stable(command, players, tmp_path):
    config = tmp_path / "cup.toml"
    config.write_text(
        f"""
        game = "connect4"
        nodes = 1
        games = 2
        seed = 3
        players = [
            "{players[0]}",
            {{ player = "{players[1]}", name = "last" }},
            {{ player = "{players[1]}", name = "slow", time = 2.0 }},
        ]
        [options]
        mean = "none"
        """
    )
    code, output = command("tournament", str(config))
    assert code == 0
    compare_with_snapshot("tournament", without_chance(output, players))


def test_jobs_do_not_change_the_games(command):
    games = []
    for jobs in "12":
        words = ("--games", "6", "--nodes", "300", "--seed", "8", "--jobs", jobs)
        code, output = command("match", "connect4", "mcts", "alphabeta", *words)
        assert code == 0
        games.append([(g["id"], g["first"], g["winner"], g["moves"]) for g in output["games"]])
    assert games[0] == games[1]
    assert len({tuple(game[3]) for game in games[0]}) == 6


def test_one_player_match_compares_on_the_same_deals(command, players):
    words = ("--games", "2", "--nodes", "1", "--turns", "4")
    code, output = command("match", "blockudoku", *players, *words)
    assert code == 0
    assert output["players"] == list(players)
    for row in output["results"]:
        assert row["games"] == 2
        assert row["turns"] == sum(row["turns_per_game"]) <= 8
        low, hazard, high = row["hazard"]
        assert low <= hazard <= high


def test_sprt_stops_a_match_early(command, players, tmp_path):
    crash = write_engine(tmp_path, "crash", go="sys.exit(1)")
    words = ("--games", "400", "--nodes", "1", "--sprt", "elo0=0", "elo1=200")
    code, output = command("match", "connect4", players[0], crash, *words)
    assert code == 0
    assert output["sprt"]["decision"] == "accept_elo1"
    assert len(output["games"]) < 100
    assert output["failures"][1] == len(output["games"])


def test_resume_without_a_name_finds_the_same_configuration(command, players):
    words = ("match", "connect4", *players, "--games", "4", "--nodes", "1")
    _, first = command(*words)
    _, again = command(*words, "--resume")
    assert again["run"] == first["run"]
    assert again["games"] == first["games"]
    code, output = command(*words, "--seed", "77", "--resume")
    assert (code, output["error"]["kind"]) == (2, "bad-input")


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["match", "connect4", "random"], "two players"),
        (["match", "chess", "random", "random"], "chess"),
        (["match", "connect4", "random", "champyon9"], "champyon9"),
        (["match", "connect4", "random", "exec:./no-such-bot"], "does not exist"),
        (["match", "connect4", "random", "exec:"], "needs a command"),
        (["match", "connect4", "random", "random", "--games", "0"], "must be 1 to"),
        (["match", "connect4", "random", "random", "--time", "-1"], "time"),
        (["match", "connect4", "random", "random", "--sprt", "elo0=5", "elo1=1"], "elo0 < elo1"),
        (["match", "connect4", "random", "random", "--sprt", "banana"], "banana"),
        (["match", "connect4", "random", "random", "--jobs", "0"], "jobs"),
        (["match", "connect4", "random", "random", "--executor", "moon"], "moon"),
        (["match", "connect4", "random", "random", "--openings", "missing.txt"], "missing.txt"),
        (["tournament", "missing.toml"], "missing.toml"),
        (["tournament", "--resume", "--run", "ghost"], "ghost"),
        (["tournament"], "--resume"),
    ],
)
def test_bad_input_is_explained(command, words, hint, tmp_path):
    with Store(tmp_path / "results.sqlite"):
        pass
    code, output = command(*words)
    assert code == 2
    assert hint in output["error"]["message"]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("game = ", "TOML"),
        ('game = "connect4"\nplayers = ["random", "random"]\nspeed = 3', "speed"),
        ('game = "connect4"\nplayers = "random"', "players"),
        ('game = "connect4"\nplayer = ["random", "random"]', "'players'"),
        ('game = "connect4"\n[[players]]\nplayer = "random"\ngame = "x"', "'name'"),
    ],
)
def test_bad_configuration_is_explained(command, text, hint, tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(text)
    code, output = command("tournament", str(path))
    assert code == 2
    assert hint in output["error"]["message"]


def test_a_broken_database_stops_the_run_but_keeps_its_games(
    command, players, tmp_path, monkeypatch
):
    add_game = Store.add_game

    def fail_later(self, name, game):
        if self.count_games(name) >= 3:
            raise StoreError("cannot write to the database: the disk is full")
        return add_game(self, name, game)

    words = ("match", "connect4", *players, "--games", "6", "--nodes", "1", "--run", "m")
    monkeypatch.setattr(Store, "add_game", fail_later)
    code, output = command(*words)
    assert (code, output["error"]["kind"]) == (1, "store")
    monkeypatch.undo()
    code, output = command("match", "--resume", "--run", "m")
    assert code == 0
    assert len(output["games"]) == 6


def test_runs_export_and_import(command, players, tmp_path, capsys):
    command("match", "connect4", *players, "--games", "4", "--nodes", "1", "--run", "m")
    _, listed = command("runs")
    assert [(row["run"], row["games"]) for row in listed] == [("m", 4)]
    database = ["--database", str(tmp_path / "results.sqlite")]
    records = tmp_path / "games.jsonl"
    assert run(["export", "m", "--output", str(records), *database]) == 0
    assert len(records.read_text().splitlines()) == 4
    capsys.readouterr()
    assert run(["export", "m", "--format", "csv", *database]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert {row["first"] for row in rows} == set(players)
    code, added = command("import", str(records), "--run", "copy")
    assert (code, added["added"]) == (0, 4)
    assert run(["export", "ghost", *database]) == 2


def test_check_praises_and_blames(players, tmp_path, capsys):
    assert run(["check", "connect4", players[0], "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ok"]
    bad = write_engine(tmp_path, "bad", go="move = '99'", quit="time.sleep(30)")
    assert run(["check", "connect4", bad, "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    failed = [check["name"] for check in report["checks"] if not check["ok"]]
    assert "answers with a legal move in time" in failed
    assert "quits when told to" in failed
