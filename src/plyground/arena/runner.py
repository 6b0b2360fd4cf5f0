"""Plays one game after the other and keeps engines alive between them."""

from __future__ import annotations

from collections import OrderedDict

from plyground.arena.events import Listener, ignore_event
from plyground.arena.match import Match
from plyground.arena.task import GameResult, GameTask
from plyground.core.game import Game, OptionValue
from plyground.core.outcome import Termination
from plyground.core.registry import make_game
from plyground.engines.engine import Engine, EngineSettings
from plyground.engines.failure import EngineError, EngineStartError, Interrupt
from plyground.engines.nursery import Nursery
from plyground.engines.players import make_engine

EngineKey = tuple[str, str, int, EngineSettings]
"""Game, player, which copy of it (a player may meet itself), how it is run."""

START_ATTEMPTS = 3


class EnginePool:
    """Idle engines by player, the least recently used one closed when there are too many.

    A player that fails to start several times in a row is not tried again: its games are lost
    without waiting for it.
    """

    def __init__(
        self, interrupt: Interrupt, capacity: int = 8, nursery: Nursery | None = None
    ) -> None:
        self._interrupt = interrupt
        self._capacity = capacity
        self._nursery = nursery
        self._idle: OrderedDict[EngineKey, Engine] = OrderedDict()
        self._failed_starts: dict[EngineKey, int] = {}

    def take(self, key: EngineKey) -> Engine:
        """An engine for this player, running already if one was kept."""
        if key in self._idle:
            return self._idle.pop(key)
        game, player, _, settings = key
        return make_engine(game, player, settings, self._interrupt, self._nursery)

    def refusal(self, key: EngineKey) -> EngineError | None:
        """Why this player shall not be started again, if so."""
        if self._failed_starts.get(key, 0) < START_ATTEMPTS:
            return None
        return EngineError(
            Termination.CRASH, f"did not start {START_ATTEMPTS} times in a row, not tried again"
        )

    def give_back(self, key: EngineKey, engine: Engine, failure: EngineError | None) -> None:
        """Keep a healthy engine for its next game; close the others."""
        if isinstance(failure, EngineStartError):
            self._failed_starts[key] = self._failed_starts.get(key, 0) + 1
        if failure is not None or not engine.reusable:
            engine.close()
            return
        self._failed_starts.pop(key, None)
        self._idle[key] = engine
        while len(self._idle) > self._capacity:
            self._idle.popitem(last=False)[1].close()

    def close(self) -> None:
        """End all engines."""
        while self._idle:
            self._idle.popitem()[1].close()


class GameRunner:
    """Plays tasks, one at a time."""

    def __init__(
        self, interrupt: Interrupt, capacity: int = 8, nursery: Nursery | None = None
    ) -> None:
        self.interrupt = interrupt
        self._pool = EnginePool(interrupt, capacity, nursery)
        self._games: dict[tuple[str, tuple[tuple[str, OptionValue], ...]], Game] = {}

    def play(self, task: GameTask, emit: Listener = ignore_event) -> GameResult:
        """Play one game; MatchStoppedError when the interrupt is set meanwhile."""
        self.interrupt.check()
        keys: list[EngineKey] = [
            (task.game, player, task.players[:seat].count(player), task.rules.engine)
            for seat, player in enumerate(task.players)
        ]
        refusals = {seat: self._pool.refusal(key) for seat, key in enumerate(keys)}
        engines = [self._pool.take(key) for key in keys]
        failures: dict[int, EngineError] = {}
        try:
            match = Match(
                task,
                self._game(task),
                engines,
                emit,
                {seat: refusal for seat, refusal in refusals.items() if refusal is not None},
            )
            failures = match.failures
            return match.play()
        except BaseException:
            for engine in engines:
                engine.close()
            engines = []
            raise
        finally:
            for seat, engine in enumerate(engines):
                self._pool.give_back(keys[seat], engine, failures.get(seat))

    def _game(self, task: GameTask) -> Game:
        key = task.game, tuple(sorted(task.options.items()))
        if key not in self._games:
            self._games[key] = make_game(task.game, task.options)
        return self._games[key]

    def close(self) -> None:
        """End all engines."""
        self._pool.close()
