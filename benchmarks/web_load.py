"""Many games at once over WebSockets: how long a move takes, and what stays behind.

    python benchmarks/web_load.py [--games 200] [--pause 1] [--seconds 60] [--slow-readers 0]
        [--half-open 0] [--json FILE]

Starts a server of its own on loopback. Every game is a person (random legal moves, one after each
pause of so many seconds) against the agent `random`; a game that ends is followed by a new one. A
move is timed from its sending to the arrival of the agent's answer. All those visitors share one
process, which may itself be late to see an answer; five more in a process of their own, which has
nothing else to do, show what a person would wait. Prints percentiles of both, errors, the server's
memory over time, and whether all engine processes ended after the games. Slow readers join a game
and take what is sent a few bytes at a time; half-open connections send half a request and wait, and
come again when they are shown out.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
from websockets.asyncio.client import connect

from figures import publish

WATCHERS = 5
"""Visitors in a process of their own."""

RAMP_SECONDS = 5.0
"""Visitors arrive over this time, not all in the same instant."""


@dataclass
class Figures:
    """What was measured."""

    latencies: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    finished: int = 0
    memory: list[tuple[float, float]] = field(default_factory=list)
    engines: int = 0
    shown_out: int = 0
    """Half-open connections and slow readers that the server has closed."""
    cpu: float = 0.0
    """Of the server alone, from the first visitor to the last."""
    own_cpu: float = 0.0
    """Of the process with the visitors."""
    watched: list[float] = field(default_factory=list)
    """How long moves took for the visitors in a process of their own."""


def start_server(folder: Path) -> tuple[subprocess.Popen[str], str]:
    """A server with its data in this folder; the process and its address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "plyground", "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PLYGROUND_DATA_DIR": str(folder), "COLUMNS": "200"},
    )
    assert process.stdout is not None
    found = re.search(r"http://([\d.:]+)", process.stdout.readline())
    assert found is not None
    return process, found[1]


def new_game(host: str, game: str) -> str:
    """Start a game against `random`; its name."""
    body = json.dumps({"game": game, "seats": ["", "random"], "seconds": 0.05}).encode()
    request = urllib.request.Request(f"http://{host}/api/games", body)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return str(json.load(answer)["id"])


async def play(
    host: str, options: argparse.Namespace, ending: float, seed: int, figures: Figures
) -> None:
    """One visitor: game after game, a move after each pause, until the end of the test."""
    source = random.Random(seed)
    await asyncio.sleep(source.uniform(0, RAMP_SECONDS))
    async with connect(f"ws://{host}/ws", max_size=1 << 22) as socket:
        while time.monotonic() < ending:
            identity = await asyncio.to_thread(new_game, host, options.game)
            await socket.send(json.dumps({"type": "join", "id": identity}))
            state = await receive(socket, identity, figures, lambda message: True)
            while state and not state.get("outcome") and time.monotonic() < ending:
                await asyncio.sleep(options.pause * source.uniform(0.9, 1.1))
                state = await move(socket, identity, state, source, figures)
            figures.finished += bool(state and state.get("outcome"))
            await socket.send(json.dumps({"type": "leave", "id": identity}))


async def move(
    socket: Any, identity: str, state: dict[str, Any], source: random.Random, figures: Figures
) -> dict[str, Any] | None:
    """Play a move and wait for the agent's answer."""
    ply = count(state)
    chosen = source.choice(state["position"]["legal"])
    sent = time.perf_counter()
    await socket.send(json.dumps({"type": "move", "id": identity, "move": chosen, "ply": ply}))
    answer = await receive(
        socket,
        identity,
        figures,
        lambda message: bool(message.get("outcome")) or count(message) >= ply + 2,
    )
    figures.latencies.append(time.perf_counter() - sent)
    return answer


async def receive(
    socket: Any, identity: str, figures: Figures, wanted: Any
) -> dict[str, Any] | None:
    """The next state of the game that is wanted; None after an error."""
    while True:
        message: dict[str, Any] = json.loads(await asyncio.wait_for(socket.recv(), 60))
        if message["type"] == "error":
            figures.errors.append(message["message"])
            return None
        if message["type"] == "game" and message["id"] == identity and wanted(message):
            return message


def count(state: dict[str, Any]) -> int:
    """How many moves the game has."""
    return int(state["keep"]) + len(state.get("moves", []))


async def read_slowly(host: str, identity: str, ending: float, figures: Figures) -> None:
    """Join a game and read hardly anything of what is sent."""
    name, _, port = host.partition(":")
    key = "dGhlIHNhbXBsZSBub25jZQ=="
    head = (
        f"GET /ws HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    ask = json.dumps({"type": "join", "id": identity}).encode()
    frame = bytes([0x81, 0x80 | len(ask), 0, 0, 0, 0]) + ask
    while time.monotonic() < ending:
        try:
            reader, writer = await asyncio.open_connection(name, int(port), limit=64)
            writer.write(head.encode() + frame)
            while time.monotonic() < ending and await reader.read(8):
                await asyncio.sleep(0.5)
            writer.close()
        except OSError:
            await asyncio.sleep(0.5)
        figures.shown_out += 1


async def half_open(host: str, ending: float, figures: Figures) -> None:
    """Hold a connection with half a request."""
    name, _, port = host.partition(":")
    while time.monotonic() < ending:
        try:
            reader, writer = await asyncio.open_connection(name, int(port))
            writer.write(b"GET /api/catalog HTTP/1.1\r\nHost: local")
            async with asyncio.timeout(max(0.1, ending - time.monotonic())):
                await reader.read()
            writer.close()
            figures.shown_out += 1
        except (OSError, TimeoutError):
            await asyncio.sleep(0.5)


async def watch(pid: int, ending: float, figures: Figures) -> None:
    """Note the server's own memory every few seconds."""
    process = psutil.Process(pid)
    started = time.monotonic()
    while time.monotonic() < ending:
        await asyncio.sleep(5)
        resident = process.memory_info().rss / 2**20
        figures.memory.append((round(time.monotonic() - started, 1), round(resident, 1)))
        children = process.children(recursive=True)
        figures.engines = max(figures.engines, len(children))


async def run(host: str, pid: int, options: argparse.Namespace) -> Figures:
    """All visitors at once."""
    game = options.game
    figures = Figures()
    await asyncio.to_thread(new_game, host, game)
    async with connect(f"ws://{host}/ws") as socket:  # the engine starts before the clock does
        identity = await asyncio.to_thread(new_game, host, game)
        await socket.send(json.dumps({"type": "join", "id": identity}))
        state = await receive(socket, identity, figures, lambda message: True)
        assert state is not None
        await move(socket, identity, state, random.Random(0), figures)
    figures.latencies.clear()
    before, own = cpu_seconds(pid), time.process_time()
    ending = time.monotonic() + options.seconds
    visitors = [play(host, options, ending, seed, figures) for seed in range(options.games)]
    nuisances = [read_slowly(host, identity, ending, figures) for _ in range(options.slow_readers)]
    nuisances += [half_open(host, ending, figures) for _ in range(options.half_open)]
    results = await asyncio.gather(
        watch(pid, ending, figures),
        wait_apart(host, options, figures),
        *visitors,
        *nuisances,
        return_exceptions=True,
    )
    figures.errors += [repr(result) for result in results if isinstance(result, Exception)]
    figures.cpu = cpu_seconds(pid) - before
    figures.own_cpu = time.process_time() - own
    return figures


async def wait_apart(host: str, options: argparse.Namespace, figures: Figures) -> None:
    """Have a few visitors in another process, and take over what they have seen."""
    words = [sys.executable, __file__, "--watch", host, "--seconds", str(options.seconds)]
    words += ["--game", options.game]
    child = await asyncio.create_subprocess_exec(*words, stdout=asyncio.subprocess.PIPE)
    said, _ = await child.communicate()
    seen = json.loads(said)
    figures.watched += seen["latencies"]
    figures.errors += seen["errors"]


async def watch_apart(options: argparse.Namespace) -> Figures:
    """In that process: play as a person would, a move a second."""
    figures = Figures()
    ending = time.monotonic() + options.seconds
    visitors = [play(options.watch, options, ending, seed, figures) for seed in range(WATCHERS)]
    results = await asyncio.gather(*visitors, return_exceptions=True)
    figures.errors += [repr(result) for result in results if isinstance(result, Exception)]
    return figures


def cpu_seconds(pid: int) -> float:
    """What a process has used so far."""
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


def percentiles(values: list[float]) -> dict[str, float]:
    """In milliseconds."""
    ordered = sorted(values)
    shares = (("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("max", 1.0))
    return {
        name: round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)
        for name, share in shares
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--slow-readers", type=int, default=0)
    parser.add_argument("--half-open", type=int, default=0)
    parser.add_argument("--game", default="connect4")
    parser.add_argument("--pause", type=float, default=1.0)
    parser.add_argument("--watch", default="", help=argparse.SUPPRESS)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    if arguments.watch:
        seen = asyncio.run(watch_apart(arguments))
        print(json.dumps({"latencies": seen.latencies, "errors": seen.errors}))
        return
    with tempfile.TemporaryDirectory() as folder:
        server, host = start_server(Path(folder))
        try:
            figures = asyncio.run(run(host, server.pid, arguments))
            waiting = time.monotonic() + 90
            left = 1
            while left and time.monotonic() < waiting:
                time.sleep(1)
                left = len(psutil.Process(server.pid).children(recursive=True))
        finally:
            server.terminate()
            server.wait(30)
    result = {
        "command": " ".join(["python", *sys.argv]),
        "games": arguments.games,
        "seconds": arguments.seconds,
        "pause": arguments.pause,
        "moves": len(figures.latencies),
        "moves a second": round(len(figures.latencies) / arguments.seconds, 1),
        "finished games": figures.finished,
        "slow readers": arguments.slow_readers,
        "half-open connections": arguments.half_open,
        "of those shown out": figures.shown_out,
        "errors": len(figures.errors),
        "first errors": figures.errors[:3],
        "milliseconds": percentiles(figures.latencies),
        "milliseconds for visitors apart": percentiles(figures.watched),
        "moves of visitors apart": len(figures.watched),
        "server memory in MB over time": figures.memory,
        "server CPU seconds": round(figures.cpu, 1),
        "server CPU milliseconds a move": round(1000 * figures.cpu / len(figures.latencies), 2),
        "CPU seconds of the visitors": round(figures.own_cpu, 1),
        "engine processes at most (with supervisors)": figures.engines,
        "engine processes left when idle": left,
        "load average": [round(value, 1) for value in os.getloadavg()],
    }
    publish(result, arguments.json)


if __name__ == "__main__":
    main()
