"""A conversation with one program, without input or output: bytes and instants in, events out.

Whoever owns the pipes (a thread of the arena, the event loop of the page, a test) asks with
`greet`, `prepare` and `go`, writes what `take_outgoing` gives, hands over with `receive` whatever
arrives, and calls `tick` once `deadline` has passed. What it should know comes from `next_event`.
Instants are seconds on the owner's monotonic clock; nothing here reads a clock or waits.

A turn goes through these phases: SETTLING (what the program still had to say is heard before it is
asked anything), THINKING, STOPPED (told to stop, its margin runs), and RETURNING (its time is over,
its last proposal will be played, its answer still has to come). The deadline of a phase holds
whatever is sent, and everything that is sent is counted: a flood ends the conversation.
"""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from plyground.core.game import Position
from plyground.core.limits import Limit
from plyground.core.outcome import Outcome, Termination
from plyground.core.search import SearchInfo
from plyground.engines.engine import Answer, GameSetup, TurnBudget
from plyground.engines.failure import EngineError, clean_text

MOVE_CHARACTERS = 1000
"""No game writes a move longer than this."""

ANSWERED_MOVES = 100
"""No turn is a sequence of more moves than this."""

SETTLING_SECONDS = 0.002
"""A program that does not say which turn it answers is listened to this long before its turn.

It was suspended perhaps in the middle of a sentence, and finishes it now."""

SHOWN_CHARACTERS = 80
"""Of a line that cannot be read, so much is shown to its author."""


class OutputLimits(msgspec.Struct, frozen=True):
    """What a program may send: bytes of one line, bytes and lines after each request."""

    line: int = 1 << 20
    flood: int = 8 << 20
    lines: int = 10_000


@dataclass(frozen=True)
class Greeted:
    """The program is there."""


@dataclass(frozen=True)
class Prepared:
    """The program is ready for the new game."""


@dataclass(frozen=True)
class Progress:
    """The program said something while it thinks."""

    info: SearchInfo


@dataclass(frozen=True)
class Answered:
    """The turn has its answer: the program's own, or its last proposal."""

    answer: Answer


@dataclass(frozen=True)
class Failed:
    """The conversation is over: how a game in progress ends for the program, and why."""

    error: EngineError


Event = Greeted | Prepared | Progress | Answered | Failed


class Phase(enum.Enum):
    """What is due from the program."""

    IDLE = "nothing"
    GREETING = "its hello"
    PREPARING = "ready for a new game"
    SETTLING = "silence"
    THINKING = "a move"
    STOPPED = "a move at once"
    RETURNING = "a move that comes too late"
    FAILED = "nothing any more"


_IN_TURN = (Phase.THINKING, Phase.STOPPED, Phase.RETURNING)


class Conversation(ABC):
    """The states that all protocols share; a subclass says what is sent and reads what is heard.

    `grace` is what a program whose time is over gets to come back with its answer. What it takes
    of that comes off its next turns, and off what it gets then: else it would think so much longer
    in every turn, for the next one.
    """

    def __init__(self, limits: OutputLimits | None = None, grace: float = 1.0) -> None:
        self.phase = Phase.IDLE
        self.deadline: float | None = None
        """When `tick` is due; None while nothing is awaited."""
        self._limits = limits or OutputLimits()
        self._grace = grace
        self._events: deque[Event] = deque()
        self._outgoing = b""
        self._unsent = b""
        self._rest = bytearray()
        self._failure: EngineError | None = None
        self._asked = 0.0
        self._budget = TurnBudget(None, 0.0)
        self.idleness = ""
        """What to say of the time where the wall has ended a turn by processor time."""
        self._request = b""
        self._proposal: Answer | None = None
        self._owed = 0.0
        """Seconds that the program was late in this game and has not made up for."""
        self._allow_output()

    # What the owner of the pipes does -------------------------------------------------------

    @property
    def budget(self) -> TurnBudget | None:
        """That of the turn that runs, if one does."""
        return self._budget if self.phase in _IN_TURN else None

    def take_outgoing(self) -> bytes:
        """What is to be written now."""
        data, self._outgoing = self._outgoing, b""
        return data

    def next_event(self) -> Event | None:
        """The next thing that happened."""
        return self._events.popleft() if self._events else None

    def answer(self, listener: Callable[[SearchInfo], None]) -> Event | None:
        """What was asked for, if it has come; progress goes to the listener.

        Raises the error of a program that failed.
        """
        while (event := self.next_event()) is not None:
            if isinstance(event, Failed):
                raise event.error
            if not isinstance(event, Progress):
                return event
            listener(event.info)
        return None

    def receive(self, data: bytes, now: float) -> None:
        """Take output of the program that was read at the instant `now`."""
        if self.phase is Phase.FAILED:
            return
        self._bytes_left -= len(data)
        self._lines_left -= data.count(b"\n")
        if self._bytes_left < 0 or self._lines_left < 0:
            self._flooded()
            return
        for line in self._whole_lines(data):
            if len(line) > self._limits.line:
                self._fail_long_line()
            elif line and not line.isspace():
                self._hear_safely(line, now)
            if self._failure is not None:
                return
        if len(self._rest) > self._limits.line:
            self._fail_long_line()
        if self.phase is not Phase.SETTLING:  # there may be more to hear before the turn
            self.tick(now)

    def _whole_lines(self, data: bytes) -> list[bytes]:
        """The lines that end in this piece; what has begun is kept, and not copied every time."""
        first, end, more = data.partition(b"\n")
        self._rest += first
        if not end:
            return []
        *lines, rest = more.split(b"\n")
        lines.insert(0, bytes(self._rest))
        self._rest = bytearray(rest)
        return lines

    def excuse(self, seconds: float) -> None:
        """Leave so much time out of account: nobody was there to listen."""
        if self.deadline is not None:
            self._asked += seconds
            self.deadline += seconds

    def tick(self, now: float) -> None:
        """Do what is due at the instant `now`; nothing if the deadline has not come."""
        if self.deadline is None or now < self.deadline:
            return
        if self.phase is Phase.SETTLING:
            self._begin_turn(now)
        elif self.phase is Phase.THINKING:
            self.phase = Phase.STOPPED
            self.deadline = self._asked + self._budget.hard
            self._outgoing += self._stop_request()
            self.tick(now)
        elif self.phase is Phase.STOPPED and self._proposal is not None:
            self.phase = Phase.RETURNING
            self.deadline = now + self._return_seconds
        elif self.phase is Phase.STOPPED:
            self._fail_late()
        elif self.phase is Phase.RETURNING:
            within = f"{self._return_seconds:.3g} s"
            self.fail(Termination.TIMEOUT, f"ignores stop: no answer {within} after its time")
        else:
            waited = self.deadline - self._asked
            self.fail(Termination.TIMEOUT, f"{self.phase.value} did not come in {waited:g} s")

    def fail(self, termination: Termination, detail: str) -> None:
        """End the conversation."""
        self._fail_with(EngineError(termination, detail))

    # Requests -------------------------------------------------------------------------------

    def greet(self, now: float, seconds: float) -> None:
        """Ask who is there; `Greeted` within so many seconds."""
        self._ask(Phase.GREETING, self._greeting(), now, seconds)

    def prepare(self, setup: GameSetup, now: float, seconds: float) -> None:
        """Tell of a new game; `Prepared` within so many seconds.

        EngineError if the program cannot play it; the conversation goes on.
        """
        self._owed = 0.0
        self._ask(Phase.PREPARING, self._game_request(setup), now, seconds)

    def go(
        self,
        game: str,
        position: Position,
        limit: Limit,
        budget: TurnBudget,
        now: float,
        *,
        analyse: bool = False,
    ) -> None:
        """Ask for a move in `game`; `Answered` or `Failed` within the budget and the grace.

        The clock runs from the `tick` that ends the settling, and the request is sent with it; a
        program that numbers its answers needs no settling, its clock runs from here.
        """
        if self._repeat_failure():
            return
        self._allow_output()
        # At most half of a turn: a machine that held a program up once must not end its game.
        if (repaid := min(self._owed, (budget.soft or 0.0) / 2)) > 0.0:
            self._owed -= repaid
            limit = limit.after(repaid)
            budget = TurnBudget((budget.soft or 0.0) - repaid, budget.hard - repaid, budget.by)
        self._request = self._turn_request(game, position, limit, analyse)
        self._budget = budget
        self._proposal = None
        if self._names_turns:
            self._begin_turn(now)
        else:
            self.phase = Phase.SETTLING
            self.deadline = now + SETTLING_SECONDS

    def stop(self) -> None:
        """Have the program answer now, if it is its turn."""
        if self.phase is Phase.THINKING:
            self._outgoing += self._stop_request()
        elif self.phase is Phase.SETTLING:
            self._request += self._stop_request()

    def send_held(self) -> None:
        """Let go of what was held back for the next request."""
        self._outgoing += self._unsent
        self._unsent = b""

    # What a protocol says -------------------------------------------------------------------

    @abstractmethod
    def observe(self, game: str, move: str, player: int) -> None:
        """Tell a move that was played, together with the next request."""

    @abstractmethod
    def deal(self, game: str, event: str) -> None:
        """Tell a random event, together with the next request."""

    @abstractmethod
    def finish(self, game: str, outcome: Outcome) -> None:
        """Tell that a game is over, together with the next request (or `send_held`)."""

    def quit(self) -> None:
        """Tell the program to end."""
        self._unsent = b""

    @abstractmethod
    def _greeting(self) -> bytes | None:
        """The first request; None if the protocol has none."""

    @abstractmethod
    def _game_request(self, setup: GameSetup) -> bytes | None:
        """The request for a new game; None if the protocol has none. EngineError if impossible."""

    @abstractmethod
    def _turn_request(self, game: str, position: Position, limit: Limit, analyse: bool) -> bytes:
        """The request for a move."""

    def _stop_request(self) -> bytes:
        """What ends a turn early."""
        return b""

    @abstractmethod
    def _hear(self, line: bytes, now: float) -> None:
        """Understand a line that is not empty. Whatever it raises ends the conversation."""

    @property
    def _names_turns(self) -> bool:
        """Whether the program says which turn its answers are for."""
        return False

    # States ---------------------------------------------------------------------------------

    def _ask(self, phase: Phase, request: bytes | None, now: float, seconds: float) -> None:
        if self._repeat_failure():
            return
        self._allow_output()
        self._asked = now
        self.phase, self.deadline = phase, now + seconds
        if request is None:
            self._reached(Greeted() if phase is Phase.GREETING else Prepared())
        else:
            self.send_held()
            self._outgoing += request

    def _reached(self, event: Event) -> None:
        """What was due has come."""
        self.phase, self.deadline = Phase.IDLE, None
        self._events.append(event)

    def _begin_turn(self, now: float) -> None:
        self.send_held()
        self._outgoing += self._request
        self._request = b""
        self._asked = now
        self.phase = Phase.THINKING
        soft = self._budget.soft
        self.deadline = now + (self._budget.hard if soft is None else soft)

    def _progress(self, info: SearchInfo, now: float) -> None:
        """Something said in the turn; with a move, and in time, it is a proposal."""
        if self.phase not in _IN_TURN:
            return
        if info.move and now <= self._asked + self._budget.hard:
            self._proposal = Answer(
                moves=self._checked_moves((info.move,)),
                elapsed=0.0,
                score=info.score,
                nodes=info.nodes or None,
                depth=info.depth,
                note=info.note,
                overran=True,
            )
        self._events.append(Progress(info))

    def _answer(self, answer: Answer, now: float) -> None:
        """An answer in its turn. One that comes too late only makes the proposal count."""
        elapsed = now - self._asked
        if elapsed <= self._budget.hard:
            self._checked_moves(answer.moves)
            self._reached(Answered(msgspec.structs.replace(answer, elapsed=elapsed)))
        elif self._proposal is not None:
            self._owed += elapsed - self._budget.hard if self._budget.soft is not None else 0.0
            self._reached(Answered(msgspec.structs.replace(self._proposal, elapsed=elapsed)))
        else:
            self._fail_late()

    @property
    def _return_seconds(self) -> float:
        """So long after its time the program may come back with its answer."""
        return max(0.0, self._grace - self._owed)

    def _out_of_turn(self, what: str) -> EngineError:
        return EngineError(Termination.OUT_OF_TURN, f"sent {what} out of turn")

    def _unexpected(self, what: str) -> EngineError:
        """The verdict on a message where another one was due."""
        if self.phase in (Phase.IDLE, Phase.SETTLING):
            return self._out_of_turn(what)
        return EngineError(Termination.NO_MOVE, f"sent {what} where {self.phase.value} was due")

    @staticmethod
    def _checked_moves(moves: tuple[str, ...]) -> tuple[str, ...]:
        """The moves, if a game could have written them."""
        if len(moves) > ANSWERED_MOVES:
            raise EngineError(Termination.ILLEGAL_MOVE, f"sent {len(moves)} moves for one turn")
        longest = max(map(len, moves), default=0)
        if longest > MOVE_CHARACTERS:
            raise EngineError(Termination.ILLEGAL_MOVE, f"sent a move of {longest} characters")
        return moves

    # Endings --------------------------------------------------------------------------------

    def _hear_safely(self, line: bytes, now: float) -> None:
        """Understand a line; whatever goes wrong in doing so is the sender's failure."""
        try:
            self._hear(line, now)
        except EngineError as error:
            self._fail_with(error)
        except Exception as error:
            shown = clean_text(line[:SHOWN_CHARACTERS].decode(errors="replace"))
            self.fail(Termination.NO_MOVE, f"sent a line that is no message: {shown!r} ({error})")

    def _allow_output(self) -> None:
        self._bytes_left = self._limits.flood
        self._lines_left = self._limits.lines

    def _flooded(self) -> None:
        limits = self._limits
        bound = f"{limits.flood} bytes" if self._bytes_left < 0 else f"{limits.lines} lines"
        self.fail(Termination.NO_MOVE, f"flooded its output with over {bound}")

    def _fail_long_line(self) -> None:
        self.fail(Termination.NO_MOVE, f"sent a line of more than {self._limits.line} bytes")

    def _fail_late(self) -> None:
        soft, hard = self._budget.soft, self._budget.hard
        told = "" if soft is None else f" (limit {soft:g} s and margin)"
        unit = " of processor time" if self._budget.by == "cpu" else ""
        passed = self.idleness or f"{hard:g} s{unit}"
        self.fail(Termination.TIMEOUT, f"no move within {passed}{told}")

    def _fail_with(self, error: EngineError) -> None:
        if self._failure is None:
            self._failure = error
            self.phase, self.deadline = Phase.FAILED, None
            self._rest.clear()
            self._outgoing = self._unsent = b""
            self._events.append(Failed(error))

    def _repeat_failure(self) -> bool:
        """Whether the conversation has ended; then the asker learns why."""
        if self._failure is not None and not self._events:
            self._events.append(Failed(self._failure))
        return self._failure is not None
