"""The command line: one module a command, loaded when it is used."""

from __future__ import annotations

import gc
import signal
import sys

if sys.argv[0].endswith(("/plyground", "/plyground/__main__.py")):  # it is the program, no library
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # until `main` there is nothing to explain
    gc.set_threshold(200_000)  # what is imported is no garbage: looking for it takes a sixth
    from plyground.cli.linear_algebra import keep_to_one_thread

    keep_to_one_thread()

import contextlib
import inspect
import io
import json
import os
import threading
import time
import traceback
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from plyground.cli.commands import check_command, make_app
from plyground.cli.remarks import Wishes, heard
from plyground.core.ending import exit_soon
from plyground.core.errors import PlygroundError
from plyground.core.terminal import printable

if TYPE_CHECKING:
    import cyclopts


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run a command and exit: 0 done, 1 failed, 2 bad input. Errors are one line, no traceback."""
    hold_standard_streams()
    signal.signal(signal.SIGINT, interrupt)
    code = run(sys.argv[1:] if arguments is None else arguments)
    gc.freeze()  # the interpreter would search everything for garbage before it ends
    code = write_out(code)
    exit_soon(code)
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Run a command; its exit code."""
    try:
        wishes = Wishes.read(arguments)
        with heard(wishes) as remarks:
            began = time.monotonic()
            code, failure = _run(wishes.arguments)
            if failure is not None:
                remarks.note(f"error ({failure[0]}): {failure[1]}")
            remarks.note(f"exit code {code} after {time.monotonic() - began:.1f} s")
    except (PlygroundError, OSError) as error:
        failure = _explain(error)
    return code if failure is None else _fail(arguments, *failure)


MESSAGE_CHARACTERS = 2000
"""An error that quotes what somebody else wrote is cut off after so many."""

Failure = tuple[str, str, int]
"""Kind, message and exit code."""


def _run(arguments: list[str]) -> tuple[int, Failure | None]:
    """The exit code of a command, and what went wrong."""
    try:
        check_command(arguments)
        app = make_app(arguments or ["--help"])
        code = app(arguments, exit_on_error=False, print_error=False, result_action="return_value")
    except KeyboardInterrupt:
        return 130, ("interrupted", "interrupted", 130)
    except BrokenPipeError:
        return 0, None  # the reader of our output went away, as `head` does
    except Exception as error:
        failure = _explain(error)
        return failure[2], failure
    except BaseException as leaving:  # a user's file wanted to end the program
        if isinstance(leaving.__context__, KeyboardInterrupt):
            return 130, None  # or the library of commands: whoever was interrupted has said so
        if isinstance(leaving.__context__, BrokenPipeError):
            return 0, None  # or the library of tables, for the reason above
        *_, last = traceback.extract_tb(leaving.__traceback__)
        said = f"{last.filename}:{last.lineno}: {type(leaving).__name__}: {leaving}"
        return 2, ("ended", said, 2)
    return code if isinstance(code, int) else 0, None


INTERRUPT_SECONDS = 0.02


def interrupt(number: int, frame: FrameType | None) -> None:
    """Ctrl-C. What machine code calls back cannot be left: there it comes a moment later."""
    while frame is not None:
        if "llvmlite" in frame.f_code.co_filename:
            again = threading.Timer(INTERRUPT_SECONDS, os.kill, (os.getpid(), number))
            again.daemon = True
            again.start()
            return
        frame = frame.f_back
    raise KeyboardInterrupt


def hold_standard_streams() -> None:
    """Have something behind the three standard streams, as nothing else may get their numbers."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, "w" if number else "r"))  # noqa: SIM115
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper):  # what its encoding lacks is spelled out
            stream.reconfigure(errors="backslashreplace" if number else "replace")


def write_out(code: int) -> int:
    """Write what has not been written yet; the exit code. Who has failed has said why already."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        pass
    except OSError as error:
        if code == 0:
            print(f"plyground: {error.strerror} (standard output)", file=sys.stderr)
        code = code or 1
    else:
        return code
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the interpreter tries once more
    return code


def _explain(error: Exception) -> Failure:
    """Kind, message and exit code of an error that is not our own."""
    if isinstance(error, PlygroundError):
        return error.kind, str(error), error.exit_code
    if isinstance(error, OSError):
        where = f" ({error.filename})" if error.filename else ""
        return "system", f"{error.strerror or error}{where}", 1
    import cyclopts

    if isinstance(error, cyclopts.UnusedCliTokensError):
        return "usage", _tell_unused(error), 2
    if isinstance(error, cyclopts.CycloptsError):
        return "usage", " ".join(str(error).split()), 2
    if "plyground.board.game" in sys.modules:
        from plyground.board.faults import authors_fault

        blamed = authors_fault(error)
        if blamed is not None:
            return blamed.kind, str(blamed), blamed.exit_code
    from plyground.cli.crash import note_crash

    return "internal", note_crash(error), 1


def _tell_unused(error: cyclopts.UnusedCliTokensError) -> str:
    """Which words a command has no use for, and where agents belong if it takes one."""
    words = error.unused_tokens or []
    said = f"the command takes no further words: {' '.join(words)}"
    taken = error.target.__kwdefaults__ or {} if inspect.isfunction(error.target) else {}
    return f"{said}; write --agent {words[0]}" if "agent" in taken and len(words) == 1 else said


def _fail(arguments: list[str], kind: str, message: str, code: int) -> int:
    line = " ".join(message.split())
    if len(line) > MESSAGE_CHARACTERS:
        line = f"{line[:MESSAGE_CHARACTERS]} ..."
    if "--json" in arguments:
        with contextlib.suppress(OSError):
            print(json.dumps({"error": {"kind": kind, "message": line}}), flush=True)
    print(f"plyground: {printable(line)}", file=sys.stderr)
    return code
