"""Programs of other people run apart, by bubblewrap: what they cannot see they cannot take.

A program in the sandbox has no network, a user id and processes of its own, an environment of a few
harmless variables, and a disk that is read-only and nearly empty: the system's programs, the
installation of Python, the folders of the files that its command names, and memory for a home and
for temporary files. Of those folders it does not see what is private: other players of the run, the
database, the data folder.

`confine` is all that the kinds of players need; the command has to name files by whole paths.
`state` says what can be had on this machine.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from plyground.core.errors import InputError, UnsupportedError
from plyground.core.paths import cache_root, data_root, expanded
from plyground.core.rooms import HOUSE
from plyground.engines.forbidden_calls import filter_path
from plyground.kernels.store import kernels_root

SandboxMode = Literal["auto", "on", "off"]
"""`auto` is `on` where it works, and says so loudly where it does not."""

HOME = "/home/player"
USER_ID = "1000"
MEMORY_DISK = 256 << 20
"""Bytes that a program may write into its home, and as many into temporary files."""

INSTALLATION_FOLDERS = ("bin", "shims")
"""A program in a folder of such a name needs what lies beside that folder."""

_TRIALS, _TRIAL_SECONDS = 3, 10
SHELL_SIGNALS = 128
"""What shells and the sandbox add to the number of the signal that killed their program."""

_ASIDE = (
    "/bin/sh",
    "-c",
    'exec 3<&0 4>&1 5<"$1" </dev/null >/dev/null; shift; exec /usr/bin/env -i "$@"',
    "sh",
)
_BACK = ("/bin/sh", "-c", 'exec "$@" <&3 >&4 3<&- 4>&-', "sh")
"""Bubblewrap keeps its own input and output open, and nothing else: by this way round the program
alone holds its pipes, so that it is seen when it closes them. Nor has bubblewrap any variables: the
program can read those of every process in the sandbox. Number 5 is the filter of system calls."""

_KERNEL_SETTINGS = ("sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi")
"""Folders and files in `/proc` that some user may write to: root's program would be that user."""

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SYSTEM_SETTINGS = ("alternatives", "ld.so.*", "localtime", "java*", "mono", "dotnet", "python3*")
_OWN_VARIABLES = {
    "HOME": HOME,
    "TMPDIR": "/tmp",
    "USER": "player",
    "PYTHONHASHSEED": "0",
    "LD_BIND_NOW": "1",  # a program that forks for every turn looks up nothing again
}
_VARIABLES = ("PATH", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ")
_VARIABLE_FAMILIES = ("PLYGROUND_", "NUMBA_", "OMP_", "OPENBLAS_", "MKL_")


@dataclass(frozen=True)
class SandboxState:
    """Whether programs can be run apart on this machine, and if not, why."""

    available: bool
    reason: str = ""


def state() -> SandboxState:
    """What `auto` means here."""
    wrapper = shutil.which("bwrap")
    if wrapper is None:
        return SandboxState(False, "bubblewrap (the program bwrap) is not installed")
    return _try(wrapper)


def confine(
    command: Sequence[str],
    mode: SandboxMode = "auto",
    private: Iterable[str] = (),
    emptied: Mapping[str, str] | None = None,
) -> list[str]:
    """The command as it is run under this mode; `private` are files that it must not see.

    Folders that are `emptied` begin as empty memory that it may write to; what is in them is seen
    at another place, for the program to copy. UnsupportedError for `on` where there is no sandbox.
    """
    if mode == "off":
        return list(command)
    found = state()
    if found.available:
        wrapper = shutil.which("bwrap")
        assert wrapper is not None
        return _wrapped(wrapper, command, private, emptied or {})
    if mode == "on":
        raise UnsupportedError(f"--sandbox on: {found.reason}")
    _warn(found.reason)
    return list(command)


@cache
def _warn(reason: str) -> None:
    print(
        "plyground: NO SANDBOX: programs of others run with all your rights, they can read your"
        f" files and use the network: {reason}. (--sandbox off runs them like this in silence)",
        file=sys.stderr,
    )


@cache
def _try(wrapper: str) -> SandboxState:
    for _ in range(_TRIALS):
        try:
            code, said = _trial(_wrapped(wrapper, ["true"], (), {}))
        except OSError as error:
            return SandboxState(False, f"bubblewrap does not work here: {error}")
        except subprocess.SubprocessError as error:  # somebody disturbed its start
            code, said = -1, str(error)
        if code == 0:
            return SandboxState(True)
        if 0 < code < SHELL_SIGNALS:  # by itself; one that was killed proves nothing
            break
    said = said.strip()[:300] or "unknown reason"
    return SandboxState(False, f"bubblewrap does not work here: {said}")


def _trial(command: list[str]) -> tuple[int, str]:
    """Exit code and errors of a command, which is ended after some seconds with all it started."""
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as trial:
        try:
            said = trial.communicate(timeout=_TRIAL_SECONDS)[1]
        except subprocess.TimeoutExpired:
            said = f"no answer in {_TRIAL_SECONDS} s"
        finally:
            with contextlib.suppress(OSError):
                os.killpg(trial.pid, signal.SIGKILL)
    return trial.returncode, said


def _wrapped(
    wrapper: str, command: Sequence[str], private: Iterable[str], emptied: Mapping[str, str]
) -> list[str]:
    named = [Path(word) for word in command if word.startswith("/") and Path(word).exists()]
    shown = _shown(command[0], named)
    forbidden = filter_path()
    kernel = [str(path) for name in _KERNEL_SETTINGS if (path := Path("/proc", name)).exists()]
    return [
        *_ASIDE,
        forbidden or os.devnull,
        wrapper,
        *(("--seccomp", "5") if forbidden else ()),
        *("--unshare-all", "--die-with-parent", "--cap-drop", "ALL"),
        *("--unshare-user", "--uid", USER_ID, "--gid", USER_ID, "--hostname", "sandbox"),
        *("--proc", "/proc", *(word for path in kernel for word in ("--ro-bind", path, path))),
        *("--dev", "/dev"),
        *(word for place in ("/dev/shm", "/tmp", HOME) for word in _memory(place)),
        *(word for path in shown for word in ("--ro-bind", str(path), str(path))),
        *_hidden(shown, named, private),
        *(word for old, new in emptied.items() for word in ("--ro-bind", old, new, *_memory(old))),
        *_environment(),
        *("--remount-ro", "/", "--chdir", HOME, "--"),
        *_BACK,
        *command,
    ]


def _memory(place: str) -> tuple[str, ...]:
    return ("--size", str(MEMORY_DISK), "--tmpfs", place)


# What is seen ---------------------------------------------------------------------------------


def _shown(program: str, named: Iterable[Path]) -> list[Path]:
    """What the program may read, wider places before those inside them."""
    found = [Path(place) for place in _SYSTEM]
    found += [path for pattern in _SYSTEM_SETTINGS for path in Path("/etc").glob(pattern)]
    found += [Path(sys.prefix), Path(sys.base_prefix), HOUSE]
    for path in named:
        for place in {path, path.resolve()}:
            found += _around(place)
    executable = shutil.which(program)
    if executable is not None:
        for place in {Path(executable), Path(executable).resolve()}:
            if place.parent.name in INSTALLATION_FOLDERS and not _too_wide(place.parent.parent):
                found.append(place.parent.parent)  # an installation: what it needs lies beside it
    places = sorted({path for path in found if path.exists()}, key=lambda path: path.parts)
    kept: list[Path] = []
    for path in places:
        if not any(path.is_relative_to(wider) for wider in kept):
            kept.append(path)
    return kept


def _around(path: Path) -> Iterator[Path]:
    """A folder that is named, or the folder of a file; the file alone where that shows too much."""
    folder = path if path.is_dir() else path.parent
    if not _too_wide(folder):
        yield folder
    elif path.is_file():
        yield path


def _too_wide(folder: Path) -> bool:
    """Whether a folder holds what is not the program's: a home, or everybody's files."""
    whole = folder.resolve()
    homes = [Path(tempfile.gettempdir()).resolve()]
    with contextlib.suppress(InputError):  # whose home nobody knows has none
        homes.append(expanded("~").resolve())
    return len(whole.parts) <= 2 or any(home.is_relative_to(whole) for home in homes)


def _hidden(shown: Sequence[Path], named: Sequence[Path], private: Iterable[str]) -> Iterator[str]:
    """Cover what is private and lies in a folder that is seen."""
    own = {path.resolve() for path in named}
    for path in (data_root(), cache_root(), *map(Path, private)):
        place = path.resolve()
        if not place.exists() or any(mine.is_relative_to(place) for mine in own):
            continue
        for wide in shown:
            if place.is_relative_to(wide.resolve()):
                seen = str(wide / place.relative_to(wide.resolve()))
                if place.is_dir():
                    yield from ("--tmpfs", seen)
                else:
                    yield from ("--ro-bind", "/dev/null", seen)
    yield from ("--ro-bind", str(kernels_root()), str(kernels_root()))


def _environment() -> Iterator[str]:
    yield "--clearenv"
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in _VARIABLES or name.startswith(_VARIABLE_FAMILIES)
    }
    for name, value in {**kept, **_OWN_VARIABLES}.items():
        yield from ("--setenv", name, value)
