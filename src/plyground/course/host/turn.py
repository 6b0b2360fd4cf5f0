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
import traceback
from collections.abc import Callable
from typing import Any, NoReturn

CLOCK_MARGIN = 0.002
OVERTIME = 5.0
"""Without a proposal the answer stays out for so long: the referee's clock decides."""

MOVES_LEFT = 30
"""A game clock is shared out over so many moves."""


class SubmissionError(Exception):
    """The submission failed; the message is what the referee reports."""


def seconds_for(limit: dict[str, Any]) -> float | None:
    """The time of a turn under a limit as it comes over the wire; None where there is none."""
    seconds: float | None = limit.get("time")
    clock = limit.get("clock")
    if clock is not None:
        share = clock["remaining"] / MOVES_LEFT + clock.get("increment", 0.0) * 0.8
        seconds = share if seconds is None else min(seconds, share)
    return seconds


def play_turn(
    name: str,
    ai: Any,
    state: Any,
    seconds: float | None,
    *,
    strict: bool,
    requests: int,
    stopped: Callable[[], bool],
    propose: Callable[[str], None],
) -> str:
    """The last proposal of a turn, empty if there was none; each one is passed to `propose`.

    The turn ends when the submission returns (with `strict` it still lasts its full time), at its
    deadline, or when `stopped` says so; that is asked whenever the descriptor `requests` has news.
    """
    deadline = None if seconds is None else time.monotonic() + max(seconds - CLOCK_MARGIN, 0.001)
    reader, writer = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _compute(ai, state, writer)
    os.close(writer)
    try:
        proposal, ended = _follow(reader, deadline, requests, stopped, propose)
    finally:
        os.close(reader)
        crashed = _end(child)
    if strict and deadline is not None:
        time.sleep(max(0.0, deadline - time.monotonic()))
    if not proposal:
        if ended and crashed:
            raise SubmissionError(f"{name} crashed before its first proposal")
        if not ended:
            time.sleep(OVERTIME)
    return proposal


def _compute(ai: Any, state: Any, writer: int) -> NoReturn:
    """In the forked process: one turn of the submission; never returns."""
    status = 1
    try:
        os.setpgid(0, 0)
        # Nothing that the turn does may reach the pipes of the process that plays the game.
        devnull = os.open(os.devnull, os.O_RDONLY)
        os.dup2(devnull, 0)

        def send(row: Any, column: Any, value: Any) -> None:
            os.write(writer, f"({row},{column}) -> {value}\n".encode())

        ai._send = send
        ai.compute_best_move(state)
        status = 0
    except BrokenPipeError:
        status = 0  # the turn was over before this proposal
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)


def _follow(
    reader: int,
    deadline: float | None,
    requests: int,
    stopped: Callable[[], bool],
    propose: Callable[[str], None],
) -> tuple[str, bool]:
    """Pass proposals on until the turn ends; the last one, and whether it ended by itself."""
    poll = select.poll()
    poll.register(reader, select.POLLIN)
    poll.register(requests, select.POLLIN)
    proposal, rest = "", b""
    while True:
        left = None if deadline is None else deadline - time.monotonic()
        if left is not None and left <= 0:
            return proposal, False
        ready = dict(poll.poll(None if left is None else left * 1000))
        if requests in ready and stopped():
            return proposal, False
        if reader not in ready:
            continue
        data = os.read(reader, 1 << 16)
        if not data:
            return proposal, True
        *lines, rest = (rest + data).split(b"\n")
        if lines:
            proposal = lines[-1].decode()
            propose(proposal)


def _end(child: int) -> bool:
    """Kill what is left of a turn; whether it had crashed by itself."""
    # Taken from the zombie state first: a turn that returned has its own exit code.
    finished, status = os.waitpid(child, os.WNOHANG)
    for _ in range(50):
        if finished:
            break
        time.sleep(0.0002)
        finished, status = os.waitpid(child, os.WNOHANG)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    if not finished:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return False
    return os.waitstatus_to_exitcode(status) != 0
