"""A page without a browser: a WebSocket that tests talk over."""

from __future__ import annotations

import json
from contextlib import ExitStack
from typing import Any

from websockets.sync.client import connect

from tests.web.conftest import Server


class Talk:
    """One connection to the server."""

    def __init__(self, server: Server, **settings: Any) -> None:
        address = server.address.replace("http://", "ws://") + "/ws"
        self._ending = ExitStack()
        opening = connect(address, open_timeout=60, max_size=1 << 24, **settings)
        self.socket = self._ending.enter_context(opening)

    def __enter__(self) -> Talk:
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.close()

    def send(self, message: object) -> None:
        self.socket.send(message if isinstance(message, (str, bytes)) else json.dumps(message))

    def send_broken_text(self, data: bytes) -> None:
        """Send bytes as a text frame, whether they are text or not."""
        self.socket.send(data, text=True)

    def receive(self, kind: str = "", timeout: float = 120.0) -> dict[str, Any]:
        """The next message, or the next one of a kind."""
        while True:
            message: dict[str, Any] = json.loads(self.socket.recv(timeout=timeout))
            if not kind or message["type"] == kind:
                return message

    def until(self, condition: Any) -> dict[str, Any]:
        """The next state of a game that meets a condition."""
        while True:
            message = self.receive("game")
            if condition(message):
                return message


def length(message: dict[str, Any]) -> int:
    """How many moves the game has."""
    return int(message["keep"]) + len(message.get("moves", []))
