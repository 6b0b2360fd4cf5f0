"""The CodeCup contest protocol, both ways: contest programs as players, agents as contest programs.

The protocol has lines `Start`, turns and `Quit` only. A program plays one game from the empty
grid, so a player of this kind cannot be given an opening.
"""

from __future__ import annotations

import contextlib
import os
import select
import sys
import time
from collections.abc import Iterable

import msgspec
import psutil

from plyground.core.agent import Agent
from plyground.core.errors import InputError, MoveError
from plyground.core.game import Game, Position
from plyground.core.limits import Clock, Limit
from plyground.core.outcome import Outcome, Termination
from plyground.core.registry import make_agent, make_game
from plyground.engines.conversation import (
    SHOWN_CHARACTERS,
    Conversation,
    OutputLimits,
    Phase,
)
from plyground.engines.engine import Answer, Engine, EngineSettings, GameSetup
from plyground.engines.failure import EngineError, Interrupt
from plyground.engines.players import register_player_kind, register_protocol, split_command
from plyground.engines.process import EngineProcess
from plyground.engines.processor_time import lived_seconds
from plyground.engines.program import ProgramEngine
from plyground.engines.sandbox import confine

CONTEST_SECONDS = 30.0
"""What a player has for a whole game in the contest."""

KEPT_LOG = 10_000
"""Characters of standard error that are kept for the author."""

IDLE_STEP, IDLE_LOOKS = 0.01, 5
"""A program is ready when it sleeps at so many looks in a row, so many seconds apart."""


class ContestConversation(Conversation):
    """Lines of the contest: `Start` or the opponent's turn in, the own turn out, `Quit`."""

    def __init__(self, limits: OutputLimits | None = None, grace: float = 1.0) -> None:
        super().__init__(limits, grace)
        self._seat = 0
        self._line = "Start"
        self._moved_last = False

    def observe(self, game: str, move: str, player: int) -> None:
        self._moved_last = player == self._seat
        if not self._moved_last:
            self._line = move

    def deal(self, game: str, event: str) -> None:
        """There are no random events in this game."""

    def finish(self, game: str, outcome: Outcome) -> None:
        """`Quit`, but not after the program's own winning turn: it may be gone already."""
        if not (self._moved_last and outcome.winner == self._seat):
            self._unsent += b"Quit\n"

    def _greeting(self) -> None:
        return None

    def _game_request(self, setup: GameSetup) -> None:
        if setup.start or setup.opening:
            raise EngineError(
                Termination.CRASH,
                "is a contest program: it can only begin with the empty grid (opening plies 0)",
            )
        self._seat = setup.side
        self._line = "Start"

    def _turn_request(self, game: str, position: Position, limit: Limit, analyse: bool) -> bytes:
        return self._line.encode() + b"\n"

    def _hear(self, line: bytes, now: float) -> None:
        text = line.decode(errors="replace").strip()
        if self.phase not in (Phase.THINKING, Phase.STOPPED):
            raise self._unexpected(repr(text[:SHOWN_CHARACTERS]))
        self._answer(Answer(moves=(text,), elapsed=0.0), now)


class ContestEngine(ProgramEngine):
    """A contest program: one process a game, suspended while it is not its turn.

    It may start up before its first turn: the clock begins when it waits for its input.
    """

    reusable = False

    def __init__(
        self, name: str, command: list[str], settings: EngineSettings, interrupt: Interrupt
    ) -> None:
        super().__init__(
            name,
            command,
            settings,
            interrupt,
            ContestConversation,
            startup=settings.startup,
            pauses=True,
        )

    def _launch(self) -> EngineProcess:
        limits = msgspec.structs.replace(self.settings.limits, log=KEPT_LOG)
        process = EngineProcess(self.command, limits, interrupt=self.interrupt)
        wait_until_idle(process, time.monotonic() + self.startup, self.interrupt)
        return process


def wait_until_idle(process: EngineProcess, deadline: float, interrupt: Interrupt) -> None:
    """Wait until a program and its children only sleep, or are gone; at most until the deadline."""
    quiet = 0
    while quiet < IDLE_LOOKS and time.monotonic() < deadline and not interrupt.is_set:
        time.sleep(IDLE_STEP)
        try:
            program = psutil.Process(process.pid or -1)
            states = {one.status() for one in (program, *program.children(recursive=True))}
        except (psutil.Error, ValueError):
            return
        quiet = quiet + 1 if states <= {psutil.STATUS_SLEEPING, psutil.STATUS_ZOMBIE} else 0


@register_player_kind("codecup", openings=False)
def make_contest_engine(
    game: str, text: str, settings: EngineSettings, interrupt: Interrupt
) -> Engine:
    """A contest program by its command line."""
    if game != "codecup-sudoku":
        raise InputError(f"player codecup:{text}: contest programs play codecup-sudoku, not {game}")
    command = confine(split_command(text, "codecup"), settings.sandbox, settings.private)
    return ContestEngine(f"codecup:{text}", command, settings, interrupt)


TURN_COST = 0.02
"""Seconds a turn that the referee may count beyond our own: to wake up, to read and to write."""


class ContestPlayer:
    """An agent behind the contest's protocol: `answer` turns each line into the next one."""

    def __init__(self, game: Game, agent: Agent, seconds: float) -> None:
        self._agent = agent
        self._position = game.start()
        self._left = seconds

    def answer(self, line: str) -> str | None:
        """The turn to send after this line, None where none is due."""
        started = time.monotonic()
        text = line.strip()
        if not text:
            return None
        if text != "Start":
            try:
                self._step(text)
            except MoveError as error:
                print(f"ignored: {error}", file=sys.stderr)
                return None
        if self._position.is_over:
            return None
        limit = Limit(clock=Clock(max(0.0, self._left)))
        move = self._agent.search(self._position, limit).move
        with contextlib.suppress(MoveError):  # the referee has the last word
            self._step(move)
        self._left -= time.monotonic() - started + TURN_COST
        return move

    def _step(self, move: str) -> None:
        self._position = self._position.play(move)
        self._agent.observe(self._position, move)


@register_protocol("codecup")
def serve_contest(game: str, agent: str, seconds: float | None = None) -> None:
    """Run an agent as a contest program; everything slow is done before the first line is read.

    `seconds` is the clock for the whole game. What the agent prints goes to standard error.
    """
    if game != "codecup-sudoku":
        raise InputError(f"the protocol codecup is for codecup-sudoku, not for {game}")
    output = os.dup(1)
    os.dup2(2, 1)
    rules = make_game(game)
    player = make_agent(game, agent)
    player.new_game(rules, int.from_bytes(os.urandom(6)))
    player.warm_up()
    left = seconds or CONTEST_SECONDS
    if select.select([sys.stdin], [], [], 0)[0]:  # `Start` is waiting: the clock may be running
        left -= lived_seconds()
    converse(ContestPlayer(rules, player, left), sys.stdin, output)


def converse(player: ContestPlayer, lines: Iterable[str], output: int) -> None:
    """Answer lines until `Quit`, the end of the input, or a closed output."""
    for line in lines:
        if line.strip() == "Quit":
            return
        reply = player.answer(line)
        if reply is not None:
            try:
                os.write(output, f"{reply}\n".encode())
            except BrokenPipeError:
                return
