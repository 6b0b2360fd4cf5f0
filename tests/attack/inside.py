"""A match whose own processes are killed and stopped, and their pipes written to, while it runs.

Nursery, supervisors, engines and those that compile ahead: whatever happens to them, the match ends
by itself with every game once, and nobody outlives it.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil

from plyground.store import Store
from scripted_players import write_engine
from tests.attack.kills import left_behind

RUN = "disturbed"
GAMES = 12
MOST_SECONDS = 100.0
DEEDS = ("kill", "stop", "write")

CONFIG = """
game = "connect4"
format = "round-robin"
games = {games}
time = 0.05
margin = 0.3
startup = 6
patience = 6
opening_plies = 6
players = ["random", "montecarlo:playouts=20", "{program}"]
[options]
width = 5
height = 4
"""


def disturb(folder: Path, seed: int, deeds: int, *, cold: bool = False) -> dict[str, int]:
    """Play a tournament and do so many things to its processes; how often each was done.

    With `cold` nothing is compiled yet, and processes that compile are among them.
    """
    chance = random.Random(seed)
    database = folder / "disturbed.sqlite"
    config = folder / "cup.toml"
    program = write_engine(folder, "program")
    config.write_text(CONFIG.format(games=GAMES // 3, program=program))
    mark = f"{seed}-{os.getpid()}-{folder.name}"
    environment = {**os.environ, "ATTACK_MARK": mark, "PYTHONFAULTHANDLER": "1"}
    if cold:
        environment["PLYGROUND_CACHE_DIR"] = str(folder / "cache")
    words = [sys.executable, "-m", "plyground", "tournament", str(config), "--run", RUN]
    words += ["--database", str(database), "--jobs", "2"]
    with (folder / "said").open("w") as said:
        arena = subprocess.Popen(words, stdout=said, stderr=said, env=environment)
        done = _disturb(arena, chance, deeds)
        try:
            code = arena.wait(MOST_SECONDS)
        except subprocess.TimeoutExpired:
            arena.send_signal(signal.SIGABRT)  # it says where it waits
            arena.wait()
            where = (folder / "said").read_text()[-4000:]
            raise AssertionError(f"the match did not end after {done}: {where}") from None
    assert code == 0, f"exit code {code} after {done}: {(folder / 'said').read_text()[-600:]}"
    with Store(database, create=False) as store:
        store.check_integrity()
        games = list(store.games(RUN))
    assert len(games) == len({game.schedule_id for game in games}) == GAMES, len(games)
    patience = time.monotonic() + 15
    while left_behind(f"ATTACK_MARK={mark}") and time.monotonic() < patience:
        time.sleep(0.05)
    left = [_describe(pid) for pid in left_behind(f"ATTACK_MARK={mark}")]
    assert not left, f"left behind after {done}: {left}"
    return done


def _disturb(arena: subprocess.Popen[bytes], chance: random.Random, deeds: int) -> dict[str, int]:
    done = dict.fromkeys(DEEDS, 0)
    while sum(done.values()) < deeds and arena.poll() is None:
        time.sleep(chance.random() * 0.25)
        with contextlib.suppress(psutil.Error):
            family = psutil.Process(arena.pid).children(recursive=True)
            if family:
                deed = chance.choice(DEEDS)
                _do(deed, chance.choice(family).pid, arena.pid, chance)
                done[deed] += 1
    return done


def _do(deed: str, pid: int, arena: int, chance: random.Random) -> None:
    with contextlib.suppress(OSError):
        if deed in ("kill", "stop"):
            os.kill(pid, signal.SIGKILL if deed == "kill" else signal.SIGSTOP)
            return
        pipes = _pipes(chance.choice((pid, arena)))
        if not pipes:
            return
        descriptor = os.open(chance.choice(pipes), os.O_WRONLY | os.O_NONBLOCK)
        try:
            os.write(descriptor, chance.choice((b"\x0f", b"\xff\n{}\n" * 9, b'{"pid":1}\n')))
        finally:
            os.close(descriptor)


def _describe(pid: int) -> str:
    with contextlib.suppress(psutil.Error):
        process = psutil.Process(pid)
        return (
            f"{pid} of {process.ppid()}, {process.status()}: {' '.join(process.cmdline())[-200:]}"
        )
    return f"{pid}, gone by now"


def _pipes(pid: int) -> list[str]:
    """The ends of pipes that a process holds for longer, as files.

    Not those by which Python hears of a process that it starts at this moment: whoever writes there
    makes it wait for that process to end.
    """
    before = _links(pid)
    time.sleep(0.05)
    after = _links(pid)
    return [str(entry) for entry, link in after.items() if before.get(entry) == link]


def _links(pid: int) -> dict[Path, str]:
    found = {}
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            if (link := str(entry.readlink())).startswith("pipe:"):
                found[entry] = link
    return found
