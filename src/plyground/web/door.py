"""The door of the server: who connects has to ask for something soon, and places are counted.

A connection that has not sent a whole request in time is closed. When all places are taken, the one
that has waited longest without a request goes; if there is none, the newcomer does. So connections
that are only held open never keep others out.
"""

from __future__ import annotations

import asyncio
import contextlib
from functools import partial
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from plyground.web.settings import Settings

with contextlib.suppress(ImportError):
    import resource

KEPT_DESCRIPTORS = 200
"""For engines, databases and files."""


FEWEST = 50
"""Places that there are on any machine."""


class Doorkeeper:
    """Who is inside, and who of them has not asked for anything yet."""

    def __init__(self, settings: Settings) -> None:
        self.seconds = settings.request_seconds
        self.places = _places(settings.sockets, settings.connections + KEPT_DESCRIPTORS)
        self.silent: dict[Door, None] = {}  # in the order of their coming
        self.inside: set[Door] = set()


class Door(H11Protocol):
    """One connection."""

    def __init__(self, keeper: Doorkeeper, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._keeper = keeper
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        keeper = self._keeper
        if len(keeper.inside) >= keeper.places:
            longest = next(iter(keeper.silent), None)
            if longest is None:
                transport.abort()
                return
            longest.leave()
        keeper.inside.add(self)
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

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._keeper.inside.discard(self)
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
