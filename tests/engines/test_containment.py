"""Whatever an engine starts is suspended, charged and ended with it, in both ways."""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from pathlib import Path

import psutil
import pytest

from plyground.core.outcome import Termination
from plyground.engines import containment, processor_time
from plyground.engines.failure import EngineError
from plyground.engines.process import EngineProcess, ProcessLimits
from plyground.engines.sandbox import confine
from scripted_players import processes_of

pytestmark = pytest.mark.skipif(not processor_time.SUPPORTED, reason="needs Linux")

# A daemon in a session of its own, which counts in a file.
DAEMON = """
import os, sys, time
folder = sys.argv[1]
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        count = 0
        while True:
            count += 1
            with open(folder + "/count.new", "w") as file:
                file.write(str(count))
            os.rename(folder + "/count.new", folder + "/count")
            time.sleep(0.01)
    os._exit(0)
os.wait()
print("started", flush=True)
"""


@pytest.fixture(params=["group", "tree"])
def held(request, monkeypatch):
    """Both ways, where this machine has them."""
    if request.param == "group":
        if containment.lent_groups()[0] is None:
            pytest.skip(containment.lent_groups()[1])
    else:
        monkeypatch.setattr(containment, "lent_groups", lambda: (None, "not for this test"))
    return request.param


def start(tmp_path: Path, code: str, **limits: int) -> EngineProcess:
    path = tmp_path / "engine.py"
    path.write_text(code)
    command = [sys.executable, str(path), str(tmp_path)]
    return EngineProcess(command, ProcessLimits(**limits))


def hear(process: EngineProcess, seconds: float = 20.0) -> bytes:
    return process.receive(time.monotonic() + seconds)


def count(tmp_path: Path) -> int:
    deadline = time.monotonic() + 20
    while not (tmp_path / "count").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    return int((tmp_path / "count").read_text())


def supervisor_of(process: EngineProcess) -> int:
    return processor_time.parent_of(process.pid)


def assert_nothing_left(tmp_path: Path) -> None:
    deadline = time.monotonic() + 10
    while processes_of(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert processes_of(tmp_path) == []


def test_a_daemon_is_suspended_and_ended_with_its_engine(held, tmp_path):
    with start(tmp_path, DAEMON + "sys.stdin.read()") as process:
        hear(process)
        count(tmp_path)
        process.suspend()
        time.sleep(0.05)
        before = count(tmp_path)
        time.sleep(0.3)
        assert count(tmp_path) == before
        process.resume()
        deadline = time.monotonic() + 20
        while count(tmp_path) == before and time.monotonic() < deadline:
            time.sleep(0.01)
        assert count(tmp_path) > before
    assert_nothing_left(tmp_path)


def test_who_is_to_be_suspended_soon_may_go_on_or_stands_still(held, tmp_path):
    with start(tmp_path, DAEMON + "sys.stdin.read()") as process:
        hear(process)
        count(tmp_path)
        process.suspend(after=0.3)
        process.resume()
        time.sleep(0.5)
        before = count(tmp_path)
        deadline = time.monotonic() + 20
        while count(tmp_path) == before and time.monotonic() < deadline:
            time.sleep(0.01)
        assert count(tmp_path) > before
        process.suspend(after=0.01)
        time.sleep(0.5)
        before = count(tmp_path)
        time.sleep(0.3)
        assert count(tmp_path) == before
        process.suspend(after=60.0)  # this one is still to come when it ends
    assert_nothing_left(tmp_path)


def test_who_kills_the_supervisor_leaves_no_daemon(held, tmp_path):
    with start(tmp_path, DAEMON + "os.kill(os.getppid(), 9)\ntime.sleep(60)") as process:
        hear(process)
        count(tmp_path)
        psutil.wait_procs([psutil.Process(process.pid)], timeout=10)
    assert_nothing_left(tmp_path)


def test_a_stopped_supervisor_costs_no_time(held, tmp_path):
    process = start(tmp_path, DAEMON + "os.kill(os.getppid(), 19)\nprint('x', flush=True)")
    hear(process)
    supervisor = supervisor_of(process)
    began = time.monotonic()
    process.close()
    assert time.monotonic() - began < 10  # it was 15 s and more; a busy machine has its room
    assert not psutil.pid_exists(supervisor)
    assert_nothing_left(tmp_path)


LIES = [
    "not a report",
    '{"pid": 1, "supervisor": 1}',
    '{"pid": "one"}',
    '{"supervisor": 1}',
    "[" * 10000,
    '{"exit": ' + "9" * 5000 + "}",
    "x" * 200_000,
]


@pytest.mark.parametrize("lie", LIES, ids=range(len(LIES)))
def test_garbage_in_the_status_pipe_ends_nothing(held, tmp_path, lie):
    """A program of the same user finds the pipe in the supervisor's descriptors."""
    code = f"""
import glob, os, sys
print("hello", flush=True)
for name in glob.glob("/proc/%d/fd/*" % os.getppid()):
    try:
        if os.readlink(name).startswith("pipe:"):
            pipe = os.open(name, os.O_WRONLY | os.O_NONBLOCK)
            os.write(pipe, {lie!r}.encode() + b"\\n")
    except OSError:
        pass
print("wrote", flush=True)
sys.stdin.read()
"""
    with start(tmp_path, code) as process:
        heard = b""
        while b"wrote" not in heard:
            heard += hear(process)
        process.suspend()
        process.resume()
        assert process.pid != 1
        assert psutil.Process(process.pid).cmdline()[1] == str(tmp_path / "engine.py")
    assert_nothing_left(tmp_path)


def test_too_many_processes_end_the_engine(held, tmp_path):
    code = """
import os, time
for _ in range(60):
    if os.fork() == 0:
        time.sleep(60)
        os._exit(0)
time.sleep(60)
"""
    with start(tmp_path, code, processes=30) as process, pytest.raises(EngineError) as caught:
        hear(process)
    assert caught.value.termination is Termination.CRASH
    assert_nothing_left(tmp_path)


def test_work_of_a_daemon_is_charged(held, tmp_path):
    code = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    end = time.process_time() + 0.3
    while time.process_time() < end: pass
    print("worked", flush=True)
    os._exit(0)
sys.stdin.read()
"""
    with start(tmp_path, code) as process:
        before = process.processor_seconds()
        hear(process)
        assert process.processor_seconds() - before >= 0.25


def test_groups_of_dead_arenas_are_swept(tmp_path):
    base, reason = containment.lent_groups()
    if base is None:
        pytest.skip(reason)
    ended = os.spawnlp(os.P_NOWAIT, "true", "true")
    os.waitpid(ended, 0)
    stale = base / f"plyground-{ended}-1"
    stale.mkdir()
    sleeper = os.fork()
    if sleeper == 0:
        (stale / "cgroup.procs").write_text("0")
        time.sleep(60)
        os._exit(0)
    deadline = time.monotonic() + 20
    while str(sleeper) not in (stale / "cgroup.procs").read_text() and time.monotonic() < deadline:
        time.sleep(0.01)
    containment._sweep(base)
    assert os.waitstatus_to_exitcode(os.waitpid(sleeper, 0)[1]) == -signal.SIGKILL
    assert not stale.exists()


@pytest.mark.parametrize("mode", ["off", "auto"])
def test_memory_in_files_without_a_name_is_counted(held, tmp_path, mode):
    """Written and never mapped: no process is any larger for it."""
    path = tmp_path / "hides.py"
    path.write_text(
        "import os, time\nfile = os.memfd_create('x')\n"
        "for _ in range(96): os.write(file, bytes(1 << 20))\ntime.sleep(60)\n"
    )
    command = confine([sys.executable, str(path)], mode)
    with EngineProcess(command, ProcessLimits(memory=64 << 20)) as process:
        with pytest.raises(EngineError) as failure:
            hear(process, 30.0)
        assert failure.value.termination is Termination.CRASH
        assert "MB of memory (limit 64 MB)" in failure.value.detail


@pytest.mark.parametrize(
    ("words", "policy"), [("while True: ", os.SCHED_IDLE), ("", os.SCHED_OTHER)], ids=["on", "once"]
)
def test_who_floods_gives_way_to_all_others(held, tmp_path, words, policy):
    shout = f"{words}os.write(1, b'x' * 20_000)\n"
    with start(tmp_path, f"{DAEMON}{shout}sys.stdin.read()") as process:
        heard = 0
        while heard < (300_000 if words else 20_000):
            heard += len(hear(process))
        followers = psutil.Process(supervisor_of(process)).children(recursive=True)
        assert len(followers) > 1
        assert {os.sched_getscheduler(each.pid) for each in followers} == {policy}


def test_groups_inside_a_group_are_removed_with_it(tmp_path):
    """A program that may change groups makes its own; they held the arena up, and stayed."""
    base, reason = containment.lent_groups()
    if base is None:
        pytest.skip(reason)
    process = start(
        tmp_path,
        "import os, sys\n"
        "(line,) = [each for each in open('/proc/self/cgroup') if each.startswith('0::')]\n"
        f"place = {str(base)!r} + '/' + os.path.basename(line.strip())\n"
        "open(place + '/cgroup.max.descendants', 'w').write('max')\n"
        "for _ in range(5):\n    place += '/deeper'\n    os.mkdir(place)\n"
        "if os.fork() == 0: open(place + '/cgroup.procs', 'w').write('0')\n"
        "else: print('there', flush=True)\nsys.stdin.read()\n",
    )
    assert hear(process).startswith(b"there")
    made = process.held.folder
    assert (made / "deeper").exists()
    process.close()
    assert not made.exists()
    assert_nothing_left(tmp_path)


def test_processor_time_is_known_where_no_file_can_be_opened(tmp_path):
    """Else a turn that begins then would be charged all that the program has ever worked."""
    base, reason = containment.lent_groups()
    if base is None:
        pytest.skip(reason)
    code = "import sys\nfor _ in range(1_000_000): pass\nprint(1, flush=True)\nsys.stdin.read()\n"
    with start(tmp_path, code) as process:
        hear(process)
        before = process.processor_seconds()
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
        try:
            meanwhile = process.processor_seconds()
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        assert meanwhile >= before > 0.0
