"""A server asks for the rules of several games at once, before anything is loaded."""

from __future__ import annotations

import subprocess
import sys

BOTH = """
import threading
from plyground.board.diagnosis import explained
from plyground.kernels.compiler import load_numba

begin, wrong = threading.Barrier(2), []

def explain():
    with explained(None, None):
        pass

def run(work):
    begin.wait()
    try:
        work()
    except BaseException as error:
        wrong.append(repr(error))

threads = [threading.Thread(target=run, args=(work,)) for work in (load_numba, explain)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(wrong)
"""


def test_two_threads_load_the_compiler_one_after_the_other() -> None:
    done = subprocess.run(
        [sys.executable, "-c", BOTH], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.strip() == "[]", done.stdout
