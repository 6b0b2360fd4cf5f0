"""Processes that have loaded Numba and nothing that is compiled: forks of one that waits for them.

Loading Numba takes most of the time of a process that compiles two lines.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
import time
import traceback
from pathlib import Path


class Fork:
    """A process that runs a program; it is asked like a `Popen`."""

    def __init__(self, output: int, errors: int, code: int) -> None:
        self._ends = [os.fdopen(end) for end in (output, errors, code)]
        self.returncode: int | None = None

    def communicate(self, timeout: float) -> tuple[str, str]:
        """What it wrote, little as it is, once it has ended."""
        deadline = time.monotonic() + timeout
        output, errors, code = (_read(end.fileno(), deadline) for end in self._ends)
        for end in self._ends:
            end.close()
        self.returncode = int(code)
        return output, errors


def _read(end: int, deadline: float) -> str:
    text = b""
    os.set_blocking(end, False)
    while time.monotonic() < deadline:
        try:
            piece = os.read(end, 1 << 16)
        except BlockingIOError:
            time.sleep(0.005)
            continue
        if not piece:
            return text.decode()
        text += piece
    raise TimeoutError(f"a forked program did not end; so far: {text.decode()}")


class Forks:
    """Starts them; use it as a context manager."""

    def __enter__(self) -> Forks:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            command = [sys.executable, __file__, str(theirs.fileno())]
            self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()])
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()
        self._process.wait(30)

    def start(self, program: str, root: Path, environment: dict[str, str]) -> Fork:
        """Run a program that finds modules in `root` too, with this environment."""
        pipes = [os.pipe() for _ in range(3)]
        message = json.dumps([program, str(root), environment]).encode()
        socket.send_fds(self._socket, [message], [end for _, end in pipes])
        for _, end in pipes:
            os.close(end)
        return Fork(*(end for end, _ in pipes))


def _run(program: str, root: str, environment: dict[str, str]) -> int:
    os.environ.clear()
    os.environ.update(environment)
    sys.path.insert(0, root)
    try:
        exec(compile(program, "<fork>", "exec"), {"__name__": "__main__"})
    except BaseException:
        traceback.print_exc()
        return 1
    finally:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


def _serve(requests: socket.socket) -> None:
    while True:
        message, ends, _, _ = socket.recv_fds(requests, 1 << 17, 3)
        if not message:
            return
        if os.fork() == 0:
            requests.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            output, errors, code = ends
            child = os.fork()
            if child == 0:
                os.close(code)
                os.dup2(output, 1)
                os.dup2(errors, 2)
                os.close(output)
                os.close(errors)
                os._exit(_run(*json.loads(message)))
            os.close(output)
            os.close(errors)
            _, status = os.waitpid(child, 0)
            os.write(code, str(os.waitstatus_to_exitcode(status)).encode())
            os._exit(0)
        for end in ends:
            os.close(end)


def _load() -> None:
    """Everything that loading our kernels and compiling one of them would import."""
    import numba

    from plyground.kernels.compiler import load_numba

    load_numba()
    import plyground.kernels.dispatcher  # noqa: F401

    numba.njit(lambda number: number + 1)(1)


if __name__ == "__main__":
    sys.path.pop(0)  # the folder of this file
    _load()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    _serve(socket.socket(fileno=int(sys.argv[1])))
