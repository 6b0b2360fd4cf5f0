"""The process owner: nothing leaks, whatever way an engine ends."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from plyground.engines.failure import EngineError, Interrupt, MatchStoppedError
from plyground.engines.process import EngineProcess, ProcessLimits
from scripted_players import processes_of

ECHO = "import sys\nfor line in sys.stdin: print(line.strip(), flush=True)"


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def soon(seconds: float = 5.0) -> float:
    return time.monotonic() + seconds


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")
def test_descriptors_do_not_pile_up():
    interrupt = Interrupt()
    gc.collect()  # what earlier tests left behind
    before = descriptors()
    for code in (ECHO, "raise SystemExit(3)", "import os; os.close(1); os.close(0)"):
        for _ in range(3):
            with EngineProcess([sys.executable, "-c", code], interrupt=interrupt) as process:
                try:
                    process.send(b"hello\n", soon())
                    assert process.receive(soon()).startswith(b"hello")
                except EngineError:
                    pass
    absent = EngineProcess(["/no/such/program"], interrupt=interrupt)
    with absent as process, pytest.raises(EngineError, match="cannot be started"):
        process.receive(soon())
    assert descriptors() <= before  # what earlier tests left may close meanwhile


def test_an_interrupt_ends_every_wait_at_once():
    interrupt = Interrupt()
    with EngineProcess([sys.executable, "-c", ECHO], interrupt=interrupt) as process:
        interrupt.set()
        started = time.monotonic()
        with pytest.raises(MatchStoppedError):
            process.receive(soon(60.0))
        assert time.monotonic() - started < 2.0


def test_a_deadline_is_kept_without_an_answer():
    with EngineProcess([sys.executable, "-c", "import time; time.sleep(60)"]) as process:
        assert process.receive(time.monotonic() + 0.05) is None


def test_cpu_limit_ends_a_busy_engine():
    limits = ProcessLimits(cpu_seconds=1)
    busy = EngineProcess([sys.executable, "-c", "while True: pass"], limits)
    with busy as process, pytest.raises(EngineError, match="signal"):
        process.receive(soon(60.0))


def test_log_is_bounded():
    code = "import sys; sys.stderr.write('x' * 300000); sys.stderr.flush(); print('done')"
    with EngineProcess([sys.executable, "-c", code], ProcessLimits(log=1000)) as process:
        assert process.receive(soon(20.0)).startswith(b"done")
    assert process.log_text() == "x" * 1000


def test_nothing_outlives_an_owner_that_is_killed(tmp_path):
    """Not even programs that ignore their closed pipes and leave their session."""
    stayer = tmp_path / "stayer.py"
    stayer.write_text(
        "import os, signal, sys, time\n"
        "for number in (1, 2, 13, 15): signal.signal(number, signal.SIG_IGN)\n"
        "if os.fork() == 0: os.setsid()\n"
        "print('up', flush=True)\n"
        "time.sleep(600)\n"
    )
    owner = (
        "import sys, time\n"
        "from plyground.engines.process import EngineProcess\n"
        "process = EngineProcess([sys.executable, sys.argv[1]])\n"
        "process.receive(time.monotonic() + 30)\n"
        "print('ready', flush=True)\n"
        "time.sleep(600)\n"
    )
    arena = subprocess.Popen(
        [sys.executable, "-c", owner, str(stayer)], stdout=subprocess.PIPE, env=dict(os.environ)
    )
    assert arena.stdout is not None
    assert arena.stdout.readline() == b"ready\n"
    assert len(processes_of(tmp_path)) >= 4
    arena.kill()
    arena.wait()
    arena.stdout.close()
    deadline = soon(15.0)
    while processes_of(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert processes_of(tmp_path) == []
