"""The clock of a turn: who waits for a processor has not slept."""

from __future__ import annotations

import os
import subprocess
import sys
import time

from plyground.course.host.turntime import TurnTime
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
