"""One engine process as the arena sees it: bytes in, bytes out, deadlines, and a sure end.

The process runs under a small supervisor (`supervisor.py`) which kills it with all its children
when the arena closes it, and also when the arena itself dies. The pipes run directly between
arena and engine.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from plyground.core.errors import UnsupportedError
from plyground.core.outcome import Termination
from plyground.engines.containment import (
    MARK,
    Containment,
    ControlGroup,
    ProcessTree,
    signal_marked,
)
from plyground.engines.failure import EngineError, EngineStartError, Interrupt
from plyground.engines.processor_time import SUPPORTED, parent_of
from plyground.engines.rest import warden
from plyground.engines.sandbox import SHELL_SIGNALS
from plyground.engines.supervision import ForkedSupervisor, StartedSupervisor, Supervisor

_END_SECONDS = 3.0
"""The supervisor ends everything within moments; then its owner does, by force."""

BIRTH_SECONDS = 10.0
SETTLING_LOOKS, SETTLING_SECONDS = 20, 0.01

MOST_REPORTED = 1 << 16
_SUPERVISOR = Path(__file__).with_name("supervisor.py")
_CHUNK, _PAUSE_SECONDS, _FULL_PIPE = 1 << 12, 0.001, 16
"""Bytes read at a time, the pause after one that is full, and how many of these make a flood."""


class ProcessLimits(msgspec.Struct, frozen=True):
    """What one engine process may use; sizes in bytes, times in seconds.

    `memory` is resident memory of the process and its children, `cpu_seconds` its CPU time in all
    (None: no limit). `line` bounds one line of output, `flood` and `lines` the bytes and lines of
    output after each request, `log` how much of standard error is kept, `processes` how many there
    may be at a time.
    """

    memory: int | None = 4 << 30
    cpu_seconds: float | None = None
    line: int = 1 << 20
    flood: int = 8 << 20
    lines: int = 10_000
    log: int = 64 << 10
    processes: int = 256


class ExitReport(msgspec.Struct, frozen=True):
    """A line of the supervisor: how the engine started or ended."""

    pid: int | None = None
    supervisor: int | None = None
    exit: int | None = None
    failed: str | None = None
    reason: str | None = None
    bytes: int | None = None


class SupervisorPipes(NamedTuple):
    """Descriptors that a supervisor gets: the engine's two ends, and its own three."""

    engine_in: int
    engine_out: int
    control: int
    status: int
    log: int


Birth = Callable[[SupervisorPipes, ProcessLimits, str], bool]
"""Another way to get a supervisor with its engine onto these pipes; False if it cannot be had.

The text is the folder of the control group that the engine shall enter, empty for none."""


class EngineProcess:
    """A running engine. Not for use by two threads at once."""

    def __init__(
        self,
        command: Sequence[str],
        limits: ProcessLimits | None = None,
        *,
        interrupt: Interrupt | None = None,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        birth: Birth | None = None,
    ) -> None:
        if os.name != "posix":
            raise UnsupportedError("engine processes need Linux or macOS")
        self.limits = limits or ProcessLimits()
        self.interrupt = interrupt or Interrupt()
        self._reports: list[ExitReport] = []
        self._brimming = 0
        self._suspended = False
        self._closed = False
        self._ended = False
        self._kept_log = ""
        self._half_a_report = b""
        self._mark = uuid.uuid4().hex
        self._group = ControlGroup.make(self.limits.memory, self.limits.processes)
        self._tree: ProcessTree | None = None
        self._log = tempfile.TemporaryFile(prefix="plyground-engine-")  # noqa: SIM115
        marked = {**(os.environ if env is None else env), MARK: self._mark}
        self._launch(command, cwd, marked, birth)
        self._poll = select.poll()
        self._poll.register(self._output, select.POLLIN)
        self._poll.register(self.interrupt.descriptor, select.POLLIN)

    def _launch(
        self,
        command: Sequence[str],
        cwd: str | None,
        env: Mapping[str, str],
        birth: Birth | None,
    ) -> None:
        engine_in, self._input = os.pipe()
        self._output, engine_out = os.pipe()
        control, self._control = os.pipe()
        self._status, status = os.pipe()
        pipes = SupervisorPipes(engine_in, engine_out, control, status, self._log.fileno())
        self._supervisor: Supervisor
        try:
            if birth is not None and birth(pipes, self.limits, self._group_name):
                self._supervisor = ForkedSupervisor(self._status)
            else:
                self._supervisor = self._start_supervisor(pipes, command, cwd, env)
        except BaseException:
            for descriptor in (self._input, self._output, self._control, self._status):
                os.close(descriptor)
            self._log.close()
            if self._group is not None:
                self._group.release()
            raise
        finally:
            for descriptor in (engine_in, engine_out, control, status):
                os.close(descriptor)
        os.set_blocking(self._input, False)
        os.set_blocking(self._output, False)

    def _start_supervisor(
        self,
        pipes: SupervisorPipes,
        command: Sequence[str],
        cwd: str | None,
        env: Mapping[str, str],
    ) -> Supervisor:
        settings = {
            "control": pipes.control,
            "status": pipes.status,
            "log": pipes.log,
            "memory_bytes": self.limits.memory,
            "cpu_seconds": self.limits.cpu_seconds,
            "log_bytes": self.limits.log,
            "processes": self.limits.processes,
            "group": self._group_name,
        }
        words = ["-I", "-S", str(_SUPERVISOR), msgspec.json.encode(settings).decode(), *command]
        return StartedSupervisor(
            subprocess.Popen(
                [sys.executable, *words],
                stdin=pipes.engine_in,
                stdout=pipes.engine_out,
                stderr=subprocess.DEVNULL,
                pass_fds=(pipes.control, pipes.status, pipes.log),
                cwd=cwd,
                env=dict(env),
                start_new_session=True,
            )
        )

    # Talking --------------------------------------------------------------------------------

    def send(self, data: bytes, deadline: float) -> None:
        """Write all of it before `deadline` (monotonic clock), or EngineError."""
        view = memoryview(data)
        while view:
            try:
                view = view[os.write(self._input, view) :]
            except BlockingIOError:
                self._wait_writable(deadline)
            except OSError:
                raise self.diagnose("closed its input") from None

    def _wait_writable(self, deadline: float) -> None:
        poll = select.poll()
        poll.register(self._input, select.POLLOUT)
        poll.register(self.interrupt.descriptor, select.POLLIN)
        poll.poll(max(0.0, deadline - time.monotonic()) * 1000)
        self.interrupt.check()
        if time.monotonic() >= deadline:
            raise EngineError(Termination.TIMEOUT, "does not read its input")

    def receive(self, deadline: float) -> bytes | None:
        """What has arrived, waiting until `deadline` (monotonic clock) for something: then None.

        Who fills the pipe faster than it is read waits and gives way: others keep their time.
        """
        if self._brimming:
            time.sleep(_PAUSE_SECONDS)
        while True:
            self._poll.poll(max(0.0, deadline - time.monotonic()) * 1000)
            self.interrupt.check()
            try:
                data = self.receive_now()
            except EOFError:
                raise self.diagnose() from None
            if data:
                return data
            if time.monotonic() >= deadline:
                return None
            self.interrupt.clear()

    @property
    def output(self) -> int:
        """The descriptor on which its output arrives, for an event loop to watch."""
        return self._output

    def receive_now(self) -> bytes:
        """What has arrived, without waiting; EOFError when the output is closed."""
        try:
            data = os.read(self._output, _CHUNK)
        except BlockingIOError:
            return b""
        if not data:
            raise EOFError
        self._brimming = self._brimming + 1 if len(data) == _CHUNK else 0
        if self._brimming == _FULL_PIPE and self.held is not None:
            self.held.give_way()
        return data

    # Stopping and going on ------------------------------------------------------------------

    def suspend(self, after: float = 0.0) -> None:
        """Stop the engine's processes from running until `resume`, so many seconds from now."""
        if after > 0.0:
            warden.suspend_after(self, after)
        elif not self._suspended and not self._ended and self.held is not None:
            self.held.freeze()
            self._suspended = True

    def resume(self) -> None:
        """Let a suspended engine run again, or one go on that was about to be."""
        warden.spare(self)
        if self._suspended and not self._ended and self.held is not None:
            self.held.thaw()
            self._suspended = False

    def rouse(self) -> None:
        """Have supervisor and engine go on if somebody has stopped them."""
        pids = () if self._ended else {self._supervisor.pid, *(each.pid for each in self._reports)}
        for pid in filter(None, pids):
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGCONT)

    @property
    def pid(self) -> int | None:
        """Process id of the engine, None if it could not be started."""
        if not self._reports:
            self._read_reports(time.monotonic() + BIRTH_SECONDS)
        for report in self._reports:
            if report.pid:
                return report.pid
        return None

    @property
    def _supervisor_pid(self) -> int | None:
        own = self._supervisor.pid
        if own is not None or self.pid is None:
            return own
        return next((report.supervisor for report in self._reports if report.supervisor), None)

    @property
    def held(self) -> Containment | None:
        """All processes of the engine, None if it could not be started."""
        if self._group is not None:
            return None if self.pid is None else self._group
        if self._tree is None and (supervisor := self._supervisor_pid) is not None:
            self._tree = ProcessTree(supervisor)
        return self._tree

    @property
    def _group_name(self) -> str:
        return "" if self._group is None else str(self._group.folder)

    def close(self, grace: float = 0.0) -> None:
        """End the process group, after `grace` seconds in which it may end by itself."""
        if self._closed:
            return
        self._closed = True
        self.resume()
        with contextlib.suppress(OSError):
            os.close(self._input)
        if grace > 0 and self._born():
            self._supervisor.wait(grace)
        self._end()
        os.close(self._output)
        os.close(self._status)
        self._kept_log = self.log_text()
        self._log.close()

    def _end(self) -> None:
        """Have the supervisor kill everything, and collect what it reports."""
        if self._ended:
            return
        warden.spare(self)
        self._ended = True
        born = self._born()
        os.close(self._control)
        if not born and isinstance(self._supervisor, ForkedSupervisor):
            return  # whoever is born later finds its control closed, and ends
        held, supervisor = self.held, self._supervisor_pid
        if supervisor is not None and not self._supervisor.wait(0.0):
            with contextlib.suppress(OSError):
                os.kill(supervisor, signal.SIGCONT)  # somebody may have stopped it
        if not self._supervisor.wait(_END_SECONDS) or not self._supervisor.finished:
            if held is not None:
                held.kill()  # the supervisor was kept from its work
            self._supervisor.kill(supervisor)
            signal_marked(MARK, self._mark, signal.SIGKILL)
        self._read_reports(time.monotonic() + 1.0)
        if self._group is not None:
            self._group.release()

    def _born(self) -> bool:
        """Whether the supervisor has reported anything yet."""
        if not self._reports:
            self._read_reports(time.monotonic())
        return bool(self._reports)

    def __enter__(self) -> EngineProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def processor_seconds(self) -> float:
        """How long processors have worked for the engine and all that it started."""
        if not SUPPORTED:
            raise UnsupportedError("time by processor needs Linux")
        return 0.0 if self.held is None else self.held.seconds()

    # What happened --------------------------------------------------------------------------

    def log_text(self) -> str:
        """What the engine wrote to standard error, up to the limit of the log."""
        if self._log.closed:
            return self._kept_log
        size = os.fstat(self._log.fileno()).st_size
        return os.pread(self._log.fileno(), size, 0).decode(errors="replace")

    def settled_log_text(self) -> str:
        """The same once nothing more comes: the supervisor copies it a moment later."""
        text = self.log_text()
        for _ in range(SETTLING_LOOKS):
            time.sleep(SETTLING_SECONDS)
            before, text = text, self.log_text()
            if text == before:
                break
        return text

    def clear_log(self) -> None:
        """Forget what it wrote to standard error so far."""
        os.ftruncate(self._log.fileno(), 0)
        os.lseek(self._log.fileno(), 0, os.SEEK_SET)

    def last_words(self) -> str:
        """The last line of the log that says something, for error messages."""
        lines = [line.strip() for line in self.log_text().splitlines() if line.strip()]
        return lines[-1][:300] if lines else ""

    def diagnose(self, seen: str = "closed its output") -> EngineError:
        """Why a pipe is closed (exit code, signal, memory); waits a little for the end."""
        self._supervisor.wait(0.5)
        self._end()
        ending = self._reports[-1] if self._reports else ExitReport()
        failed = [report.failed for report in self._reports if report.failed]
        if failed:
            return EngineStartError(Termination.CRASH, f"cannot be started: {failed[0]}")
        if ending.reason == "processes":
            detail = f"had more than {self.limits.processes} processes"
        elif ending.reason == "memory":
            used, limit = (ending.bytes or 0) >> 20, (self.limits.memory or 0) >> 20
            detail = f"used {used} MB of memory (limit {limit} MB)"
        elif ending.exit is not None and ending.exit < 0:
            detail = f"was killed by signal {-ending.exit}"
        elif ending.exit is not None:
            detail = f"exited with code {ending.exit}"
            if ending.exit > SHELL_SIGNALS:
                detail += f" (killed by signal {ending.exit - SHELL_SIGNALS})"
        else:
            detail = seen
        words = self.last_words()
        return EngineError(Termination.CRASH, f"{detail}: {words}" if words else detail)

    def _read_reports(self, deadline: float) -> None:
        data = self._half_a_report
        os.set_blocking(self._status, False)
        poll = select.poll()
        poll.register(self._status, select.POLLIN)
        while True:
            poll.poll(max(0.0, deadline - time.monotonic()) * 1000)
            with contextlib.suppress(BlockingIOError):
                chunk = os.read(self._status, 4096)
                data += chunk
                if not chunk or (data.endswith(b"\n") and not self._ended):
                    break
            if time.monotonic() >= deadline or len(data) > MOST_REPORTED:
                break
        *lines, rest = data[:MOST_REPORTED].split(b"\n")
        self._half_a_report = rest
        for line in lines:
            with contextlib.suppress(msgspec.DecodeError, RecursionError):
                report = msgspec.json.decode(line, type=ExitReport)
                if self._is_plausible(report):
                    self._reports.append(report)

    def _is_plausible(self, report: ExitReport) -> bool:
        """Whether a report can be the supervisor's: a program may have found the way into its pipe.

        What is believed about processes is what the kernel says of them.
        """
        if report.pid is None or not SUPPORTED:
            return report.supervisor is None or not SUPPORTED
        if any(earlier.pid for earlier in self._reports):
            return False
        owner = self._supervisor.pid or report.supervisor
        return owner == report.supervisor and parent_of(report.pid) in (owner, -1)
