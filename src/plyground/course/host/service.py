"""The loop of a submission's process: the engine protocol on two pipes, with nothing but Python.

Neither the games nor compiled code are imported: the referee sends the position with every
request, and a submission that needs none of our libraries shall not wait for them. Of the standard
library as little as possible: every turn is a fork, which costs the more the more is there.
`threading` alone, whose hook runs after every fork, makes a turn half as long again.
"""

from __future__ import annotations

import gc
import os
import select
import sys
import time

from plyground.core.errors import InputError
from plyground.course.host.messages import quoted, read_message, write_message
from plyground.course.host.position import History, read_history, read_position
from plyground.course.host.submission import NEWER, CourseGame, Submission
from plyground.course.host.turn import SubmissionError, Turn, TurnPlayer, flush
from plyground.course.host.turntime import Allowance
from plyground.course.host.watch import FAILURE, SAVES, SLEEP, UNNAMED, Watch
from plyground.engines.line_reader import LineReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plyground.course.host.messages import Message
    from plyground.course.host.position import Position
    from plyground.course.host.turntime import TurnTime

GAME = "competitive-sudoku"
REHEARSALS = 30
WEIGHED = 20
"""Quick turns together may write as much as one that lasts: folders are weighed after so many."""

REHEARSED = "2x2 ..../..../..../.... first 0-0"


class Service:
    """Serves one submission until it is told to quit."""

    def __init__(
        self, submission: Submission, requests: int, output: int, watch: Watch, *, strict: bool
    ) -> None:
        self._submission = submission
        self.watch = watch
        self.pipes: tuple[int, ...] = (requests, output)
        """Those of the game, which a turn's process does not keep."""
        self._lines = LineReader(requests)
        self._player = TurnPlayer(submission.name, requests, strict=strict)
        self._output = output
        self._waiting: list[Message] = []
        self._games: dict[str, CourseGame] = {}
        self._allowance = Allowance({})
        self._started = self._turns = 0
        folder = f"{SAVES}{os.getpid()}-{os.urandom(8).hex()}"
        self._saves = os.path.join(os.environ.get("TMPDIR", "/tmp"), folder)

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
        opening = message.get("moves", [])
        if self._started == 1:
            self._rehearse(message.get("limit", {}))
        ai = self._submission.build()
        flush()  # what it has printed here is not to be printed by its turns
        return CourseGame(self._submission, ai, save_path, history, opening)

    def _rehearse(self, limit: Message) -> None:
        """Play turns with an understudy: what they need is loaded before any clock runs.

        Code that has run here also writes to fewer pages in a fork.
        """
        submission, pipes = self._submission, self.pipes
        self._allowance = Allowance(limit)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        self.pipes = ()
        try:
            game = CourseGame(submission, submission.understudy(), "", History([], []), [])
            for _ in range(REHEARSALS):
                turn = GameTurn(self, {}, game, read_position(REHEARSED))
                turn.writer = nowhere
                turn.compute()
        except Exception:
            pass  # the submission has changed the course's classes: its turns will tell
        finally:
            self.pipes, self.watch.on = pipes, False
            os.close(nowhere)
        gc.collect()
        gc.freeze()  # a turn's fork shall not copy what was imported

    def _game(self, identity: str) -> CourseGame:
        if identity not in self._games:
            raise InputError(f"there is no game {identity!r} here")
        return self._games[identity]

    def _go(self, message: Message) -> None:
        game = self._game(message["id"])
        # Read here, by code that has run before: in a new process every line of it costs anew.
        position = read_position(message["position"])
        limit = message.get("limit", {})
        if limit != self._allowance.limit:
            self._allowance = Allowance(limit)
        turn = GameTurn(self, message, game, position)
        move = self._player.play(turn, self._allowance)
        self.send_move("bestmove", message, move)
        if "pickle" not in sys.modules and os.access(self._saves, os.F_OK):
            import pickle  # noqa: F401 - the turns need it from now on
        self._turns += 1
        if self._turns % WEIGHED == 0:
            self.watch.weigh()

    # Lines ----------------------------------------------------------------------------------

    def _next(self) -> Message:
        while not self._waiting:
            if self._lines.ended:
                return {"type": "quit"}
            self._read()
        return self._waiting.pop(0)

    def stop_asked(self, game: str) -> bool:
        while not self._lines.ended and select.select([self._lines.descriptor], [], [], 0)[0]:
            self._read()
        return self._lines.ended or any(
            message["type"] == "quit" or (message["type"] == "stop" and message["id"] == game)
            for message in self._waiting
        )

    def _read(self) -> None:
        self._waiting += map(read_message, self._lines.read())

    def _send(self, kind: str, request: Message, **fields: Any) -> None:
        """Answer a request: what names it (game and turn) goes back with the answer."""
        echo = {name: request[name] for name in ("id", "turn") if name in request}
        self._write(write_message({"type": kind, **echo, **fields}))

    def send_move(self, kind: str, request: Message, move: str) -> None:
        """Answer with a move, as it is done in every turn: with as little code as can be."""
        turn = f',"turn":{request["turn"]}' if "turn" in request else ""
        game, text = quoted(request["id"]), quoted(move)
        self._write(f'{{"type":"{kind}","id":{game}{turn},"move":{text}}}')

    def _write(self, line: str) -> None:
        data = line.encode() + b"\n"
        while data:
            data = data[os.write(self._output, data) :]


class GameTurn(Turn):
    """One turn of a game: from the position to what is told of it."""

    def __init__(
        self,
        service: Service,
        message: Message,
        game: CourseGame,
        position: Position,
    ) -> None:
        self._service = service
        self._message = message
        self._game = game
        self._player = position.player + 1
        self._state = game.game_state(position)
        self._began = time.monotonic()

    def compute(self) -> None:
        game, service = self._game, self._service
        game.seat(self._player)
        game.ai.best_move.send = self.send
        for descriptor in service.pipes:
            os.close(descriptor)
        service.watch.on = True
        game.ai.compute_best_move(self._state)

    def stop_asked(self) -> bool:
        return self._service.stop_asked(self._message["id"])

    def propose(self, move: str) -> None:
        self._service.send_move("info", self._message, move)

    def report(self, allowed: TurnTime) -> None:
        watch = self._service.watch
        watch.weigh(time.monotonic() - self._began)
        if allowed.processes:
            watch.say("start a process", UNNAMED)
        if allowed.overslept:
            watch.say(SLEEP, "before its first proposal")

    def fails(self) -> None:
        self._service.watch.say(FAILURE, "after a proposal")


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
