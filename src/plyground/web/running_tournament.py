"""A tournament that the page started, in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

from plyground.arena.config import RunConfig
from plyground.arena.events import Event, GameEnded, GameStarted, MovePlayed
from plyground.arena.executors import LocalExecutor
from plyground.arena.tournament import Tournament, open_run
from plyground.core.errors import PlygroundError
from plyground.core.game import Position
from plyground.core.registry import games
from plyground.engines.failure import MatchStoppedError
from plyground.store.database import Store
from plyground.web.messages import RunUpdate


class RunningTournament:
    """A tournament in its own thread, which also owns its database connection.

    `tell` and `end` are called from that thread; `end` is the last thing it does.
    """

    def __init__(
        self,
        path: Path,
        config: RunConfig,
        tell: Callable[[RunUpdate], None],
        end: Callable[[], None],
    ) -> None:
        self.started: Future[str] = Future()
        self.run = ""
        self.total = _game_count(config)
        self._path, self._config, self._tell, self._end = path, config, tell, end
        self._executor: LocalExecutor | None = None
        self._stopped = False
        self._played = 0
        self.shown: tuple[tuple[str, ...], Position, int] | None = None
        """Players, position and number of moves of the game that was last heard of."""
        self.thread = threading.Thread(target=self._run, name="tournament", daemon=True)

    def stop(self) -> None:
        """End it now, whatever its engines are doing; finished games stay."""
        self._stopped = True
        if self._executor is not None:
            self._executor.stop()

    def _run(self) -> None:
        error = ""
        try:
            self._play()
        except MatchStoppedError:
            error = "stopped"
        except PlygroundError as failure:
            error = str(failure)
            if not self.started.done():
                self.started.set_exception(failure)
        except Exception as failure:
            error = f"internal error ({type(failure).__name__})"
            if not self.started.done():
                self.started.set_exception(PlygroundError(error))
        finally:
            if self.run:
                self._tell(RunUpdate(self.run, self._played, self.total, False, error))
            self._end()

    def _play(self) -> None:
        with Store(self._path) as store:
            run = open_run(store, self._config, None, resume=False)
            tournament = Tournament(self._config, store, run)
            self.run = run
            tournament.listen(self._listen)
            self.started.set_result(run)
            self._executor = LocalExecutor(1, self._watch)
            with self._executor as executor:
                if not self._stopped:
                    tournament.play(executor)
            if self._stopped:
                raise MatchStoppedError("the tournament was stopped")

    def _watch(self, event: Event) -> None:
        """Keep the position of the game that is being played, for those who look on."""
        if isinstance(event, GameStarted):
            self.shown = event.task.labels, event.position, 0
        elif isinstance(event, MovePlayed):
            before = self.shown[2] if self.shown else 0
            self.shown = event.task.labels, event.position, before + 1

    def _listen(self, event: Event) -> None:
        if isinstance(event, GameEnded):
            self._played += 1
            self._tell(RunUpdate(self.run, self._played, self.total, True))


def _game_count(config: RunConfig) -> int:
    players = len(config.players)
    if games()[config.game].info.players == 1:
        return players * config.games
    return players * (players - 1) // 2 * config.games
