"""The loop of a submission's process: the engine protocol on two pipes, with nothing but Python.

Neither the games nor compiled code are imported: the referee sends the position with every
request, and a submission that needs none of our libraries shall not wait for them.
"""

from __future__ import annotations

import gc
import json
import os
import select
import tempfile
from collections import deque
from pathlib import Path
from typing import Any

from plyground.core.errors import InputError
from plyground.course.host.detection import NEWER
from plyground.course.host.position import History, read_history, read_position
from plyground.course.host.submission import CourseGame, Submission
from plyground.course.host.turn import SubmissionError, play_turn, seconds_for

Message = dict[str, Any]
GAME = "competitive-sudoku"


class Service:
    """Serves one submission until it is told to quit."""

    def __init__(self, submission: Submission, requests: int, output: int, *, strict: bool) -> None:
        self._submission = submission
        self._requests = requests
        self._output = output
        self._strict = strict
        self._buffer = b""
        self._waiting: deque[Message] = deque()
        self._ended = False
        self._games: dict[str, CourseGame] = {}
        self._started = 0
        self._saves = tempfile.TemporaryDirectory(prefix="plyground-course-")
        gc.freeze()  # a turn's fork shall not copy what was imported

    def run(self) -> None:
        """Answer messages until `quit` or the end of the input."""
        while (message := self._next())["type"] != "quit":
            try:
                self._handle(message)
            except (InputError, SubmissionError) as error:
                self._send("error", message, message=str(error))

    def _handle(self, message: Message) -> None:
        kind, identity = message["type"], message.get("id", "")
        if kind == "hello":
            name = self._submission.folder.name
            self._send("hello", {}, name=name, protocol=1, games=[GAME], wants=["position"])
        elif kind == "new_game":
            self._games[identity] = self._new_game(message)
            self._send("ready", message)
        elif kind == "move":
            self._game(identity).observe(message["move"])
        elif kind == "go":
            self._go(message)
        elif kind == "game_over":
            self._games.pop(identity, None)

    def _new_game(self, message: Message) -> CourseGame:
        if message["game"] != GAME:
            raise InputError(f"course submissions play {GAME}, not {message['game']}")
        options = message.get("options", {})
        start = message.get("position") or _board_text(options)
        restricted = "allowed1=" in start or "allowed-squares1" in start
        if options.get("mode", "board") != "board":
            restricted = options["mode"] != "classic"
        if restricted and self._submission.generation != NEWER:
            name = self._submission.folder.name
            raise InputError(
                f"{name} is of the older generation, which knows the classic mode only"
            )
        history = History([], []) if message.get("position") else read_history(start)
        self._started += 1
        save_path = Path(self._saves.name) / f"game{self._started}.pickle"
        return CourseGame(self._submission, save_path, history, message.get("moves", []))

    def _game(self, identity: str) -> CourseGame:
        if identity not in self._games:
            raise InputError(f"there is no game {identity!r} here")
        return self._games[identity]

    def _go(self, message: Message) -> None:
        game = self._game(message["id"])
        position = read_position(message["position"])
        game.ai.player_number = position.player + 1
        move = play_turn(
            self._submission.folder.name,
            game.ai,
            game.game_state(position),
            seconds_for(message.get("limit", {})),
            strict=self._strict,
            requests=self._requests,
            stopped=lambda: self._stop_asked(message["id"]),
            propose=lambda text: self._send("info", message, move=text),
        )
        self._send("bestmove", message, move=move)

    # Lines ----------------------------------------------------------------------------------

    def _next(self) -> Message:
        while not self._waiting:
            if self._ended:
                return {"type": "quit"}
            self._read()
        return self._waiting.popleft()

    def _stop_asked(self, game: str) -> bool:
        while not self._ended and select.select([self._requests], [], [], 0)[0]:
            self._read()
        return self._ended or any(
            message["type"] == "quit" or (message["type"] == "stop" and message["id"] == game)
            for message in self._waiting
        )

    def _read(self) -> None:
        data = os.read(self._requests, 1 << 16)
        if not data:
            self._ended = True
            return
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        self._waiting.extend(json.loads(line) for line in lines if line.strip())

    def _send(self, kind: str, request: Message, **fields: Any) -> None:
        """Answer a request: what names it (game and turn) goes back with the answer."""
        echo = {name: request[name] for name in ("id", "turn") if name in request}
        view = memoryview(json.dumps({"type": kind, **echo, **fields}).encode() + b"\n")
        while view:
            view = view[os.write(self._output, view) :]


def _board_text(options: Message) -> str:
    """The board of a game's options where it is a text or a file, empty where it is a name."""
    board = str(options.get("board", ""))
    if " " in board and "/" in board:
        return board
    try:
        return Path(board).read_text(encoding="utf-8") if board and Path(board).is_file() else ""
    except (OSError, UnicodeDecodeError):
        return ""
