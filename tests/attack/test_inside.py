"""Processes of a match are killed and stopped; `python -m tests.attack` does it for longer."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from plyground.core.outcome import Termination
from plyground.engines import processor_time
from plyground.engines.failure import Interrupt, MatchStoppedError
from plyground.engines.process import EngineProcess
from plyground.store import Store
from scripted_players import write_engine
from tests.attack.inside import RUN, disturb

pytestmark = pytest.mark.skipif(not processor_time.SUPPORTED, reason="needs /proc")


@pytest.mark.slow
def test_a_match_outlives_what_is_done_to_its_processes(tmp_path):
    assert sum(disturb(tmp_path, seed=4, deeds=8).values()) > 0


@pytest.mark.slow
def test_an_arena_that_was_stopped_charges_nobody_for_it(tmp_path):
    """As by Ctrl-Z and `fg`: its programs go on meanwhile and have answered long ago."""
    database = tmp_path / "games.sqlite"
    player = write_engine(tmp_path, "slow", go="time.sleep(0.05)")
    words = [sys.executable, "-m", "plyground", "match", "connect4", player, "random"]
    words += ["--games", "2", "--time", "0.3", "--margin", "0.3", "--jobs", "1", "--run", RUN]
    words += ["--database", str(database), "--option", "width=5", "--option", "height=4"]
    quiet = subprocess.DEVNULL
    arena = subprocess.Popen(words, stdout=quiet, stderr=quiet)
    stopped = 0
    while arena.poll() is None:
        time.sleep(0.2)
        if database.exists() and stopped < 3:
            arena.send_signal(signal.SIGSTOP)
            time.sleep(2.0)
            arena.send_signal(signal.SIGCONT)
            stopped += 1
    with Store(database, create=False) as store:
        endings = [game.record.outcome.termination for game in store.games(RUN)]
    assert stopped > 0 and endings == [Termination.NORMAL] * 2


def test_garbage_in_the_switch_stops_nothing():
    """Its pipe can be opened by others of the same user; what they write wakes nobody for long."""
    interrupt = Interrupt()
    with EngineProcess([sys.executable, "-c", "input()"], interrupt=interrupt) as process:
        os.write(interrupt._writer, b"garbage" * 100)
        before = time.process_time()
        assert process.receive(time.monotonic() + 0.5) is None
        assert time.process_time() - before < 0.2
        interrupt.set()
        with pytest.raises(MatchStoppedError):
            process.receive(time.monotonic() + 60)
