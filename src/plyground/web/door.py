"""The door of the server: who connects has to ask for something soon, and places are counted.

A connection that has not sent a whole request in time is closed. When all places are taken, the one
that has waited longest without a request goes; if there is none, the newcomer does. So connections
that are only held open never keep others out, and until the head of a request is there they have
hardly anything of the server. Nobody inside waits for a crowd at the door: few are let in at once,
and each has a time of its own, so that those who came together do not go together. Who asks has to
take what comes, too: a connection for which something waits is closed when it takes hardly anything
of it for as long.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import socket
import struct
from functools import partial
from typing import Any, Protocol

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from plyground.web.settings import Settings

with contextlib.suppress(ImportError):
    import resource

KEPT_DESCRIPTORS = 200
"""For engines, databases and files."""

FEWEST = 50
"""Places that there are on any machine."""

LOOKS = 4
"""So often in the time that a connection gets it is looked at what waits for it."""

PONG_BYTES = 1 << 20
"""Who asks for signs of life and does not take them has at most so many bytes waiting."""

PIECES = 100
"""A message comes in at most so many pieces."""

LET_IN_AT_ONCE = 8
"""So many newcomers, then all who are inside have their turn."""

HEAD_BYTES = 64 << 10
"""No head of a request is longer."""

HASTE = 0.25
"""By up to this share of its time a connection is shown out earlier."""


class Readers:
    """Since when something waits for each connection that it does not take.

    Taking all of it counts, and so does each time that a full buffer has emptied.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._since: dict[asyncio.Transport, float | None] = {}
        self._timer: asyncio.TimerHandle | None = None

    def admit(self, transport: asyncio.Transport) -> None:
        """Somebody has come."""
        self._since[transport] = None
        self._wait()

    def has_taken(self, transport: asyncio.Transport) -> None:
        """A good part of what waited was taken."""
        if transport in self._since:
            self._since[transport] = None

    def forget(self, transport: asyncio.Transport) -> None:
        """Somebody has left."""
        self._since.pop(transport, None)

    def _wait(self) -> None:
        if self._timer is None and self._since:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self._seconds / LOOKS, self._look_and_wait)

    def _look_and_wait(self) -> None:
        self._timer = None
        self.look(asyncio.get_running_loop().time())
        self._wait()

    def look(self, now: float) -> None:
        """Show out who has not taken anything for too long at the instant `now`."""
        for transport, since in list(self._since.items()):
            if not transport.get_write_buffer_size():
                self._since[transport] = None
            elif since is None:
                self._since[transport] = now
            elif now - since >= self._seconds:
                hang_up(transport)
                self.forget(transport)


class Guest(Protocol):
    """A connection that may be shown out."""

    def leave(self) -> None:
        """Close it at once."""


class Doorkeeper:
    """Who is inside, who of them has not asked for anything yet, and who does not listen."""

    def __init__(self, settings: Settings) -> None:
        self._seconds = settings.request_seconds
        self.places = _places(settings.sockets, settings.connections + KEPT_DESCRIPTORS)
        self.silent: dict[Guest, asyncio.TimerHandle] = {}  # in the order of their coming
        self.inside: set[Guest] = set()
        self.readers = Readers(settings.request_seconds)

    def admit(self, guest: Guest) -> bool:
        """Let somebody in if there is a place, or if one can be made."""
        if len(self.inside) >= self.places:
            longest = next(iter(self.silent), None)
            if longest is None:
                return False
            longest.leave()
        self.inside.add(guest)
        return True

    def expect(self, guest: Guest) -> None:
        """A whole request has to come in time."""
        if guest not in self.silent:
            seconds = self._seconds * random.uniform(1.0 - HASTE, 1.0)
            loop = asyncio.get_running_loop()
            self.silent[guest] = loop.call_later(seconds, guest.leave)

    def hear(self, guest: Guest) -> None:
        """It has come."""
        timer = self.silent.pop(guest, None)
        if timer is not None:
            timer.cancel()

    def forget(self, guest: Guest) -> None:
        """Somebody is not inside any more."""
        self.hear(guest)
        self.inside.discard(guest)


class Threshold(asyncio.Protocol):
    """A connection until the head of its first request is there."""

    def __init__(self, keeper: Doorkeeper, server_state: ServerState, **named: Any) -> None:
        self._keeper = keeper
        self._connections = server_state.connections
        self._named = {"server_state": server_state, **named}
        self._head = bytearray()
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._transport = transport
        if not self._keeper.admit(self):
            transport.abort()
            return
        self._connections.add(self)  # type: ignore[arg-type] # it is told to shut down, no more
        self._keeper.expect(self)

    def data_received(self, data: bytes) -> None:
        head = self._head
        before = len(head)
        head += data
        if _is_whole(head, before) and self in self._keeper.inside:
            self._keeper.forget(self)
            self._connections.discard(self)
            door = Door(self._keeper, **self._named)
            self._transport.set_protocol(door)
            door.connection_made(self._transport)
            door.data_received(bytes(head))

    def connection_lost(self, exc: Exception | None) -> None:
        self._keeper.forget(self)
        self._connections.discard(self)

    def leave(self) -> None:
        self._keeper.forget(self)
        self._transport.abort()

    def shutdown(self) -> None:
        """The server ends."""
        self.leave()


class Door(H11Protocol):
    """A connection that has asked for something."""

    def __init__(self, keeper: Doorkeeper, **named: Any) -> None:
        super().__init__(**named)
        self._keeper = keeper
        self.ws_protocol_class = partial(SocketDoor, keeper)  # type: ignore[assignment]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        send_at_once(transport)
        if not self._keeper.admit(self):
            transport.abort()
            return
        self._keeper.readers.admit(transport)
        self._keeper.expect(self)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        cycle = self.cycle
        if self.transport.get_protocol() is not self:
            self._keeper.forget(self)  # a WebSocket from now on, which is counted elsewhere
        elif cycle is None or cycle.more_body or cycle.response_complete:
            self._keeper.expect(self)
        else:
            self._keeper.hear(self)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._keeper.readers.has_taken(self.transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._keeper.forget(self)
        self._keeper.readers.forget(self.transport)
        super().connection_lost(exc)

    def leave(self) -> None:
        self._keeper.forget(self)
        self.transport.abort()


class SocketDoor(WebSocketsSansIOProtocol):
    """A connection that has become a WebSocket."""

    def __init__(self, keeper: Doorkeeper, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._readers = keeper.readers
        if self.ping_interval is not None:
            self.ping_interval *= random.uniform(1.0 - HASTE, 1.0)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._readers.has_taken(self.transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._readers.forget(self.transport)
        super().connection_lost(exc)

    def handle_ping(self) -> None:
        super().handle_ping()
        if self.transport.get_write_buffer_size() > PONG_BYTES:
            hang_up(self.transport)

    def handle_cont(self, event: Any) -> None:
        if len(self.frames) >= PIECES:
            hang_up(self.transport)
        else:
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """Nothing that a visitor sends is a trace in the terminal: what is no text ends it."""
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                hang_up(self.transport)
                return
        super().send_receive_event_to_app()


class Server(uvicorn.Server):
    """Lets newcomers in by and by; the others wait in the system's queue."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        waiting, self.config.backlog = self.config.backlog, LET_IN_AT_ONCE
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(waiting)  # the event loop has made the queue as short


def _is_whole(head: bytearray, before: int) -> bool:
    """Whether the head of a request has ended since it had so many bytes, or never will."""
    start = max(0, before - 3)
    ended = head.find(b"\n\r\n", start) >= 0 or head.find(b"\n\n", start) >= 0
    return ended or len(head) >= HEAD_BYTES or not head[:1].isalpha()


def send_at_once(transport: asyncio.Transport) -> None:
    """Have the system send small pieces without waiting for the other side to confirm the last one.

    The event loop does this by itself only for sockets that were made with a protocol's number.
    """
    own = transport.get_extra_info("socket")
    if own is not None and own.family in (socket.AF_INET, socket.AF_INET6):
        own.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def hang_up(transport: asyncio.Transport) -> None:
    """Close a connection at once, and have the system forget what it has not taken."""
    own = transport.get_extra_info("socket")
    if own is not None:
        with contextlib.suppress(OSError):
            own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()


def _places(wanted: int, others: int) -> int:
    """So many, but not more than there are descriptors for, beside so many others."""
    try:
        descriptors, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    except (NameError, OSError, ValueError):
        return wanted
    if descriptors < wanted + others:
        descriptors = min(wanted + others, most) if most > 0 else wanted + others
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, most))
        descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return max(FEWEST, min(wanted, descriptors - others))


def protocol(settings: Settings) -> partial[Threshold]:
    """What the server makes of each connection."""
    return partial(Threshold, Doorkeeper(settings))
