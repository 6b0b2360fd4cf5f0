"""Who only holds the door is shown out, and nobody is sent elsewhere."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.sync import client

from plyground.web.door import protocol
from plyground.web.security import Guard
from plyground.web.settings import Settings

REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Says hello once the whole request is there; a WebSocket is greeted and closed."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.close"})
        return
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"hello"})


@pytest.fixture
def address(tmp_path: Path) -> Iterator[tuple[str, int]]:
    settings = Settings(folder=tmp_path, results=tmp_path / "r", sockets=60, request_seconds=1.0)
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        app, http=protocol(settings), lifespan="off", log_level="critical", ws="websockets-sansio"
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    yield listener.getsockname()
    server.should_exit = True
    thread.join(20)
    listener.close()


def connect(address: tuple[str, int]) -> socket.socket:
    return socket.create_connection(address, timeout=20)


def answer(one: socket.socket) -> bytes:
    """A whole answer; it comes in chunks, the last one empty."""
    heard = b""
    while not heard.endswith(b"0\r\n\r\n"):
        piece = one.recv(1000)
        assert piece, heard
        heard += piece
    return heard


def is_closed(one: socket.socket) -> bool:
    """Waits until the other side has hung up."""
    try:
        return one.recv(100) == b""
    except ConnectionError:
        return True


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: loc",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf",
    ],
    ids=["nothing", "half a head", "half a body"],
)
def test_who_sends_no_whole_request_is_shown_out(address, sent):
    with connect(address) as one:
        one.sendall(sent)
        assert is_closed(one)


def test_dripping_does_not_help(address):
    with connect(address) as one:
        began = time.monotonic()
        try:
            while time.monotonic() - began < 15:
                one.sendall(b"X")
                time.sleep(0.05)
        except ConnectionError:
            return
    raise AssertionError("it was let in for 15 seconds")


def test_a_second_request_on_a_connection_has_to_come_whole_too(address):
    with connect(address) as one:
        one.sendall(REQUEST)
        assert b"hello" in answer(one)
        one.sendall(REQUEST[:20])
        assert is_closed(one)


def test_silent_connections_keep_nobody_out(address):
    silent = [connect(address) for _ in range(80)]
    try:
        for _ in range(3):
            with connect(address) as one:
                one.sendall(REQUEST)
                assert b"hello" in answer(one)
    finally:
        for one in silent:
            one.close()


def test_a_websocket_gives_its_place_back(address):
    for _ in range(80):
        greeted = client.connect(f"ws://127.0.0.1:{address[1]}/")
        with greeted as one, pytest.raises(ConnectionClosed):
            one.recv(20)
    with connect(address) as one:
        one.sendall(REQUEST)
        assert b"hello" in answer(one)


def ask(path: str, query: str = "", **headers: str) -> list[dict[str, Any]]:
    """What the guard sends for a request, with a token to know."""
    sent: list[dict[str, Any]] = []
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "scheme": "http",
        "server": ("localhost", 80),
        "headers": [(k.replace("_", "-").encode(), v.encode()) for k, v in headers.items()],
    }

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    settings = Settings(folder=Path(), results=Path(), token="secret")
    asyncio.run(Guard(app, settings)(scope, receive, send))  # type: ignore[arg-type]
    return sent


@pytest.mark.parametrize("path", ["//evil.example", "///evil.example", "/\\evil.example", "//"])
def test_a_token_leads_nowhere_else(path):
    head = ask(path, "token=secret", host="localhost")[0]
    location = dict(head["headers"])[b"location"].decode()
    assert location.startswith("/") and not location.startswith(("//", "/\\"))


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://["},
        {"origin": "http://a]:99999999"},
        {"content_length": "\u00b2"},
        {"content_length": "9" * 5000},
        {"content_length": "-1"},
        {"host": "[::1"},
        {"cookie": 'plyground-token="\\'},
    ],
)
def test_odd_headers_are_refused(headers):
    given = {"host": "localhost", "authorization": "Bearer secret", **headers}
    if "cookie" in headers:
        del given["authorization"]
    assert ask("/", **given)[0]["status"] in (401, 403, 413)
