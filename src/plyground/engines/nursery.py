"""Built-in engines by fork: one warm process that imports and loads everything once.

The nursery (`nursery_process.py`) has one thread, runs no foreign code, and does nothing but load
what an agent needs and fork. What it forks is a supervisor with its engine, as `supervisor.py`
starts them otherwise: own session, own limits, ended with the arena. Compiled code and read-only
tables are shared between all of them until somebody writes.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec

from plyground.core.game import OptionValue
from plyground.engines.containment import signal_marked
from plyground.engines.process import Birth, ProcessLimits, SupervisorPipes
from plyground.engines.processor_time import state_of
from plyground.engines.supervisor import children_of

SUPPORTED = sys.platform.startswith("linux")
"""Elsewhere a fork without a new program is not safe; engines are started the usual way."""

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
"""It must be able to fork."""

MARK = "PLYGROUND_NURSERY"
"""The variable that marks a nursery and all that it has forked."""

_REQUEST_SECONDS = 5.0
"""A nursery that does not take a request for so long is none."""

_STOPPED = ("T", "t")
"""What the kernel says of processes that were stopped or are traced."""


@dataclass(frozen=True)
class Cradle:
    """Where engines of one agent come from."""

    nursery: Nursery
    game: str
    agent: str

    def birth(self, env: Mapping[str, str]) -> Birth:
        """How to get one that has this environment."""
        return partial(self.nursery.bear, self.game, self.agent, env)


class Nursery:
    """One warm process, started when the first engine is asked for. For use by any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._requests: socket.socket | None = None
        self._environment: dict[str, str] = {}
        self._mark = uuid.uuid4().hex
        self._options: dict[str, Mapping[str, OptionValue]] = {}
        self._closed = False

    @property
    def pid(self) -> int | None:
        """The process, None while there is none."""
        return self._process.pid if self._process is not None else None

    @property
    def alive(self) -> bool:
        """Whether engines can be had: it has not ended by itself."""
        return self._process is not None and self._process.poll() is None

    def has_died(self, patience: float) -> bool:
        """Whether it ended by itself: its pipes close a moment before that can be seen.

        One that was stopped is ended: it has not done what it was asked to.
        """
        if self._process is not None and state_of(self._process.pid) in _STOPPED:
            self._process.kill()
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(patience)
        return not self.alive

    def rouse(self) -> None:
        """Have it and those that it has forked go on if somebody has stopped them."""
        with self._lock:
            if self._process is not None and self._process.poll() is None:
                for pid in (self._process.pid, *children_of(self._process.pid)):
                    with contextlib.suppress(OSError):
                        os.kill(pid, signal.SIGCONT)

    def expect(self, game: str, options: Mapping[str, OptionValue]) -> None:
        """Which options engines will play this game with, so that what they need is loaded."""
        self._options.setdefault(game, options)

    def bear(
        self,
        game: str,
        agent: str,
        env: Mapping[str, str],
        pipes: SupervisorPipes,
        limits: ProcessLimits,
        group: str,
    ) -> bool:
        """Ask for an engine on these pipes; False if it has to be started another way.

        Returns at once. A nursery that ends before it came to this request closes the pipes.
        """
        if not SUPPORTED:
            return False
        request = {
            "game": game,
            "agent": agent,
            "options": dict(self._options.get(game, {})),
            "folder": str(Path.cwd()),
            "memory_bytes": limits.memory,
            "cpu_seconds": limits.cpu_seconds,
            "log_bytes": limits.log,
            "processes": limits.processes,
            "group": group,
        }
        with self._lock:
            if self._closed or not self._ready(dict(env)):
                return False
            assert self._requests is not None and self._process is not None
            try:
                socket.send_fds(self._requests, [msgspec.json.encode(request)], list(pipes))
            except OSError:
                return False
        return True

    def _ready(self, environment: dict[str, str]) -> bool:
        """Have a process with this environment, a new one if the old one had another."""
        if self.alive and environment == self._environment:
            return True
        self._end()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.settimeout(_REQUEST_SECONDS)
        with theirs:
            try:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", f"{__name__}_process", str(theirs.fileno())],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    pass_fds=(theirs.fileno(),),
                    env={**environment, **ONE_THREAD, MARK: self._mark},
                    start_new_session=True,
                )
            except OSError:
                ours.close()
                return False
        self._requests, self._environment = ours, environment
        return True

    def _end(self) -> None:
        if self._requests is not None:
            self._requests.close()
            self._requests = None
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            self._process.wait()
            self._process = None
            # Whoever was stopped before it could say its number goes on, and ends.
            signal_marked(MARK, self._mark, signal.SIGCONT)

    def close(self) -> None:
        """End it; engines that it has forked live on until they are closed themselves."""
        with self._lock:
            self._closed = True
            self._end()

    def __enter__(self) -> Nursery:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
