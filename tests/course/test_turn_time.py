"""Turns and their clock: who waits for a processor has not slept, and none outlives its pipe."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from plyground.course.host.turn import SubmissionError, Turn, TurnPlayer
from plyground.course.host.turntime import Allowance, TurnTime
from plyground.engines.processor_time import TreeTime, own_seconds, state_of


def test_a_busy_machine_is_not_sleep():
    """A process that waits for its turn on a processor has not slept, however long that takes."""
    busy = [run_busy() for _ in range(3 * len(os.sched_getaffinity(0)))]
    try:
        allowed = TurnTime(60.0, by_processor=True)
        allowed.begin(busy[0].pid, time.monotonic())
        end = time.monotonic() + 1.0
        while time.monotonic() < end:
            allowed.left()
            time.sleep(0.02)
        worked = own_seconds(busy[0].pid)
        left = allowed.left()
        assert left is not None and 60.0 - left <= worked + 0.1
        assert not allowed.mostly_slept
    finally:
        for each in busy:
            each.kill()
            each.wait()


def test_the_end_of_a_turn_that_nobody_has_noticed_is_not_sleep():
    child = os.fork()
    if child == 0:
        os._exit(0)
    while state_of(child) != "Z":
        time.sleep(0.01)
    assert not TreeTime(child).asleep()
    allowed = TurnTime(1.0, by_processor=True)
    allowed.begin(child, time.monotonic())
    time.sleep(0.1)
    left = allowed.left()
    os.waitpid(child, 0)
    assert left is not None and left > 0.95 and not TreeTime(child).asleep()


def run_busy() -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", "while True: pass"])


class Runaway(Turn):
    """Leaves its group and its pipe, and goes on."""

    def compute(self) -> None:
        os.setpgid(0, os.getpgid(os.getppid()))
        os.closerange(3, 1 << 10)
        time.sleep(60)


def test_who_leaves_its_group_and_its_pipe_holds_nobody_up():
    requests, arena = os.pipe()
    allowance = Allowance({"time": 5.0})
    allowance.breath = 20_000  # the fork of a large process takes its time
    began = time.monotonic()
    with pytest.raises(SubmissionError, match="team crashed before its first proposal"):
        TurnPlayer("team", requests, strict=False).play(Runaway(), allowance)
    assert time.monotonic() - began < 30  # not as long as it would have slept
    os.close(requests)
    os.close(arena)
