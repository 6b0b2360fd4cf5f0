"""Everything that an engine has started, taken together: to suspend, to end, to charge.

Where the system lends control groups (version 2) each engine gets one, and what it starts is in it
(only a program outside the sandbox with the right to change groups can leave it). Elsewhere
processes are found by their parents: the supervisor adopts what the engine's processes leave
behind, so all of them stay below it while it lives. Should it be killed, those are found that were
seen before or carry the engine's mark in their environment.
"""

from __future__ import annotations

import atexit
import contextlib
import itertools
import os
import signal
import subprocess
import time
from abc import ABC, abstractmethod
from functools import cache
from pathlib import Path

from plyground.engines.processor_time import TreeTime, started_at, state_of
from plyground.engines.supervisor import descendants

MARK = "PLYGROUND_ENGINE"
"""The variable that marks an engine's processes."""

_ROUNDS = 20
"""How often a tree is walked again because it has grown meanwhile."""

_LEAVE_SECONDS = 1.0
_STATISTICS = 4096
_TRIALS = 3
_PREFIX = "plyground-"
_numbers = itertools.count(1)


class Containment(ABC):
    """All processes of one engine."""

    @abstractmethod
    def freeze(self) -> None:
        """Let none of them run."""

    @abstractmethod
    def thaw(self) -> None:
        """Let them run again."""

    @abstractmethod
    def kill(self) -> None:
        """End them all, at once."""

    @abstractmethod
    def seconds(self) -> float:
        """How long processors have worked for them."""

    @abstractmethod
    def threads(self) -> list[int]:
        """The numbers of all their threads."""

    def working(self) -> bool:
        """Whether any of them works or waits for a processor.

        Who waits for a disk does not count: so does whoever waits for a `vfork`, for ever.
        """
        return any(state_of(thread) == "R" for thread in self.threads())

    def give_way(self) -> None:
        """Have them run only where nobody else wants to, from now on, if the system knows that."""
        for thread in self.threads() if hasattr(os, "SCHED_IDLE") else ():
            with contextlib.suppress(OSError):
                os.sched_setscheduler(thread, os.SCHED_IDLE, os.sched_param(0))


class ControlGroup(Containment):
    """A control group of the kernel's. The engine enters it before it becomes the program."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._freezer = self._clock = -1
        """Kept open: they are used in every turn, also where no file can be opened any more."""
        self._seconds = 0.0
        with contextlib.suppress(OSError):
            self._freezer = os.open(folder / "cgroup.freeze", os.O_WRONLY | os.O_CLOEXEC)
            self._clock = os.open(folder / "cpu.stat", os.O_RDONLY | os.O_CLOEXEC)

    @classmethod
    def make(cls, memory: int | None, processes: int) -> ControlGroup | None:
        """A new one with these limits where the kernel can keep them; None where it lends none."""
        base, _ = lent_groups()
        if base is None:
            return None
        folder = base / f"{_PREFIX}{os.getpid()}-{next(_numbers)}"
        try:
            folder.mkdir()
        except OSError:
            return None
        group = cls(folder)
        if memory is not None:
            group._write("memory.max", str(memory))
            group._write("memory.swap.max", "0")
        group._write("pids.max", str(processes))
        group._write("cgroup.max.descendants", "0")
        return group

    def freeze(self) -> None:
        self._set_frozen(b"1")

    def thaw(self) -> None:
        self._set_frozen(b"0")

    def _set_frozen(self, value: bytes) -> None:
        with contextlib.suppress(OSError):
            os.write(self._freezer, value)

    def kill(self) -> None:
        self._write("cgroup.kill", "1")

    def seconds(self) -> float:
        with contextlib.suppress(OSError, ValueError, IndexError):
            self._seconds = int(os.pread(self._clock, _STATISTICS, 0).split()[1]) / 1e6
        return self._seconds

    def threads(self) -> list[int]:
        with contextlib.suppress(OSError, ValueError):
            return [int(number) for number in (self.folder / "cgroup.threads").read_text().split()]
        return []

    def release(self) -> None:
        """End what is in it, and the group with those that a program has made inside it."""
        self.kill()
        for descriptor in filter(lambda each: each >= 0, (self._freezer, self._clock)):
            os.close(descriptor)
        self._freezer = self._clock = -1
        deadline = time.monotonic() + _LEAVE_SECONDS
        while True:
            for within, _, _ in os.walk(self.folder, topdown=False):
                with contextlib.suppress(OSError):
                    os.rmdir(within)  # noqa: PTH106
            try:
                self.folder.rmdir()
                return
            except FileNotFoundError:
                return
            except OSError:  # its processes are on their way out
                if time.monotonic() > deadline:
                    return  # the next run sweeps it up
            time.sleep(0.002)

    def _write(self, name: str, value: str) -> None:
        with contextlib.suppress(OSError):
            (self.folder / name).write_text(value)


class ProcessTree(Containment):
    """What is below the supervisor."""

    def __init__(self, supervisor: int) -> None:
        self._supervisor = supervisor
        self._time = TreeTime(supervisor)
        self._seen: dict[int, int] = {}

    def freeze(self) -> None:
        self._signal_all(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal_all(signal.SIGCONT)

    def kill(self) -> None:
        self._signal_all(signal.SIGKILL)
        for pid, started in self._seen.items():
            if started_at(pid) == started:
                _signal(pid, signal.SIGKILL)

    def seconds(self) -> float:
        return self._time.seconds()

    def threads(self) -> list[int]:
        found: list[int] = []
        for pid in descendants(self._supervisor):
            with contextlib.suppress(OSError):
                found += map(int, os.listdir(f"/proc/{pid}/task"))  # noqa: PTH208
        return found

    def _signal_all(self, number: signal.Signals) -> None:
        """Signal the tree again and again until nobody new is in it."""
        reached: set[int] = set()
        for _ in range(_ROUNDS):
            new = [pid for pid in descendants(self._supervisor) if pid not in reached]
            if not new:
                return
            for pid in new:
                self._seen[pid] = started_at(pid)
                _signal(pid, number)
            reached.update(new)


def _signal(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(OSError):
        os.kill(pid, number)


def signal_marked(variable: str, mark: str, number: signal.Signals) -> None:
    """Send a signal to processes that were started with this variable in their environment."""
    for pid in _marked(f"{variable}={mark}".encode()):
        _signal(pid, number)


def _marked(mark: bytes) -> list[int]:
    found = []
    with contextlib.suppress(OSError):
        for entry in os.scandir("/proc"):
            if entry.name.isdecimal() and int(entry.name) != os.getpid():
                with (
                    contextlib.suppress(OSError),
                    open(f"/proc/{entry.name}/environ", "rb") as file,
                ):
                    if mark in file.read(1 << 17).split(b"\0"):
                        found.append(int(entry.name))
    return found


@cache
def lent_groups() -> tuple[Path | None, str]:
    """The folder in which we may make control groups, or None and why not."""
    try:
        mounts = [line.split() for line in Path("/proc/self/mounts").read_text().splitlines()]
        lines = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return None, "this system has none"
    roots = [Path(fields[1]) for fields in mounts if fields[2] == "cgroup2"]
    own = [line.removeprefix("0::") for line in lines if line.startswith("0::")]
    if not roots or not own:
        return None, "the kernel has no control groups of version 2 mounted"
    base = roots[0] / own[0].lstrip("/")
    _sweep(base)
    trial = base / f"{_PREFIX}{os.getpid()}-0"
    try:
        trial.mkdir()
    except OSError as error:
        return None, f"no control group can be made in {base}: {error.strerror}"
    try:
        for name in ("cgroup.freeze", "cgroup.kill", "cpu.stat"):
            if not (trial / name).exists():
                return None, f"the kernel's control groups have no {name}"
        with contextlib.suppress(OSError):
            (base / "cgroup.subtree_control").write_text("+memory +pids")
        if not _can_enter(trial):
            return None, f"no process may enter a control group in {base}"
    finally:
        with contextlib.suppress(OSError):
            trial.rmdir()
    atexit.register(_sweep, base, os.getpid())
    return base, ""


def _can_enter(trial: Path) -> bool:
    enter = ["/bin/sh", "-c", 'echo 0 > "$1"', "sh", str(trial / "cgroup.procs")]
    for _ in range(_TRIALS):  # one that is killed or stopped proves nothing
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            code = subprocess.run(enter, capture_output=True, check=False, timeout=5).returncode
            if code >= 0:
                return code == 0
    return False


def _sweep(base: Path, mine: int | None = None) -> None:
    """End what is left in groups of arenas that have died, or of this one at its end."""
    for folder in base.glob(f"{_PREFIX}*-*"):
        owner = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if not owner.isdecimal():
            continue
        if int(owner) == mine == os.getpid() or (
            mine is None and not Path(f"/proc/{owner}").exists()
        ):
            ControlGroup(folder).release()


def describe() -> tuple[bool, str]:
    """Whether control groups hold engines together, and in words what is in force."""
    base, reason = lent_groups()
    if base is not None:
        return True, (
            f"control groups in {base}: suspension, end and processor time cover all that an engine"
            " starts, unless a program outside the sandbox may change groups and leaves."
            f" {_sizes()}"
        )
    return False, (
        f"no control groups ({reason}): an engine's processes are found by their parents. Not"
        " covered: children started and ended between two looks may escape the processor's clock;"
        f" a program outside the sandbox that kills its supervisor may leave daemons. {_LOOKED_AT}"
    )


_LOOKED_AT = (
    "Memory and number of processes are looked at ten times a second; files in memory count while a"
    " process maps them or holds them open without a name, others are bounded by the sandbox only"
)


def _sizes() -> str:
    """What bounds memory and number, as a group that was just made has it."""
    trial = ControlGroup.make(None, 1)
    if trial is None:
        return _LOOKED_AT
    kept = [name for name in ("memory", "pids") if (trial.folder / f"{name}.max").exists()]
    trial.release()
    if len(kept) == 2:
        return "The kernel bounds memory and number of processes"
    return f"The kernel bounds {kept[0]} only. {_LOOKED_AT}" if kept else _LOOKED_AT
