"""Engines that speak the project's own protocol (JSON lines)."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TypeVar

import msgspec

from plyground.core.game import Position
from plyground.core.limits import Limit
from plyground.core.outcome import Outcome, Termination
from plyground.core.search import SearchInfo
from plyground.engines.engine import (
    Answer,
    Engine,
    EngineSettings,
    GameSetup,
    InfoListener,
    TurnBudget,
    deadline_in,
)
from plyground.engines.failure import EngineError, EngineStartError, Interrupt
from plyground.engines.messages import (
    PROTOCOL_VERSION,
    BestMove,
    Deal,
    EngineComplaint,
    EngineHello,
    FromEngine,
    GameOver,
    Go,
    Hello,
    Info,
    Message,
    NewGame,
    PlayedMove,
    Quit,
    Ready,
    Stop,
    decode_from_engine,
    encode,
    read_score,
)
from plyground.engines.process import EngineProcess

Expected = TypeVar("Expected", EngineHello, Ready)


class JsonEngine(Engine):
    """A program on the other end of the protocol.

    With `pauses`, its processes are suspended while it is not its turn, so that it cannot think on
    the opponent's time.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        settings: EngineSettings,
        interrupt: Interrupt,
        *,
        startup: float,
        pauses: bool = False,
        env: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(name, settings, interrupt)
        self.command = list(command)
        self.startup = startup
        self.pauses = pauses
        self.env = env
        self.hello = EngineHello()
        self.process: EngineProcess | None = None
        self._game = ""
        self._side = 0
        self._unsent = b""

    # Start and end --------------------------------------------------------------------------

    def start(self) -> None:
        if self.process is not None:
            return
        self.process = EngineProcess(
            self.command, self.settings.limits, interrupt=self.interrupt, env=self.env
        )
        deadline = deadline_in(self.startup)
        try:
            self._send(Hello(), deadline)
            self.hello = self._expect(EngineHello, deadline, "its hello")
            if self.hello.protocol != PROTOCOL_VERSION:
                raise EngineError(
                    Termination.CRASH,
                    f"speaks protocol {self.hello.protocol}, not {PROTOCOL_VERSION}",
                )
        except EngineError as error:
            raise EngineStartError(error.termination, f"at start: {error.detail}") from error

    def close(self) -> None:
        if self.process is None:
            return
        try:
            self.process.resume()
            self._send(Quit(), deadline_in(0.05))
        except EngineError:
            pass
        except Exception:
            self.process.close()
            raise
        self.process.close(grace=0.0 if self.interrupt.is_set else 0.3)
        self.process = None

    def log_text(self) -> str:
        return self.process.log_text() if self.process else ""

    # A game ---------------------------------------------------------------------------------

    def new_game(self, setup: GameSetup) -> None:
        if self.hello.games and setup.game.info.name not in self.hello.games:
            raise EngineError(
                Termination.CRASH,
                f"does not play {setup.game.info.name}, only {', '.join(self.hello.games)}",
            )
        self._running().resume()
        self._game = setup.id
        self._side = setup.side
        deadline = deadline_in(self.startup)
        self._send(
            NewGame(
                id=setup.id,
                game=setup.game.info.name,
                options=setup.game.options,
                position=setup.start,
                moves=setup.opening,
                side=setup.side,
                seed=setup.seed,
                limit=setup.limit,
            ),
            deadline,
        )
        self._expect(Ready, deadline, "ready for a new game")
        self._pause()

    def observe(self, position: Position, move: str, player: int) -> None:
        self._unsent += encode(PlayedMove(id=self._game, move=move, player=player))

    def deal(self, position: Position, event: str) -> None:
        self._unsent += encode(Deal(id=self._game, deal=event))

    def finish_game(self, outcome: Outcome) -> None:
        self._send(GameOver(id=self._game, outcome=outcome), deadline_in(1.0))

    def think(
        self,
        position: Position,
        limit: Limit,
        listener: InfoListener,
        budget: TurnBudget | None = None,
    ) -> Answer:
        """As in `Engine`; another `budget` stops the engine at another time than it was told."""
        request = Go(
            id=self._game,
            limit=limit,
            position=position.text if "position" in self.hello.wants else None,
            legal_moves=(
                tuple(position.legal_moves) if "legal_moves" in self.hello.wants else None
            ),
        )
        budget = budget or TurnBudget.of(limit, self.settings)
        self._running().resume()
        data = self._unsent + encode(request)
        self._unsent = b""
        started = time.monotonic()
        self._running().send(data, started + budget.hard)
        answer = self._await_answer(started, budget, listener)
        self._pause()
        return answer

    def _await_answer(self, started: float, budget: TurnBudget, listener: InfoListener) -> Answer:
        proposal: Info | None = None
        soft = started + budget.soft if budget.soft is not None else None
        hard = started + budget.hard
        while True:
            message = self._receive(hard if soft is None else soft)
            now = time.monotonic()
            if isinstance(message, BestMove):
                if now <= hard:
                    return self._answer(message, now - started)
                break
            if isinstance(message, Info):
                if message.move and now <= hard:
                    proposal = message
                listener(self._search_info(message))
            elif message is not None:
                raise self._complaint(message, "a move")
            elif soft is not None:
                soft = None
                self._running().send(encode(Stop(id=self._game)), hard)
            else:
                self._come_back(proposal)
                break
        if proposal is None or not proposal.move:
            raise EngineError(
                Termination.TIMEOUT,
                f"no move within {budget.hard:g} s"
                + ("" if budget.soft is None else f" (limit {budget.soft:g} s and margin)"),
            )
        return Answer(
            moves=(proposal.move,),
            elapsed=time.monotonic() - started,
            score=read_score(proposal.score, self._side),
            nodes=proposal.nodes or None,
            depth=proposal.depth,
            note=proposal.note,
            overran=True,
        )

    def _come_back(self, proposal: Info | None) -> None:
        """After an overrun the engine must still answer, so that the next turn starts clean."""
        if proposal is None:
            return
        deadline = deadline_in(self.settings.grace)
        while (message := self._receive(deadline)) is not None:
            if isinstance(message, BestMove):
                return
        raise EngineError(
            Termination.TIMEOUT, f"ignores stop: no answer {self.settings.grace:g} s after its time"
        )

    def _answer(self, message: BestMove, elapsed: float) -> Answer:
        moves = message.moves or ((message.move,) if message.move else ())
        if not moves and not message.resign:
            raise EngineError(Termination.NO_MOVE, "sent a bestmove without a move")
        return Answer(
            moves=() if message.resign else moves,
            elapsed=elapsed,
            score=read_score(message.score, self._side),
            nodes=message.nodes,
            depth=message.depth,
            note=message.note,
        )

    def _search_info(self, message: Info) -> SearchInfo:
        return SearchInfo(
            move=message.move,
            score=read_score(message.score, self._side),
            depth=message.depth,
            nodes=message.nodes,
            elapsed=message.elapsed,
            line=message.line,
            moves=message.moves,
            note=message.note,
        )

    # Lines ----------------------------------------------------------------------------------

    def _running(self) -> EngineProcess:
        if self.process is None:
            raise EngineError(Termination.CRASH, "is not running")
        return self.process

    def _pause(self) -> None:
        if self.pauses:
            self._running().suspend()

    def _send(self, message: Message, deadline: float) -> None:
        data = self._unsent + encode(message)
        self._unsent = b""
        self._running().send(data, deadline)

    def _receive(self, deadline: float) -> FromEngine | None:
        """The next message, or None at the deadline. Empty lines are skipped."""
        while True:
            line = self._running().read_line(deadline)
            if line is None:
                return None
            if not line.strip():
                continue
            try:
                return decode_from_engine(line)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                shown = line[:80].decode(errors="replace")
                raise EngineError(
                    Termination.NO_MOVE, f"sent a line that is no message: {shown!r} ({error})"
                ) from None

    def _expect(self, kind: type[Expected], deadline: float, what: str) -> Expected:
        while True:
            message = self._receive(deadline)
            if message is None:
                raise EngineError(Termination.TIMEOUT, f"{what} did not come in {self.startup:g} s")
            if isinstance(message, kind):
                return message
            if not isinstance(message, Info):
                raise self._complaint(message, what)

    def _complaint(self, message: FromEngine, expected: str) -> EngineError:
        if isinstance(message, EngineComplaint):
            return EngineError(Termination.CRASH, f"says: {message.message[:300]}")
        kind = message.__struct_config__.tag
        return EngineError(Termination.NO_MOVE, f"sent {kind!r} where {expected} was due")
