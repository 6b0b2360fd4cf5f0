"""How long processors have worked for a process and everything it started, the ended included.

Linux tells three things: the time of a living process by a clock of its own, to the nanosecond;
the time of the children that a process has waited for, in ticks; and who is whose child. One whose
parent does not wait for its children (it ignores their signals) counts as far as it was seen alive.
Standard library only: a submission's process uses it as well.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from plyground.engines.supervisor import descendants

SUPPORTED = sys.platform.startswith("linux")

_TICK = 1.0 / os.sysconf("SC_CLK_TCK") if SUPPORTED else 0.0
_PARENT, _CHILDREN_USER, _CHILDREN_SYSTEM, _STARTED = 1, 13, 14, 19
"""Fields of /proc/PID/stat after the name in parentheses, counted from 0."""


class TreeTime:
    """The processor seconds of all that a process has started; without `root` its own do not count.

    The root must live while it is asked: afterwards the last reading stands.
    """

    def __init__(self, root: int, *, with_root: bool = False) -> None:
        self._root = root
        self._with_root = with_root
        self._seen: dict[int, float] = {}
        self._most = 0.0

    def seconds(self) -> float:
        """All of them until now; never less than before."""
        total = waited_for(self._root)
        if self._with_root:
            total += self._own(self._root)
        for pid in descendants(self._root):
            total += self._own(pid) + waited_for(pid)
        self._most = max(self._most, total, sum(self._seen.values()))
        return self._most

    @property
    def others_seen(self) -> bool:
        """Whether the root was seen to have started processes."""
        return any(pid != self._root for pid in self._seen)

    def asleep(self) -> bool:
        """Whether nobody has anything to do: nobody works, waits for a processor or for a disk.

        A root that has ended does not sleep: its end just has not been noticed.
        """
        if state_of(self._root) in ("Z", ""):
            return False
        members = (self._root, *descendants(self._root))
        return all(state in "SZ" for pid in members for state in _states(pid))

    def _own(self, pid: int) -> float:
        seconds = own_seconds(pid)
        self._seen[pid] = max(seconds, self._seen.get(pid, 0.0))
        return seconds


def own_seconds(pid: int) -> float:
    """Those of one living process with all its threads; 0 if it is gone."""
    clock = (~pid << 3) | 2  # the kernel's name for the scheduler's clock of a process
    try:
        return time.clock_gettime(clock)
    except OSError:
        return 0.0


def waited_for(pid: int) -> float:
    """Those of the ended children that a process has waited for, and of theirs."""
    fields = _fields(pid)
    if not fields:
        return 0.0
    return (int(fields[_CHILDREN_USER]) + int(fields[_CHILDREN_SYSTEM])) * _TICK


def started_at(pid: int) -> int:
    """When a process was started, in ticks since the machine was; -1 if it is gone.

    Together with its number this names a process once and for all.
    """
    fields = _fields(pid)
    return int(fields[_STARTED]) if fields else -1


def lived_seconds() -> float:
    """How long ago this process was started; setting the machine's clock does not matter."""
    began = started_at(os.getpid()) * _TICK
    return max(0.0, time.clock_gettime(time.CLOCK_BOOTTIME) - began) if SUPPORTED else 0.0


def resident_bytes(pid: int | None) -> int | None:
    """The memory of a living process; None if the system does not tell."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return None


def state_of(pid: int) -> str:
    """A letter for what a process does (`T`: it was stopped); empty if it is gone."""
    fields = _fields(pid)
    return fields[0] if fields else ""


def _states(pid: int) -> list[str]:
    """The letters of all threads of a process."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208
    except OSError:
        return []
    return [fields[0] for each in threads if (fields := _fields(f"{pid}/task/{each}"))]


def parent_of(pid: int) -> int:
    """The parent of a living process; -1 if it is gone."""
    fields = _fields(pid)
    return int(fields[_PARENT]) if fields else -1


def _fields(pid: int | str) -> list[str]:
    try:
        text = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return []
    return text.rpartition(")")[2].split()
