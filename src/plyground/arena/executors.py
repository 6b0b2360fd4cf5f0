"""Where games are played: in threads of this process, each with its engines, or on a cluster."""

from __future__ import annotations

import contextlib
import gc
import queue
import time
from abc import ABC, abstractmethod
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from functools import cache
from typing import Any

from plyground.arena import cluster
from plyground.arena.events import Event, GameEnded, GameStarted, Listener, ignore_event
from plyground.arena.match import play_game
from plyground.arena.task import GameResult, GameTask
from plyground.core.errors import InputError, PlygroundError, UnsupportedError
from plyground.engines.pool import engine_pool

_COUNT_SECONDS = 2.0
GARBAGE = 700
"""While games go on garbage is looked for after so many new objects: often, and never for long."""


class ExecutorError(PlygroundError, kind="executor"):
    """Games cannot be played where they should be."""


class Executor(ABC):
    """Plays tasks in any order. Used from one thread."""

    @property
    @abstractmethod
    def jobs(self) -> int:
        """How many games run at the same time."""

    @abstractmethod
    def submit(self, task: GameTask) -> None:
        """Queue a game."""

    @abstractmethod
    def next_result(self, timeout: float) -> GameResult | None:
        """The next game that ended, None if none did in time. Errors of a task are raised.

        MatchStoppedError when the executor was stopped.
        """

    @abstractmethod
    def close(self) -> None:
        """Stop what is running (without results) and end all engines."""

    def __enter__(self) -> Executor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class LocalExecutor(Executor):
    """Threads of this process; the work is done by the engines in their own processes.

    Up to `engines` idle engines are kept for each job.
    """

    def __init__(self, jobs: int = 1, emit: Listener = ignore_event, engines: int = 8) -> None:
        if jobs < 1:
            raise InputError(f"the number of jobs must be at least 1, not {jobs}")
        self._jobs = jobs
        self._emit = emit
        self._engines = engine_pool(kept=engines * jobs)
        self._threads = ThreadPoolExecutor(jobs, thread_name_prefix="game")
        self._ended: queue.SimpleQueue[Future[GameResult]] = queue.SimpleQueue()
        self._expected = 0
        """Games that were queued and whose end has not been fetched."""

    @property
    def jobs(self) -> int:
        return self._jobs

    def submit(self, task: GameTask) -> None:
        self._expected += 1
        playing = self._threads.submit(play_game, task, self._engines, self._forward)
        playing.add_done_callback(self._ended.put)

    def _forward(self, event: Event) -> None:
        """The end of a game is announced by the run, once it is stored."""
        if isinstance(event, GameStarted):
            _spare_what_is_loaded("before the first game")
        if not isinstance(event, GameEnded):
            self._emit(event)

    def next_result(self, timeout: float) -> GameResult | None:
        self._engines.interrupt.check()
        try:
            ended = self._ended.get(timeout=timeout)
        except queue.Empty:
            return None
        _spare_what_is_loaded("after the first game")
        self._expected -= 1
        try:
            return ended.result()
        except CancelledError:
            return None

    def stop(self) -> None:
        """End all games now, without results; may be called from any thread."""
        self._engines.interrupt.set()

    def close(self) -> None:
        if self._expected:
            self._engines.interrupt.set()  # with no game under way, engines may end by themselves
        self._threads.shutdown(wait=True, cancel_futures=True)
        self._engines.end_idle()
        self._engines.close()


@cache
def _spare_what_is_loaded(when: str) -> None:
    """Look for garbage only in what comes later, once at each time that is named.

    Most code is there when a game begins, all of it once one is over.

    A search through everything takes some hundredths of a second, in which no game goes on.
    """
    gc.set_threshold(GARBAGE)
    gc.freeze()


class DaskExecutor(Executor):
    """A dask.distributed cluster; engines are children of its workers.

    A game whose worker dies is played again by another one.
    """

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise UnsupportedError(
                "--executor dask needs the extra `cluster`: pip install 'plyground[cluster]'"
            ) from None
        try:
            self._client: Any = Client(address, timeout="10s", set_as_default=False)
        except (OSError, ValueError) as error:
            raise ExecutorError(f"no dask scheduler answers at {address!r}: {error}") from error
        self._futures: set[Any] = set()
        self._ended: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._threads = 0
        self._counted = -_COUNT_SECONDS
        if self.jobs == 0:
            self._client.close()
            raise ExecutorError(f"the dask scheduler at {address!r} has no workers")

    @property
    def jobs(self) -> int:
        """Threads of all workers now; workers may come and go while a run goes on."""
        if time.monotonic() - self._counted >= _COUNT_SECONDS:
            self._threads = sum(self._client.nthreads().values())
            self._counted = time.monotonic()
        return self._threads

    def submit(self, task: GameTask) -> None:
        future = self._client.submit(cluster.play_task, task, pure=False)
        self._futures.add(future)
        future.add_done_callback(self._ended.put)

    def next_result(self, timeout: float) -> GameResult | None:
        try:
            future = self._ended.get(timeout=timeout)
        except queue.Empty:
            return None
        self._futures.discard(future)
        try:
            result: GameResult = future.result(timeout=30)
        except PlygroundError:
            raise
        except Exception as error:
            raise ExecutorError(f"a game could not be played on the cluster: {error}") from error
        return result

    def close(self) -> None:
        # Workers that do not answer any more end their engines by themselves.
        with contextlib.suppress(Exception):
            self._client.cancel(list(self._futures))
            self._client.run(cluster.release, on_error="ignore")
        self._client.close(timeout=5)


def make_executor(text: str, jobs: int, emit: Listener, engines: int = 8) -> Executor:
    """An executor from its text: `local` or `dask:ADDRESS`."""
    if text == "local":
        return LocalExecutor(jobs, emit, engines)
    kind, _, address = text.partition(":")
    if kind == "dask" and address:
        return DaskExecutor(address)
    raise InputError(f"unknown executor {text!r}: it is `local` or `dask:ADDRESS`")
