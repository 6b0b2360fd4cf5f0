"""A server in a process of its own, and a headless browser where there is one."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

SERVER_LOG = "terminal.txt"
"""What a server says in its terminal, in the folder of its data."""


class Server:
    """`plyground serve` on a free port; it can be killed and started again on the same data."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.folder = folder
        self.arguments = arguments
        self.environment: dict[str, str] = {}
        self.process: subprocess.Popen[str] | None = None
        self.address = ""

    def start(self) -> None:
        environment = {**os.environ, "PLYGROUND_DATA_DIR": str(self.folder)}
        self.folder.mkdir(exist_ok=True)
        with (self.folder / SERVER_LOG).open("a") as terminal:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "plyground", "serve", "--port", "0", *self.arguments],
                stdout=subprocess.PIPE,
                stderr=terminal,
                text=True,
                env={**environment, "PYTHONUNBUFFERED": "1", "COLUMNS": "200", **self.environment},
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, line
        self.address = found[0].rstrip("/")

    def stop(self, number: signal.Signals = signal.SIGINT) -> None:
        assert self.process is not None
        self.process.send_signal(number)
        self.process.wait(30)
        if self.process.stdout is not None:
            self.process.stdout.close()

    def request(self, path: str, body: object = None, **headers: str) -> tuple[int, Any]:
        """Status and JSON answer of a request; with a body it is a POST."""
        data = None
        if body is not None:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, headers)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return answer.status, json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.loads(error.read() or b"null")

    def new_game(self, game: str, seats: list[str], **more: object) -> str:
        """Start a game; its name."""
        status, answer = self.request(
            "/api/games", {"game": game, "seats": seats, "seconds": 0.05, **more}
        )
        assert status == 201, answer
        return str(answer["id"])


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for many tests."""
    running = Server(tmp_path_factory.mktemp("data"))
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def class_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose database has the ranking of a class and a run of games for one."""
    folder = tmp_path_factory.mktemp("class")
    command = [sys.executable, "-m", "plyground"]
    for team in ("team01_A1", "team02_A1"):
        new = ["course", "new", f"submissions/{team}", "--generation", "newer"]
        subprocess.run([*command, *new], cwd=folder, check=True, capture_output=True, timeout=60)
    database = "ranking/games.sqlite"
    rank = ["course", "rank", "submissions", "--output", "ranking", "--time", "0.1"]
    match = ["match", "blockudoku", "random", "occupancy", "--games", "4", "--nodes", "20"]
    for arguments in (
        [*rank, "--option", "board=empty-2x2"],
        [*match, "--database", database],
    ):
        subprocess.run(
            [*command, *arguments], cwd=folder, check=True, capture_output=True, timeout=300
        )
    running = Server(folder, "--database", str(folder / database))
    running.start()
    yield running
    running.stop()


@pytest.fixture
def page(browser: Any, server: Server, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A page that must not report any error of its own.

    Things move on it in tests marked `animated` only: a frame costs the browser more than a move.
    """
    animated = request.node.get_closest_marker("animated") is not None
    motion = "no-preference" if animated else "reduce"
    yield from open_page(browser, server, reduced_motion=motion)


@pytest.fixture
def phone(browser: Any, server: Server) -> Iterator[Any]:
    """A page on a small touch screen, in dark colours."""
    yield from open_page(
        browser,
        server,
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
        color_scheme="dark",
    )


def open_page(browser: Any, server: Server, **settings: Any) -> Iterator[Any]:
    context = browser.new_context(base_url=server.address, **settings)
    page = context.new_page()
    page.set_default_timeout(int(os.environ.get("PAGE_TIMEOUT", "60")) * 1000)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))

    def note(message: Any) -> None:
        if message.type == "error" and "Failed to load resource" not in message.text:
            errors.append(message.text)

    page.on("console", note)
    yield page
    context.close()
    assert not errors
