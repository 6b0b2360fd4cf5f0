"""Bad requests and messages: each gets an error, none gets further, the server stays up."""

from __future__ import annotations

import contextlib
import http.client
import json
import random
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.web.conftest import SERVER_LOG, Server
from tests.web.talk import Talk, length

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4)
    ),
    max_leaves=12,
)
FIELDS = {
    "type": st.sampled_from(
        [
            "join",
            "leave",
            "move",
            "undo",
            "resign",
            "hint",
            "autoplay",
            "analyse",
            "review",
            "stop-analysis",
            "follow-run",
            "nonsense",
        ]
    ),
}
NAMES = [
    "id",
    "move",
    "ply",
    "judged",
    "speed",
    "agent",
    "key",
    "game",
    "position",
    "seconds",
    "options",
]
POSTS = ["/api/games", "/api/position", "/api/records", "/api/runs", "/api/games/nothing/fork"]


@pytest.fixture(scope="module")
def talk(server: Server) -> Iterator[Talk]:
    with Talk(server) as connection:
        yield connection


def alive(server: Server) -> bool:
    return server.request("/api/catalog")[0] == 200


@pytest.mark.parametrize("path", POSTS)
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    body=st.one_of(st.binary(max_size=200), anything.map(lambda value: json.dumps(value).encode()))
)
def test_fuzzed_bodies_get_4xx(server: Server, path: str, body: bytes) -> None:
    status, answer = server.request(path, body)
    assert 400 <= status < 500, (status, answer)
    assert answer["error"]["message"] and "Traceback" not in json.dumps(answer)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    body=st.fixed_dictionaries(
        {"game": st.just("connect4") | st.text(max_size=9)},
        optional={
            "seats": anything,
            "seconds": anything,
            "options": anything,
            "seed": anything,
            "position": anything,
        },
    )
)
def test_fuzzed_games_are_made_or_refused(server: Server, body: dict[str, Any]) -> None:
    status, answer = server.request("/api/games", body)
    assert status == 201 or 400 <= status < 500, (status, answer)


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    message=st.one_of(
        anything,
        st.fixed_dictionaries(
            FIELDS,
            optional=dict.fromkeys(NAMES, anything),
        ),
    )
)
def test_fuzzed_messages_get_an_error(talk: Talk, message: object) -> None:
    kind = message.get("type") if isinstance(message, dict) else None
    talk.send(json.dumps(message))
    talk.send({"type": "join", "id": "no-such-game"})
    errors = [talk.receive("error")]
    while errors[-1].get("id") != "no-such-game":
        errors.append(talk.receive("error"))
    quiet = kind in ("leave", "stop-analysis", "follow-run")
    assert len(errors) == 2 or (len(errors) == 1 and quiet)
    assert "Traceback" not in json.dumps(errors)


def test_messages_out_of_order_or_for_a_game_that_ended(server: Server) -> None:
    identity = server.new_game("connect4", ["", ""], options={"mean": "none"})
    with Talk(server) as talk:
        talk.send({"type": "move", "id": identity, "move": "4", "ply": 7})
        assert "after 7 moves" in talk.receive("error")["message"]
        talk.send({"type": "undo", "id": identity})
        assert talk.receive("error")["kind"] == "bad-input"
        talk.send({"type": "move", "id": identity, "move": "99", "ply": 0})
        assert talk.receive("error")["kind"] == "invalid-move"
        talk.send({"type": "resign", "id": identity})
        assert talk.until(lambda game: game.get("outcome"))["outcome"]["winner"] == 1
        for message in (
            {"type": "move", "id": identity, "move": "4", "ply": 0},
            {"type": "resign", "id": identity},
            {"type": "hint", "id": identity},
            {"type": "autoplay", "id": identity, "speed": "max"},
        ):
            talk.send(message)
            assert talk.receive("error")["kind"] == "game-over"


def test_a_person_cannot_move_for_the_agent(server: Server) -> None:
    identity = server.new_game("connect4", ["mcts", ""], seconds=2.0)
    with Talk(server) as talk:
        talk.send({"type": "join", "id": identity})
        talk.until(lambda game: game.get("thinking"))
        talk.send({"type": "move", "id": identity, "move": "4", "ply": 0})
        assert talk.receive("error")["kind"] == "illegal-move"
        assert length(talk.until(lambda game: length(game) == 1)) == 1


def test_huge_bodies_and_messages_are_cut_off(server: Server) -> None:
    host = server.address.removeprefix("http://")
    connection = http.client.HTTPConnection(host, timeout=60)
    connection.putrequest("POST", "/api/records")
    connection.putheader("Content-Length", str(3 << 20))
    connection.endheaders()
    assert connection.getresponse().status == 413
    connection.close()
    connection = http.client.HTTPConnection(host, timeout=60)
    chunks = (b" " * 65536 for _ in range(64))
    with contextlib.suppress(OSError, http.client.HTTPException):
        connection.request("POST", "/api/records", chunks, encode_chunked=True)
        assert 400 <= connection.getresponse().status < 500
    connection.close()
    with Talk(server) as talk, pytest.raises(ConnectionClosed):
        talk.send("x" * (1 << 20))
        talk.receive()
    assert alive(server)


def test_garbage_on_the_wire(server: Server) -> None:
    source = random.Random(1)
    with Talk(server) as talk:
        for _ in range(50):
            text = "".join(source.choices(string.printable, k=source.randrange(200)))
            talk.send(text)
            assert talk.receive()["kind"] == "bad-message"
        talk.send(bytes(source.randbytes(100)))
        assert talk.receive()["kind"] == "bad-message"


@pytest.mark.parametrize(
    "path",
    [
        "/api/games/none",
        "/api/games/none/positions",
        "/api/games/none/record",
        "/api/runs/none",
        "/api/pictures/none",
        "/nothing",
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/",
    ],
)
def test_what_is_not_there_is_404(server: Server, path: str) -> None:
    assert server.request(path)[0] == 404


def test_methods_that_do_not_exist_are_refused(server: Server) -> None:
    host = server.address.removeprefix("http://")
    for method in ("PUT", "DELETE", "PATCH"):
        connection = http.client.HTTPConnection(host, timeout=60)
        connection.request(method, "/api/games")
        assert connection.getresponse().status == 405
        connection.close()


def test_bad_numbers_in_addresses(server: Server) -> None:
    identity = server.new_game("connect4", ["", ""])
    for query, status in (
        ("from=-1", 400),
        ("from=x", 400),
        ("from=5", 404),
        ("from=0&to=999", 200),
    ):
        assert server.request(f"/api/games/{identity}/positions?{query}")[0] == status


@pytest.mark.parametrize(
    "seat",
    [
        "exec:/bin/true",
        "course:/tmp",
        "codecup:./x",
        "nobody",
        "random ",
        "mcts:",
        "mcts:c",
        "mcts:c=much",
        "mcts:c=nan",
        "mcts:c=inf",
        "mcts:c=-1",
        "mcts:nothing=1",
        "mcts:megabytes=100000",
        "minimax:order=/etc/passwd",
        "minimax:depth=-3",
    ],
)
def test_only_built_in_agents_with_sensible_parameters(server: Server, seat: str) -> None:
    status, _ = server.request("/api/games", {"game": "connect4", "seats": ["", seat]})
    assert status == 400
    request = {"game": "connect4", "agents": ["random", seat]}
    assert server.request("/api/runs", request)[0] == 400
    with Talk(server) as talk:
        talk.send(
            {"type": "analyse", "key": "a", "game": "connect4", "position": "4", "agent": seat}
        )
        assert talk.receive("error")["kind"] in ("bad-input", "bad-option", "unknown-name")


def test_parameters_are_kept_in_their_shortest_form(server: Server) -> None:
    identity = server.new_game("connect4", ["mcts:c=1.40,reuse=yes", "mcts:c=1"])
    _, game = server.request(f"/api/games/{identity}")
    assert game["seats"] == ["mcts:c=1.4", "mcts"]


DEEP = b'{"schema": 1, "game": "connect4", "moves": ' + b"[" * 100_000

RAW_BODIES = [
    b'{"game": "connect4", "seconds": NaN}',
    b'{"game": "connect4", "seconds": 1e999}',
    b'{"game": "connect4", "seconds": -1}',
    b'{"game": "connect4", "seconds": 0}',
    b'{"game": "connect4", "seed": -1}',
    b'{"game": "connect4", "seed": 99999999999999999999999999}',
    b'{"game": "connect4", "unknown": 1}',
    b'{"game": "connect4", "options": {"width": 1000000000}}',
    b'{"game": "connect4", "options": {"width": -7}}',
    b'{"game": "connect4", "options": {"width": 6.5}}',
    b'{"game": "connect4", "options": {"nothing": 1}}',
    b'{"game": "connect4", "options": {"ply_limit": 1e300}}',
    b'{"game": "competitive-sudoku", "options": {"board": "random-1000x1000"}}',
    b'{"game": "competitive-sudoku", "options": {"board": "empty-99999999x99999999"}}',
    b'{"game": "competitive-sudoku", "options": {"board": "empty--3x3"}}',
    b'{"game": "blockudoku", "options": {"pieces": "0-999999999"}}',
    b'{"game": "blockudoku", "position": "' + b"#" * 19_000 + b'"}',
    b'{"game": "codecup-sudoku", "position": "' + b"9" * 81 + b'"}',
    b'{"game": "connect4", "seats": ["", "", ""]}',
    b'{"game": "con\xffnect4"}',
    b"\xff\xfe{}",
    b"[" * 100_000,
    b'{"game":' * 5000,
    b'{"game": "connect4"} {}',
    b"",
]


@pytest.mark.parametrize("body", RAW_BODIES, ids=lambda body: repr(body[:60]))
def test_absurd_games_are_refused(server: Server, body: bytes) -> None:
    status, answer = server.request("/api/games", body)
    assert 400 <= status < 500, (status, answer)
    assert answer["error"]["message"] and "Traceback" not in json.dumps(answer)


def test_deep_records_are_refused(server: Server) -> None:
    for body in (DEEP, DEEP.replace(b"moves", b"other"), DEEP.replace(b"moves", b"tags")):
        assert server.request("/api/records", body)[0] == 400
    assert server.request("/api/runs", DEEP)[0] == 400


def test_absurd_messages_are_refused(server: Server) -> None:
    identity = server.new_game("connect4", ["", ""])
    name = json.dumps(identity)
    texts: list[str | bytes] = [
        f'{{"type": "move", "id": {name}, "move": "4", "ply": NaN}}',
        f'{{"type": "move", "id": {name}, "move": "4", "ply": -1}}',
        f'{{"type": "move", "id": {name}, "move": "4", "ply": 1e300}}',
        f'{{"type": "move", "id": {name}, "move": "4", "ply": 0, "more": 1}}',
        f'{{"type": "move", "id": {name}, "move": 4, "ply": 0}}',
        f'{{"type": "move", "id": {name}, "move": {json.dumps("4" * 5000)}, "ply": 0}}',
        f'{{"type": "review", "id": {name}, "seconds": -1}}',
        f'{{"type": "review", "id": {name}, "seconds": 1e300}}',
        f'{{"type": "autoplay", "id": {name}, "speed": "warp"}}',
        '{"type": "analyse", "key": "k", "game": "connect4", "position": "x", "seconds": -5}',
        '{"type": "analyse", "key": "k", "game": "connect4", "position": "\\u0000"}',
        '{"type": "analyse", "key": "k", "game": "competitive-sudoku", "position": "x",'
        ' "options": {"board": "../../etc/passwd"}}',
        "[" * 30_000,
        '{"a":' * 10_000,
        b"\xff\xfe\xfd",
        b'{"type": "join", "id": "\xff"}',
    ]
    with Talk(server) as talk:
        talk.send({"type": "join", "id": identity})
        talk.receive("game")
        for text in texts:
            talk.send(text)
            error = talk.receive("error")
            assert error["message"] and "Traceback" not in error["message"], text[:80]
        talk.send({"type": "move", "id": identity, "move": "4", "ply": 0})
        assert length(talk.until(lambda game: length(game) == 1)) == 1


def test_text_frames_must_be_utf8(server: Server) -> None:
    with Talk(server) as talk, pytest.raises(ConnectionClosed):
        talk.send_broken_text(b'{"type": "join", "id": "\xff\xff"}')
        while True:
            talk.receive()
    assert alive(server)


@pytest.mark.parametrize(
    "board",
    [
        "/etc/passwd",
        "../../etc/passwd",
        "pyproject.toml",
        "~/.bashrc",
        "file:///etc/passwd",
        "/proc/self/environ",
        "/etc/passwd ",
        " /etc/passwd",
        "/etc/../etc/passwd x",
        "/dev/stdin",
        "Makefile",
        "src",
        "/etc/passwd\n",
    ],
)
def test_files_cannot_be_named(server: Server, board: str) -> None:
    request = {"game": "competitive-sudoku", "options": {"board": board}}
    status, answer = server.request("/api/games", request)
    assert status == 400
    assert "root" not in answer["error"]["message"].replace(board, "")


def test_searches_are_bounded(server: Server) -> None:
    with Talk(server) as talk:
        ask = {"type": "analyse", "game": "connect4", "position": "44", "seconds": 20}
        talk.send({**ask, "key": "long", "seconds": 1e9})
        assert talk.receive("error")["kind"] == "bad-input"
        for key in ("a", "b", "c"):
            talk.send({**ask, "key": key})
        assert talk.receive("error")["kind"] == "busy"
        for key in ("a", "b"):
            talk.send({"type": "stop-analysis", "key": key})


def test_other_origins_and_hosts_are_refused(server: Server) -> None:
    assert (
        server.request("/api/games", {"game": "connect4"}, Origin="http://evil.example")[0] == 403
    )
    assert server.request("/api/catalog", Host="evil.example")[0] == 403
    with pytest.raises(InvalidStatus) as refused, Talk(server, origin="http://evil.example"):
        pass
    assert refused.value.response.status_code == 403
    with Talk(server, origin=server.address) as talk:
        talk.send({"type": "join", "id": "x"})
        assert talk.receive()["kind"] == "not-found"


def test_pages_carry_a_strict_policy(server: Server) -> None:
    host = server.address.removeprefix("http://")
    connection = http.client.HTTPConnection(host, timeout=60)
    connection.request("GET", "/")
    answer = connection.getresponse()
    text = answer.read().decode()
    policy = answer.headers["content-security-policy"]
    connection.close()
    assert "default-src 'none'" in policy and "unsafe" not in policy
    assert "<script>" not in text and "onclick" not in text and "style=" not in text


def test_everything_still_works_afterwards(server: Server) -> None:
    assert alive(server)
    identity = server.new_game("connect4", ["", "random"])
    with Talk(server) as talk:
        talk.send({"type": "move", "id": identity, "move": "4", "ply": 0})
        assert length(talk.until(lambda game: length(game) == 2)) == 2


def test_work_that_is_cancelled_before_it_begins_leaves_no_trace(tmp_path):
    """A page asks and is gone in the same moment."""
    server = Server(tmp_path / "page")
    server.start()
    try:
        identity = server.new_game("connect4", ["", "random"])
        for _ in range(20):
            with Talk(server) as talk:
                for kind in ("join", "hint", "review"):
                    talk.send({"type": kind, "id": identity})
        assert server.request("/api/catalog")[0] == 200
    finally:
        server.stop()
    said = (tmp_path / "page" / SERVER_LOG).read_text()
    assert "never awaited" not in said and "Traceback" not in said


def test_nobody_learns_which_files_there_are(server: Server, tmp_path: Path) -> None:
    there = tmp_path / "a file"
    there.touch()
    said = []
    for path in (there, tmp_path / "no file", f"../{there.name}", "~ x/y z"):
        body = {"game": "competitive-sudoku", "options": {"board": str(path)}}
        status, answer = server.request("/api/games", body)
        assert status == 400
        said.append(answer["error"]["message"].replace(str(path), ""))
    assert all("files cannot be used from the page" in one for one in said), said
