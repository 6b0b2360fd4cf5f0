"""Small things that make matches pleasant: names, logs, order, suggestions, short results."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import plyground as pg
from plyground.arena.config import read_config
from plyground.arena.table import describe_duration, shorten_labels, signed
from plyground.cli import run
from plyground.cli.analyse import best_first, show
from plyground.core.errors import InputError, LimitError, PlygroundError
from plyground.core.registry import make_game
from plyground.core.search import MoveValue, Score, SearchResult
from plyground.store import Store
from scripted_players import write_engine


def test_moves_are_listed_best_first():
    values = [
        MoveValue("lost soon", Score(0, "loss", 2)),
        MoveValue("unknown"),
        MoveValue("fair", Score(0, probability=0.5), 10),
        MoveValue("won late", Score(0, "win", 9)),
        MoveValue("lost late", Score(0, "loss", 8)),
        MoveValue("good", Score(0, probability=0.8), 5),
        MoveValue("won", Score(0, "win", 3)),
    ]
    order = [entry.move for entry in best_first(values)]
    assert order == ["won", "won late", "good", "fair", "lost late", "lost soon", "unknown"]


def test_moves_that_are_not_listed_are_counted(capsys):
    start = pg.game("connect4").start()
    moves = tuple(MoveValue(f"m{n}", Score(0, probability=0.5)) for n in range(41))
    show(start, SearchResult("m0", moves=moves), "mcts")
    said = capsys.readouterr().out
    assert "m29" in said and "m30" not in said and "11 moves below these" in said


def test_the_game_of_a_file_is_compiled_ahead_and_checked(capsys):
    file = str(Path(__file__).parents[2] / "examples" / "games" / "tictactoe.py")
    assert run(["warm-up", file, "random"]) == 0
    capsys.readouterr()
    assert run(["check", file]) == 0
    said = " ".join(capsys.readouterr().out.split())
    positions = re.search(r"tried in 3 random games with (\d+) positions", said)
    assert positions is not None and 3 * 6 <= int(positions[1]) <= 3 * 10


def test_names_and_the_log_of_a_failed_game(tmp_path, capsys):
    engine = write_engine(tmp_path, "mute", go="sys.stderr.write('no idea\\n'); sys.exit(3)")
    keeping = ["--database", str(tmp_path / "r.sqlite")]
    words = ["match", "connect4", engine, "random", "--name", "mute bot", "--games", "2"]
    assert run([*words, "--nodes", "1", "--json", *keeping]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["players"] == ["mute bot", "random"] and found["failures"] == [2, 0]
    assert run(["log", "0-1/1a", *keeping]) == 0
    shown = capsys.readouterr().out
    assert "standard error of mute bot" in shown and "no idea" in shown and "arena" in shown
    start = str(make_game("connect4").start())
    assert start not in shown
    assert run(["log", "0-1/1a", "--boards", *keeping]) == 0
    drawn = capsys.readouterr().out
    assert drawn.startswith(start) and drawn.endswith(shown)
    assert all(f"\n{number}. " in drawn for number in range(1, 5))
    assert run(["log", "--json", *keeping]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [game["game"] for game in listed] == ["0-1/1a", "0-1/1b"]
    assert {game["winner"] for game in listed} == {"random"}
    assert run(["log", "0-1/1c", *keeping]) == 2
    assert "did you mean" in capsys.readouterr().err


def test_names_are_no_markup(tmp_path, capsys):
    """A player called `[/]` ended the command after the last game, and every later `runs`."""
    keeping = ["--database", str(tmp_path / "r.sqlite")]
    words = ["match", "connect4", "random", "random", "--games", "2", "--nodes", "1"]
    assert run([*words, "--name", "[/]", "--name", ":bomb:", "--run", "r", *keeping]) == 0
    assert "[/] against :bomb:" in capsys.readouterr().out
    for command in (["runs"], ["log"], ["log", "0-1/1a"]):
        assert run([*command, *keeping]) == 0
        assert "[/]" in capsys.readouterr().out


def test_a_game_with_all_ends_of_lines_is_imported_again(tmp_path, capsys):
    """Standard error of a program may hold any characters."""
    engine = write_engine(
        tmp_path, "mute", go="sys.stderr.write('a\\u2028b\\x85c\\n'); sys.exit(3)"
    )
    keeping = ["--database", str(tmp_path / "r.sqlite")]
    words = ["match", "connect4", engine, "random", "--games", "2", "--nodes", "1", "--run", "r"]
    out = tmp_path / "games.jsonl"
    assert run([*words, *keeping]) == 0
    assert run(["export", "r", "--output", str(out), *keeping]) == 0
    assert "\u2028" in out.read_text()
    assert run(["import", str(out), "--run", "copy", *keeping]) == 0
    assert "2 games added" in capsys.readouterr().err


def test_what_a_sound_agent_of_ones_own_says_is_kept_game_by_game(tmp_path, capsys):
    bot = tmp_path / "chatty.py"
    bot.write_text(
        "import plyground as pg\n\nclass Chatty(pg.Agent):\n"
        "    def choose(self, position, limit):\n"
        "        print('seat', position.turn)\n"
        "        return position.legal_moves[0]\n"
    )
    keeping = ["--database", str(tmp_path / "r.sqlite")]
    words = ["match", "connect4", str(bot), "random", "--games", "2", "--nodes", "1", *keeping]
    assert run([*words, "--name", "chatty"]) == 0
    capsys.readouterr()
    assert run(["log", "0-1/1b", *keeping]) == 0
    shown = capsys.readouterr().out
    assert "standard error of chatty:\nseat 1\n" in shown and "seat 0" not in shown
    assert '> {"type":"go"' in shown and '< {"type":"bestmove"' in shown
    assert "of random" not in shown


def test_failures_can_be_left_out_of_elo(tmp_path, capsys):
    engine = write_engine(tmp_path, "mute", go="sys.exit(3)")
    words = ["match", "connect4", engine, "random", "--games", "2", "--nodes", "1", "--json"]
    words += ["--failures", "skip", "--database", str(tmp_path / "r.sqlite")]
    assert run(words) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["wins"] == [0, 2]
    assert (found["elo"]["difference"], found["elo"]["pairs"]) == (0.0, 0.0)


def test_a_typo_in_a_configuration_gets_a_suggestion(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text('game = "connect4"\nplayers = ["random", "mcts"]\nopening_ply = 2\n')
    with pytest.raises(InputError, match="did you mean 'opening_plies'"):
        read_config(path)


def test_what_belongs_into_a_configuration_is_not_taken_beside_it(tmp_path, capsys):
    path = tmp_path / "cup.toml"
    path.write_text('game = "connect4"\nplayers = ["random", "random"]\nnodes = 1\n')
    assert run(["tournament", str(path), "--games", "8"]) == 2
    assert "in the TOML file" in capsys.readouterr().err


def test_three_players_on_one_start_repeat_nothing(tmp_path, capsys):
    words = ["tournament", "connect4", "random", "random", "random", "--games", "2", "--nodes", "1"]
    assert run([*words, "--database", str(tmp_path / "r.sqlite")]) == 0
    shown = capsys.readouterr().out
    assert "6 games from one start\n" in shown and "random (3)" in shown


def test_results_are_one_line():
    found = pg.match("connect4", "random", "random", games=2, limit=pg.Limit(nodes=1))
    assert repr(found).startswith("<random ") and len(repr(found)) < 120


def test_matches_of_scripts_are_kept_where_asked_and_gone_on_with(tmp_path):
    database = tmp_path / "kept.sqlite"
    how = {"games": 2, "nodes": 1, "store": database, "run": "mine", "boards": "even"}
    first = pg.match("connect4", "random", "random", **how)
    again = pg.match("connect4", "random", "random", **how)
    assert first.run == again.run == "mine" and first.records == again.records
    with Store(database, create=False) as store:
        assert [info.id for info in store.runs()] == ["mine"]
    with pytest.raises(PlygroundError, match="another configuration"):
        pg.match("connect4", "random", "random", **how, seed=1)


@pytest.mark.parametrize(
    ("how", "complaint"),
    [
        ({"limit": 0.1}, "pg.Limit"),
        ({"limit": pg.Limit(nodes=1), "time": 0.1}, "not both"),
        ({"time": "soon"}, "time must be seconds above 0"),
        ({"nodes": 1.5}, "nodes must be a whole number"),
        ({"clock": "soon"}, "clock"),
    ],
)
def test_limits_of_scripts_that_are_none(how, complaint):
    with pytest.raises(LimitError, match=complaint):
        pg.match("connect4", "random", "random", games=2, **how)


def test_an_argument_that_is_mistyped_gets_a_suggestion():
    with pytest.raises(TypeError, match="did you mean 'nodes'"):
        pg.match("connect4", "random", "random", node=3)
    with pytest.raises(TypeError, match=r"options=\{'mean': 'none'\}"):
        pg.match("connect4", "random", "random", mean="none")  # type: ignore[call-arg]


def test_the_log_counts_points_move_by_move(tmp_path, capsys):
    database = ["--database", str(tmp_path / "r.sqlite")]
    words = ["match", "competitive-sudoku", "random", "random", "--games", "2", "--nodes", "1"]
    assert run([*words, "--option", "board=random-2x2", *database, "--json"]) == 0
    capsys.readouterr()
    assert run(["log", "--json", *database]) == 0
    game = json.loads(capsys.readouterr().out)[0]
    assert run(["log", game["game"], *database]) == 0
    shown = capsys.readouterr().out
    total = " : ".join(f"{score:g}" for score in game["scores"])
    assert total != "0 : 0" and total in shown.splitlines()[-3]


def test_texts_of_tables():
    assert [signed(value) for value in (-0.2, 0.0, 7.6, -120.4)] == ["+0", "+0", "+8", "-120"]
    shortened = shorten_labels(["very/long/path/to/mybot.py:Careful", "mcts"], 18)
    assert shortened == ["…/mybot.py:Careful", "mcts"]
    assert [describe_duration(value) for value in (0.2, 40, 600, 12_000)] == [
        "1 s",
        "40 s",
        "10 min",
        "3 h 20 min",
    ]


def test_every_command_shows_an_example():
    import ast

    from plyground.cli.commands import find_commands
    from plyground.core.rooms import HOUSE

    for name, command in find_commands().items():
        path = HOUSE.parent.joinpath(*command.path.partition(":")[0].split(".")).with_suffix(".py")
        tree = ast.parse(path.read_text(encoding="utf-8"))
        texts = [
            ast.get_docstring(node) or ""
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef)
        ]
        assert any(f"Example: plyground {name}" in text for text in texts), name


def test_a_table_with_failures_fits_into_a_terminal():
    import io

    from rich.console import Console

    from plyground.arena.config import PlayerEntry, RunConfig
    from plyground.arena.results import ResultLine, collect
    from plyground.arena.table import standings_table
    from plyground.core.outcome import Outcome, Termination

    players = (PlayerEntry("bots/bad_illegal_moves.py"), PlayerEntry("random"))
    config = RunConfig(kind="match", game="connect4", players=players)
    lost = Outcome(1, Termination.ILLEGAL_MOVE, points=(0, 2))
    lines = [ResultLine(f"0-1/{n}a", f"{n}", (0, 1), lost, 9, 0, (1, 1), (5, 4)) for n in range(40)]
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(standings_table(config, collect(2, lines), 40, 80))
    shown = console.export_text()
    for words in ("failures", "+ = -", "0 0 40", "moves.py", "s/move", "points"):
        assert words in shown
    assert max(map(len, shown.splitlines())) <= 80
