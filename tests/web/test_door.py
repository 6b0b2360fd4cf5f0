"""Who only holds the door is shown out, and nobody is sent elsewhere."""

from __future__ import annotations

import asyncio
import select
import socket
import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync import client

from plyground.web import app as page
from plyground.web import door
from plyground.web.door import Readers, protocol
from plyground.web.security import Guard
from plyground.web.settings import Settings

REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Says hello once the whole request is there; a WebSocket is greeted and closed."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while scope["path"] == "/stay" and (await receive())["type"] != "websocket.disconnect":
            pass
        await send({"type": "websocket.close"})
        return
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    long = b"hello" * (4 << 20)
    await send(
        {"type": "http.response.body", "body": long if scope["path"] == "/long" else b"hello"}
    )


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


def test_a_body_does_not_wait_until_its_head_is_confirmed(
    address: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is written in two pieces would otherwise take 40 ms longer."""
    at_once: list[int] = []

    def note(transport: asyncio.Transport, send_at_once: Any = door.send_at_once) -> None:
        send_at_once(transport)
        own = transport.get_extra_info("socket")
        at_once.append(own.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    monkeypatch.setattr(door, "send_at_once", note)
    with connect(address) as one:
        one.sendall(REQUEST)
        assert b"hello" in answer(one)
    assert at_once and all(at_once)


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


def test_a_crowd_does_not_leave_in_one_instant(address):
    """Those inside would wait while all of it is shown out, and comes again."""
    crowd = [connect(address) for _ in range(40)]
    left = []
    poll = select.poll()
    for one in crowd:
        poll.register(one, select.POLLIN)
    while len(left) < len(crowd):
        for descriptor, _ in poll.poll(20_000):
            poll.unregister(descriptor)
            left.append(time.monotonic())
    for one in crowd:
        one.close()
    assert left[-1] - left[0] > 0.1


def test_a_crowd_is_let_in_by_and_by(tmp_path):
    """While it waits at the door, the event loop serves who is inside."""
    settings = Settings(folder=tmp_path, results=tmp_path / "r", sockets=300)
    doors = protocol(settings)
    keeper = doors.args[0]
    config = uvicorn.Config(app, http=doors, lifespan="off", backlog=200)  # type: ignore[arg-type]
    inside: list[int] = []

    async def visit() -> None:
        server = door.Server(config)
        with socket.create_server(("127.0.0.1", 0)) as listener:
            serving = asyncio.create_task(server.serve([listener]))
            while not server.started:
                await asyncio.sleep(0.01)
            crowd = [connect(listener.getsockname()) for _ in range(100)]
            until = time.monotonic() + 20
            while len(keeper.inside) < 100 and time.monotonic() < until:
                inside.append(len(keeper.inside))
                await asyncio.sleep(0)
            inside.append(len(keeper.inside))
            for one in crowd:
                one.close()
            server.should_exit = True
            await serving

    asyncio.run(visit())
    assert inside[-1] == 100
    assert max(b - a for a, b in pairwise(inside)) <= door.LET_IN_AT_ONCE


def test_half_a_head_costs_no_conversation(address, monkeypatch):
    begun: list[object] = []

    def begin(door: Any, *arguments: Any, init: Any = door.Door.__init__, **named: Any) -> None:
        begun.append(door)
        init(door, *arguments, **named)

    monkeypatch.setattr(door.Door, "__init__", begin)
    with connect(address) as one:
        for letter in REQUEST[:-1]:
            one.sendall(bytes([letter]))
            time.sleep(0.002)
        assert not begun
        one.sendall(REQUEST[-1:])
        assert b"hello" in answer(one)
    assert len(begun) == 1


@pytest.mark.parametrize("sent", [b"\x16\x03\x01\x02\x00", b"GET / HTTP/1.1\r\n" + b"a" * 70_000])
def test_what_is_no_head_is_told_so_at_once(address, sent):
    with connect(address) as one:
        began = time.monotonic()
        one.sendall(sent)
        assert one.recv(100).startswith(b"HTTP/1.1 400 ")
        assert time.monotonic() - began < 0.5


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


def is_shown_out(one: socket.socket, send: bytes = b"") -> bool:
    """Whether the other side hangs up on somebody who only sends, and reads nothing."""
    poll = select.poll()
    poll.register(one, 0)
    patience = time.monotonic() + 20
    while time.monotonic() < patience:
        if poll.poll(50):
            return True
        try:
            one.sendall(send)
        except ConnectionError:
            return True
    return False


def socket_to(address: tuple[str, int]) -> socket.socket:
    """A WebSocket that stays, as bare as can be."""
    one = connect(address)
    one.sendall(
        b"GET /stay HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
        b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    assert b"101" in one.recv(1000)
    return one


def test_who_asks_and_does_not_listen_is_shown_out(address):
    with connect(address) as one:
        one.sendall(REQUEST.replace(b"GET / ", b"GET /long "))
        assert is_shown_out(one)


def test_signs_of_life_that_nobody_takes_do_not_pile_up(address):
    ping = bytes([0x89, 0x80 | 125, 0, 0, 0, 0]) + bytes(125)
    with socket_to(address) as one:
        assert is_shown_out(one, ping * 2000)


def test_a_message_comes_in_few_pieces(address):
    with socket_to(address) as one:
        one.sendall(bytes([0x01, 0x80, 0, 0, 0, 0]) + bytes([0x00, 0x80, 0, 0, 0, 0]) * 300)
        assert is_closed(one)


def test_a_message_that_is_no_text_ends_the_connection_without_a_trace(address, caplog):
    with socket_to(address) as one:
        one.sendall(bytes([0x81, 0x82, 0, 0, 0, 0, 0xFF, 0xFE]))
        assert is_closed(one)
    assert not [record for record in caplog.records if record.exc_info]


class Listener:
    """A transport with so many bytes waiting."""

    def __init__(self, waiting: int) -> None:
        self.waiting = waiting
        self.ended = False

    def get_write_buffer_size(self) -> int:
        return self.waiting

    def get_extra_info(self, name: str) -> None:
        return None

    def abort(self) -> None:
        self.ended = True


def test_slow_readers_stay_and_idle_ones_go():
    async def visit() -> tuple[bool, ...]:
        readers = Readers(10.0)
        stuck, slow, quick, gone = everybody = [Listener(9), Listener(9), Listener(9), Listener(0)]
        for one in everybody:
            readers.admit(one)  # type: ignore[arg-type]
        for now in range(30):
            readers.look(float(now))
            if now % 8 == 7:
                readers.has_taken(slow)  # type: ignore[arg-type]
                quick.waiting = 9 - quick.waiting
        return stuck.ended, slow.ended, quick.ended, gone.ended

    assert asyncio.run(visit()) == (True, False, False, False)


def ask(path: str, query: str = "", method: str = "GET", **headers: str) -> list[dict[str, Any]]:
    """What the guard sends for a request, with a token to know."""
    sent: list[dict[str, Any]] = []
    scope = {
        "type": "http",
        "method": method,
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
        {"host": "evil.example@localhost"},
        {"host": "localhost#evil.example"},
        {"cookie": 'plyground-token="\\'},
    ],
)
def test_odd_headers_are_refused(headers):
    given = {"host": "localhost", "authorization": "Bearer secret", **headers}
    if "cookie" in headers:
        del given["authorization"]
    assert ask("/", **given)[0]["status"] in (401, 403, 413)


def test_a_page_of_another_site_changes_nothing():
    for site, status in (("cross-site", 403), ("same-site", 403), ("same-origin", 200)):
        given = {"host": "localhost", "authorization": "Bearer secret", "sec_fetch_site": site}
        assert ask("/", method="POST", **given)[0]["status"] == status
    assert ask("/", host="localhost", authorization="Bearer secret")[0]["status"] == 200


def test_silent_pages_do_not_keep_others_out(tmp_path, monkeypatch):
    """All places are taken by pages that say nothing: the one silent for longest goes."""
    settings = Settings(
        folder=tmp_path, results=tmp_path / "r", connections=3, request_seconds=0.5, port=0
    )
    monkeypatch.setattr(page, "exit_soon", lambda: None)
    server = page.make_server(settings)
    listener = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    where = f"ws://127.0.0.1:{listener.getsockname()[1]}/ws"
    try:
        with (
            client.connect(where) as first,
            client.connect(where) as second,
            client.connect(where) as third,
        ):
            with pytest.raises(InvalidStatus):  # all of them have only just come
                client.connect(where)
            time.sleep(0.7)
            for one in (second, third):
                one.send('{"type":"leave","id":"nobody"}')
            time.sleep(0.1)
            with client.connect(where) as newcomer:
                for one in (newcomer, second):
                    one.send('{"type":"join","id":"nobody"}')
                    assert "not-found" in str(one.recv(timeout=20))
                with pytest.raises(ConnectionClosed):
                    first.recv(timeout=20)
    finally:
        server.should_exit = True
        thread.join(20)
        listener.close()
