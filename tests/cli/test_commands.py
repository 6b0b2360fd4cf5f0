"""The commands as a user types them: results, machine-readable output, bad input."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys

import pytest

from plyground.cli import run
from plyground.cli.commands import find_commands, make_app
from plyground.cli.doctor import find_tool
from processes import run_python


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


def test_solve_gives_exact_values_and_names_games_it_cannot_solve(capsys):
    command = "solve connect4 --option mean=none --position 3344"
    assert answer(capsys, command)["moves"][0]["distance"] == 3
    error = answer(capsys, "solve blockudoku", code=2)["error"]
    assert "only two-player games without chance" in error["message"]


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


def test_quiet_leaves_out_remarks_but_not_errors(capsys, tmp_path):
    log = tmp_path / "log.txt"
    bench = ["bench", "nothing-of-this-name", "--quiet", f"--log-file={log}"]
    assert run(bench) == 2
    assert "nothing-of-this-name" in capsys.readouterr().err
    assert "nothing-of-this-name" in log.read_text() and "exit code 2" in log.read_text()


def test_remarks_go_to_the_log_file(capsys, tmp_path, monkeypatch):
    folder = tmp_path / "runs.sqlite"
    command = f"match connect4 random random --games 2 --depth 1 --database {folder} --jobs 1"
    log = tmp_path / "log.txt"
    assert run([*command.split(), "--json", "--log-file", str(log)]) == 0
    capsys.readouterr()
    written = log.read_text()
    assert "match connect4 random random" in written and "exit code 0 after" in written
    listed = _output(capsys, ["runs", "--database", str(folder), "--json"])
    export = [
        "export",
        json.loads(listed)[0]["run"],
        "--database",
        str(folder),
        "--output",
        str(tmp_path / "x"),
    ]
    assert run(export) == 0
    assert "games written" in capsys.readouterr().err
    monkeypatch.setenv("PLYGROUND_QUIET", "1")
    monkeypatch.setenv("PLYGROUND_LOG_FILE", str(log))
    assert run(export) == 0
    assert capsys.readouterr().err == ""
    assert "games written" in log.read_text()


def _output(capsys, arguments):
    assert run(arguments) == 0
    return capsys.readouterr().out


def test_a_log_file_that_cannot_be_written_is_an_error(capsys, tmp_path):
    assert run(["games", "--log-file", str(tmp_path / "no" / "folder")]) == 1
    assert "No such file" in capsys.readouterr().err
    assert run(["games", "--log-file"]) == 2


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_knows_the_commands(shell):
    script = make_app().generate_completion(shell=shell)
    assert all(name in script for name in ("tournament", "doctor", "sudoku"))


def test_looking_around_loads_no_heavy_library(tmp_path):
    """Listing and mistyping cost a blink: neither arrays nor compilers nor the arena come along."""
    program = (
        "import sys\n"
        "from plyground.cli import run\n"
        "codes = [run([word]) for word in ('--help', '--version', 'games', 'gmaes')]\n"
        "heavy = {'numpy', 'numba', 'scipy', 'matplotlib', 'markdown_it', 'plyground.arena'}\n"
        "print(codes, sorted(heavy & set(sys.modules)))\n"
    )
    settings = {**os.environ, "PLYGROUND_CACHE_DIR": str(tmp_path)}
    for heavy in ("['numpy']", "[]", "['numpy']"):  # games are asked once, and after a damage
        done = run_python("-c", program, env=settings, timeout=60)
        assert done.stdout.splitlines()[-1] == f"[0, 0, 0, 2] {heavy}"
        assert "Mean Connect 4" in done.stdout and "did you mean 'games'" in done.stderr
        if heavy == "[]":
            (tmp_path / "games.json").write_text('{"state": "other"')


@pytest.mark.parametrize("chosen", [{}, {"OMP_NUM_THREADS": "2"}])
def test_commands_start_no_threads_for_linear_algebra(chosen):
    """What they start has as many as ever, and so has whoever has chosen."""
    program = (
        "import os, subprocess, sys\n"
        "sys.argv[0] = '/somewhere/plyground'\n"
        "import plyground.cli, numpy, numpy.linalg\n"
        "names = ('OPENBLAS_NUM_THREADS', 'OMP_NUM_THREADS')\n"
        "print([os.environ.get(name) for name in names])\n"
        "print(len(os.listdir('/proc/self/task')))\n"
    )
    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")
    kept = {name: value for name, value in os.environ.items() if name not in names}
    done = run_python("-c", program, env={**kept, **chosen}, timeout=60)
    found, threads = done.stdout.splitlines()
    assert found == str([None, chosen.get("OMP_NUM_THREADS")])
    assert threads == str(min(int(chosen.get("OMP_NUM_THREADS", 1)), os.cpu_count() or 1))


def test_asking_for_one_game_imports_no_other():
    program = (
        "import sys\n"
        "from plyground.core.registry import make_agent, make_game\n"
        "make_agent('connect4', 'champion').new_game(make_game('connect4'), 0)\n"
        "print([name for name in sys.modules if 'sudoku' in name or 'blockudoku' in name])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.strip() == "[]"


def test_a_match_of_programs_loads_no_agents_of_ours(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "sudokuai.py").write_text("class SudokuAI: pass\n")
    program = (
        "import sys\n"
        "from plyground.engines.preparation import built_in_players\n"
        "game, players = 'competitive-sudoku', [f'course:{name}' for name in sys.argv[1:]]\n"
        "assert built_in_players(game, players, {}) == []\n"
        "print([name for name in sys.modules if '.players.' in name or '.search.' in name])\n"
        "assert len(built_in_players(game, [*players, 'random'], {})) == 1\n"
    )
    done = run_python("-c", program, str(tmp_path / "one"), str(tmp_path / "two"), timeout=60)
    assert done.stdout == "[]\n"


def test_every_command_loads_and_explains_itself(capsys):
    for name in find_commands():
        assert run([name, "--help"]) == 0
        usage, _, explanation, *_ = capsys.readouterr().out.splitlines()
        assert usage.startswith(f"Usage: plyground {name}") and explanation.strip()


def test_doctor_says_how_to_get_what_is_missing(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    checks = {check["name"]: check for check in answer(capsys, "doctor")["checks"]}
    for tool, package in (("bwrap", "bubblewrap"), ("dot", "graphviz"), ("chromium", "chromium")):
        assert not checks[tool]["ok"] and f"apt install {package}" in checks[tool]["remark"]
    assert checks["numba"]["ok"] and checks["cache folder"]["ok"]
    assert run(["doctor"]) == 0
    shown = capsys.readouterr().out
    assert checks["extra cluster"]["ok"] or "plyground[cluster]" in shown
    assert {"extra rl", "extra cluster", "extra bench", "data folder"} <= set(checks)
    assert {"extra tune", "extra data"} <= set(checks)


def test_the_leanest_chromium_is_found_and_any_will_do(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("chromium-browser", "chromium", "chromium-headless-shell"):
        (tmp_path / name).touch(mode=0o755)
        assert find_tool("chromium") == str(tmp_path / name)
    assert find_tool("dot") is None
