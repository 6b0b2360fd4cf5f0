"""Conducts a run: schedules games, plays them through an executor, stores them as they end."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from plyground.arena.config import RunConfig, TaskMaker
from plyground.arena.events import Event, GameEnded, Listener
from plyground.arena.executors import Executor
from plyground.arena.results import ResultLine, Results
from plyground.arena.schedule import Fixture
from plyground.arena.task import GameResult
from plyground.core.errors import InputError
from plyground.core.files import short_name
from plyground.stats.sprt import SprtState
from plyground.store.database import RunInfo, Store, StoredGame

_POLL_SECONDS = 0.25


def open_run(store: Store, config: RunConfig, name: str | None, resume: bool) -> str:
    """Make a new run, or find the one to go on with; its name. InputError if that cannot be.

    Without a name, a resumed run is the latest one with the same configuration.
    """
    if resume:
        store.check_integrity()
        if name is not None:
            stored = RunConfig.from_builtins(store.run(name).config)
            if stored.identity() != config.identity():
                raise InputError(
                    f"run {name!r} has another configuration (settings, or a player's version): "
                    "choose another name"
                )
            return name
        for run in reversed(store.runs()):
            if run.kind == config.kind and _same_games(run, config):
                return run.id
        raise InputError(f"no run with this configuration in {str(store.path)!r} to go on with")
    if name is None:
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        name = f"{short_name(config.game)}-{stamp}-{config.identity()}"
        taken = {run.id for run in store.runs()}
        if name in taken:
            name = next(f"{name}-{n}" for n in range(2, 1000) if f"{name}-{n}" not in taken)
    store.create_run(RunInfo(name, config.kind, config.game, config.labels, config.to_builtins()))
    return name


def _same_games(run: RunInfo, config: RunConfig) -> bool:
    try:
        return RunConfig.from_builtins(run.config).identity() == config.identity()
    except InputError:
        return False


class Tournament:
    """A run of a match or tournament. `results` fills up while `play` goes on.

    Listeners get every event; they must not be slow, and those of games in progress come from
    other threads.
    """

    def __init__(
        self,
        config: RunConfig,
        store: Store,
        run: str,
        listeners: Sequence[Listener] = (),
    ) -> None:
        self.config = config
        self.run = run
        self._store = store
        self._listeners = [self._keep, *listeners]
        self._tasks = TaskMaker(config, config.check(), store.files)
        self._sprt = config.sprt.test() if config.sprt else None
        self.sprt_state: SprtState | None = None
        self.results = Results(len(config.players))
        store.claim(run)
        for game in store.games(run):
            self.results.add(self._line(game))
        self._points = self.results.points()
        self._test()

    @property
    def total(self) -> int:
        """How many games the run has when it is not ended early."""
        return self._tasks.schedule.total

    @property
    def decided(self) -> bool:
        """Whether the sequential test has ended the match."""
        return self.sprt_state is not None and self.sprt_state.decision != "continue"

    def listen(self, listener: Listener) -> None:
        """Add a listener."""
        self._listeners.append(listener)

    def emit(self, event: Event) -> None:
        """Tell all listeners."""
        for listener in self._listeners:
            listener(event)

    def _keep(self, event: Event) -> None:
        """Store a finished game, then count it."""
        if not isinstance(event, GameEnded):
            return
        result = event.result
        seats = result.task.seats
        game = StoredGame(
            schedule_id=result.task.schedule_id,
            pair_id=result.task.pair_id,
            first=seats[0],
            second=seats[1] if len(seats) == 2 else None,
            record=result.record,
            seconds=result.seconds,
        )
        self._store.add_game(self.run, game)
        line = self._line(game)
        if self.results.add(line):
            self._points[line.schedule_id] = line.points
            self._test()

    def _line(self, game: StoredGame) -> ResultLine:
        return ResultLine.of(game, count_failures=self.config.failures == "lose")

    def _test(self) -> None:
        if self._sprt is not None and not self.decided:
            self.sprt_state = self._sprt.test(self.results.pentanomial(0, 1))

    def play(self, executor: Executor) -> None:
        """Play what is left. Whatever interrupts it, finished games are stored."""
        for fixtures in self._tasks.schedule.rounds(self._points):
            todo = [fixture for fixture in fixtures if fixture.id not in self.results.lines]
            self._play_round(todo, executor)
            if self.decided:
                return

    def _play_round(self, todo: Sequence[Fixture], executor: Executor) -> None:
        waiting = iter(todo)
        running = 0
        for fixture in waiting:
            executor.submit(self._tasks.task(fixture))
            running += 1
            if running < 2 * executor.jobs:
                continue
            running -= self._await_result(executor)
            if self.decided:
                return
        while running and not self.decided:
            running -= self._await_result(executor)

    def _await_result(self, executor: Executor) -> int:
        """Wait until a game has ended and announce it; how many ended (one)."""
        result: GameResult | None = None
        while result is None:
            result = executor.next_result(_POLL_SECONDS)
        self.emit(GameEnded(result))
        return 1
