"""What runs in the workers of a cluster: games, with engines kept for the next game."""

from __future__ import annotations

import threading

from plyground.arena.runner import GameRunner
from plyground.arena.task import GameResult, GameTask
from plyground.engines.failure import Interrupt

IDLE_SECONDS = 60.0
"""After this time without a game a worker ends its engines; the coordinator may be dead."""


class Workshop:
    """The runners of one worker process, one for each of its threads that plays."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[GameRunner] = []
        self._busy: set[GameRunner] = set()
        self._timer: threading.Timer | None = None

    def play(self, task: GameTask) -> GameResult:
        """Play one game in this thread."""
        with self._lock:
            runner = self._idle.pop() if self._idle else GameRunner(Interrupt())
            self._busy.add(runner)
        try:
            return runner.play(task)
        finally:
            with self._lock:
                self._busy.discard(runner)
                if runner.interrupt.is_set:
                    runner.close()
                else:
                    self._idle.append(runner)
                self._restart_timer()

    def release(self) -> None:
        """Stop running games and end all engines."""
        with self._lock:
            for runner in self._busy:
                runner.interrupt.set()
            self._close_idle()

    def _close_idle(self) -> None:
        while self._idle:
            self._idle.pop().close()

    def _restart_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = threading.Timer(IDLE_SECONDS, self._expire)
        self._timer.daemon = True
        self._timer.start()

    def _expire(self) -> None:
        with self._lock:
            self._close_idle()


_workshop = Workshop()


def play_task(task: GameTask) -> GameResult:
    """Play a game in this worker, which may see the players' files for the first time."""
    for source in task.sources:
        source.keep()
    return _workshop.play(task)


def release() -> None:
    """End this worker's games and engines."""
    _workshop.release()
