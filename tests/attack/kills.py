"""A run that is killed again and again, at any moment, and goes on: no game lost, none twice."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from plyground.store import Store

RUN = "killed"
GAMES = 60


def command(database: Path, resume: bool) -> list[str]:
    words = [sys.executable, "-m", "plyground", "match"]
    if not resume:
        words += ["connect4", "random", "montecarlo:playouts=20", "--games", str(GAMES)]
        words += ["--nodes", "40", "--opening-plies", "6", "--option", "width=6"]
    ending = ["--run", RUN, "--database", str(database), "--jobs", "2"]
    return words + (["--resume"] if resume else []) + ending


def games_of(database: Path) -> dict[str, str]:
    """What each finished game was, by its place; every game at most once."""
    if not database.exists():
        return {}
    with Store(database, create=False) as store:
        store.check_integrity()
        if not store.runs():
            return {}
        found = list(store.games(RUN))
    assert len({game.schedule_id for game in found}) == len(found)
    return {game.schedule_id: " ".join(entry.move for entry in game.record.moves) for game in found}


def has_begun(database: Path) -> bool:
    """Whether there is a run to go on with, perhaps without a finished game."""
    if not database.exists():
        return False
    with Store(database, create=False) as store:
        return bool(store.runs())


def left_behind(mark: str) -> list[int]:
    """Living processes that were started with this mark in their environment."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "environ").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue
    return [pid for pid in found if pid != os.getpid()]


def kill_and_resume(folder: Path, kills: int, seed: int) -> dict[str, str]:
    """The games of a run that was killed so many times and then let finish.

    Whatever was finished before a kill is there after it, unchanged; no process outlives a kill.
    """
    chance = random.Random(seed)
    database = folder / "killed.sqlite"
    before: dict[str, str] = {}
    for number in range(kills):
        mark = f"ATTACK_MARK={seed}-{number}-{os.getpid()}"
        environment = {**os.environ, "ATTACK_MARK": mark.partition("=")[2]}
        words = command(database, resume=has_begun(database))
        quiet = subprocess.DEVNULL
        arena = subprocess.Popen(words, stdout=quiet, stderr=quiet, env=environment)
        known = len(before)
        patience = time.monotonic() + 60
        while arena.poll() is None and time.monotonic() < patience:
            if len(games_of(database)) >= min(GAMES - 1, known + 2):
                break
            time.sleep(0.05)
        time.sleep(chance.random() * 0.3)
        arena.send_signal(signal.SIGKILL)
        arena.wait()
        patience = time.monotonic() + 15
        while left_behind(mark) and time.monotonic() < patience:
            time.sleep(0.05)
        assert left_behind(mark) == [], f"processes outlived kill {number}"
        after = games_of(database)
        assert before.items() <= after.items(), f"kill {number} changed or lost a game"
        before = after
        if len(after) >= GAMES:
            break
    subprocess.run(
        command(database, has_begun(database)), check=True, capture_output=True, timeout=600
    )
    after = games_of(database)
    assert before.items() <= after.items() and len(after) == GAMES
    return after
