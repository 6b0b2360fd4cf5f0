"""Takes down what a submission tries beyond playing: files of others, programs, network, signals.

Python's audit events tell it, so it is a help for honest people and names what careless ones do;
what stops the others is the sandbox. Every attempt is a line in the log, which the supervisor keeps
also when the submission has printed more than is kept.
"""

from __future__ import annotations

import os
import sys
from typing import Any

MARK = "plyground: tried to "
SAVES = "plyground-course-"
"""How folders begin that hold what was saved between turns."""

MOST_BYTES = 64 << 20
LEAST_BYTES = 4096
"""What a file takes, however little is in it."""

WEIGHING_SECONDS = 0.02
"""In less than this nobody writes so many bytes."""

MOST_LINES = 5
"""A turn is reported so many attempts of a kind."""

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_SYSTEM = ("/usr/", "/lib", "/bin/", "/sbin/", "/etc/", "/proc/", "/sys/", "/dev/", "/opt/")
_CHANGES = frozenset(
    [
        "os.remove",
        "os.rename",
        "os.mkdir",
        "os.rmdir",
        "os.truncate",
        "os.chmod",
        "os.link",
        "os.symlink",
        "shutil.rmtree",
        "shutil.move",
    ]
)
_PROGRAMS = frozenset(
    ("os.fork", "os.forkpty", "os.posix_spawn", "os.system", "os.exec", "subprocess.Popen")
)
_NETWORK = frozenset(("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg"))
_NAMES = frozenset(("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"))
_LISTINGS = frozenset(("os.listdir", "os.scandir", "os.chdir"))
_SIGNALS = frozenset(("os.kill", "os.killpg"))
_C_FUNCTIONS = """
open openat creat fopen unlink rename mount unshare setns ptrace process_vm_writev syscall kill
killpg tgkill prlimit setpriority fork vfork clone system popen posix_spawn execv execve socket
connect bind sendto sendmsg
"""
"""Functions of the C library that do what is watched here, for those who call them by `ctypes`."""


class Watch:
    """Reports attempts while it is `on`; in the folder `own` everything is allowed."""

    def __init__(self, own: str, readable: tuple[str, ...]) -> None:
        self.on = False
        self._folder = own
        self._own = (os.path.join(os.path.realpath(own), ""),)
        places = (*readable, sys.prefix, sys.base_prefix, sys.exec_prefix)
        self._readable = self._own + tuple(
            os.path.join(os.path.realpath(place), "") for place in places
        )
        self._said: dict[str, set[str]] = {}
        self._unweighed = 0.0
        sys.addaudithook(self._hear)

    def _hear(self, event: str, args: tuple[Any, ...]) -> None:
        if not self.on:
            return
        if event == "open":
            self._opened(*args)
        elif event in _CHANGES:
            self._path("write", args[0], self._own)
        elif event in _LISTINGS:
            self._path("read", args[0] if args and args[0] is not None else ".", self._readable)
        elif event in _PROGRAMS:
            self._say("start a process" + (f": {args[0]}" if args else ""))
        elif event in _NETWORK:
            self._say(f"connect to {args[1]}")
        elif event in _NAMES:
            self._say(f"connect to {args[0]}")
        elif event in _SIGNALS and args[0] != os.getpid():
            self._say(f"send signal {args[1]} to process {args[0]}")
        elif event == "resource.prlimit" and args[0] not in (0, os.getpid()):
            self._say(f"change limits of process {args[0]}")
        elif event == "ctypes.dlsym" and str(args[1]) in _C_FUNCTIONS.split():
            self._say(f"call {args[1]} of the C library")

    def _opened(self, path: Any, mode: Any, flags: Any) -> None:
        writes = bool((flags or 0) & _WRITING)
        if isinstance(mode, str):
            writes = any(letter in mode for letter in "wax+")
        self._path("write" if writes else "read", path, self._own if writes else self._readable)

    def _path(self, verb: str, path: Any, allowed: tuple[str, ...]) -> None:
        if isinstance(path, bytes):
            path = os.fsdecode(path)
        if not isinstance(path, str):
            return  # a descriptor: it was open already
        whole = os.path.realpath(path)
        if whole in sys.path and verb == "read":
            return  # imports look through it
        if "__pycache__" in whole or (whole + "/").startswith(allowed):
            return
        device = whole.startswith("/dev/") and not whole.startswith("/dev/shm/")
        if device or (verb == "read" and whole.startswith(_SYSTEM)):
            return
        self._say(f"{verb} {whole}")

    def weigh(self, seconds: float) -> None:
        """Report a working folder that has become too large (without saves), and empty it.

        It is looked at when turns have run for a while; `seconds` is what the last one took.
        """
        self._unweighed += seconds
        if self._unweighed < WEIGHING_SECONDS:
            return
        self._unweighed = 0.0
        written = []
        for place, folders, names in os.walk(self._folder):
            folders[:] = [name for name in folders if not name.startswith(SAVES)]
            paths = (os.path.join(place, name) for name in names)
            written += [path for path in paths if not os.path.islink(path)]
        size = sum(max(LEAST_BYTES, os.path.getsize(path)) for path in written)
        if size <= MOST_BYTES:
            return
        self._say("fill the disk", f": {size >> 20} MB in its working folder")
        for path in written:
            os.unlink(path)

    def _say(self, what: str, more: str = "") -> None:
        """Report an attempt once, with what `more` is known of the first one."""
        kind = what.partition(" ")[0]
        said = self._said.setdefault(kind, set())
        if what in said or len(said) >= MOST_LINES:
            return
        said.add(what)
        # A line of its own, whatever was printed before.
        os.write(2, f"\n{MARK}{(what + more)[:300]}\n".encode(errors="replace"))
