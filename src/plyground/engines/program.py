"""Programs as engines: the process, its pipes and its pauses around a conversation."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Mapping, Sequence

from plyground.core.agent import no_report
from plyground.core.game import Position
from plyground.core.limits import Limit
from plyground.core.outcome import Outcome, Termination
from plyground.engines.clocks import TurnClock
from plyground.engines.conversation import (
    Answered,
    Conversation,
    Event,
    Failed,
    OutputLimits,
)
from plyground.engines.engine import (
    Answer,
    Engine,
    EngineSettings,
    GameSetup,
    InfoListener,
    TurnBudget,
)
from plyground.engines.failure import EngineError, EngineStartError, Interrupt
from plyground.engines.nursery import Cradle
from plyground.engines.process import EngineProcess
from plyground.engines.rest import moment
from plyground.engines.transcript import Transcript

STALL_SECONDS = 1.0
"""Who looks so long after a deadline was kept from looking: stopped, or the machine was too busy.
That is nobody's fault and is not charged."""
ROUSE_SECONDS = 3.0
"""So often a program that says nothing is roused, should somebody have stopped it."""
_FAREWELL_SECONDS = 0.3
"""A program that was told to end gets this long before it is killed."""
_DEATH_SECONDS = 0.5
"""So long after a pipe has closed it may take until the nursery's end can be seen."""


class ProgramEngine(Engine):
    """A program on the other end of a conversation. Not for use by two threads at once.

    `startup` is its budget for its start and for each new game. With `pauses`, its processes are
    suspended while it is not its turn, so that it cannot think on the opponent's time.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        settings: EngineSettings,
        interrupt: Interrupt,
        protocol: Callable[[OutputLimits, float], Conversation],
        *,
        startup: float,
        pauses: bool = False,
        env: Mapping[str, str] | None = None,
        cradle: Cradle | None = None,
    ) -> None:
        super().__init__(name, settings, interrupt)
        self.command = list(command)
        self.startup = startup
        self.pauses = pauses
        self.env = env
        self.cradle = cradle
        self.process: EngineProcess | None = None
        self.conversation: Conversation
        self.protocol = protocol
        self._game = ""
        self._last_words = ""
        self._transcript = Transcript()

    # Start and end --------------------------------------------------------------------------

    def start(self) -> None:
        if self.process is not None:
            return
        limits = self.settings.limits
        self.conversation = self.protocol(
            OutputLimits(limits.line, limits.flood, limits.lines), self.settings.grace
        )
        self.process = self._launch()
        try:
            self.conversation.greet(time.monotonic(), self.startup)
            self._converse()
        except EngineError as error:
            if self.cradle is not None and self.cradle.nursery.has_died(_DEATH_SECONDS):
                self._start_without_nursery()
                return
            raise EngineStartError(error.termination, f"at start: {error.detail}") from error

    def _launch(self) -> EngineProcess:
        birth = None
        if self.cradle is not None:
            birth = self.cradle.birth(os.environ if self.env is None else self.env)
        return EngineProcess(
            self.command, self.settings.limits, interrupt=self.interrupt, env=self.env, birth=birth
        )

    def _start_without_nursery(self) -> None:
        """Once more as a program: the nursery has died before or while it bore the engine."""
        assert self.process is not None
        self.process.close()
        self.process = self.cradle = None
        self.start()

    def close(self) -> None:
        process, self.process = self.process, None
        if process is None:
            return
        try:
            process.resume()
            self.conversation.quit()
            with contextlib.suppress(EngineError):
                process.send(self.conversation.take_outgoing(), time.monotonic() + 0.05)
        except BaseException:
            process.close()
            raise
        process.close(grace=0.0 if self.interrupt.is_set else _FAREWELL_SECONDS)
        self._last_words = process.log_text()

    def log_text(self) -> str:
        """What it said; all of it is there only after `close`."""
        return self.process.settled_log_text() if self.process else self._last_words

    def protocol_text(self) -> str:
        return self._transcript.text

    # A game ---------------------------------------------------------------------------------

    def new_game(self, setup: GameSetup) -> None:
        process = self._running()
        process.resume()
        if self._game:
            process.clear_log()
            self._transcript = Transcript()
        self._game = setup.id
        self.conversation.prepare(setup, time.monotonic(), self.startup)
        self._converse()
        self._pause(moment(self.startup))

    def observe(self, position: Position, move: str, player: int) -> None:
        self.conversation.observe(self._game, move, player)

    def deal(self, position: Position, event: str) -> None:
        self.conversation.deal(self._game, event)

    def think(
        self,
        position: Position,
        limit: Limit,
        listener: InfoListener,
        budget: TurnBudget | None = None,
    ) -> Answer:
        """As in `Engine`; another `budget` stops the engine at another time than it was told."""
        budget = budget or TurnBudget.of(limit, self.settings)
        self._running().resume()
        self.conversation.go(self._game, position, limit, budget, time.monotonic())
        try:
            event = self._converse(listener)
        except EngineError as error:
            raise self._cause_of(error) from error
        assert isinstance(event, Answered)
        self._pause(moment(budget.hard) if budget.by == "wall" else 0.0)
        return event.answer

    def finish_game(self, outcome: Outcome) -> None:
        """Tell the program; EngineError also for what it said out of turn until now."""
        self.conversation.finish(self._game, outcome)
        self.conversation.send_held()
        event = self.conversation.next_event()
        if isinstance(event, Failed):
            raise event.error
        self._running().send(self.conversation.take_outgoing(), time.monotonic() + 1.0)

    # Pipes ----------------------------------------------------------------------------------

    def _converse(self, listener: InfoListener = no_report) -> Event:
        """Carry bytes to and fro until what was asked for has come, or EngineError."""
        process, conversation = self._running(), self.conversation
        clock = TurnClock(process)
        while (event := conversation.answer(listener)) is None:
            assert conversation.deadline is not None
            if conversation.budget is not None:
                clock.begin(conversation.budget)
            if outgoing := conversation.take_outgoing():
                if self.logged:
                    self._transcript.sent(outgoing)
                process.send(outgoing, clock.latest(conversation.deadline))
            soon = time.monotonic() + ROUSE_SECONDS
            latest = min(clock.look_at(conversation.deadline), soon)
            data = process.receive(latest)
            stalled = time.monotonic() - latest
            if stalled > STALL_SECONDS and not clock.excuse(stalled):
                conversation.excuse(stalled)
            if data is None and latest == soon:
                self._rouse()
            if data is None:
                conversation.idleness = clock.idleness()
                conversation.tick(clock.now())
            else:
                conversation.receive(data, clock.now())
                if self.logged:
                    self._transcript.received(data)
        return event

    def _rouse(self) -> None:
        """Have everybody go on whom somebody may have stopped."""
        self._running().rouse()
        if self.cradle is not None:
            self.cradle.nursery.rouse()

    def _cause_of(self, error: EngineError) -> EngineError:
        """The failure behind one: a program that is about to end has crashed and is not late.

        To end takes a moment, on a busy machine a long one.
        """
        if error.termination is Termination.TIMEOUT:
            deadline = time.monotonic() + self.settings.grace
            try:
                while time.monotonic() < deadline and self._running().receive(deadline):
                    pass
            except EngineError as crash:
                return crash
        return error

    def _running(self) -> EngineProcess:
        if self.process is None:
            raise EngineError(Termination.CRASH, "is not running")
        return self.process

    def _pause(self, after: float = 0.0) -> None:
        if self.pauses:
            self._running().suspend(after)
