"""The process that owns an engine, seen from the arena: a child of ours or of the nursery's."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
from abc import ABC, abstractmethod


class Supervisor(ABC):
    """The process that owns an engine, as its owner sees it; `pid` if that is known for sure."""

    pid: int | None = None

    @property
    def finished(self) -> bool:
        """Whether one that has ended did so after its work."""
        return True

    @abstractmethod
    def wait(self, seconds: float) -> bool:
        """Whether it has ended within this time."""

    @abstractmethod
    def kill(self, pid: int | None) -> None:
        """End it by force if it lives; `pid` is its process id if it has told it."""


class StartedSupervisor(Supervisor):
    """A child of ours."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self.pid = process.pid

    def wait(self, seconds: float) -> bool:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        return self._process.returncode is not None

    @property
    def finished(self) -> bool:
        return self._process.returncode == 0

    def kill(self, pid: int | None) -> None:
        self._process.kill()
        self._process.wait()


class ForkedSupervisor(Supervisor):
    """A child of somebody else's: its end is the end of its reports on `status`."""

    def __init__(self, status: int) -> None:
        self._poll = select.poll()
        self._poll.register(status, 0)  # the hang-up alone

    def wait(self, seconds: float) -> bool:
        return bool(self._poll.poll(max(0.0, seconds) * 1000))

    def kill(self, pid: int | None) -> None:
        if pid is not None and not self.wait(0.0):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
