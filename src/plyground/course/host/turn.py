"""One turn of a submission, in a fork of the process that imported it, ended with its time.

Nothing survives a turn but what was saved, as in the course. Its prints go to standard error.
"""

from __future__ import annotations

import os
import select
import sys
import time
from _operator import index

from plyground.course.host.submission import print_trace
from plyground.course.host.turntime import BREATH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from plyground.course.host.turntime import Allowance, TurnTime

_KILL = 9
_PIPE_BYTES = 1 << 16

EXIT_PATIENCE = 0.01
FAREWELL = 2.0
"""A turn that has closed its pipe is given so many seconds to end by itself."""

OVERTIME = 5.0
"""Without a proposal the answer stays out for so long: the referee's clock decides."""


class SubmissionError(Exception):
    """The submission failed; the message is what the referee reports."""


class Turn:
    """What a turn computes, and who hears of it."""

    writer = -1
    """The descriptor for proposals, in the turn's own process."""

    def compute(self) -> None:
        """The turn itself, in a process of its own."""
        raise NotImplementedError

    def send(self, row: Any, column: Any, value: Any) -> None:
        """Send a proposal off."""
        move = describe_move(row, column, value)
        os.write(self.writer, f"{move}\n".encode(errors="replace"))

    def stop_asked(self) -> bool:
        """Whether the turn shall end now; asked whenever there are news from the referee."""
        raise NotImplementedError

    def propose(self, move: str) -> None:
        """Take a proposal that is not the last one."""
        raise NotImplementedError

    def report(self, allowed: TurnTime) -> None:
        """Tell what it has tried so far: without a proposal nothing may be asked afterwards."""
        raise NotImplementedError

    def fails(self) -> None:
        """It has ended by an error although it had proposed a move."""
        raise NotImplementedError


class TurnPlayer:
    """Plays the turns of the submission `name`, one after the other.

    A turn ends when the submission returns (with `strict` it still lasts its full time), at its
    deadline, or when it is asked to stop, of which the descriptor `requests` has news.
    """

    def __init__(self, name: str, requests: int, *, strict: bool) -> None:
        self._name = name
        self._requests = requests
        self._strict = strict
        self._ends = select.poll()
        self._ends.register(requests, select.POLLIN)

    def play(self, turn: Turn, allowance: Allowance) -> str:
        """The last proposal of a turn, empty if there was none; earlier ones are told at once."""
        reader, writer = os.pipe()
        if "threading" in sys.modules:
            flush()  # what its threads have printed here
        began = time.monotonic()
        child = os.fork()
        if child == 0:
            _compute(turn, reader, writer)
        os.close(writer)
        # At first only its end wakes us. Whatever else is to be done waits: memory that both write
        # to is copied for who does so first, and a quick turn costs little more than its process.
        self._ends.register(reader, 0)
        ready = self._ends.poll(allowance.breath)
        self._ends.unregister(reader)
        if self._strict or (reader, select.POLLHUP) not in ready:
            return self._play_on(turn, child, reader, allowance.begun(child, began))
        told = os.read(reader, _PIPE_BYTES)
        os.close(reader)
        _kill_group(child)
        os.kill(child, _KILL)  # it may have left its group, and live on without its pipe
        crashed = os.waitpid(child, 0)[1] != 0  # who was on the way out ends as it would have
        proposal = told.rpartition(b"\n")[0].rpartition(b"\n")[2].decode()
        if crashed:
            self._blame(turn, proposal)
        return proposal

    def _play_on(self, turn: Turn, child: int, reader: int, allowed: TurnTime) -> str:
        """The same of a turn that lasts longer than a moment."""
        ended = False
        try:
            proposal, ended = _follow(turn, reader, allowed, self._requests)
        finally:
            os.close(reader)
            # One that has closed its end is on its way out; its exit code tells a crash.
            crashed = _end(child, FAREWELL if ended else EXIT_PATIENCE)
            turn.report(allowed)
        if self._strict and not allowed.by_processor:
            time.sleep(max(0.0, allowed.left() or 0.0))
        if ended and crashed:
            self._blame(turn, proposal)
        if not proposal and not ended:
            time.sleep(OVERTIME)
        return proposal

    def _blame(self, turn: Turn, proposal: str) -> None:
        """Say that a turn has crashed; SubmissionError if that was before its first proposal."""
        if not proposal:
            raise SubmissionError(f"{self._name} crashed before its first proposal")
        turn.fails()


def describe_move(row: Any, column: Any, value: Any) -> str:
    """A proposal in our words; what the course's solver does not read as numbers is shown as it is.

    Squares have to be whole numbers of any kind, a value may be 3.0, too.
    """
    if type(row) is type(column) is type(value) is int:
        return f"({row},{column}) -> {value}"
    try:
        whole: Any = value if isinstance(value, str) else int(value)
        if whole != value:
            raise ValueError(value)
        return f"({index(row)},{index(column)}) -> {index(whole)}"
    except (TypeError, ValueError, OverflowError):
        return f"({row!r},{column!r}) -> {value!r}".replace("\n", " ")


def _compute(turn: Turn, reader: int, writer: int) -> NoReturn:
    """In the forked process: one turn of the submission; never returns."""
    status = 1
    try:
        os.close(reader)
        os.setpgid(0, 0)
        turn.writer = writer
        turn.compute()
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
            flush()
        finally:
            os._exit(status)


def flush() -> None:
    """Print what has been kept back."""
    sys.stdout.flush()
    sys.stderr.flush()


def _follow(turn: Turn, reader: int, allowed: TurnTime, requests: int) -> tuple[str, bool]:
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
            turn.report(allowed)
        # Without a proposal the referee's clock must run.
        last = over and bool(proposal or not allowed.by_processor)
        wait = 0.0 if last else allowed.patience() if told else BREATH
        ready = dict(poll.poll(None if wait is None else max(0.0, wait) * 1000))
        if last and reader not in ready:
            return proposal, False
        if requests in ready and turn.stop_asked():
            over = True
            poll.unregister(requests)
        if reader not in ready:
            if not told:
                turn.propose(proposal)
                told = True
            continue
        data = os.read(reader, _PIPE_BYTES)
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
    _kill_group(child)
    if finished:
        return status != 0
    try:
        os.kill(child, _KILL)
    except ProcessLookupError:
        pass
    os.waitpid(child, 0)
    return False


def _kill_group(child: int) -> None:
    """End those that a turn has left in its group, and itself if it lives."""
    try:
        os.killpg(child, _KILL)
    except (ProcessLookupError, PermissionError):
        pass


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
