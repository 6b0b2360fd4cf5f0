"""Visitors of the page who send what no page would: requests and messages, field by field.

Every answer must be a typed one: nothing is an internal error, nothing leaves a trace in the
server's terminal, and whoever comes next is served.
"""

from __future__ import annotations

import http.client
import json
import random
from collections.abc import Iterator
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.attack.fuzz import NASTY, Finding, Mutator

ANSWER_SECONDS = 60.0

VALUES: tuple[Any, ...] = (
    *(text for text in NASTY if len(text) < 10_000),
    None,
    True,
    0,
    -1,
    0.5,
    1e308,
    -1e308,
    2**31,
    2**53,
    2**63,
    2**64,
    10**40,
    [],
    {},
    [[]],
    ["connect4"] * 200,
    {"a": {"b": {"c": []}}},
    [[[[[[[[1]]]]]]]],
    {"\u202e": "\0"},
    "level:champion",
    "mcts:nodes=999999999",
    "exec:/bin/sh",
    "course:/etc",
    "a" * 101,
    "random-5x5",
    "nan",
    "Infinity",
)
"""What a field gets instead of what belongs there."""

RECORD = {
    "game": "connect4",
    "options": {"width": 5, "height": 4, "mean": "none"},
    "players": ["a", "b"],
    "start": "",
    "moves": [{"move": "1", "player": 0}, {"move": "2", "player": 1, "time": 0.1}],
    "outcome": {"winner": None, "termination": "stopped", "detail": ""},
}
SMALL = {"width": 5, "height": 4, "mean": "none"}
POSTS: tuple[tuple[str, dict[str, Any]], ...] = (
    (
        "/api/games",
        {"game": "connect4", "options": SMALL, "seats": ["", "random"], "seconds": 0.01, "seed": 1},
    ),
    ("/api/games", {"game": "blockudoku", "seats": [""], "seconds": 0.01, "position": ""}),
    ("/api/games/ID/fork", {"ply": 0, "seats": ["", "random"], "seconds": 0.01}),
    ("/api/records", RECORD),
    ("/api/position", {"game": "connect4", "options": SMALL, "position": "", "moves": ["1", "2"]}),
    (
        "/api/position",
        {"game": "competitive-sudoku", "options": {"board": "random-2x2"}, "moves": [], "seed": 3},
    ),
    ("/api/tree", {"game": "connect4", "options": SMALL, "search": "mcts"}),
)
GETS = (
    "/api/games/ID",
    "/api/games/ID/positions?from=0&to=2",
    "/api/games/ID/record",
    "/api/runs/ID",
    "/api/runs/ID/live",
    "/api/runs/ID/report",
    "/api/lab/ID",
    "/api/lab/ID/plots/0",
    "/api/rules/ID",
    "/api/pictures/connect4",
    "/static/games/connect4/ID",
    "/static/ID",
    "/replay/ID",
)
MESSAGES: tuple[dict[str, Any], ...] = (
    {"type": "join", "id": "ID"},
    {"type": "leave", "id": "ID"},
    {"type": "move", "id": "ID", "move": "1", "ply": 0},
    {"type": "undo", "id": "ID"},
    {"type": "resign", "id": "ID"},
    {"type": "hint", "id": "ID"},
    {"type": "autoplay", "id": "ID", "speed": "fast", "agent": "random"},
    {"type": "step", "id": "ID"},
    {"type": "analyse", "key": "k", "game": "connect4", "position": "", "seconds": 0.01},
    {"type": "stop-analysis", "key": "k"},
    {"type": "review", "id": "ID", "seconds": 0.01, "agent": "random"},
    {"type": "follow-run", "id": "ID"},
)


def traces(terminal: str) -> str:
    """What a server has said in its terminal beside what it is compiling."""
    return "\n".join(line for line in terminal.splitlines() if not line.startswith("plyground: "))


class Visitor:
    """One who asks at random, the same again with the same seed. `host` is address and port."""

    def __init__(self, host: str, seed: int) -> None:
        self.host = host
        self.chance = random.Random(seed)
        self.mutator = Mutator(seed)
        self.identity = "none"

    def spoiled(self, message: dict[str, Any]) -> bytes:
        """A message with something wrong about it, as text or in one of its fields."""
        chance = self.chance
        body = json.loads(json.dumps(message).replace('"ID"', json.dumps(self.identity)))
        kind = chance.random()
        if kind < 0.1:
            return json.dumps(body).encode()
        if kind < 0.3:
            return self.mutator.bad(json.dumps(body)).encode(errors="surrogatepass")
        where: Any = body
        while True:
            key = chance.choice(list(where) if isinstance(where, dict) else range(len(where)))
            inner = where[key]
            if isinstance(inner, (dict, list)) and inner and chance.random() < 0.6:
                where = inner
                continue
            break
        if isinstance(where, dict) and chance.random() < 0.15:
            where[str(chance.choice(NASTY))[:50]] = inner
        else:
            where[key] = chance.choice(VALUES)
        return json.dumps(body).replace("1e+308", "1e999").encode(errors="surrogatepass")

    def requests(self, count: int) -> Iterator[Finding]:
        """So many requests, one after the other."""
        for _ in range(count):
            if self.chance.random() < 0.7:
                path, body = self.chance.choice(POSTS)
                yield from self._ask("POST", self._path(path), self.spoiled(body))
            else:
                yield from self._ask("GET", self._path(self.chance.choice(GETS)), None)

    def _path(self, path: str) -> str:
        text = self.identity
        if self.chance.random() < 0.5:
            text = self.mutator.bad(self.chance.choice((self.identity, "../../etc/passwd", "a")))
        raw = text.encode(errors="surrogatepass")[:2000]
        quoted = "".join(chr(b) if 48 <= b < 123 and b not in b"?#\\" else f"%{b:02x}" for b in raw)
        return path.replace("ID", quoted)

    def _ask(self, method: str, path: str, body: bytes | None) -> Iterator[Finding]:
        link = http.client.HTTPConnection(self.host, timeout=ANSWER_SECONDS)
        try:
            link.request(method, path, body)
            answer = link.getresponse()
            said = answer.read()
        except (OSError, http.client.HTTPException) as error:
            yield Finding(f"{method} {path}", repr(body), repr(error))
            return
        finally:
            link.close()
        if answer.status >= 500 and answer.status != 503:
            yield Finding(f"{method} {path[:200]}", repr(body), f"{answer.status} {said[:300]!r}")
        if answer.status == 201 and path.startswith("/api/games"):
            self.identity = json.loads(said)["id"]

    def messages(self, count: int) -> Iterator[Finding]:
        """So many messages over WebSockets; whoever is shown out comes again."""
        left = count
        while left > 0:
            with connect(f"ws://{self.host}/ws", max_size=1 << 24) as socket:
                try:
                    for _ in range(min(left, 40)):
                        left -= 1
                        data = self.spoiled(self.chance.choice(MESSAGES))
                        socket.send(data, text=self.chance.random() < 0.9)
                        yield from self._hear(socket, data)
                except ConnectionClosed as error:
                    if error.rcvd is not None and error.rcvd.code == 1011:
                        yield Finding("WebSocket", repr(data), repr(error))

    def _hear(self, socket: Any, data: bytes) -> Iterator[Finding]:
        try:
            while True:
                message = json.loads(socket.recv(timeout=0.002))
                if message["type"] == "error" and message["kind"] == "internal":
                    yield Finding("WebSocket", repr(data), message["message"])
        except TimeoutError:
            return
