"""The loop of a submission's process: the engine protocol on two pipes, with nothing but Python.

Neither the games nor compiled code are imported: the referee sends the position with every
request, and a submission that needs none of our libraries shall not wait for them. Of the standard
library as little as possible: every turn is a fork, which costs the more the more is there.
`threading` alone, whose hook runs after every fork, makes a turn half as long again.
"""

from __future__ import annotations

import gc
import json
import os
import select
import time
from collections import deque
from collections.abc import Callable
from json.encoder import encode_basestring_ascii as _quoted
from typing import Any

from plyground.core.errors import InputError
from plyground.course.host.position import History, read_history, read_position
from plyground.course.host.submission import NEWER, CourseGame, Submission
from plyground.course.host.turn import SubmissionError, play_turn, time_for
from plyground.course.host.watch import FAILURE, SAVES, SLEEP, UNNAMED, Watch
from plyground.engines.line_reader import LineReader

Message = dict[str, Any]
_decode = json.JSONDecoder().raw_decode
GAME = "competitive-sudoku"


class Service:
    """Serves one submission until it is told to quit."""

    def __init__(
        self, submission: Submission, requests: int, output: int, watch: Watch, *, strict: bool
    ) -> None:
        self._submission = submission
        self._watch = watch
        self._lines = LineReader(requests)
        self._output = output
        self._strict = strict
        self._waiting: deque[Message] = deque()
        self._games: dict[str, CourseGame] = {}
        self._started = 0
        folder = f"{SAVES}{os.getpid()}-{os.urandom(8).hex()}"
        self._saves = os.path.join(os.environ.get("TMPDIR", "/tmp"), folder)
        gc.collect()
        gc.freeze()  # a turn's fork shall not copy what was imported

    def __enter__(self) -> Service:
        return self

    def __exit__(self, *_: object) -> None:
        """Forget what was saved, if anything was."""
        if os.path.exists(self._saves):
            import shutil

            shutil.rmtree(self._saves, ignore_errors=True)

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
            name = self._submission.name
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
            raise InputError(
                f"{self._submission.name} is of the older generation, which knows the classic "
                "mode only: play it with --option mode=classic"
            )
        history = History([], []) if message.get("position") else read_history(start)
        self._started += 1
        save_path = os.path.join(self._saves, f"game{self._started}.pickle")
        return CourseGame(self._submission, save_path, history, message.get("moves", []))

    def _game(self, identity: str) -> CourseGame:
        if identity not in self._games:
            raise InputError(f"there is no game {identity!r} here")
        return self._games[identity]

    def _go(self, message: Message) -> None:
        game = self._game(message["id"])
        # Read here, by code that has run before: in a new process every line of it costs anew.
        position = read_position(message["position"])
        state = game.game_state(position)

        def compute(send: Callable[[Any, Any, Any], None]) -> None:
            game.seat(position.player + 1)
            game.ai.best_move.send = send
            os.close(self._output)  # in the turn's own process: the game's pipes are not its own
            os.close(self._lines.descriptor)
            self._watch.on = True
            game.ai.compute_best_move(state)

        began = time.monotonic()
        allowed = time_for(message.get("limit", {}))

        def look_back() -> None:
            self._watch.weigh(time.monotonic() - began)
            if allowed.processes:
                self._watch.say("start a process", UNNAMED)
            if allowed.failed:
                self._watch.say(FAILURE, "after a proposal")
            if allowed.overslept:
                self._watch.say(SLEEP, "before its first proposal")

        try:
            move = play_turn(
                self._submission.name,
                compute,
                allowed,
                strict=self._strict,
                requests=self._lines.descriptor,
                stopped=lambda: self._stop_asked(message["id"]),
                propose=lambda text: self._send_move("info", message, text),
                overdue=look_back,
            )
        finally:
            look_back()
        self._send_move("bestmove", message, move)

    # Lines ----------------------------------------------------------------------------------

    def _next(self) -> Message:
        while not self._waiting:
            if self._lines.ended:
                return {"type": "quit"}
            self._read()
        return self._waiting.popleft()

    def _stop_asked(self, game: str) -> bool:
        while not self._lines.ended and select.select([self._lines.descriptor], [], [], 0)[0]:
            self._read()
        return self._lines.ended or any(
            message["type"] == "quit" or (message["type"] == "stop" and message["id"] == game)
            for message in self._waiting
        )

    def _read(self) -> None:
        self._waiting += [_decode(line.decode())[0] for line in self._lines.read()]

    def _send(self, kind: str, request: Message, **fields: Any) -> None:
        """Answer a request: what names it (game and turn) goes back with the answer."""
        echo = {name: request[name] for name in ("id", "turn") if name in request}
        self._write(json.dumps({"type": kind, **echo, **fields}))

    def _send_move(self, kind: str, request: Message, move: str) -> None:
        """The same for a move, as it is done in every turn: with as little code as can be."""
        turn = f',"turn":{request["turn"]}' if "turn" in request else ""
        game, text = _quoted(request["id"]), _quoted(move)
        self._write(f'{{"type":"{kind}","id":{game}{turn},"move":{text}}}')

    def _write(self, line: str) -> None:
        data = line.encode() + b"\n"
        while data:
            data = data[os.write(self._output, data) :]


def _board_text(options: Message) -> str:
    """The board of a game's options where it is a text or a file, empty where it is a name."""
    board = str(options.get("board", ""))
    if " " in board and "/" in board:
        return board
    try:
        with open(board, encoding="utf-8") as file:
            return file.read()
    except (OSError, ValueError):
        return ""
