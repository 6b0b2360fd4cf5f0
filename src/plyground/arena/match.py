"""One game between engines: carries the engines' answers to the referee and its rulings back."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import msgspec

from plyground.arena.events import (
    GameEnded,
    GameStarted,
    InfoReceived,
    Listener,
    MovePlayed,
    ignore_event,
)
from plyground.arena.referee import Referee, Ruling
from plyground.arena.task import GameResult, GameTask
from plyground.core.agent import no_report
from plyground.core.errors import GameFileError
from plyground.core.game import CHANCE, Game
from plyground.core.registry import make_game
from plyground.engines.engine import Engine, GameSetup, InfoListener
from plyground.engines.failure import EngineError, GameFaultError
from plyground.engines.pool import EngineKey, EnginePool

KEPT_LOG = 10_000
"""So many characters of a program's standard error go into the game's record."""


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
        self.engines = engines
        self.emit = emit
        self.refused = refused or {}
        self.failures: dict[int, EngineError] = {}
        self._started: set[int] = set()
        self.referee = Referee(
            game,
            start=task.start,
            opening=task.opening,
            limits=task.limits,
            labels=task.labels,
            seed=task.seed,
            rules=task.rules,
        )
        if task.opening:
            self.referee.tags["opening"] = str(len(task.opening))

    def play(self) -> GameResult:
        """Conduct the game to its end; the engines stay alive for the next one.

        MatchStoppedError leaves it without a result.
        """
        started = time.monotonic()
        self._prepare()
        self.emit(GameStarted(self.task, self.referee.position))
        while self.referee.outcome is None:
            self._accept(self._next_ruling())
        self._finish()
        date = datetime.now(UTC).isoformat(timespec="seconds")
        record = msgspec.structs.replace(self.referee.record(date), options=dict(self.task.options))
        result = GameResult(task=self.task, record=record, seconds=time.monotonic() - started)
        self.emit(GameEnded(result))
        return result

    def _prepare(self) -> None:
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
                        game=self.referee.game,
                        start=self.task.start,
                        opening=self.task.opening,
                        position=self.referee.position,
                        side=seat,
                        seed=self.task.engine_seeds[seat],
                        limit=self.referee.limit(seat),
                    )
                )
            except EngineError as error:
                self._accept(self._broken(seat, error))
                return

    def _next_ruling(self) -> Ruling:
        """Wait for a deal or an answer."""
        referee, seat = self.referee, self.referee.turn
        if seat == CHANCE:
            return referee.draw_event()
        try:
            return take_turn(
                referee,
                self.engines[seat],
                lambda info: self.emit(InfoReceived(self.task, seat, info)),
            )
        except EngineError as error:
            return self._broken(seat, error)

    def _accept(self, ruling: Ruling) -> None:
        """Let a ruling count and tell everybody the moves in it."""
        self.referee.accept(ruling)
        for engine in self.engines:
            tell(engine, ruling)
        for step in ruling.steps:
            self.emit(MovePlayed(self.task, step.entry, step.position))

    def _broken(self, seat: int, error: EngineError) -> Ruling:
        """The ruling on an engine that failed; GameFileError if the game's file is at fault."""
        if isinstance(error, GameFaultError):
            if self.engines[seat].built_in:
                self.engines[seat].close()
                raise GameFileError(error.detail)
            self.referee.position.legal_moves  # noqa: B018 # a GameFileError if it is the file
        self.failures[seat] = error
        return self.referee.judge_failure(seat, error)

    def _finish(self) -> None:
        outcome = self.referee.outcome
        assert outcome is not None
        for seat, engine in enumerate(self.engines):
            if seat in self._started and seat not in self.failures:
                try:
                    engine.finish_game(outcome)
                except EngineError as error:
                    self.failures[seat] = error
            if seat in self.failures:
                engine.close()  # not of use any more, and its log is whole then
            if seat in self._started and (engine.logged or seat in self.failures):
                self._keep_log(seat, engine)

    def _keep_log(self, seat: int, engine: Engine) -> None:
        """What a program said in this game, for `plyground log`."""
        for name, text in (("stderr", engine.log_text()), ("protocol", engine.protocol_text())):
            if len(text) > KEPT_LOG:
                half = KEPT_LOG // 2 - 20
                text = f"{text[:half]}\n[{len(text) - KEPT_LOG} characters]\n{text[-half:]}"
            if text:
                self.referee.tags[f"{name} {seat}"] = text


def play_game(
    task: GameTask, pool: EnginePool[Engine], emit: Listener = ignore_event
) -> GameResult:
    """Play one game with engines of the pool; MatchStoppedError when it is interrupted meanwhile.

    A player that the pool refuses is not started and loses.
    """
    keys = [EngineKey(task.game, player, task.rules.engine) for player in task.players]
    refusals = {seat: pool.refusal(key) for seat, key in enumerate(keys)}
    refused = {seat: reason for seat, reason in refusals.items() if reason is not None}
    engines: list[Engine] = []
    pool.nursery.expect(task.game, task.options)
    try:
        for key in keys:
            engines.append(pool.take(key))
        match = Match(task, make_game(task.game, task.options), engines, emit, refused)
        result = match.play()
    except BaseException:
        for engine in engines:
            pool.discard(engine)
        raise
    for seat, engine in enumerate(engines):
        pool.give_back(keys[seat], engine, match.failures.get(seat))
    return result


def take_turn(referee: Referee, engine: Engine, listener: InfoListener = no_report) -> Ruling:
    """The ruling on what an engine answers in its turn; EngineError if it cannot go on."""
    limit = referee.limit(referee.turn)
    return referee.judge_answer(engine.think(referee.position, limit, listener))


def tell(engine: Engine, ruling: Ruling) -> None:
    """Tell an engine the moves and deals that stand."""
    for step in ruling.steps:
        entry = step.entry
        if entry.player == CHANCE:
            engine.deal(step.position, entry.move)
        else:
            engine.observe(step.position, entry.move, entry.player)
