"""Takes down what a submission tries beyond playing: files of others, programs, network, signals.

Python's audit events tell it, so it is a help for honest people and names what careless ones do;
what stops the others is the sandbox. Every attempt is a line in the log, which the supervisor keeps
also when the submission has printed more than is kept.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MARK = "plyground: tried to "
UNNAMED = "one that was seen at work"
"""A process that no event has told of."""

SLEEP = "sleep"
"""What is reported of a turn that is over before anything was proposed, by sleep."""

FAILURE = "go on"
"""What is reported of a turn that fails after a proposal."""

SAVES = "plyground-course-"
"""How folders begin that hold what was saved between turns."""

MOST_BYTES = 64 << 20
LEAST_BYTES = 4096
"""What a file takes, however little is in it."""

WEIGHING_SECONDS = 0.02
"""In less than this nobody writes so many bytes."""

MOST_FILES = 300
"""A submission of more files has its own folder not weighed: that would take too long."""

MOST_LINES = 5
"""A turn is reported so many attempts of a kind."""

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_SYSTEM = ("/usr/", "/lib", "/bin/", "/sbin/", "/etc/", "/proc/", "/sys/", "/dev/", "/opt/")
_SECRETS = ("/etc/shadow", "/etc/gshadow", "/etc/passwd", "/etc/sudoers", "/etc/ssh/")
_CHANGES = frozenset(
    [
        "os.chown",
        "os.utime",
        "os.setxattr",
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
_INSIDES = frozenset(("gc.get_objects", "gc.get_referrers"))
_FRAMES = frozenset(("sys._getframe", "sys._current_frames", "sys.settrace", "sys.setprofile"))
_FRAME_NAMES = frozenset(("tb_frame", "gi_frame", "cr_frame", "ag_frame"))
"""How one finds what watches it, to switch it off. Libraries look at frames for better reasons."""

HOST = "plyground.course.host"
_HIDDEN = tuple(
    f"{HOST}.{name}" for name in ("__main__", "service", "submission", "turn", "turntime", "watch")
)
"""What watches a submission and what keeps its time: nothing that it would come upon by chance."""

_C_FUNCTIONS = """
open openat creat fopen unlink rename mount unshare setns ptrace process_vm_writev syscall kill
killpg tgkill prlimit setpriority fork vfork clone system popen posix_spawn execv execve socket
connect bind sendto sendmsg
"""
"""Functions of the C library that do what is watched here, for those who call them by `ctypes`."""


class Watch:
    """Reports attempts while it is `on`.

    In the working folder `work` and the submission's own `folder` everything is allowed; `readable`
    are others that it may look at.
    """

    def __init__(self, work: str, folder: str, readable: tuple[str, ...]) -> None:
        self.on = False
        self._work, self._folder = work, folder
        self._handed_in = frozenset(_files(folder))
        self._own = tuple(os.path.join(os.path.realpath(place), "") for place in (work, folder))
        places = (*readable, sys.prefix, sys.base_prefix, sys.exec_prefix)
        self._readable = self._own + tuple(
            os.path.join(os.path.realpath(place), "") for place in places
        )
        self._said: dict[str, set[str]] = {}
        self._unweighed = 0.0
        sys.addaudithook(self._hear)
        self._hear_the_silent()

    def _hear(self, event: str, args: tuple[Any, ...]) -> None:
        if not self.on:
            return
        if event == "open":
            self._opened(*args)
        elif event == "import":
            self._loaded(args[1])
            if args[0] in _HIDDEN:
                self.say("look through the interpreter", f"by import of {args[0]}")
        elif event in _CHANGES:
            self._path("write", args[0], self._own)
        elif event in _LISTINGS:
            self._path("read", args[0] if args and args[0] is not None else ".", self._readable)
        elif event in _PROGRAMS:
            self.say("start a process", _plain(args[0]) if args else "a copy of itself")
        elif event in _NETWORK:
            self.say("connect to", _address(args[1]))
        elif event in _NAMES:
            self.say("connect to", _plain(args[0]))
        elif event in _SIGNALS and args[0] != os.getpid() and not _is_child(args[0]):
            self.say("send a signal to", f"process {args[0]} (signal {args[1]})")
        elif event == "resource.prlimit" and args[0] not in (0, os.getpid()):
            self.say("change limits of", f"process {args[0]}")
        elif event == "ctypes.dlsym" and str(args[1]) in _C_FUNCTIONS.split():
            self.say("call", f"{args[1]} of the C library")
        elif event == "ctypes.dlopen":
            self._loaded(args[0])
        elif event == "sqlite3.connect":
            self._database(args[0])
        elif event in _INSIDES or (event in _FRAMES and self._is_own_code()):
            self.say("look through the interpreter", f"by {event}")
        elif event == "object.__getattr__" and args[1] in _FRAME_NAMES and self._is_own_code():
            self.say("look through the interpreter", f"by {args[1]}")

    def _is_own_code(self) -> bool:
        """Whether the function that asks is the submission's, and no library's."""
        self.on = False  # the question is heard, too
        caller = sys._getframe(2)
        self.on = True
        return os.path.realpath(caller.f_code.co_filename).startswith(self._own)

    def _hear_the_silent(self) -> None:
        """Some functions tell no hook of theirs."""
        if not sys.platform.startswith("linux"):
            return
        allocate, prefer = os.posix_fallocate, os.setpriority

        def posix_fallocate(fd: int, offset: int, length: int) -> None:
            if self.on and length > MOST_BYTES:
                self.say("fill the disk", f"{length >> 20} MB at once")
            allocate(fd, offset, length)

        def setpriority(which: int, who: int, priority: int) -> None:
            if self.on and (which != os.PRIO_PROCESS or who not in (0, os.getpid())):
                self.say("call", "os.setpriority for others")
            prefer(which, who, priority)

        os.posix_fallocate, os.setpriority = posix_fallocate, setpriority

    def _opened(self, path: Any, mode: Any, flags: Any) -> None:
        writes = bool((flags or 0) & _WRITING)
        if isinstance(mode, str):
            writes = any(letter in mode for letter in "wax+")
        self._path("write" if writes else "read", path, self._own if writes else self._readable)

    def _database(self, path: Any) -> None:
        name = _plain(path)
        if name not in ("", ":memory:") and not name.startswith("file:"):
            self._path("write", path, self._own)

    def _loaded(self, path: Any) -> None:
        """Machine code of its own: no event tells what it does."""
        whole = os.path.realpath(path) if isinstance(path, str) else ""
        if whole.startswith(self._own) and not whole.endswith((".py", ".pyc")):
            self.say("load compiled code", os.path.basename(whole))

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
        system = verb == "read" and whole.startswith(_SYSTEM) and not _secret(whole)
        if not device and not system:
            self.say(verb, whole)

    def weigh(self, seconds: float = WEIGHING_SECONDS) -> None:
        """Report working folders that have become too large (without saves), and empty them.

        They are looked at when turns have run for a while; `seconds` is what the last one took.
        """
        self._unweighed += seconds
        if self._unweighed < WEIGHING_SECONDS:
            return
        self._unweighed = 0.0
        written = _files(self._work)
        if len(self._handed_in) <= MOST_FILES:
            written += [path for path in _files(self._folder) if path not in self._handed_in]
        sizes = [(max(LEAST_BYTES, os.path.getsize(path)), path) for path in written]
        size = sum(each for each, _ in sizes)
        if size <= MOST_BYTES:
            return
        self.say("fill the disk", f"{size >> 20} MB in its working folder", once=True)
        for path in written:
            os.unlink(path)

    def say(self, deed: str, what: str, *, once: bool = False) -> None:
        """Report an attempt, if that was not done yet; with `once` only the first of its kind."""
        said = self._said.setdefault(deed, set())
        if what in said or len(said) >= MOST_LINES or (once and said):
            return
        said.add(what)
        line = "".join(sign if sign.isprintable() else "?" for sign in f"{deed}: {what}"[:300])
        # A line of its own, whatever was printed before.
        os.write(2, f"\n{MARK}{line}\n".encode(errors="replace"))


def hide_host() -> None:
    """Have nothing of the host where a submission finds it by its name."""
    package = sys.modules[HOST]
    for name in _HIDDEN:
        sys.modules.pop(name, None)
        vars(package).pop(name.rpartition(".")[2], None)
    sys.modules["__main__"] = type(sys)("__main__")


def _is_child(pid: Any) -> bool:
    """Whether a process was started by this one, which may end it."""
    try:
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except (OSError, TypeError, ValueError, OverflowError, AttributeError):  # or not on this system
        return False
    return True


def _files(place: str) -> list[str]:
    """All files in a folder but links and what was saved."""
    found = []
    for folder, folders, names in os.walk(place):
        folders[:] = [name for name in folders if not name.startswith((SAVES, "__pycache__"))]
        paths = (os.path.join(folder, name) for name in names)
        found += [path for path in paths if not os.path.islink(path)]
    return found


def _plain(value: Any) -> str:
    return os.fsdecode(value) if isinstance(value, (bytes, str)) else str(value)


def _address(value: Any) -> str:
    """Where a socket connects to: host and port, or a path."""
    if isinstance(value, tuple) and len(value) > 1:
        return f"{_plain(value[0])}:{value[1]}"
    return _plain(value)


def _secret(path: str) -> bool:
    """Whether a file of the system is nobody's business: passwords, other processes."""
    process = path.split("/")[2] if path.startswith("/proc/") else ""
    return path.startswith(_SECRETS) or (process.isdigit() and process != str(os.getpid()))
