"""Games start in several threads of a fresh process, as in the workers of a cluster."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import threading
from plyground.core.registry import make_agent
from plyground.engines.engine import EngineSettings
from plyground.engines.players import make_engine
barrier = threading.Barrier(8)
failed = []
def ask():
    barrier.wait()
    try:
        make_agent("connect4", "random")
        make_engine("competitive-sudoku", "random", EngineSettings())
    except Exception as error:
        failed.append(error)
threads = [threading.Thread(target=ask) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert not failed, failed
"""


def test_names_are_known_in_every_thread_from_the_start():
    done = subprocess.run([sys.executable, "-c", SCRIPT], stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
