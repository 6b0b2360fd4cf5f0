"""What runs in the workers of a cluster: games, with engines kept for the next game."""

from __future__ import annotations

import threading

from plyground.arena.match import play_game
from plyground.arena.task import GameResult, GameTask
from plyground.engines.engine import Engine
from plyground.engines.pool import EnginePool, engine_pool

KEPT_ENGINES = 32

IDLE_SECONDS = 60.0
"""After this time without a game a worker ends its engines; the coordinator may be dead."""


class Workshop:
    """The engines of one worker process, for all of its threads that play."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._engines: EnginePool[Engine] | None = None
        self._playing = 0
        self._timer: threading.Timer | None = None

    def play(self, task: GameTask) -> GameResult:
        """Play one game in this thread."""
        with self._lock:
            engines = self._engines = self._engines or engine_pool(KEPT_ENGINES)
            self._playing += 1
        try:
            return play_game(task, engines)
        finally:
            with self._lock:
                self._playing -= 1
                self._restart_timer()

    def release(self) -> None:
        """Stop running games and end all engines."""
        with self._lock:
            if self._engines is not None:
                self._engines.close()
            self._engines = None

    def _restart_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = threading.Timer(IDLE_SECONDS, self._expire)
        self._timer.daemon = True
        self._timer.start()

    def _expire(self) -> None:
        if self._playing == 0:
            self.release()


_workshop = Workshop()


def play_task(task: GameTask) -> GameResult:
    """Play a game in this worker, which may see the players' files for the first time."""
    for source in task.sources:
        source.keep()
    return _workshop.play(task)


def release() -> None:
    """End this worker's games and engines."""
    _workshop.release()
