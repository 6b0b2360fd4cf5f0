"""A bounded pool of engine processes. Searches wait here; the event loop never does."""

from __future__ import annotations

import asyncio
import contextlib
import time

from plyground.engines.failure import EngineError, MatchStoppedError
from plyground.engines.messages import BestMove
from plyground.web.engine_host import EngineHost, SearchJob
from plyground.web.settings import BusyError, Settings

SHARE_SECONDS = 0.25
"""A second process for the same agent is started when a search would wait longer than this."""


class EnginePool:
    """Searches of built-in agents, spread over at most `engine_processes` processes."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._hosts: list[EngineHost] = []
        self._changed = asyncio.Condition()
        self._searches: set[asyncio.Task[BestMove]] = set()
        self._speed: dict[tuple[str, str], float] = {}
        self._closed = False

    @property
    def processes(self) -> int:
        """How many engine processes run."""
        return len(self._hosts)

    @property
    def searches(self) -> int:
        """How many searches run or wait."""
        return len(self._searches)

    async def search(self, job: SearchJob) -> BestMove:
        """Run a search; a cancelled caller stops it. BusyError when too many wait."""
        if self._closed or len(self._searches) >= self._settings.pending_searches:
            raise BusyError("too many searches are waiting; try again in a moment")
        task = asyncio.create_task(self._run(job))
        self._searches.add(task)
        task.add_done_callback(self._searches.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            job.stop()
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
            raise

    async def _run(self, job: SearchJob) -> BestMove:
        host = await self._host_for(job)
        started = time.monotonic()
        try:
            answer = await host.search(job)
        except EngineError:
            await self._remove(host)
            raise
        used = time.monotonic() - started
        self._speed[job.kind] = 0.8 * self._speed.get(job.kind, used) + 0.2 * used
        async with self._changed:
            self._changed.notify_all()
        return answer

    async def _host_for(self, job: SearchJob) -> EngineHost:
        """A process that may take the job next, started or freed if need be."""
        async with self._changed:
            while True:
                if self._closed:
                    raise BusyError("the server is shutting down")
                same = [host for host in self._hosts if host.kind == job.kind and not host.failed]
                best = min(same, key=lambda host: host.pending, default=None)
                if best is not None and self._waiting(best, job) <= SHARE_SECONDS:
                    return self._take(best)
                if len(self._hosts) < self._settings.engine_processes:
                    return self._take(self._add(job))
                idle = [host for host in self._hosts if host.pending == 0]
                if idle:
                    await self._drop(min(idle, key=lambda host: host.last_used))
                    return self._take(self._add(job))
                if best is not None:
                    return self._take(best)
                await self._changed.wait()

    def _waiting(self, host: EngineHost, job: SearchJob) -> float:
        """About how long a new job would wait for this process."""
        return host.pending * self._speed.get(job.kind, job.limit.time or 1.0)

    @staticmethod
    def _take(host: EngineHost) -> EngineHost:
        host.pending += 1
        return host

    def _add(self, job: SearchJob) -> EngineHost:
        settings = self._settings
        host = EngineHost(job.kind, settings.games_per_engine, settings.loading_seconds)
        self._hosts.append(host)
        return host

    async def _drop(self, host: EngineHost) -> None:
        self._hosts.remove(host)
        await host.close()

    async def _remove(self, host: EngineHost) -> None:
        async with self._changed:
            if host in self._hosts:
                await self._drop(host)
            self._changed.notify_all()

    def forget(self, key: str) -> None:
        """No process need remember this game any longer."""
        for host in self._hosts:
            host.forget(key)

    async def end_idle(self) -> None:
        """End processes that had nothing to do for a while."""
        now = time.monotonic()
        async with self._changed:
            for host in list(self._hosts):
                if host.pending == 0 and now - host.last_used > self._settings.engine_idle:
                    await self._drop(host)

    async def close(self) -> None:
        """Stop all searches and end all processes."""
        self._closed = True
        for task in list(self._searches):
            task.cancel()
        for task in list(self._searches):
            with contextlib.suppress(asyncio.CancelledError, EngineError, MatchStoppedError):
                await task
        await asyncio.gather(*(host.close() for host in self._hosts))
        self._hosts.clear()
