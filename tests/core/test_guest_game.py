"""A game in a package of somebody else's: one folder, and everything works with it."""

from __future__ import annotations

import json
import os
import shutil
import urllib.request
from pathlib import Path

import pytest

from processes import run_python
from tests.web.conftest import Server

EXAMPLE = Path(__file__).parents[2] / "examples" / "tictactoe.py"

EVERYTHING = """
import json, warnings
import plyground as pg
from plyground.core.registry import agents, games
from plyground.testing import check_game

game = pg.game("tictactoe")
check_game(game, seeds=1)
found = {"agents": sorted(agents("tictactoe"))}
found["values"] = [pg.analyse(game.parse_position("xx.oo...."), player, nodes=2000).move
                   for player in ("alphabeta", "mcts", "montecarlo")]
try:
    from plyground.adapters.aec import tictactoe_v0
    env = tictactoe_v0.env()
    env.reset()
    for _ in range(7):  # always the first free square: the first player gets a diagonal
        env.step(0)
    found["environment"] = env.rewards
except ImportError:
    found["environment"] = None
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def guest(tmp_path_factory):
    """An environment in which the package of a guest is installed."""
    home = tmp_path_factory.mktemp("site")
    # The example under its own name: its kernels are compiled for other tests as well.
    (home / "tictactoe").mkdir()
    shutil.copy(EXAMPLE, home / "tictactoe" / "__init__.py")
    info = home / "tictactoe-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tictactoe\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[plyground.games]\ntictactoe = tictactoe\n")
    path = os.pathsep.join([str(home), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    return {**os.environ, "PYTHONPATH": path}


def run(guest, *arguments: str):
    done = run_python(*arguments, env=guest, timeout=600)
    return json.loads(done.stdout.splitlines()[-1])


def test_the_whole_house_knows_the_game(guest):
    found = run(guest, "-c", EVERYTHING)
    assert found["agents"] == ["alphabeta", "mcts", "montecarlo", "random"]
    assert found["values"] == ["3", "3", "3"]  # all of them complete the line
    assert found["environment"] in (None, {"player_0": 1.0, "player_1": -1.0})


def test_commands_list_and_play_it(guest, tmp_path):
    assert "tictactoe" in [
        game["name"] for game in run(guest, "-m", "plyground", "games", "--json")
    ]
    database = str(tmp_path / "games.sqlite")
    for players in (("alphabeta", "montecarlo"), ("mcts", "random")):
        command = ("match", "tictactoe", *players, "--nodes", "2000", "--games", "4", "--json")
        result = run(guest, "-m", "plyground", *command, "--database", database)
        assert sum(result["score"]) == 4 and result["failures"] == [0, 0]


def test_its_speed_is_measured(guest):
    rows = run(guest, "-m", "plyground", "bench", "tictactoe", "--json")
    assert [row["name"] for row in rows] == [
        f"tictactoe: {name}" for name in ("alphabeta", "mcts", "montecarlo")
    ]


def test_the_page_serves_it(guest, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", guest["PYTHONPATH"])
    server = Server(tmp_path)
    server.start()
    try:
        with urllib.request.urlopen(server.address + "/api/catalog", timeout=60) as answer:
            assert "tictactoe" in answer.read().decode()
        game = server.new_game("tictactoe", ["", "random"])
        status, _ = server.request(f"/api/games/{game}")
        assert status == 200
    finally:
        server.stop()
