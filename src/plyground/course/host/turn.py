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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from plyground.engines.processor_time import TreeTime

_KILL = 9
_PIPE_BYTES = 1 << 16
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
        if by_processor:
            import plyground.engines.processor_time  # noqa: F401 - before the clock runs
        self.overslept = False
        """Whether it slept until the time was over, and made its first proposal then."""
        self.failed = False
        """Whether it ended by an error although it had proposed a move."""

    def begin(self, child: int, instant: float) -> None:
        """The process of the turn has started at this instant."""
        self._began = self._looked = instant
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
        if left <= 0:
            return LOOK_SECONDS  # a proposal wakes us, and our looks are charged to the turn
        return min(LOOK_SECONDS, max(0.001, left / (os.cpu_count() or 1)))


def time_for(limit: dict[str, Any]) -> TurnTime:
    """The time of a turn under a limit as it comes over the wire."""
    seconds: float | None = limit.get("time")
    clock = limit.get("clock")
    if clock is not None:
        share = clock["remaining"] / MOVES_LEFT + clock.get("increment", 0.0) * 0.8
        seconds = share if seconds is None else min(seconds, share)
    return TurnTime(seconds, limit.get("by") == "cpu")


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

    def overdue(self) -> None:
        """The time is over: without a proposal nothing may be asked afterwards."""
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

    def play(self, turn: Turn, allowed: TurnTime) -> str:
        """The last proposal of a turn, empty if there was none; earlier ones are told at once."""
        reader, writer = os.pipe()
        os.set_blocking(reader, False)
        breath = BREATH if allowed.seconds is None else min(BREATH, allowed.seconds)
        began = time.monotonic()
        _flush()
        child = os.fork()
        if child == 0:
            _compute(turn, reader, writer)
        ended = gone = False
        try:
            gone = self._is_short(child, breath)
            os.close(writer)
            allowed.begin(child, began)
            if gone:
                proposal, ended = _last_line(reader), True
            else:
                proposal, ended = _follow(turn, reader, allowed, self._requests)
        finally:
            os.close(reader)
            # One that has closed its end is on its way out; its exit code tells a crash.
            crashed = _end(child, gone, FAREWELL if ended else EXIT_PATIENCE)
        allowed.failed = bool(proposal) and ended and crashed
        if self._strict and not allowed.by_processor:
            time.sleep(max(0.0, allowed.left() or 0.0))
        if not proposal:
            if ended and crashed:
                raise SubmissionError(f"{self._name} crashed before its first proposal")
            if not ended:
                time.sleep(OVERTIME)
        return proposal

    def _is_short(self, child: int, breath: float) -> bool:
        """Whether the turn has ended before a proposal would be passed on.

        Only its end wakes us so long: a quick turn costs little more than its process. Whatever
        else is to be done waits: memory that both write to is copied for who does so first.
        """
        try:
            end = os.pidfd_open(child)
        except (AttributeError, OSError):  # another system, or one that forbids it
            return False
        self._ends.register(end, select.POLLIN)
        ready = self._ends.poll(breath * 1000)
        self._ends.unregister(end)
        os.close(end)
        return (end, select.POLLIN) in ready


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
            _flush()
        finally:
            os._exit(status)


def _flush() -> None:
    sys.stdout.flush()
    sys.stderr.flush()


def _last_line(reader: int) -> str:
    """The last whole line that a turn which has ended has left; empty if there is none."""
    try:
        return os.read(reader, _PIPE_BYTES).rpartition(b"\n")[0].rpartition(b"\n")[2].decode()
    except BlockingIOError:  # a process that it has started holds the other end
        return ""


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
            turn.overdue()
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


def _end(child: int, gone: bool, patience: float) -> bool:
    """Kill what is left of a turn after a moment; whether it had crashed by itself.

    With `gone` it has ended, but is still there as a zombie: so its group is, too.
    """
    finished = status = 0
    if not gone:
        # Taken from the zombie state first: a turn that returned has its own exit code.
        finished, status = os.waitpid(child, os.WNOHANG)
        if not finished:
            _await_exit(child, patience)
            finished, status = os.waitpid(child, os.WNOHANG)
    try:
        os.killpg(child, _KILL)
    except (ProcessLookupError, PermissionError):
        pass
    if gone:
        return os.waitpid(child, 0)[1] != 0
    if not finished:
        try:
            os.kill(child, _KILL)
        except ProcessLookupError:
            pass
        os.waitpid(child, 0)
        return False
    return status != 0


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
