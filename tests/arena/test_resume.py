"""A killed tournament goes on where it was: every game once, no process left, nothing damaged."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from plyground.store import Store
from scripted_players import processes_of, write_engine

KILLS = int(os.environ.get("PLYGROUND_TEST_KILLS", "4"))


def arena(*arguments: str, **options) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "plyground", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def wait_until_gone(folder: Path) -> list[str]:
    deadline = time.monotonic() + 10
    while (left := processes_of(folder)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return left


@pytest.fixture
def players(tmp_path):
    engines = tmp_path / "engines"
    engines.mkdir()
    first = write_engine(engines, "first", go="time.sleep(0.002)")
    last = write_engine(engines, "last", go="move = request['legal_moves'][-1]")
    stubborn = write_engine(engines, "stubborn", go="move = request['legal_moves'][turn % 2]")
    return [first, last, stubborn]


def test_kill_at_random_moments_and_resume(tmp_path, players):
    database = tmp_path / "results.sqlite"
    arguments = ["--games", "40", "--nodes", "1", "--jobs", "2", "--seed", "4"]
    arguments += ["--run", "cup", "--database", str(database)]
    generator = random.Random(7)
    seen = 0
    for attempt in range(KILLS):
        resume = ["--resume"] if database.exists() and seen else []
        if attempt and not seen:
            database.unlink(missing_ok=True)
        process = arena("tournament", "connect4", *players, *arguments, *resume)
        deadline = time.monotonic() + 60
        before = seen
        while seen <= before and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)
            seen = _count(database)
        time.sleep(generator.uniform(0.0, 0.25))
        process.kill()
        process.communicate()
        assert wait_until_gone(tmp_path / "engines") == []
        seen = _count(database)
        with Store(database) as store:
            store.check_integrity()
    process = arena("tournament", "--resume", *arguments[-4:], "--json")
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    table = json.loads(out)
    assert table["games"] == 120
    assert [row["games"] for row in table["table"]] == [80, 80, 80]
    with Store(database) as store:
        store.check_integrity()
        games = list(store.games("cup"))
        assert len({game.schedule_id for game in games}) == len(games) == 120
    assert wait_until_gone(tmp_path / "engines") == []


def _count(database: Path) -> int:
    if not database.exists():
        return 0
    try:
        with Store(database, create=False) as store:
            return store.count_games("cup")
    except Exception:
        return 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_polite_stop_prints_the_command_that_goes_on(tmp_path, players, number):
    database = tmp_path / "results.sqlite"
    process = arena(
        *("tournament", "connect4", *players, "--games", "400", "--nodes", "1"),
        *("--run", "cup", "--database", str(database)),
    )
    while _count(database) < 3:
        time.sleep(0.05)
        assert process.poll() is None, process.communicate()
    process.send_signal(number)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert f"plyground tournament --resume --run cup --database {database}" in errors
    assert "Traceback" not in errors
    assert wait_until_gone(tmp_path / "engines") == []
