"""Watches one engine process and ends everything it started. Runs alone, standard library only.

Started as ``python -I -S supervisor.py SETTINGS COMMAND...`` with the engine's pipes as standard
input and output, which it hands over to the engine and lets go. Three more descriptors come from
the arena (numbers in SETTINGS): ``control`` is a pipe that nobody writes to, whose end of file
means that the arena has closed the engine or is dead; ``status`` takes one JSON line at the start
and one at the end; ``log`` takes the first bytes of the engine's standard error.

The engine leads its own session. On Linux the supervisor adopts whatever the engine's processes
leave behind, so that children which moved to another group are found as well.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from typing import Any, NoReturn

_SET_PARENT_DEATH_SIGNAL = 1
_SET_CHILD_SUBREAPER = 36
_LOOK_SECONDS = 0.1
_KILL_PATIENCE = 10.0
_DRAIN_SECONDS = 0.5
_MOST_FILES = 2000
"""Open files that are looked at each time."""

NOTICE = b"\nplyground: "
"""How lines of our own begin in a log. They are kept when it is full: so many bytes in all, and so
many lines of a kind, which is told by the first words."""

NOTICE_BYTES = 1 << 14
_KIND_WORDS, _MOST_OF_A_KIND, _LONGEST_NOTICE = 4, 8, 1024


def main() -> None:
    """Run the command after the settings as an engine."""
    command = sys.argv[2:]
    supervise(json.loads(sys.argv[1]), command[0], lambda: os.execvp(command[0], command))


def supervise(settings: dict[str, Any], name: str, become: Callable[[], object]) -> None:
    """Run the engine until it ends, breaks a limit, or the arena lets go of `control`.

    `become` turns a process of its own into the engine and does not return.
    """
    control, status, log = settings["control"], settings["status"], settings["log"]
    for descriptor in (control, status, log):
        os.set_inheritable(descriptor, False)
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    _prctl(_SET_CHILD_SUBREAPER, 1)
    errors, errors_in = os.pipe()
    engine = os.fork()
    if engine == 0:
        _become_engine(name, become, errors_in, status, settings)
    os.close(errors_in)
    _let_go_of_pipes()
    _report(status, {"pid": engine, "supervisor": os.getpid()})
    kept = _Log(errors, log, settings["log_bytes"])
    ending = _watch(engine, control, kept, settings)
    _kill_all(engine, settings["group"])
    kept.drain()
    _report(status, ending)


def _become_engine(
    name: str, become: Callable[[], object], errors: int, status: int, settings: dict[str, Any]
) -> NoReturn:
    try:
        os.setsid()
        _prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
        for number in (signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        os.dup2(errors, 2)
        if settings["group"]:
            with open(f"{settings['group']}/cgroup.procs", "w") as file:
                file.write("0")
        if settings["cpu_seconds"]:
            import resource

            seconds = int(settings["cpu_seconds"])
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        become()
    except BaseException as error:
        _report(status, {"failed": f"{name}: {error}"})
    os._exit(127)


def _watch(engine: int, control: int, log: _Log, settings: dict[str, Any]) -> dict[str, Any]:
    """Wait for the end; returns what to report about it."""
    wake = _signals()
    end = _end_of(engine)
    poll = select.poll()
    poll.register(control, 0)  # the hang-up alone: nobody has anything to write there
    for descriptor in (log.errors, wake, end):
        if descriptor is not None:
            poll.register(descriptor, select.POLLIN | select.POLLHUP)
    memory_limit, most = settings["memory_bytes"], settings["processes"]
    while True:
        events = dict(poll.poll(_LOOK_SECONDS * 1000))
        if log.errors in events and not log.copy():
            poll.unregister(log.errors)
        numbers = os.read(wake, 256) if wake in events else b""
        code = _reap(engine)
        if code is not None:
            return {"exit": code}
        if signal.SIGTERM in numbers or control in events:
            return {"reason": "closed"}
        used, processes = _usage(engine)
        if memory_limit and used > memory_limit:
            return {"reason": "memory", "bytes": used}
        if processes > most:
            return {"reason": "processes"}


def _signals() -> int:
    """A descriptor from which the numbers of signals that ask us to end can be read."""
    wake, wake_in = os.pipe()
    os.set_blocking(wake_in, False)
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake_in, warn_on_full_buffer=False)
    signal.signal(signal.SIGTERM, lambda *_: None)
    return wake


def _end_of(engine: int) -> int | None:
    """A descriptor that is ready once the engine has ended; without one a signal wakes us.

    The signal also comes whenever the arena suspends the engine or lets it go on, twice a turn.
    """
    try:
        return os.pidfd_open(engine)
    except (AttributeError, OSError):
        signal.signal(signal.SIGCHLD, lambda *_: None)
        return None


def _reap(engine: int) -> int | None:
    """Collect ended children; the engine's exit code (negative: signal) if it is among them."""
    code = None
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                break
            if pid == engine:
                code = os.waitstatus_to_exitcode(status)
    return code


class _Log:
    """The beginning of standard error, and what we say there ourselves.

    The arena empties the file between games, which makes room again.
    """

    def __init__(self, errors: int, file: int, limit: int) -> None:
        self.errors = errors
        self._file = file
        self._limit = limit
        self._tail = b""
        """The end of what was read last: a notice may begin there."""
        self._kinds: dict[tuple[bytes, ...], int] = {}

    def copy(self) -> bool:
        """Take a piece of standard error; False at its end."""
        data = os.read(self.errors, 65536)
        with contextlib.suppress(OSError):
            room = self._limit - os.fstat(self._file).st_size
            if room > 0:
                os.write(self._file, data[:room])
                self._tail = data[:room][1 - len(NOTICE) :]
                self._kinds.clear()
            if room < len(data):
                self._keep_notices(data[max(0, room) :])
        return bool(data)

    def drain(self) -> None:
        """What is still in the pipe after the end; what is written meanwhile is not waited for."""
        os.set_blocking(self.errors, False)
        deadline = time.monotonic() + _DRAIN_SECONDS
        with contextlib.suppress(OSError):
            while time.monotonic() < deadline and self.copy():
                pass

    def _keep_notices(self, surplus: bytes) -> None:
        """Of what has no room keep the lines that are ours."""
        text = self._tail + surplus
        at = text.find(NOTICE)
        while at >= 0 and (end := text.find(b"\n", at + 1)) >= 0:
            self._keep(text[at:end][:_LONGEST_NOTICE] + b"\n")
            at = text.find(NOTICE, end)
        self._tail = text[at:][:_LONGEST_NOTICE] if at >= 0 else text[1 - len(NOTICE) :]

    def _keep(self, notice: bytes) -> None:
        kind = tuple(notice.split()[:_KIND_WORDS])
        size = os.fstat(self._file).st_size + len(notice)
        if self._kinds.get(kind, 0) < _MOST_OF_A_KIND and size <= self._limit + NOTICE_BYTES:
            self._kinds[kind] = self._kinds.get(kind, 0) + 1
            os.write(self._file, notice)


def _kill_all(engine: int, group: str) -> None:
    """Kill the engine's control group, process group and every descendant, until none is left."""
    deadline = time.monotonic() + _KILL_PATIENCE
    while True:
        with contextlib.suppress(OSError):
            if group:
                with open(f"{group}/cgroup.kill", "w") as file:
                    file.write("1")
        with contextlib.suppress(OSError):
            os.killpg(engine, signal.SIGKILL)
        for pid in descendants(os.getpid()):
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        if time.monotonic() > deadline:
            return
        time.sleep(0.002)


def descendants(root: int) -> list[int]:
    """All processes below `root`, where the system tells (Linux)."""
    found: list[int] = []
    frontier = [root]
    while frontier:
        children = children_of(frontier.pop())
        found += children
        frontier += children
    return found


def children_of(pid: int) -> list[int]:
    """The processes that a process has started and that live, where the system tells (Linux)."""
    children: list[int] = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208
            with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{thread}/children") as file:
                children += [int(word) for word in file.read().split()]
    return children


def _usage(engine: int) -> tuple[int, int]:
    """Resident bytes of the engine and everything that it started, and how many they are."""
    if not sys.platform.startswith("linux"):
        return _usage_elsewhere(engine)
    total = shared = 0
    members = descendants(os.getpid())
    for pid in members:
        with contextlib.suppress(OSError, IndexError), open(f"/proc/{pid}/statm") as file:
            sizes = file.read().split()
            total += int(sizes[1])
            shared += int(sizes[2])
    page = os.sysconf("SC_PAGE_SIZE")
    return total * page + max(0, _files_in_memory(members) - shared * page), len(members)


def _files_in_memory(members: list[int]) -> int:
    """Bytes of the files without a name that these processes hold open, mapped or not."""
    sizes: dict[int, int] = {}
    left = _MOST_FILES
    for pid in members:
        with contextlib.suppress(OSError):
            for name in os.listdir(f"/proc/{pid}/fd")[:left]:  # noqa: PTH208
                left -= 1
                with contextlib.suppress(OSError):
                    path = f"/proc/{pid}/fd/{name}"
                    if os.readlink(path).startswith("/memfd:"):  # noqa: PTH115
                        facts = os.stat(path)  # noqa: PTH116
                        sizes[facts.st_ino] = facts.st_blocks * 512
    return sum(sizes.values())


def _usage_elsewhere(engine: int) -> tuple[int, int]:
    """The same for the engine's group, asked of the command `ps`."""
    import subprocess

    listing = subprocess.run(
        ["ps", "-axo", "pgid=,rss="], capture_output=True, text=True, check=False
    ).stdout
    rows = [line.split() for line in listing.splitlines()]
    sizes = [int(row[1]) << 10 for row in rows if len(row) == 2 and row[0] == str(engine)]
    return sum(sizes), len(sizes)


def _let_go_of_pipes() -> None:
    """The engine alone holds its pipes, so that the arena sees when it closes them."""
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    os.dup2(null, 2)


def _report(status: int, message: dict[str, Any]) -> None:
    with contextlib.suppress(OSError):
        os.write(status, json.dumps(message).encode() + b"\n")


def _prctl(option: int, value: int) -> None:
    """Ask the Linux kernel for a process setting; elsewhere nothing happens."""
    if sys.platform.startswith("linux"):
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    main()
