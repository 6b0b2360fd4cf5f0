"""Time by processor: whoever works is charged, whoever waits is not, and nobody waits for ever."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from unittest.mock import Mock

import pytest

from plyground.arena.config import read_config
from plyground.arena.match import play_game
from plyground.arena.task import GameTask, MatchRules
from plyground.core.limits import Clock, Limit
from plyground.core.outcome import Termination
from plyground.engines import clocks, processor_time
from plyground.engines.containment import ProcessTree
from plyground.engines.engine import EngineSettings, TurnBudget
from plyground.engines.pool import engine_pool
from plyground.engines.process import EngineProcess
from scripted_players import processes_of, write_engine

pytestmark = pytest.mark.skipif(not processor_time.SUPPORTED, reason="needs Linux")

RULES = MatchRules(engine=EngineSettings(startup=20.0, margin=0.1, grace=0.5))
BURN = "import time\nend = time.process_time() + {0}\nwhile time.process_time() < end: pass\n"
BURN_IN_A_CHILD = """
child = os.fork()
if child == 0:
    end = time.process_time() + 0.5
    while time.process_time() < end: pass
    os._exit(0)
os.waitpid(child, 0)
"""
BURN_IN_A_DAEMON = """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        end = time.process_time() + 1.5
        while time.process_time() < end: pass
    os._exit(0)
time.sleep(1.5)
"""


def play(player: str, limit: Limit, other: str = "random", game: str = "connect4"):
    task = GameTask(
        schedule_id="g1",
        pair_id="p1",
        game=game,
        options={},
        players=(player, other),
        labels=("program", "other"),
        seats=(0, 1),
        limits=(limit, Limit(time=5.0)),
        engine_seeds=(1, 2),
        rules=RULES,
    )
    with engine_pool() as engines:
        return play_game(task, engines).record


def test_the_time_of_a_tree_has_its_ended_children_and_their_daemons():
    script = f"""
import os, subprocess, sys, time
burn = {BURN.format(0.15)!r}
subprocess.run([sys.executable, "-c", burn])
if os.fork() == 0:
    os.setsid()
    exec(burn)
    os._exit(0)
print("ready", flush=True)
sys.stdin.read()
"""
    root = subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    tree = processor_time.TreeTime(root.pid, with_root=True)
    try:
        assert root.stdout is not None
        root.stdout.readline()
        before = tree.seconds()
        assert before >= 0.14  # the child that was waited for
        deadline = time.monotonic() + 60
        while tree.seconds() < 0.29 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert tree.seconds() >= 0.29
    finally:
        root.communicate()
    assert tree.seconds() >= before  # of a root that is gone the last reading stands


def test_a_program_that_waits_loses_by_the_wall_and_not_by_the_processor(tmp_path):
    waits = write_engine(tmp_path, "waits", go="time.sleep(0.4 if turn == 1 else 0)")
    record = play(waits, Limit(time=0.1))
    assert record.outcome.termination is Termination.TIMEOUT
    record = play(waits, Limit(time=0.1, by="cpu"))
    assert record.outcome.termination is Termination.NORMAL
    assert record.moves[0].player == 0 and record.moves[0].time < 0.2
    record = play(waits, Limit(clock=Clock(0.3), by="cpu"))
    assert record.outcome.termination is not Termination.TIMEOUT


@pytest.mark.parametrize(
    "work", [BURN.format(0.5), BURN_IN_A_CHILD, BURN_IN_A_DAEMON], ids=["own", "child", "daemon"]
)
def test_work_is_charged_whoever_does_it(tmp_path, work):
    record = play(write_engine(tmp_path, "works", go=work), Limit(time=0.1, by="cpu"))
    assert record.outcome.winner == 1
    assert record.outcome.termination is Termination.TIMEOUT
    assert "of processor time" in record.outcome.detail
    assert processes_of(tmp_path) == []


def test_a_program_that_sleeps_is_ended_by_the_wall(tmp_path, monkeypatch):
    monkeypatch.setattr(clocks, "WALL_SECONDS", 0.5)
    monkeypatch.setattr(clocks, "WALL_FACTOR", 1.0)
    sleeps = write_engine(tmp_path, "sleeps", go="time.sleep(600)")
    record = play(sleeps, Limit(time=0.1, by="cpu"))
    assert record.outcome.termination is Termination.TIMEOUT
    proposes = write_engine(
        tmp_path,
        "proposes",
        go="send(type='info', move=move); time.sleep(0.8 if turn == 1 else 0)",
    )
    assert play(proposes, Limit(time=0.1, by="cpu")).outcome.winner is not None


def test_agents_of_our_own_think_by_the_processor():
    record = play("mcts", Limit(time=0.05, by="cpu"), other="mcts")
    own = [entry.time for entry in record.moves if entry.player == 0 and entry.time is not None]
    assert record.outcome.termination is Termination.NORMAL
    assert max(own) > 0.02


def test_contest_programs_are_charged_by_the_processor(tmp_path):
    path = tmp_path / "contest.py"
    path.write_text(f"import sys\nsys.stdin.readline()\n{BURN.format(1.0)}\nprint('Aa1')\n")
    player = f"codecup:{sys.executable} {path}"
    record = play(player, Limit(clock=Clock(0.2), by="cpu"), other="sample1", game="codecup-sudoku")
    assert record.outcome.termination is Termination.TIMEOUT
    path.write_text(path.read_text().replace(BURN.format(1.0), "import time; time.sleep(1)"))
    record = play(player, Limit(clock=Clock(0.2), by="cpu"), other="sample1", game="codecup-sudoku")
    assert record.outcome.termination is not Termination.TIMEOUT


def test_a_configuration_says_whose_seconds(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(
        'game = "connect4"\ntime_by = "cpu"\ntime = 0.2\n'
        'players = ["random", {player = "mcts", time = 1.0}, '
        '{player = "mcts", time = 1.0, time_by = "wall"}]\n'
    )
    config = read_config(path)
    assert config.limit == Limit(time=0.2, by="cpu")
    assert [entry.limit and entry.limit.by for entry in config.players] == [None, "cpu", "wall"]
    assert str(config.limit) == "0.2 s a move of processor time"


def test_setting_the_machines_clock_does_not_matter(monkeypatch):
    """A contest program asks how long it has lived already."""
    before = processor_time.lived_seconds()
    monkeypatch.setattr(time, "time", lambda: 0.0)
    after = processor_time.lived_seconds()
    assert 0.0 < before <= after < before + 60


def stall_once(monkeypatch, seconds: float) -> list[float]:
    """Have the referee be stopped in the midst of the first turn; the list tells that it was."""
    receive, looks = EngineProcess.receive, []

    def stall(process, deadline):
        in_turn = deadline - time.monotonic() < 2 * clocks.LOOK_SECONDS
        data = receive(process, deadline)
        if in_turn and data is None:
            looks.append(deadline)
            if len(looks) == 3:
                time.sleep(seconds)
        return data

    monkeypatch.setattr(EngineProcess, "receive", stall)
    return looks


def test_a_referee_that_stalls_gives_nobody_processor_time(tmp_path, monkeypatch):
    looks = stall_once(monkeypatch, 1.5)
    program = write_engine(tmp_path, "program", go="time.sleep(1.0 if turn == 1 else 0)")
    record = play(program, Limit(time=0.2, by="cpu"))
    assert len(looks) > 2
    assert record.outcome.termination is Termination.NORMAL
    assert all(entry.time >= 0.0 for entry in record.moves if entry.time is not None)


def test_work_is_charged_while_the_referee_stalls(tmp_path, monkeypatch):
    looks = stall_once(monkeypatch, 1.5)
    record = play(write_engine(tmp_path, "works", go=BURN.format(0.6)), Limit(time=0.1, by="cpu"))
    assert len(looks) > 2
    assert record.outcome.termination is Termination.TIMEOUT
    assert not record.moves


def test_the_wall_of_a_stopped_referee_ends_no_turn_by_the_processor(tmp_path, monkeypatch):
    monkeypatch.setattr(clocks, "WALL_SECONDS", 1.0)
    monkeypatch.setattr(clocks, "WALL_FACTOR", 1.0)
    looks = stall_once(monkeypatch, 1.5)
    program = write_engine(tmp_path, "waits", go="time.sleep(2.0 if turn == 1 else 0)")
    record = play(program, Limit(time=0.1, by="cpu"))
    assert len(looks) > 2
    assert record.outcome.termination is Termination.NORMAL


def test_the_wall_ends_no_turn_of_a_program_that_waits_for_a_processor(monkeypatch):
    """Where others keep the processors busy, ten times its time may pass without a tenth of it."""
    monkeypatch.setattr(clocks, "WALL_SECONDS", 0.01)
    monkeypatch.setattr(clocks, "WALL_FACTOR", 1.0)
    process = Mock(processor_seconds=lambda: 0.05, held=Mock(working=lambda: True))
    clock = clocks.TurnClock(process)
    clock.begin(TurnBudget(soft=0.1, hard=0.2, by="cpu"))
    began = clock.now()
    time.sleep(0.3)
    assert clock.idleness() == "" and clock.now() == began
    process.held.working = lambda: False
    time.sleep(2 * clocks.LOOK_SECONDS)
    assert clock.now() >= began + 0.1
    assert "on the wall" in clock.idleness()


def test_nobody_works_for_ever_without_processor_time(monkeypatch):
    monkeypatch.setattr(clocks, "WALL_SECONDS", 0.01)
    monkeypatch.setattr(clocks, "WALL_FACTOR", 1.0)
    monkeypatch.setattr(clocks, "LAST_FACTOR", 3.0)
    clock = clocks.TurnClock(Mock(processor_seconds=lambda: 0.0, held=Mock(working=lambda: True)))
    clock.begin(TurnBudget(soft=0.1, hard=0.1, by="cpu"))
    began = clock.now()
    deadline = time.monotonic() + 30
    while clock.now() < began + 0.1:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert "on the wall" in clock.idleness()


@pytest.mark.parametrize(("code", "works"), [("while True: pass", True), ("time.sleep(60)", False)])
def test_a_program_that_works_is_told_from_one_that_sleeps(code, works):
    child = subprocess.Popen(
        [sys.executable, "-c", f"import time\nprint(1, flush=True)\n{code}"],
        stdout=subprocess.PIPE,
    )
    tree = ProcessTree(os.getpid())
    try:
        assert child.stdout is not None
        child.stdout.readline()
        deadline = time.monotonic() + 30
        while tree.working() != works and time.monotonic() < deadline:
            time.sleep(0.01)  # it may still be on its way to its sleep
        assert tree.working() == works
    finally:
        child.kill()
        child.communicate()
