"""The command line with streams that are closed, full or left, and files that want to end it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

COMMAND = f"{sys.executable} -m plyground"


def shell(line: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a line of the shell in which $P is the command."""
    script = line.replace("$P", COMMAND)
    return subprocess.run(
        ["/bin/bash", "-c", f"set -o pipefail; {script}"],
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("words", ["games --json", "games", "agents connect4", "match --help"])
def test_a_full_disk_is_one_line(words):
    done = shell(f"$P {words} > /dev/full")
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "No space left on device" in line


@pytest.mark.parametrize("words", ["games --json", "agents connect4", "match --help"])
def test_a_reader_that_leaves_is_no_failure(words):
    done = shell(f"$P {words} | true")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_names_that_an_encoding_lacks_are_spelled_out(tmp_path, encoding):
    done = shell(
        f"export PYTHONIOENCODING={encoding}; "
        "$P match connect4 random random --games 2 --nodes 1 --name 日本 --run r --json"
        " --database r.sqlite && $P runs --database r.sqlite && $P runs --json --database r.sqlite",
        tmp_path,
    )
    assert done.returncode == 0, done.stderr
    result, listed, runs = done.stdout.splitlines()
    names = ["日本", "random"]
    assert json.loads(result)["players"] == json.loads(runs)[0]["players"] == names
    assert ("日本" if encoding == "utf-8" else "\\u65e5\\u672c") in listed


def test_input_that_is_no_text_is_no_move():
    done = shell("printf '\\377\\376\\nq\\n' | $P play connect4 --second human")
    assert done.returncode == 0 and "internal" not in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        "PLYGROUND_DATA_DIR='~nobody-here/x' $P runs",
        "XDG_CACHE_HOME='~nobody-here/x' PLYGROUND_CACHE_DIR= $P cache",
        "$P match connect4 '~nobody-here/bot.py' random --nodes 1",
        "$P match competitive-sudoku 'course:~nobody-here/team' random --nodes 1",
    ],
)
def test_a_home_that_nobody_knows_is_one_line(words):
    done = shell(words)
    (line,) = done.stderr.splitlines()
    assert done.returncode == 2 and "no such home folder" in line


def test_play_ends_where_there_is_no_input():
    for closed in ("<&-", "</dev/null"):
        done = shell(f"$P play connect4 {closed}")
        assert (done.returncode, done.stderr) == (0, "")


def test_no_file_gets_the_number_of_a_closed_stream(tmp_path):
    """Whatever is written to standard error would be written into it."""
    done = shell(
        "$P match connect4 random random --nodes 1 --games 2 --database results.sqlite"
        " <&- >&- 2>&-; $P runs --database results.sqlite",
        tmp_path,
    )
    assert done.returncode == 0
    assert "random" in done.stdout
    code = (
        "import os; from plyground.cli import hold_standard_streams;"
        "hold_standard_streams(); print(os.open('file', os.O_CREAT) > 2)"
    )
    held = shell(f'{sys.executable} -c "{code}" <&- 2>&-', tmp_path)
    assert held.stdout == "True\n"


MIXED = """
import plyground as pg
class Kind(type(pg.Agent)):
    def __call__(cls, *given, **named):
        raise LEAVING
class Mine(pg.Agent, metaclass=Kind):
    def choose(self, position, limit):
        return position.legal_moves[0]
"""


@pytest.mark.parametrize("leaving", ["SystemExit(0)", "SystemExit('x' * 9000)", "GeneratorExit()"])
def test_a_file_cannot_end_the_program_without_a_word(tmp_path, leaving):
    (tmp_path / "leaver.py").write_text(MIXED.replace("LEAVING", leaving))
    done = shell("$P match connect4 leaver.py random --nodes 1 --games 2", tmp_path)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "leaver.py:5: " + leaving.partition("(")[0] in line


def test_an_agents_own_recursion_is_told_as_its_own(tmp_path):
    (tmp_path / "deep.py").write_text(
        "import plyground as pg\nclass Mine(pg.Agent):\n    def choose(self, position, limit):\n"
        "        return self.choose(position, limit)\n"
    )
    done = shell("$P match connect4 deep.py random --nodes 1 --games 2", tmp_path)
    assert done.returncode == 0
    assert "deep.py:4: RecursionError" in " ".join(done.stdout.split())


def test_machine_code_that_calls_back_is_not_left_in_the_middle(tmp_path):
    """The compiler's library ended the process by a fault of memory."""
    (tmp_path / "llvmlite.py").write_text(
        "import os, signal\ndef callback():\n    os.kill(os.getpid(), signal.SIGINT)\n"
        "    sum(range(10**6))\n    print('whole')\n"
    )
    (tmp_path / "run.py").write_text(
        "import signal, time, llvmlite\nfrom plyground.cli import interrupt\n"
        "signal.signal(signal.SIGINT, interrupt)\n"
        "try:\n    llvmlite.callback()\n    time.sleep(20)\n"
        "except KeyboardInterrupt:\n    print('interrupted')\n"
    )
    done = shell(f"{sys.executable} run.py", tmp_path)
    assert done.stdout.split() == ["whole", "interrupted"]


def test_who_interrupts_a_match_is_told_how_it_goes_on(tmp_path):
    words = f"{COMMAND} match connect4 random random --time 0.2 --games 500 --database r.sqlite"
    with subprocess.Popen(
        words.split(), cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as match:
        until = time.monotonic() + 60
        while not list(tmp_path.glob("r.sqlite-wal")) and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(1.0)
        match.send_signal(signal.SIGINT)
        _, said = match.communicate(timeout=60)
    assert match.returncode == 130
    assert "--resume" in said.splitlines()[-1]
    assert "Traceback" not in said


def test_a_thread_that_a_file_leaves_behind_does_not_keep_the_command(tmp_path):
    thread = "import threading\nthreading.Thread(target=threading.Event().wait).start()\n"
    game = (Path(__file__).parents[2] / "examples" / "games" / "nim.py").read_text()
    (tmp_path / "waiting.py").write_text(thread + game)
    done = shell("timeout 60 $P perft waiting.py --depth 1", tmp_path)
    assert done.returncode == 0, done.stderr
