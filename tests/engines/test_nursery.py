"""Engines by fork: warm, apart from each other, owned like all others, also when it is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from plyground.core.limits import Limit
from plyground.core.outcome import Termination
from plyground.core.registry import make_game
from plyground.engines import program
from plyground.engines.engine import EngineSettings, GameSetup
from plyground.engines.failure import EngineError
from plyground.engines.nursery import SUPPORTED, Nursery
from plyground.engines.players import make_engine
from plyground.engines.process import ProcessLimits
from plyground.engines.supervision import ForkedSupervisor

pytestmark = pytest.mark.skipif(not SUPPORTED, reason="engines are forked on Linux only")
LIMIT = Limit(nodes=10)
GAME = make_game("connect4")


@pytest.fixture(scope="module")
def shared():
    """One nursery for the tests that leave it alone."""
    with Nursery() as nursery:
        yield nursery


def started(nursery: Nursery | None, agent: str = "random", **settings):
    """An engine at work."""
    engine = make_engine("connect4", agent, EngineSettings(**settings), None, nursery)
    engine.start()
    return engine


def move_of(engine, seed: int = 1) -> str:
    """Its first move in a new game."""
    start = GAME.start()
    engine.new_game(
        GameSetup(
            id=f"game {seed}",
            game=GAME,
            position=start,
            side=0,
            seed=seed,
            limit=LIMIT,
        )
    )
    return engine.think(start, LIMIT, lambda info: None).moves[0]


def is_forked(engine) -> bool:
    return isinstance(engine.process._supervisor, ForkedSupervisor)


def gone(pid: int, seconds: float = 10.0) -> bool:
    """Whether a process has ended, or does so soon."""
    deadline = time.monotonic() + seconds
    while psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def test_forked_engines_play_as_started_ones_do(shared):
    moves = []
    for nursery in (shared, shared, None):
        engine = started(nursery, "mcts")
        assert is_forked(engine) is (nursery is not None)
        moves.append([move_of(engine, seed) for seed in range(3)])
        engine.close()
    assert moves[0] == moves[1] == moves[2]


def test_each_has_a_session_and_only_its_own_descriptors(shared):
    first, second = started(shared), started(shared)
    try:
        for engine in (first, second):
            pid = engine.process.pid
            assert os.getsid(pid) == os.getpgid(pid) == pid
            links = {str(entry.readlink()) for entry in Path(f"/proc/{pid}/fd").iterdir()}
            assert len(links) == 3 and all(link.startswith("pipe:") for link in links)
            assert psutil.Process(pid).num_threads() == 1
        supervisors = {psutil.Process(e.process.pid).ppid() for e in (first, second)}
        assert len(supervisors) == 2
        os.kill(first.process.pid, signal.SIGKILL)
        with pytest.raises(EngineError, match="killed by signal 9"):
            move_of(first)
        assert move_of(second) in GAME.start().legal_moves
    finally:
        first.close()
        second.close()
    assert all(gone(pid) for pid in supervisors)


def test_limits_hold(shared):
    settings = EngineSettings(limits=ProcessLimits(memory=1 << 20))
    engine = make_engine("connect4", "random", settings, None, shared)
    with pytest.raises(EngineError, match="MB of memory"):  # at its start, or as soon as looked at
        engine.start()
        while True:
            move_of(engine)
    engine.close()


def test_engines_outlive_their_nursery_and_the_next_one_is_born_elsewhere():
    with Nursery() as nursery:
        first = started(nursery)
        os.kill(nursery.pid, signal.SIGKILL)
        dead = nursery.pid
        assert gone(dead)
        assert move_of(first) in GAME.start().legal_moves
        second = started(nursery)
        assert is_forked(second) and nursery.pid != dead
        assert move_of(second) in GAME.start().legal_moves
        pids = [engine.process.pid for engine in (first, second)]
        first.close()
        second.close()
    assert all(gone(pid) for pid in pids)


def test_a_nursery_that_is_killed_while_it_works_costs_no_game():
    with Nursery() as nursery:
        started(nursery).close()
        os.kill(nursery.pid, signal.SIGSTOP)
        engine = make_engine("connect4", "random", EngineSettings(), None, nursery)
        thread = threading.Thread(target=engine.start)
        thread.start()
        time.sleep(0.2)
        assert thread.is_alive()
        os.kill(nursery.pid, signal.SIGKILL)
        thread.join(60)
        assert not thread.is_alive() and not is_forked(engine)
        assert move_of(engine) in GAME.start().legal_moves
        engine.close()


def test_closing_does_not_wait_for_a_nursery_that_hangs(monkeypatch):
    """Who was asked for too late is not born any more: the nursery is ended in its place."""
    monkeypatch.setattr(Nursery, "rouse", lambda self: None)
    with Nursery() as nursery:
        started(nursery).close()
        pid = nursery.pid
        os.kill(pid, signal.SIGSTOP)
        engine = make_engine("connect4", "random", EngineSettings(loading=0.01), None, nursery)
        with pytest.raises(EngineError) as failure:
            engine.start()
        assert failure.value.termination is Termination.TIMEOUT
        begun = time.monotonic()
        engine.close()
        assert time.monotonic() - begun < 5
        assert gone(pid)
        engine = started(nursery)
        assert is_forked(engine) and nursery.pid != pid
        engine.close()


def test_a_nursery_that_was_stopped_is_roused(monkeypatch):
    monkeypatch.setattr(program, "ROUSE_SECONDS", 0.1)
    with Nursery() as nursery:
        started(nursery).close()
        os.kill(nursery.pid, signal.SIGSTOP)
        engine = started(nursery)
        assert is_forked(engine) and move_of(engine) in GAME.start().legal_moves
        supervisor = psutil.Process(engine.process.pid).ppid()
        os.kill(engine.process.pid, signal.SIGSTOP)
        os.kill(supervisor, signal.SIGSTOP)
        assert move_of(engine, 2) in GAME.start().legal_moves
        engine.close()
        assert gone(supervisor)


def test_foreign_code_is_never_let_in(shared, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from plyground.core.agent import Agent\n\n\n"
        "class Mine(Agent):\n    def choose(self, position, limit):\n"
        "        return position.legal_moves[0]\n"
    )
    engine = started(shared, str(file))
    assert not is_forked(engine) and move_of(engine) == GAME.start().legal_moves[0]
    engine.close()


def test_another_environment_needs_another_nursery(monkeypatch, tmp_path):
    with Nursery() as nursery:
        started(nursery).close()
        first = nursery.pid
        monkeypatch.setenv("PLYGROUND_SOMETHING", "else")
        engine = started(nursery)
        assert nursery.pid != first
        environment = Path(f"/proc/{nursery.pid}/environ").read_bytes()
        assert b"PLYGROUND_SOMETHING=else" in environment
        engine.close()


OWNER = """
import sys, time
from plyground.engines import program
from plyground.engines.engine import EngineSettings
from plyground.engines.nursery import Nursery
from plyground.engines.players import make_engine

nursery = Nursery()
engines = [make_engine("connect4", "random", EngineSettings(), None, nursery) for _ in range(2)]
for engine in engines:
    engine.start()
print(nursery.pid, *(engine.process.pid for engine in engines), flush=True)
time.sleep(60)
"""


def test_nothing_outlives_an_owner_that_is_killed():
    owner = subprocess.Popen([sys.executable, "-c", OWNER], stdout=subprocess.PIPE, text=True)
    assert owner.stdout is not None
    pids = [int(word) for word in owner.stdout.readline().split()]
    assert len(pids) == 3
    pids += [psutil.Process(pid).ppid() for pid in pids[1:]]
    owner.kill()
    owner.wait()
    owner.stdout.close()
    assert all(gone(pid) for pid in pids)
