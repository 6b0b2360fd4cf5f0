"""The door of the server: who connects has to ask for something soon, and places are counted.

A connection that has not sent a whole request in time is closed. When all places are taken, the one
that has waited longest without a request goes; if there is none, the newcomer does. So connections
that are only held open never keep others out. Who asks has to take what comes, too: a connection
for which something waits is closed when it takes hardly anything of it for as long.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from functools import partial
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

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


class Doorkeeper:
    """Who is inside, who of them has not asked for anything yet, and who does not listen."""

    def __init__(self, settings: Settings) -> None:
        self.seconds = settings.request_seconds
        self.places = _places(settings.sockets, settings.connections + KEPT_DESCRIPTORS)
        self.silent: dict[Door, None] = {}  # in the order of their coming
        self.inside: set[Door] = set()
        self.readers = Readers(settings.request_seconds)


class Door(H11Protocol):
    """One connection."""

    def __init__(self, keeper: Doorkeeper, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._keeper = keeper
        self._timer: asyncio.TimerHandle | None = None
        self.ws_protocol_class = partial(SocketDoor, keeper)  # type: ignore[assignment]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        send_at_once(transport)
        keeper = self._keeper
        if len(keeper.inside) >= keeper.places:
            longest = next(iter(keeper.silent), None)
            if longest is None:
                transport.abort()
                return
            longest.leave()
        keeper.inside.add(self)
        keeper.readers.admit(transport)
        self._expect_request()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        cycle = self.cycle
        if self.transport.get_protocol() is not self:
            self._stop_waiting()  # a WebSocket from now on, which is counted elsewhere
            self._keeper.inside.discard(self)
        elif cycle is None or cycle.more_body or cycle.response_complete:
            self._expect_request()
        else:
            self._stop_waiting()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._keeper.readers.has_taken(self.transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._keeper.inside.discard(self)
        self._keeper.readers.forget(self.transport)
        super().connection_lost(exc)

    def leave(self) -> None:
        """Close the connection at once."""
        self._stop_waiting()
        self._keeper.inside.discard(self)
        self.transport.abort()

    def _expect_request(self) -> None:
        if self._timer is None:
            self._keeper.silent[self] = None
            self._timer = self.loop.call_later(self._keeper.seconds, self.leave)

    def _stop_waiting(self) -> None:
        self._keeper.silent.pop(self, None)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class SocketDoor(WebSocketsSansIOProtocol):
    """A connection that has become a WebSocket."""

    def __init__(self, keeper: Doorkeeper, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._readers = keeper.readers

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


def protocol(settings: Settings) -> partial[Door]:
    """What the server makes of each connection."""
    return partial(Door, Doorkeeper(settings))
