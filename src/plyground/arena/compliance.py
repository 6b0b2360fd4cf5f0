"""Tells the author of an engine what it does wrong, one check after the other."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator

import msgspec

from plyground.arena.match import take_turn, tell
from plyground.arena.referee import Referee, Ruling
from plyground.arena.results import FAILURES
from plyground.arena.task import MatchRules
from plyground.core.agent import no_report
from plyground.core.game import CHANCE, Game
from plyground.core.limits import Clock, Limit
from plyground.core.outcome import Outcome
from plyground.engines.engine import Answer, Engine, EngineSettings, GameSetup, TurnBudget
from plyground.engines.failure import EngineError, clean_text
from plyground.engines.json_conversation import JsonConversation
from plyground.engines.pool import one_engine
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
    game: Game,
    player: str,
    settings: EngineSettings,
    limit: Limit | None = None,
) -> Iterator[Check]:
    """Run all checks that fit this kind of player; ends early when the engine breaks down.

    Games are played under the `limit`, if there is one. InputError if there can be no such player.
    """
    with one_engine(game.info.name, player, settings) as engine:
        for name, check in Inspector(game, engine, limit).checks():
            try:
                yield Check(name, True, check())
            except Problem as problem:
                yield Check(name, False, str(problem))
            except EngineError as error:
                yield Check(name, False, f"{error.detail} ({error.termination})")
                return


class Inspector:
    """The checks on one engine; each returns a remark or raises what is wrong."""

    def __init__(self, game: Game, engine: Engine, limit: Limit | None = None) -> None:
        clock = limit.clock if limit else None
        self.clock = clock or Clock(2.0, 0.05)
        given = None if limit is None or clock or limit.endless else limit
        self.first_limit = given or Limit(time=MOVE_SECONDS)
        self.limit = given or Limit(time=MOVE_SECONDS / 5)
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
        referee = self._begin(0, self.first_limit, prepared=True)
        answer = self._turn(referee)
        late = " (its last proposal; the answer came too late)" if answer.overran else ""
        return f"{' '.join(answer.moves)} after {answer.elapsed:.3f} s{late}"

    def plays(self, side: int) -> str:
        referee, slowest = self._play_out(side, self.limit)
        ended = referee.outcome is not None
        return f"{'to the end' if ended else 'many turns'}, slowest move {slowest:.3f} s"

    def keeps_clock(self) -> str:
        self._play_out(0, Limit(clock=self.clock))
        return f"{self.clock.remaining:g} s and {self.clock.increment:g} s a move were enough"

    def stops(self) -> str:
        """An endless search is stopped after a moment."""
        assert isinstance(self.engine, ProgramEngine)
        referee = self._begin(0, Limit())
        budget = TurnBudget(_STOP_AFTER, _STOP_AFTER + _STOP_SECONDS)
        answer = self.engine.think(referee.position, Limit(), no_report, budget)
        self._check(referee, referee.judge_answer(answer))
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
                position=self.game.start(),
                side=side,
                seed=self.games,
                limit=limit or self.first_limit,
            )
        )

    def _begin(self, side: int, limit: Limit, *, prepared: bool = False) -> Referee:
        """A new game at the first turn of a player, told to the engine unless it was before."""
        if not prepared:
            self._new_game(side, limit)
        referee = Referee(
            self.game,
            limits=(limit,) * self.game.info.players,
            seed=1,
            rules=MatchRules(engine=self.engine.settings),
        )
        self._deal(referee)
        return referee

    def _deal(self, referee: Referee) -> None:
        while referee.outcome is None and referee.turn == CHANCE:
            self._accept(referee, referee.draw_event())

    def _turn(self, referee: Referee) -> Answer:
        """One turn of the engine; Problem if it loses the game by it."""
        ruling = take_turn(referee, self.engine)
        self._check(referee, ruling)
        self._accept(referee, ruling)
        assert ruling.answer is not None
        return ruling.answer

    def _accept(self, referee: Referee, ruling: Ruling) -> None:
        referee.accept(ruling)
        tell(self.engine, ruling)

    @staticmethod
    def _check(referee: Referee, ruling: Ruling) -> None:
        outcome = ruling.outcome
        if outcome is not None and outcome.termination in FAILURES:
            position = ruling.steps[-1].position if ruling.steps else referee.position
            said = " ".join(ruling.answer.moves) if ruling.answer else ""
            detail = outcome.detail or str(outcome.termination)
            raise Problem(
                f"in position {position.text!r} it answered {clean_text(said, 80)!r}: {detail}"
            )

    def _play_out(self, side: int, limit: Limit) -> tuple[Referee, float]:
        """A game against random moves, and the slowest move of the engine."""
        referee = self._begin(side, limit)
        slowest = 0.0
        for _ in range(_SHORT_TURNS):
            if referee.outcome is not None:
                break
            if referee.turn == side:
                slowest = max(slowest, self._turn(referee).elapsed)
            else:
                move = self.generator.choice(referee.position.legal_moves)
                self._accept(referee, referee.play_move(move))
            self._deal(referee)
        self.engine.finish_game(referee.outcome or Outcome(None))
        if not self.engine.reusable:
            self.engine.close()
        return referee, slowest
