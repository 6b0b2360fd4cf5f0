"""One turn of a submission, in a fork of the process that imported it, ended with its time.

Nothing survives a turn but what was saved, as in the course. Its prints go to standard error.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from operator import index
from typing import TYPE_CHECKING, Any, NoReturn

from plyground.course.host.submission import print_trace

if TYPE_CHECKING:
    from plyground.engines.processor_time import TreeTime

CLOCK_MARGIN = 0.002
LOOK_SECONDS = 0.05
SLEEP_SECONDS = 0.01
IDLE_SHARE = 0.1
"""A turn that works less than this share of a while, and then has nothing to do, has slept."""

LONG_SLEEP = 0.2
"""Whoever sleeps for less than this before a first proposal is not told so."""

BREATH = 0.001
"""A proposal is passed on after so many seconds, unless the turn ends or a better one comes."""

EXIT_PATIENCE = 0.01
FAREWELL = 2.0
"""A turn that has closed its pipe is given so many seconds to end by itself."""

OVERTIME = 5.0
"""Without a proposal the answer stays out for so long: the referee's clock decides."""

MOVES_LEFT = 30
"""A game clock is shared out over so many moves."""


class SubmissionError(Exception):
    """The submission failed; the message is what the referee reports."""


class TurnTime:
    """What a turn may take; `seconds` is None where it may take any time.

    Once it has begun, `left` tells what is left: of the wall's seconds, or with `by_processor` of
    those of processors that work for the turn.
    """

    def __init__(self, seconds: float | None, by_processor: bool) -> None:
        self.seconds = seconds
        self.by_processor = by_processor
        self._used: TreeTime | None = None
        self.overslept = False
        """Whether it slept until the time was over, and made its first proposal then."""
        self.failed = False
        """Whether it ended by an error although it had proposed a move."""

    def begin(self, child: int) -> None:
        """The process of the turn has started."""
        self._began = self._looked = time.monotonic()
        self._worked = self._slept = 0.0
        if self.by_processor:
            from plyground.engines.processor_time import TreeTime  # others need not load it

            self._used = TreeTime(child, with_root=True)

    def left(self) -> float | None:
        if self.seconds is None:
            return None
        used = self._work(self._used) if self._used else time.monotonic() - self._began
        return max(self.seconds - CLOCK_MARGIN, 0.001) - used

    def _work(self, used: TreeTime) -> float:
        """Processor seconds, and those that it has slept: who waits for a processor does not."""
        now, worked = time.monotonic(), used.seconds()
        since = now - self._looked
        if since >= SLEEP_SECONDS:
            if worked - self._worked < IDLE_SHARE * since and used.asleep():
                # Who was kept from looking for longer does not know what happened meanwhile.
                self._slept += min(since, 2 * LOOK_SECONDS)
            self._looked, self._worked = now, worked
        return worked + self._slept

    @property
    def mostly_slept(self) -> bool:
        """Whether it has slept for a good part of its time, and not just been late to wake."""
        return self.by_processor and self._slept > max(LONG_SLEEP, (self.seconds or 0.0) / 2)

    @property
    def processes(self) -> bool:
        """Whether other processes were seen to work for the turn."""
        return self._used is not None and self._used.others_seen

    def patience(self) -> float | None:
        """How long, on the wall, to wait before looking at what is left."""
        left = self.left()
        if left is None or not self.by_processor:
            return left
        return min(LOOK_SECONDS, max(0.001, left / (os.cpu_count() or 1)))


def time_for(limit: dict[str, Any]) -> TurnTime:
    """The time of a turn under a limit as it comes over the wire."""
    seconds: float | None = limit.get("time")
    clock = limit.get("clock")
    if clock is not None:
        share = clock["remaining"] / MOVES_LEFT + clock.get("increment", 0.0) * 0.8
        seconds = share if seconds is None else min(seconds, share)
    return TurnTime(seconds, limit.get("by") == "cpu")


def play_turn(
    name: str,
    compute: Callable[[Callable[[Any, Any, Any], None]], None],
    allowed: TurnTime,
    *,
    strict: bool,
    requests: int,
    stopped: Callable[[], bool],
    propose: Callable[[str], None],
    overdue: Callable[[], None],
) -> str:
    """The last proposal of a turn, empty if there was none; earlier ones are passed to `propose`.

    `compute` is the turn itself; it gets the function that sends a proposal off. `overdue` is
    called once the time is over: without a proposal nothing may be asked afterwards.

    The turn ends when the submission returns (with `strict` it still lasts its full time), at its
    deadline, or when `stopped` says so; that is asked whenever the descriptor `requests` has news.
    """
    reader, writer = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _compute(compute, writer)
    os.close(writer)
    allowed.begin(child)
    ended = False
    try:
        proposal, ended = _follow(reader, allowed, requests, stopped, propose, overdue)
    finally:
        os.close(reader)
        # One that has closed its end is on its way out; its exit code tells a crash.
        crashed = _end(child, FAREWELL if ended else EXIT_PATIENCE)
    allowed.failed = bool(proposal) and ended and crashed
    if strict and not allowed.by_processor:
        time.sleep(max(0.0, allowed.left() or 0.0))
    if not proposal:
        if ended and crashed:
            raise SubmissionError(f"{name} crashed before its first proposal")
        if not ended:
            time.sleep(OVERTIME)
    return proposal


def describe_move(row: Any, column: Any, value: Any) -> str:
    """A proposal in our words; what the course's solver does not read as numbers is shown as it is.

    Squares have to be whole numbers of any kind, a value may be 3.0, too.
    """
    try:
        whole: Any = value if isinstance(value, str) else int(value)
        if whole != value:
            raise ValueError(value)
        return f"({index(row)},{index(column)}) -> {index(whole)}"
    except (TypeError, ValueError, OverflowError):
        return f"({row!r},{column!r}) -> {value!r}".replace("\n", " ")


def _compute(compute: Callable[[Callable[[Any, Any, Any], None]], None], writer: int) -> NoReturn:
    """In the forked process: one turn of the submission; never returns."""
    status = 1
    try:
        os.setpgid(0, 0)

        def send(row: Any, column: Any, value: Any) -> None:
            os.write(writer, f"{describe_move(row, column, value)}\n".encode(errors="replace"))

        compute(send)
        status = 0
    except BrokenPipeError:
        status = 0  # the turn was over before this proposal
    except SystemExit as end:
        status = int(end.code not in (None, 0))
    except BaseException:
        print_trace()
    finally:
        try:
            if threads := sys.modules.get("threading"):
                threads._shutdown()  # those that it started go on, as in the course
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(status)


def _follow(
    reader: int,
    allowed: TurnTime,
    requests: int,
    stopped: Callable[[], bool],
    propose: Callable[[str], None],
    overdue: Callable[[], None],
) -> tuple[str, bool]:
    """Pass proposals on until the turn ends; the last one, and whether it ended by itself."""
    poll = select.poll()
    poll.register(reader, select.POLLIN)
    poll.register(requests, select.POLLIN)
    proposal, rest, told = "", b"", True
    over = False
    while True:
        left = allowed.left()
        if not over and left is not None and left <= 0:
            over = True
            overdue()
        # Without a proposal the referee's clock must run.
        last = over and bool(proposal or not allowed.by_processor)
        wait = 0.0 if last else allowed.patience() if told else BREATH
        ready = dict(poll.poll(None if wait is None else max(0.0, wait) * 1000))
        if last and reader not in ready:
            return proposal, False
        if requests in ready and stopped():
            over = True
            poll.unregister(requests)
        if reader not in ready:
            if not told:
                propose(proposal)
                told = True
            continue
        data = os.read(reader, 1 << 16)
        if not data:
            return proposal, True
        *lines, rest = (rest + data).split(b"\n")
        if lines:
            allowed.overslept |= over and not proposal and allowed.mostly_slept
            proposal, told = lines[-1].decode(), False
        if last:
            return proposal, False


def _end(child: int, patience: float) -> bool:
    """Kill what is left of a turn after a moment; whether it had crashed by itself."""
    # Taken from the zombie state first: a turn that returned has its own exit code.
    finished, status = os.waitpid(child, os.WNOHANG)
    if not finished:
        _await_exit(child, patience)
        finished, status = os.waitpid(child, os.WNOHANG)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    if not finished:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return False
    return os.waitstatus_to_exitcode(status) != 0


def _await_exit(child: int, patience: float) -> None:
    """Wait until a process has ended, but not for long."""
    try:
        descriptor = os.pidfd_open(child)
    except (AttributeError, OSError):  # another system, or one that forbids it
        time.sleep(EXIT_PATIENCE)
        return
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    poll.poll(patience * 1000)
    os.close(descriptor)
