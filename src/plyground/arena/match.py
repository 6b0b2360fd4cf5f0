"""One game between engines: the referee with its clocks."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from plyground.arena.events import (
    GameEnded,
    GameStarted,
    InfoReceived,
    Listener,
    MovePlayed,
    ignore_event,
)
from plyground.arena.task import GameResult, GameTask
from plyground.core.game import CHANCE, Game, Position
from plyground.core.limits import Clock, Limit
from plyground.core.outcome import Outcome, Termination
from plyground.core.record import GameRecord, MoveRecord
from plyground.core.search import Score
from plyground.engines.engine import Answer, Engine, GameSetup
from plyground.engines.failure import EngineError

KEPT_LOG = 10_000
"""So many characters of a broken engine's standard error go into the game's record."""


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
        return Limit(fixed.time, fixed.nodes, fixed.depth, clock)

    def charge(self, elapsed: float) -> bool:
        """Take the time of a turn off; False if it was too much, the margin included."""
        fixed = self._limit
        in_time = fixed.time is None or elapsed <= fixed.time + self._margin
        if fixed.clock is not None:
            in_time = in_time and elapsed <= self._remaining + self._margin
            self._remaining = max(0.0, self._remaining - elapsed) + fixed.clock.increment
        return in_time


class Match:
    """One game. `play` conducts it; afterwards `failures` says which seats' engines broke down.

    A seat in `refused` loses at once, for the reason given there, without being started.
    """

    def __init__(
        self,
        task: GameTask,
        game: Game,
        engines: Sequence[Engine],
        emit: Listener = ignore_event,
        refused: Mapping[int, EngineError] | None = None,
    ) -> None:
        self.task = task
        self.game = game
        self.engines = engines
        self.emit = emit
        self.refused = refused or {}
        self.failures: dict[int, EngineError] = {}
        self._started: set[int] = set()
        self.tags = {"opening": str(len(task.opening))} if task.opening else {}
        self.position = game.parse_position(task.start) if task.start else game.start()
        self.moves: list[MoveRecord] = []
        self.turns = 0
        margin = task.rules.engine.margin
        self.clocks = [PlayerClock(limit, margin) for limit in task.limits]
        self.claims: list[Score | None] = [None] * len(engines)
        for move in task.opening:
            self._record(self.position.play(move), MoveRecord(move, self.position.turn))

    def play(self) -> GameResult:
        """Conduct the game to its end; the engines stay alive for the next one.

        MatchStoppedError leaves it without a result.
        """
        started = time.monotonic()
        outcome = self._prepare()
        self.emit(GameStarted(self.task, self.position))
        while outcome is None:
            outcome = self.position.outcome or self._step()
        self._finish(outcome)
        result = GameResult(
            task=self.task, record=self._make_record(outcome), seconds=time.monotonic() - started
        )
        self.emit(GameEnded(result))
        return result

    def _finish(self, outcome: Outcome) -> None:
        for seat, engine in enumerate(self.engines):
            if seat in self._started and seat not in self.failures:
                try:
                    engine.finish_game(outcome)
                except EngineError as error:
                    self.failures[seat] = error

    def _make_record(self, outcome: Outcome) -> GameRecord:
        task = self.task
        return GameRecord(
            game=task.game,
            options=dict(task.options),
            players=task.labels,
            start=task.start,
            seed=task.seed,
            moves=tuple(self.moves),
            outcome=outcome,
            date=datetime.now(UTC).isoformat(timespec="seconds"),
            tags=self.tags,
        )

    def _prepare(self) -> Outcome | None:
        """Start the engines and tell them the game; no clock runs."""
        for seat, engine in enumerate(self.engines):
            try:
                if seat in self.refused:
                    raise self.refused[seat]
                self._started.add(seat)
                engine.start()
                engine.new_game(
                    GameSetup(
                        id=self.task.schedule_id,
                        game=self.game,
                        start=self.task.start,
                        opening=self.task.opening,
                        position=self.position,
                        side=seat,
                        seed=self.task.engine_seeds[seat],
                        limit=self.clocks[seat].limit(),
                    )
                )
            except EngineError as error:
                return self._broken(seat, error)
        return None

    def _step(self) -> Outcome | None:
        """A deal or a turn."""
        seat = self.position.turn
        if seat == CHANCE:
            return self._deal()
        try:
            limit = self.clocks[seat].limit()
            answer = self.engines[seat].think(
                self.position,
                limit,
                lambda info: self.emit(InfoReceived(self.task, seat, info)),
            )
            return self._judge(seat, answer)
        except EngineError as error:
            return self._broken(seat, error)

    def _deal(self) -> Outcome | None:
        cap = self.task.rules.turns
        if cap is not None and self.turns >= cap:
            return self.game.forfeit(self.position, 0, Termination.PLY_LIMIT, f"{cap} turns played")
        self.turns += 1
        event = self.game.chance_event(self.position, self.task.seed)
        self._record(
            self.game.apply_chance(self.position, event), MoveRecord(event, CHANCE), deal=True
        )
        return None

    def _judge(self, seat: int, answer: Answer) -> Outcome | None:
        if not self.clocks[seat].charge(answer.elapsed) and not answer.overran:
            return self._forfeit(
                seat, Termination.TIMEOUT, f"answered after {answer.elapsed:.3f} s"
            )
        if not answer.moves:
            return self._forfeit(seat, Termination.RESIGN, "resigned")
        elapsed: float | None = round(answer.elapsed, 6)
        for text in answer.moves:
            verdict = self.game.judge(self.position, text)
            if verdict.outcome is not None:
                return verdict.outcome
            assert verdict.position is not None
            entry = MoveRecord(
                verdict.move, seat, elapsed, answer.nodes, answer.depth, answer.score
            )
            self._record(verdict.position, entry)
            elapsed = None
            if self.position.is_over or self.position.turn != seat:
                break
        self.claims[seat] = answer.score
        return self._adjudicate() if self.task.rules.adjudicate else None

    def _record(self, position: Position, entry: MoveRecord, *, deal: bool = False) -> None:
        self.position = position
        self.moves.append(entry)
        if len(self.moves) <= len(self.task.opening):
            return
        for engine in self.engines:
            if deal:
                engine.deal(position, entry.move)
            else:
                engine.observe(position, entry.move, entry.player)
        self.emit(MovePlayed(self.task, entry, position))

    def _adjudicate(self) -> Outcome | None:
        """The result on which both players' proofs agree, if they do."""
        if len(self.claims) != 2 or self.position.is_over:
            return None
        views = [claim.seen_by(0).value if claim else None for claim in self.claims]
        if views[0] is None or views[0] != views[1]:
            return None
        winner = {"win": 0, "loss": 1, "draw": None}[views[0]]
        detail = f"both players have proven: {views[0]} for the first player"
        return Outcome(winner, Termination.ADJUDICATED, detail=detail)

    def _broken(self, seat: int, error: EngineError) -> Outcome:
        self.failures[seat] = error
        log = self.engines[seat].log_text() if seat in self._started else ""
        if log:
            self.tags[f"stderr {seat}"] = log[:KEPT_LOG]
        return self._forfeit(seat, error.termination, error.detail)

    def _forfeit(self, seat: int, termination: Termination, detail: str) -> Outcome:
        name = self.task.labels[seat]
        return self.game.forfeit(self.position, seat, termination, f"{name} {detail}")
