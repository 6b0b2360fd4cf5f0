"""What a program in the sandbox must not ask of the kernel, as a filter that bubblewrap loads.

Namespaces leave a few ways to others open that a file system that can only be read does not close:
a lease on a file holds up whoever opens it, for 45 seconds; sockets to the host of a virtual
machine belong to no network; the keys of a session are inherited; and in a user namespace of its
own a program could mount what it was not given, the control groups among them. 32-bit programs are
asked the same, but have no sockets at all.
"""

from __future__ import annotations

import errno
import os
import platform
import struct
from dataclasses import dataclass
from functools import cache

_F_SETLEASE = 1024
_CLONE_NEWUSER = 0x10000000
_FAMILIES = (1, 2, 10, 16)
"""Sockets of Unix, of both internet protocols and to the kernel: they stay in their namespace."""

_UNREADABLE = (425, 435)
"""`io_uring_setup` and `clone3`, on all machines: the filter cannot see what they are asked for.
Programs do without them, as on a kernel that has none."""

_X32 = 0x40000000
"""Numbers of calls with this bit are those of a third way to call a 64-bit kernel."""

_ALLOW = 0x7FFF0000
_ERROR = 0x00050000
_LOAD, _IF_EQUAL, _IF_ANY_BIT, _IF_AT_LEAST, _RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
_NUMBER_AT, _KIND_AT, _FIRST_AT, _SECOND_AT = 0, 4, 16, 24
"""Where the kernel shows the number of a call, its kind of machine, and its arguments."""


@dataclass(frozen=True)
class _Calls:
    """The numbers of system calls on one kind of machine, which the kernel calls `kind`."""

    kind: int
    fcntl: tuple[int, ...]
    socket: int
    clone: int
    unshare: int
    keys: tuple[int, ...]
    socketcall: tuple[int, ...] = ()


_INTEL_64 = _Calls(0xC000003E, (72,), 41, 56, 272, (248, 249, 250))
_INTEL_32 = _Calls(0x40000003, (55, 221), 359, 120, 310, (286, 287, 288), (102,))
_ARM_64 = _Calls(0xC00000B7, (25,), 198, 220, 97, (217, 218, 219))
_ARM_32 = _Calls(0x40000028, (55, 221), 281, 120, 337, (309, 310, 311), (102,))
_MACHINES = {"x86_64": (_INTEL_64, _INTEL_32), "aarch64": (_ARM_64, _ARM_32)}


def filter_path() -> str:
    """A file with the filter for this machine, there as long as this process; empty without one."""
    kept = _kept(platform.machine())
    return "" if kept is None else f"/proc/{os.getpid()}/fd/{kept}"


@cache
def _kept(machine: str) -> int | None:
    if machine not in _MACHINES:
        return None
    memory = os.memfd_create("plyground-filter")
    os.write(memory, _program(_MACHINES[machine]))
    return memory


def _program(machines: tuple[_Calls, ...]) -> bytes:
    """The filter in the kernel's little language (BPF): a part for each kind of machine."""
    lines = [line for calls in machines for line in _part(calls)]
    lines.append(_give(errno.ENOSYS))
    return b"".join(lines)


def _part(calls: _Calls) -> list[bytes]:
    """What is asked of calls of one kind; others go on behind it."""
    lines = [_line(_LOAD, _NUMBER_AT)]
    if calls is _INTEL_64:
        lines += [_line(_IF_AT_LEAST, _X32, 0, 1), _give(errno.ENOSYS)]
    refused = dict.fromkeys(_UNREADABLE, errno.ENOSYS)
    refused |= dict.fromkeys((*calls.keys, *calls.socketcall), errno.EPERM)
    for number, error in refused.items():
        lines += [_line(_IF_EQUAL, number, 0, 1), _give(error)]
    for number in calls.fcntl:
        lines += _where(
            number, _SECOND_AT, [_line(_IF_EQUAL, _F_SETLEASE, 0, 1), _give(errno.EPERM)]
        )
    for number in (calls.clone, calls.unshare):
        newer = [_line(_IF_ANY_BIT, _CLONE_NEWUSER, 0, 1), _give(errno.EPERM)]
        lines += _where(number, _FIRST_AT, newer)
    families = [
        _line(_IF_EQUAL, family, len(_FAMILIES) - place, 0)
        for place, family in enumerate(_FAMILIES)
    ]
    lines += _where(calls.socket, _FIRST_AT, [*families, _give(errno.EAFNOSUPPORT)])
    lines.append(_line(_RETURN, _ALLOW))
    return [_line(_LOAD, _KIND_AT), _line(_IF_EQUAL, calls.kind, 0, len(lines)), *lines]


def _where(number: int, argument: int, asked: list[bytes]) -> list[bytes]:
    """Of one call look at an argument; the call is allowed behind what is asked."""
    body = [_line(_LOAD, argument), *asked, _line(_RETURN, _ALLOW)]
    return [_line(_IF_EQUAL, number, 0, len(body)), *body]


def _give(error: int) -> bytes:
    return _line(_RETURN, _ERROR | error)


def _line(what: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
    return struct.pack("=HBBI", what, if_so, if_not, value)
