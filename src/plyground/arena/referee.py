"""The referee of one game, without input or output: answers in, rulings and records out.

Whoever brings the players' answers (a thread of the arena, the event loop of the page, a check of
a program) asks the referee for a ruling and then has it accepted. A ruling changes nothing by
itself, so it can be worked out in another thread, or written to disk before it counts.
"""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from plyground.arena.history import History
from plyground.arena.task import MatchRules
from plyground.core.errors import GameFileError, MoveError
from plyground.core.game import CHANCE, Game, MoveVerdict, Position
from plyground.core.limits import MOST_SECONDS, Clock, Limit
from plyground.core.outcome import Outcome, Termination
from plyground.core.record import GameRecord, MoveRecord
from plyground.core.search import Score
from plyground.engines.engine import Answer
from plyground.engines.failure import EngineError, clean_text

KEPT_FAULT = 4000
"""So many characters of what went wrong inside the referee go into the game's record."""


REPETITIONS = 3
"""So often may the same position come in a game of two players without chance: then it is a draw.

Games whose rules end such play themselves, by a limit on moves, have no two equal positions.
"""


class PlayerClock:
    """A player's limit over a game: fixed limits stay, a game clock runs down."""

    def __init__(self, limit: Limit, margin: float) -> None:
        self._limit = limit
        self._margin = margin
        self._remaining = limit.clock.remaining if limit.clock else 0.0

    def limit(self) -> Limit:
        """The limit of the next turn."""
        fixed = self._limit
        if fixed.clock is None:
            return fixed
        clock = Clock(self._remaining, fixed.clock.increment)
        return msgspec.structs.replace(fixed, clock=clock)

    def allows(self, elapsed: float) -> bool:
        """Whether a turn of so many seconds is in time, the margin included."""
        fixed = self._limit
        in_time = fixed.time is None or elapsed <= fixed.time + self._margin
        if fixed.clock is not None:
            in_time = in_time and elapsed <= self._remaining + self._margin
        return in_time

    def charge(self, elapsed: float) -> None:
        """Take the time of a turn off and add the increment, as far as a clock can show it."""
        if self._limit.clock is not None:
            left = max(0.0, self._remaining - elapsed)
            self._remaining = min(left + self._limit.clock.increment, MOST_SECONDS)


class Step(NamedTuple):
    """A move or deal that stands, and the position after it."""

    entry: MoveRecord
    position: Position


@dataclass(frozen=True)
class Ruling:
    """What follows from one event: steps that stand, and the outcome if the game is over.

    `seat` is the player it is about (CHANCE for a deal), `answer` what that player said. `fault` is
    the trace of an error inside the rules that the answer brought about.
    """

    seat: int
    steps: tuple[Step, ...] = ()
    outcome: Outcome | None = None
    answer: Answer | None = None
    fault: str = ""


class Referee:
    """Clocks, moves, deals, forfeits and the record of one game.

    `limits` and `labels` go by seat. `seed` is for the game's own random events, `start` and
    `opening` as in a GameTask. MoveError or PositionError if those cannot be played.
    """

    def __init__(
        self,
        game: Game,
        *,
        start: str = "",
        opening: Iterable[str] = (),
        limits: Sequence[Limit] = (),
        labels: Sequence[str] = (),
        seed: int = 0,
        rules: MatchRules | None = None,
        history: History | None = None,
    ) -> None:
        """`history` is a game that has begun already; then `start` and `opening` are in it."""
        self.game = game
        self.rules = rules or MatchRules()
        self.seed = seed
        self.labels = tuple(labels) or game.info.player_names[: game.info.players]
        self.history = History(game, start) if history is None else history
        self.tags: dict[str, str] = {}
        margin = self.rules.engine.margin
        given = limits or (Limit(),) * game.info.players
        self._clocks = [PlayerClock(limit, margin) for limit in given]
        self._said: tuple[list[Score | None], ...] = tuple([] for _ in range(game.info.players))
        self._deals = 0
        self._seen: Counter[bytes] = Counter()
        for move in opening:
            self.history.push(MoveRecord(move, self.position.turn))
        self._seen[self.position.state.tobytes()] += 1
        self.outcome = self.position.outcome

    @property
    def position(self) -> Position:
        return self.history.current

    @property
    def turn(self) -> int:
        """The seat to move, CHANCE before a random event."""
        return self.position.turn

    def limit(self, seat: int) -> Limit:
        """What this player has for its next turn."""
        return self._clocks[seat].limit()

    # Rulings --------------------------------------------------------------------------------

    def judge_answer(self, answer: Answer) -> Ruling:
        """The ruling on an answer of the player to move.

        Whatever goes wrong while it is judged is that player's loss, never the end of the run;
        only where a legal move meets a mistake in the file of the game, GameFileError tells it.
        """
        seat = self.turn
        try:
            return self._judge(seat, answer)
        except GameFileError:
            raise
        except Exception as error:
            detail = f"sent a move that cannot be judged ({type(error).__name__})"
            outcome = self._forfeit(seat, Termination.ILLEGAL_MOVE, detail)
            return Ruling(seat, outcome=outcome, answer=answer, fault=traceback.format_exc())

    def judge_failure(self, seat: int, error: EngineError) -> Ruling:
        """The ruling on a player whose program cannot go on."""
        return Ruling(seat, outcome=self._forfeit(seat, error.termination, error.detail))

    def play_move(self, text: str, elapsed: float | None = None) -> Ruling:
        """The ruling on a move that may be taken back: a MoveError instead of a forfeit."""
        seat = self.turn
        following = self.position.play(text)
        step = Step(MoveRecord(following.last_move, seat, elapsed), following)
        return Ruling(seat, (step,), following.outcome)

    def resign(self, seat: int) -> Ruling:
        """The ruling on a player who gives up, in whosever turn."""
        return Ruling(seat, outcome=self.game.forfeit(self.position, seat, Termination.RESIGN))

    def draw_event(self) -> Ruling:
        """The random event that is due; the end of the game if there were enough of them."""
        cap = self.rules.turns
        if cap is not None and self._deals >= cap:
            ending = f"{cap} turns played"
            return Ruling(
                CHANCE, outcome=self.game.forfeit(self.position, 0, Termination.PLY_LIMIT, ending)
            )
        event = self.game.chance_event(self.position, self.seed)
        following = self.game.apply_chance(self.position, event)
        return Ruling(CHANCE, (Step(MoveRecord(event, CHANCE), following),), following.outcome)

    def accept(self, ruling: Ruling) -> None:
        """Let a ruling count."""
        for step in ruling.steps:
            self.history.add(step.entry, step.position)
            self._deals += step.entry.player == CHANCE
            self._seen[step.position.state.tobytes()] += 1
        if ruling.answer is not None:
            self._clocks[ruling.seat].charge(ruling.answer.elapsed)
            self._said[ruling.seat].append(ruling.answer.score)
        if ruling.fault:
            self.tags[f"fault {ruling.seat}"] = ruling.fault[-KEPT_FAULT:]
        self.outcome = ruling.outcome

    def take_back(self, count: int) -> None:
        """Go back to the position after the first `count` moves; clocks stay as they are."""
        self.history.cut(count)
        self._deals = sum(entry.player == CHANCE for entry in self.history.entries)
        self._seen.clear()
        for scores in self._said:
            scores.clear()
        self.outcome = self.position.outcome

    def _judge(self, seat: int, answer: Answer) -> Ruling:
        if not self._clocks[seat].allows(answer.elapsed) and not answer.overran:
            detail = f"answered after {answer.elapsed:.3f} s"
            return self._lost(seat, answer, Termination.TIMEOUT, detail)
        if not answer.moves:
            return self._lost(seat, answer, Termination.RESIGN, "resigned")
        position = self.position
        elapsed: float | None = round(answer.elapsed, 6)
        steps: list[Step] = []
        for text in answer.moves:
            verdict = self._verdict(position, text)
            if verdict.outcome is not None:
                return Ruling(seat, tuple(steps), _clean(verdict.outcome), answer)
            assert verdict.position is not None
            position = verdict.position
            entry = MoveRecord(
                verdict.move, seat, elapsed, answer.nodes, answer.depth, answer.score
            )
            steps.append(Step(entry, position))
            elapsed = None
            if position.is_over or position.turn != seat:
                break
        said = tuple(
            [*scores, answer.score] if player == seat else scores
            for player, scores in enumerate(self._said)
        )
        outcome = position.outcome or self.rules.adjudication.verdict(said)
        return Ruling(seat, tuple(steps), outcome or self._repeated(position), answer)

    def _verdict(self, position: Position, text: str) -> MoveVerdict:
        """The game's verdict on a text; GameFileError if its file fails at a legal move.

        What is no legal move is its player's fault, however the file deals with it.
        """
        try:
            return self.game.judge(position, text)
        except Exception as error:
            fault = self.game.fault_in(error)
            if fault is None:
                raise
            if _is_legal(position, text):
                raise fault from error
            detail = f"sent no legal move, and {fault}"
            outcome = self._forfeit(position.turn, Termination.ILLEGAL_MOVE, detail)
            return MoveVerdict(outcome=outcome)

    def _repeated(self, position: Position) -> Outcome | None:
        """A draw if this position came too often: players could go round in circles for ever."""
        info = self.game.info
        if not info.for_two_without_chance:
            return None
        if self._seen[position.state.tobytes()] + 1 < REPETITIONS:
            return None
        detail = "the same position for the third time"
        return Outcome(None, Termination.ADJUDICATED, detail=detail)

    def _lost(self, seat: int, answer: Answer, termination: Termination, detail: str) -> Ruling:
        return Ruling(seat, (), self._forfeit(seat, termination, detail), answer)

    def _forfeit(self, seat: int, termination: Termination, detail: str) -> Outcome:
        text = f"{self.labels[seat]} {detail}"
        return _clean(self.game.forfeit(self.position, seat, termination, text))

    # The record -----------------------------------------------------------------------------

    def record(self, date: str = "") -> GameRecord:
        """The game so far; `date` is written into it."""
        return GameRecord(
            game=self.game.info.name,
            options=dict(self.game.options),
            players=self.labels,
            start=self.history.start,
            seed=self.seed,
            moves=tuple(self.history.entries),
            outcome=self.outcome,
            date=date,
            tags=dict(self.tags),
        )


def _is_legal(position: Position, text: str) -> bool:
    """Whether a text is a legal move, by the file's own reading or as it writes its moves."""
    codes = position.move_codes
    try:
        return position.parse_move(text) in codes
    except MoveError:
        return False
    except GameFileError:
        return text in position.legal_moves


def _clean(outcome: Outcome) -> Outcome:
    """An outcome whose detail, which may quote a program, is short and printable."""
    detail = clean_text(outcome.detail)
    return outcome if detail == outcome.detail else msgspec.structs.replace(outcome, detail=detail)
