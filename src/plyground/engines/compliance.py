"""Tells the author of an engine what it does wrong, one check after the other."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator

import msgspec

from plyground.core.agent import ignore_info
from plyground.core.game import CHANCE, Game, Position
from plyground.core.limits import Clock, Limit
from plyground.core.outcome import Outcome
from plyground.engines.engine import Answer, Engine, EngineSettings, GameSetup, TurnBudget
from plyground.engines.failure import EngineError, Interrupt, clean_text
from plyground.engines.json_conversation import JsonConversation
from plyground.engines.players import make_engine
from plyground.engines.program import ProgramEngine

MOVE_SECONDS = 0.5
_QUIT_SECONDS = 1.0
_STOP_AFTER = 0.3
_STOP_SECONDS = 1.0
_SHORT_TURNS = 60


class Check(msgspec.Struct, frozen=True):
    """One thing that was tried: whether it went well, and what was seen."""

    name: str
    ok: bool
    detail: str = ""


class Problem(Exception):  # noqa: N818
    """A check failed for a reason that is no EngineError."""


def check_player(
    game: Game, player: str, settings: EngineSettings, interrupt: Interrupt | None = None
) -> Iterator[Check]:
    """Run all checks that fit this kind of player; ends early when the engine breaks down.

    InputError if there can be no such player.
    """
    engine = make_engine(game.info.name, player, settings, interrupt)
    inspector = Inspector(game, engine)
    try:
        for name, check in inspector.checks():
            try:
                yield Check(name, True, check())
            except Problem as problem:
                yield Check(name, False, str(problem))
            except EngineError as error:
                yield Check(name, False, f"{error.detail} ({error.termination})")
                return
    finally:
        engine.close()


class Inspector:
    """The checks on one engine; each returns a remark or raises what is wrong."""

    def __init__(self, game: Game, engine: Engine) -> None:
        self.game = game
        self.engine = engine
        self.generator = random.Random(1)
        self.games = 0

    def checks(self) -> list[tuple[str, Callable[[], str]]]:
        """Names and functions, in order."""
        listing: list[tuple[str, Callable[[], str]]] = [
            ("starts in time", self.starts),
            ("prepares a game", self.prepares),
            ("answers with a legal move in time", self.answers),
            ("plays a game as first player", lambda: self.plays(0)),
        ]
        if self.game.info.players == 2:
            listing.append(("plays a game as second player", lambda: self.plays(1)))
            listing.append(("keeps a game clock", self.keeps_clock))
        if isinstance(self.engine, ProgramEngine) and self.engine.protocol is JsonConversation:
            listing += [
                ("stops when told to", self.stops),
                ("ignores fields it does not know", self.ignores_unknown),
                ("quits when told to", self.quits),
            ]
        return listing

    def starts(self) -> str:
        started = time.monotonic()
        self.engine.start()
        talk = getattr(self.engine, "conversation", None)
        name = clean_text(talk.hello.name, 60) if isinstance(talk, JsonConversation) else ""
        return f"{time.monotonic() - started:.2f} s{', calls itself ' + name if name else ''}"

    def prepares(self) -> str:
        started = time.monotonic()
        self._new_game(0)
        return f"{time.monotonic() - started:.2f} s"

    def answers(self) -> str:
        position = self._deal(self.game.start())
        answer = self.engine.think(position, Limit(time=MOVE_SECONDS), ignore_info)
        self._apply(position, answer)
        late = " (its last proposal; the answer came too late)" if answer.overran else ""
        return f"{' '.join(answer.moves)} after {answer.elapsed:.3f} s{late}"

    def plays(self, side: int) -> str:
        position, slowest = self._play_out(side, Limit(time=MOVE_SECONDS / 5))
        ended = position.outcome is not None
        return f"{'to the end' if ended else 'many turns'}, slowest move {slowest:.3f} s"

    def keeps_clock(self) -> str:
        clock = Clock(2.0, 0.05)
        self._play_out(0, Limit(clock=clock), clock)
        return "2 s and 0.05 s a move were enough"

    def stops(self) -> str:
        """An endless search is stopped after a moment."""
        assert isinstance(self.engine, ProgramEngine)
        self._new_game(0)
        position = self._deal(self.game.start())
        answer = self.engine.think(
            position, Limit(), ignore_info, TurnBudget(_STOP_AFTER, _STOP_AFTER + _STOP_SECONDS)
        )
        self._apply(position, answer)
        return f"answered {max(0.0, answer.elapsed - _STOP_AFTER):.3f} s after stop"

    def ignores_unknown(self) -> str:
        engine = self.engine
        assert isinstance(engine, ProgramEngine) and engine.process is not None
        engine.process.resume()
        engine.process.send(
            b'{"type":"game_over","id":"extra","outcome":{"winner":null},"future_field":1}\n',
            time.monotonic() + 1.0,
        )
        self._new_game(0)
        return ""

    def quits(self) -> str:
        engine = self.engine
        assert isinstance(engine, ProgramEngine) and engine.process is not None
        engine.process.resume()
        engine.process.send(b'{"type":"quit"}\n', time.monotonic() + 1.0)
        deadline = time.monotonic() + _QUIT_SECONDS
        try:
            while time.monotonic() < deadline:
                engine.process.receive(deadline)
        except EngineError as error:
            if "code" in error.detail and "code 0" not in error.detail:
                raise Problem(f"it {error.detail}") from None
            return ""
        raise Problem(f"it still runs {_QUIT_SECONDS:g} s later and has to be killed")

    # Playing --------------------------------------------------------------------------------

    def _new_game(self, side: int, limit: Limit | None = None) -> None:
        self.games += 1
        self.engine.start()
        self.engine.new_game(
            GameSetup(
                id=f"check-{self.games}",
                game=self.game,
                start="",
                opening=(),
                position=self.game.start(),
                side=side,
                seed=self.games,
                limit=limit or Limit(time=MOVE_SECONDS),
            )
        )

    def _deal(self, position: Position) -> Position:
        while position.turn == CHANCE and not position.is_over:
            event = self.game.chance_event(position, 1)
            position = self.game.apply_chance(position, event)
            self.engine.deal(position, event)
        return position

    def _apply(self, position: Position, answer: Answer) -> Position:
        side = position.turn
        for text in answer.moves:
            verdict = self.game.judge(position, text)
            if verdict.position is None:
                outcome = verdict.outcome
                detail = outcome.detail or str(outcome.termination) if outcome else "refused"
                raise Problem(f"in position {position.text!r} it answered {text!r}: {detail}")
            position = verdict.position
            self.engine.observe(position, verdict.move, side)
            if position.is_over or position.turn != side:
                break
        return position

    def _play_out(
        self, side: int, limit: Limit, clock: Clock | None = None
    ) -> tuple[Position, float]:
        """A game against random moves; the last position and the slowest move."""
        self._new_game(side, limit)
        position = self._deal(self.game.start())
        slowest = 0.0
        for _ in range(_SHORT_TURNS):
            if position.is_over:
                break
            if position.turn != side:
                move = self.generator.choice(position.legal_moves)
                player = position.turn
                position = position.play(move)
                self.engine.observe(position, move, player)
                continue
            turn_limit = Limit(clock=clock) if clock else limit
            answer = self.engine.think(position, turn_limit, ignore_info)
            slowest = max(slowest, answer.elapsed)
            if clock is not None:
                clock = Clock(max(0.0, clock.remaining - answer.elapsed) + 0.05, clock.increment)
            if not answer.moves:
                break
            position = self._deal(self._apply(position, answer))
        self.engine.finish_game(position.outcome or Outcome(None))
        if not self.engine.reusable:
            self.engine.close()
        return position, slowest
