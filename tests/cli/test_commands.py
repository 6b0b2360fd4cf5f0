"""The commands as a user types them: results, machine-readable output, bad input."""

from __future__ import annotations

import io
import json

import pytest

from plyground.cli import run


def answer(capsys, command: str, code: int = 0):
    """The JSON that a command prints."""
    assert run([*command.split(), "--json"]) == code
    return json.loads(capsys.readouterr().out)


def test_perft_counts(capsys):
    assert answer(capsys, "perft connect4 --depth 3")["nodes"] == 889
    plain = answer(capsys, "perft connect4 --depth 7 --option mean=none")
    assert plain["nodes"] == 823536
    assert answer(capsys, "perft connect4 --depth 1 --position 1212121 --option mean=none") == {
        "nodes": 0,
        "depth": 1,
        "seconds": pytest.approx(0, abs=60),
    }


def test_games_and_agents_are_listed(capsys):
    names = {game["name"] for game in answer(capsys, "games")}
    assert names >= {"connect4", "competitive-sudoku", "codecup-sudoku", "blockudoku"}
    agents = {agent["name"]: agent for agent in answer(capsys, "agents connect4")}
    assert set(agents) >= {"random", "alphabeta", "mcts", "montecarlo", "perfect", "champion"}
    assert agents["mcts"]["parameters"]["reuse"] is True


def test_analyse_finds_the_win_and_values_every_move(capsys):
    command = "analyse connect4 --position 112233 --agent alphabeta --depth 4"
    result = answer(capsys, command)
    assert (result["value"], result["distance"], result["best"]) == ("win", 1, ["4"])
    assert {move["move"] for move in result["moves"]} >= {"1", "2", "3", "4", "5", "6", "7"}


def test_a_game_at_the_terminal(capsys, monkeypatch):
    typed = "4\nmoves\nhint\nnonsense\n9\nundo\n3\nresign\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert (
        run(["play", "connect4", "--second", "random", "--nodes", "50", "--seed", "1", "--json"])
        == 0
    )
    captured = capsys.readouterr()
    record = json.loads(captured.out)
    assert record["moves"][0]["move"] == "3"
    assert record["outcome"]["termination"] == "resign" and record["outcome"]["winner"] == 1
    for expected in ("hint:", "'nonsense' is not a move", "no column 9"):
        assert expected in captured.err


def test_two_agents_play_to_the_end(capsys):
    result = answer(capsys, "play connect4 --first mcts --second random --nodes 50")
    assert result["outcome"].keys() >= {"winner"} and len(result["moves"]) >= 7


def test_cache_and_doctor(capsys):
    assert answer(capsys, "cache")["packages"] >= 1
    facts = answer(capsys, "doctor")
    assert {check["name"] for check in facts["checks"]} >= {"Python", "numba", "cache folder"}


@pytest.mark.parametrize(
    ("command", "kind", "part"),
    [
        ("perft connectx --depth 2", "unknown-name", "did you mean 'connect4'"),
        ("agents checkers", "unknown-name", "unknown game 'checkers'"),
        ("analyse connect4 --agent mtcs", "unknown-name", "did you mean 'mcts'"),
        ("analyse connect4 --agent mcts:x=1", "unknown-name", "parameter of agent mcts"),
        ("analyse connect4 --agent mcts:c=big", "bad-option", "c='big'"),
        ("analyse connect4 --position 4449", "bad-position", "move 4"),
        ("analyse connect4 --position 1212121", "game-over", "x (red) has won"),
        ("perft connect4 --depth 2 --option width=20", "bad-option", "at most 12"),
        ("perft connect4 --depth 2 --option width=9 --option height=9", "bad-option", "not fit"),
        ("perft connect4 --depth 2 --option width", "bad-option", "key=value"),
        ("perft connect4 --depth -2", "bad-input", "at least 0"),
        ("perft connect4", "usage", "depth"),
        ("perft connect4 --depth two", "usage", "depth"),
        ("fly connect4", "usage", "fly"),
        ("analyse connect4 --time -1", "bad-limit", "above 0"),
        ("bench nothing", "unknown-name", "unknown benchmark"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(capsys, command, kind, part):
    assert run([*command.split(), "--json"]) == 2
    captured = capsys.readouterr()
    lines = [s for s in captured.err.splitlines() if "compiling" not in s and " s" not in s[-3:]]
    assert len(lines) == 1 and lines[0].startswith("plyground: ") and part in lines[0]
    error = json.loads(captured.out)["error"]
    assert error["kind"] == kind and part in error["message"]
    assert "Traceback" not in captured.err
