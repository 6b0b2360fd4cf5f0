"""Restarts, tokens, and engines that end: the life of a server."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.web.conftest import Server
from tests.web.talk import Talk, length


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path)
    server.start()
    yield server
    if server.process is not None and server.process.poll() is None:
        server.stop()


def engines_of(server: Server) -> list[psutil.Process]:
    assert server.process is not None
    return psutil.Process(server.process.pid).children(recursive=True)


def gone(processes: list[psutil.Process]) -> bool:
    return not psutil.wait_procs(processes, timeout=30)[1]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_restart_in_the_middle_of_games_loses_none(
    own_server: Server, number: signal.Signals
) -> None:
    games = {}
    for index in range(6):
        identity = own_server.new_game("connect4", ["", "random"], seed=index)
        with Talk(own_server) as talk:
            talk.send({"type": "join", "id": identity})
            played = 0
            while played < 2 * (index % 3 + 1):
                talk.send({"type": "move", "id": identity, "move": "4", "ply": played})
                found = talk.until(lambda game, least=played + 2: length(game) >= least)
                played = length(found)
            games[identity] = found["position"]["text"], played
    thinking = own_server.new_game("connect4", ["", "mcts"], seconds=20.0)
    with Talk(own_server) as talk:
        talk.send({"type": "move", "id": thinking, "move": "4", "ply": 0})
        talk.until(lambda game: game.get("thinking"))
        children = engines_of(own_server)
        assert children
        own_server.stop(number)
    assert gone(children)
    own_server.start()
    for identity, (text, played) in games.items():
        status, found = own_server.request(f"/api/games/{identity}")
        assert status == 200
        assert (found["position"]["text"], length(found)) == (text, played)
    status, found = own_server.request(f"/api/games/{thinking}")
    assert length(found) == 1
    with Talk(own_server) as talk:
        talk.send({"type": "join", "id": thinking})
        talk.until(lambda game: game.get("thinking"))


def test_engines_stop_when_nobody_looks_on(own_server: Server) -> None:
    identity = own_server.new_game("connect4", ["mcts", "mcts"], seconds=0.05)
    with Talk(own_server) as talk:
        talk.send({"type": "autoplay", "id": identity, "speed": "max"})
        talk.until(lambda game: length(game) >= 2)
    time.sleep(1.0)
    before = length(own_server.request(f"/api/games/{identity}")[1])
    time.sleep(1.0)
    assert length(own_server.request(f"/api/games/{identity}")[1]) == before
    children = engines_of(own_server)
    own_server.stop()
    assert gone(children)


def test_other_hosts_need_the_token(tmp_path: Path) -> None:
    server = Server(tmp_path, "--host", "0.0.0.0")
    server.start()
    try:
        server.address, _, token = server.address.partition("/?token=")
        server.address = server.address.replace("0.0.0.0", "127.0.0.1")
        assert len(token) >= 16
        assert server.request("/api/catalog")[0] == 401
        assert server.request("/api/catalog", Authorization="Bearer wrong")[0] == 401
        assert server.request("/api/catalog", Authorization=f"Bearer {token}")[0] == 200
        assert server.request("/api/catalog", Cookie=f"plyground-token={token}")[0] == 200
        with pytest.raises(Exception, match="403"), Talk(server):
            pass
        headers = {"Authorization": f"Bearer {token}"}
        with Talk(server, additional_headers=headers) as talk:
            talk.send({"type": "join", "id": "x"})
            assert talk.receive()["kind"] == "not-found"
    finally:
        server.stop()


def command_of(process: psutil.Process) -> str:
    """How a process was started; nothing if it has ended in the meantime."""
    try:
        return str(process.cmdline())
    except psutil.Error:
        return ""


def is_engine(process: psutil.Process) -> bool:
    """Whether a process is an engine, started as a program or forked by a nursery's fork."""
    try:
        line = [process, *process.parents()][:3]
    except psutil.Error:
        return False
    commands = [command_of(one) for one in line]
    if "engines.host" in commands[0]:
        return "supervisor" not in commands[0]
    return all("nursery_process" in command for command in commands)


def test_many_agents_share_few_processes(tmp_path: Path) -> None:
    server = Server(tmp_path, "--engines", "2")
    server.start()
    try:
        agents = ["random", "mcts", "montecarlo", "random"]
        identities = [server.new_game("connect4", ["", agent]) for agent in agents]
        with Talk(server) as talk:
            for identity in identities:
                talk.send({"type": "move", "id": identity, "move": "4", "ply": 0})
            waiting = set(identities)
            seen = 0
            while waiting:
                found = talk.until(lambda game: length(game) == 2)
                waiting.discard(found["id"])
                engines = [one for one in engines_of(server) if is_engine(one)]
                assert len(engines) <= 2
                seen = max(seen, len(engines))
            assert seen > 0
    finally:
        server.stop()
