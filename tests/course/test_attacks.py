"""What a submission tries beyond playing is stopped where the sandbox is, and named everywhere."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from plyground.cli import run
from plyground.core.limits import Limit
from plyground.course.attempts import read_attempts
from plyground.course.host.watch import MARK
from plyground.course.skeleton import OLDER
from plyground.course.submissions import Submission
from plyground.course.verdict import Trial, judge
from plyground.engines import sandbox
from plyground.engines.engine import EngineSettings

ATTACKS = {
    "write": "open({victim!r}, 'w').write('mine')",
    "read": "print('stolen', open({victim!r}).read())",
    "connect": "import socket; socket.create_connection(('127.0.0.1', {port}), 1)",
    "fork": "import subprocess; subprocess.run(['touch', {victim!r} + '.touched'])",
    "kill": "import os; os.kill(1, 0)",
    "name": "import socket; socket.gethostbyname('localhost')",
    "limits": "import resource; resource.prlimit(1, resource.RLIMIT_NOFILE)",
    "library": "import ctypes; ctypes.CDLL(None).openat",
    "files": "for number in range(17_000): open(str(number), 'w').close()",
    "disk": "import os\n            with open('big', 'wb') as f: f.write(bytes(70 << 20))",
    "full": "f = open('big', 'wb')\n            for _ in range(300): f.write(bytes(1 << 20))",
    "beside": "f = open(__file__[:-3] + '.log', 'wb'); f.write(bytes(70 << 20))",
    "reserve": "import os; os.posix_fallocate(os.open('big', 66), 0, 1 << 40)",
    "listing": "import os; os.listdir('..')",
    "system": "open('/etc/shadow').read()",
    "process": "open('/proc/1/environ').read()",
    "priority": "import os; os.setpriority(os.PRIO_PROCESS, 1, 19)",
    "insides": "import gc; [each for each in gc.get_objects() if type(each).__name__ == 'Watch']",
    "host": "import plyground.course.host.watch as w; w.Watch.say = print",
    "modules": "import sys; host = sys.modules['plyground.course.host']\n"
    "            try: (vars(host).get('watch') or sys.modules['__main__'].main).Watch.say = print\n"
    "            except AttributeError: open('/nowhere', 'w')",
    "frames": "import sys; sys._getframe().f_back.f_back.f_locals.clear()",
    "trace": "try: 1 / 0\n            except ZeroDivisionError as e: e.__traceback__.tb_frame",
    "machine": "import ctypes, shutil, _ctypes; shutil.copy(_ctypes.__file__, 'own.so')\n"
    "            ctypes.CDLL('./own.so')",
    "silent": "import _posixsubprocess as p, os, time\n            r, w = os.pipe()\n"
    "            p.fork_exec([b'sleep', b'9'], [b'/bin/sleep'], True, (w,), None, None, -1, -1,"
    " -1, -1, -1, -1, r, w, True, False, 0, None, None, None, -1, None, True)\n"
    "            end = time.process_time() + 0.3\n"
    "            while time.process_time() < end: pass",
    "database": "import sqlite3; sqlite3.connect({victim!r})",
}
NAMED = {
    "write": "tried to write 'neighbour/sudokuai.py' outside of its folder",
    "read": "tried to read 'neighbour/sudokuai.py' outside of its folder",
    "connect": "tried to connect to 127.0.0.1:",
    "fork": "tried to start a process: touch",
    "kill": "tried to send a signal to process 1 (signal 0)",
    "name": "tried to connect to localhost",
    "limits": "tried to change limits of process 1",
    "library": "tried to call openat of the C library",
    "files": "tried to fill the disk: 66 MB",
    "disk": "tried to fill the disk: 70 MB",
    "full": "tried to fill the disk: ",
    "beside": "tried to fill the disk: 70 MB",
    "reserve": "tried to fill the disk: 1048576 MB at once",
    "listing": "tried to read 'tmp' outside of its folder",
    "system": "tried to read 'etc/shadow' outside of its folder",
    "process": "tried to read '1/environ' outside of its folder",
    "priority": "tried to call os.setpriority for others",
    "insides": "tried to look through the interpreter by gc.get_objects",
    "host": "tried to look through the interpreter by import of plyground.course.host.watch",
    "modules": "tried to write 'nowhere' outside of its folder",
    "frames": "tried to look through the interpreter by sys._getframe",
    "trace": "tried to look through the interpreter by tb_frame",
    "machine": "tried to load compiled code: own.so",
    "silent": "tried to start a process: one that was seen at work",
    "database": "tried to write 'neighbour/sudokuai.py' outside of its folder",
}
HELD = {
    "kill": "reaches nothing outside of the sandbox",
    "fork": "ends with it",
    "silent": "ends with it",
    "machine": "held by the sandbox, but not named",
    **dict.fromkeys(
        ("insides", "host", "frames", "trace"), "held by the sandbox, perhaps not named"
    ),
}


def attacker(attack: str) -> str:
    """A submission that plays well and attacks in its turns."""
    trial = f"        try:\n            {attack}\n        except Exception as error:\n"
    trial += "            print('failed', type(error))\n"
    mark = "        self.propose_move(best)\n"
    return OLDER.replace(mark, mark + trial)


@pytest.mark.parametrize("box", ["auto", "off"])
def test_attacks_are_named_and_stopped_by_the_sandbox(box, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("plyground.course.boards.CLASSIC_BOARDS", ())
    monkeypatch.setattr("plyground.course.verdict.MOST_TURNS", 2)
    neighbour = tmp_path / "neighbour"
    neighbour.mkdir()
    victim = neighbour / "sudokuai.py"
    victim.write_text("secret = 1\n")
    apart = box == "auto" and sandbox.state().available
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        port = server.getsockname()[1]
        for name, attack in ATTACKS.items():
            folder = tmp_path / name
            folder.mkdir()
            code = attacker(attack.format(victim=str(victim), port=port))
            (folder / "sudokuai.py").write_text(code)
            words = ["course", "check", str(folder), "--time", "5", "--sandbox", box, "--json"]
            assert run([*words, "--option", "board=random-2x2"]) == 1
            verdict = json.loads(capsys.readouterr().out)
            assert verdict["playable"] and not verdict["flawless"]
            found = " ".join(remark["found"] for remark in verdict["remarks"])
            assert NAMED[name] in found, (name, found)
            assert found.count("tried to") == 1, found
            fate = "the sandbox stops that" if apart else "nothing stopped it"
            fate = HELD.get(name, fate) if apart else fate
            assert fate in found
        if apart:
            with pytest.raises(TimeoutError):
                server.accept()
    if apart:
        assert victim.read_text() == "secret = 1\n"
        assert not Path(f"{victim}.touched").exists()


def test_attacks_after_much_output_are_named_too(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("plyground.course.boards.CLASSIC_BOARDS", ())
    monkeypatch.setattr("plyground.course.verdict.MOST_TURNS", 2)
    attack = """import os
            print('x' * 99 * 1009, flush=True)
            for place in range(40):
                try: open(f'/nowhere{place}', 'w')
                except OSError: pass
            print('y' * 300_000, end='', flush=True)
            os.kill(1, 0)
            print('z' * 300_000, flush=True)"""
    folder = tmp_path / "talker"
    folder.mkdir()
    (folder / "sudokuai.py").write_text(attacker(attack))
    words = ["course", "check", str(folder), "--time", "5", "--option", "board=random-2x2"]
    assert run([*words, "--json"]) == 1
    found = [remark["found"] for remark in json.loads(capsys.readouterr().out)["remarks"]]
    assert any("tried to write 'nowhere" in one for one in found), found
    assert any("tried to send a signal to process 1 (signal 0)" in one for one in found), found
    assert "it prints very much" in found


def test_attacks_in_games_alone_are_named(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("plyground.course.boards.CLASSIC_BOARDS", ())
    monkeypatch.setattr("plyground.course.verdict.MOST_TURNS", 2)
    attack = """if len(game_state.moves) > 2:
                print("x" * 20_000)
                open("/nowhere", "w")"""
    for name, code in (("patient", attacker(attack)), ("honest", OLDER)):
        (tmp_path / "class" / name).mkdir(parents=True)
        (tmp_path / "class" / name / "sudokuai.py").write_text(code)
    words = ["course", "rank", str(tmp_path / "class"), "--time", "5", "--json"]
    assert run([*words, "--option", "board=random-2x2"]) == 0
    verdicts = json.loads(capsys.readouterr().out)["verdicts"]
    found = {each["submission"]: each["remarks"] for each in verdicts}
    assert found["honest"] == []
    assert "in games it tried to write 'nowhere'" in found["patient"][0]["found"]
    page = (tmp_path / "class-ranking" / "students" / "patient.html").read_text()
    assert "in games it tried to write" in page


def test_who_kills_the_program_that_runs_it_has_crashed_and_is_named(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("plyground.course.boards.CLASSIC_BOARDS", ())
    folder = tmp_path / "killer"
    folder.mkdir()
    (folder / "sudokuai.py").write_text(attacker("import os; os.kill(os.getppid(), 9)"))
    words = ["course", "check", str(folder), "--time", "5", "--option", "board=random-2x2"]
    assert run([*words, "--json"]) == 1
    verdict = json.loads(capsys.readouterr().out)
    assert not verdict["playable"]
    assert verdict["boards"][0]["fault"].startswith("crash in turn 1")
    assert "(signal 9)" in verdict["remarks"][0]["found"]
    assert "plyground:" not in verdict["boards"][0]["fault"]
    assert "look for `os._exit`" in verdict["boards"][0]["advice"]
    assert "(signal 9)" in verdict["summary"]


def test_a_harmless_submission_is_not_accused(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("plyground.course.boards.CLASSIC_BOARDS", ())
    folder = tmp_path / "team42_A1"
    folder.mkdir()
    (folder / "data.txt").write_text("42\n")
    reading = """import random, tempfile, os
with open(os.path.join(os.path.dirname(__file__), 'data.txt')) as file:
    assert file.read() == '42\\n'
with open('team42_A1/data.txt') as file:  # from the folder above, as in the course
    assert file.read() == '42\\n'
with tempfile.NamedTemporaryFile('w') as file:
    file.write('x')
import collections, dataclasses, enum, inspect, logging, traceback, typing, warnings
collections.namedtuple('Square', 'row column')
warnings.warn('old')
logging.getLogger().warning('a line with its place')
try:
    1 / 0
except ZeroDivisionError:
    traceback.print_exc()
    logging.exception('one more')
@dataclasses.dataclass
class Node(typing.Generic[typing.TypeVar('T')]):
    kind: enum.Enum('Kind', 'WIN LOSS')
inspect.signature(Node)
"""
    (folder / "sudokuai.py").write_text(OLDER.replace("import random\n", reading))
    words = ["course", "check", str(folder), "--time", "5", "--option", "board=random-2x2"]
    assert run([*words, "--json"]) == 0, capsys.readouterr()
    assert json.loads(capsys.readouterr().out)["remarks"] == []


def test_who_ends_processes_of_its_own_attacks_nobody(tmp_path):
    (tmp_path / "team").mkdir()
    pool = "import multiprocessing as m; p = m.get_context('fork').Pool(7); p.terminate(); p.join()"
    (tmp_path / "team" / "sudokuai.py").write_text(attacker(pool))
    trial = Trial(("random-2x2",), Limit(time=5.0, by="cpu"), EngineSettings(), {})
    submission = Submission("team", tmp_path / "team", tmp_path / "team")
    (remark,) = judge(submission, trial).remarks
    assert remark.found.startswith("it tried to start a process: a copy of itself (")


def test_many_things_of_a_kind_are_not_all_told_by_name():
    lines = [f"{MARK}read: /home/team{number}/sudokuai.py" for number in range(7)]
    (remark,) = read_attempts(lines, EngineSettings(sandbox="off"))
    assert "'team4/sudokuai.py', and 2 more outside of its folder" in remark.found
    assert "team5" not in remark.found


def test_without_a_sandbox_the_first_and_the_last_line_say_so(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("plyground.course.boards.CLASSIC_BOARDS", ())
    for name in ("one", "two"):
        (tmp_path / "class" / name).mkdir(parents=True)
        (tmp_path / "class" / name / "sudokuai.py").write_text(OLDER)
    words = ["course", "rank", str(tmp_path / "class"), "--time", "5", "--sandbox", "off"]
    assert run([*words, "--option", "board=random-2x2", "--json"]) == 0
    lines = capsys.readouterr().err.strip().splitlines()
    assert lines[0].startswith("NO SANDBOX") and lines[-1].startswith("NO SANDBOX")
    assert "NO: it was switched off" in (tmp_path / "class-ranking" / "index.html").read_text()
