"""A bounded pool of engine processes. Searches wait here; the event loop never does."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable

from plyground.engines.engine import Answer
from plyground.engines.failure import EngineError, MatchStoppedError
from plyground.engines.nursery import Nursery
from plyground.web.engine_client import EngineClient, SearchJob
from plyground.web.settings import BusyError, Settings

SHARE_SECONDS = 0.25
"""A second process for the same agent is started when a search would wait longer than this."""

MOMENT_SECONDS = 0.02
"""An answer that comes faster is shown together with the move that it answers."""

Meanwhile = Callable[[], Awaitable[None]]


class EnginePool:
    """Searches of built-in agents, spread over at most `engine_processes` processes."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._clients: list[EngineClient] = []
        self._nursery = Nursery()
        self._changed = asyncio.Condition()
        self._searches: set[asyncio.Task[Answer]] = set()
        self._growing: set[asyncio.Task[None]] = set()
        self._closed = False

    @property
    def processes(self) -> int:
        """How many engine processes run."""
        return len(self._clients)

    @property
    def searches(self) -> int:
        """How many searches run or wait."""
        return len(self._searches)

    async def search(self, job: SearchJob, meanwhile: Meanwhile | None = None) -> Answer:
        """Run a search; a cancelled caller stops it. BusyError when too many wait.

        `meanwhile` is called once if the answer is not there after a moment.
        """
        if self._closed or len(self._searches) >= self._settings.pending_searches:
            raise BusyError("too many searches are waiting; try again in a moment")
        task = asyncio.create_task(self._run(job))
        self._searches.add(task)
        task.add_done_callback(self._searches.discard)
        try:
            if meanwhile is not None:
                await asyncio.wait([task], timeout=MOMENT_SECONDS)
                if not task.done():
                    await meanwhile()
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            job.stop()
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
            raise

    async def _run(self, job: SearchJob) -> Answer:
        client = await self._client_for(job)
        try:
            answer = await client.search(job)
        except EngineError:
            await self._remove(client)
            raise
        async with self._changed:
            self._changed.notify_all()
        return answer

    async def _client_for(self, job: SearchJob) -> EngineClient:
        """A process that may take the job next, started or freed if need be."""
        async with self._changed:
            while True:
                if self._closed:
                    raise BusyError("the server is shutting down")
                same = [one for one in self._clients if one.kind == job.kind and not one.failed]
                ready = [client for client in same if client.ready]
                best = min(ready or same, key=_waiting_seconds, default=None)
                if best is None and await self._make_room():
                    return self._take(self._add(job))
                if best is not None:
                    crowded = _waiting_seconds(best) > SHARE_SECONDS
                    if crowded and len(ready) == len(same) and await self._make_room():
                        self._grow(job)
                    return self._take(best)
                await self._changed.wait()

    async def _make_room(self) -> bool:
        """Whether another process may be started; one that has nothing to do is ended for it."""
        if len(self._clients) < self._settings.engine_processes:
            return True
        idle = [client for client in self._clients if client.pending == 0]
        if idle:
            await self._drop(min(idle, key=lambda client: client.last_used))
        return bool(idle)

    def _grow(self, job: SearchJob) -> None:
        """Start another process for the same agent; jobs get to it once it is up."""
        task = asyncio.create_task(self._prepare(self._add(job)))
        self._growing.add(task)
        task.add_done_callback(self._growing.discard)

    async def _prepare(self, client: EngineClient) -> None:
        try:
            await client.prepare()
        except EngineError:
            await self._remove(client)

    @staticmethod
    def _take(client: EngineClient) -> EngineClient:
        client.pending += 1
        return client

    def _add(self, job: SearchJob) -> EngineClient:
        settings = self._settings
        client = EngineClient(
            job.kind, settings.games_per_engine, settings.loading_seconds, self._nursery
        )
        self._clients.append(client)
        return client

    async def _drop(self, client: EngineClient) -> None:
        self._clients.remove(client)
        await client.close()

    async def _remove(self, client: EngineClient) -> None:
        async with self._changed:
            if client in self._clients:
                await self._drop(client)
            self._changed.notify_all()

    def forget(self, key: str) -> None:
        """No process need remember this game any longer."""
        for client in self._clients:
            client.forget(key)

    async def end_idle(self) -> None:
        """End processes that had nothing to do for a while."""
        now = time.monotonic()
        async with self._changed:
            for client in list(self._clients):
                if client.pending == 0 and now - client.last_used > self._settings.engine_idle:
                    await self._drop(client)

    async def close(self) -> None:
        """Stop all searches and end all processes."""
        self._closed = True
        for task in list(self._searches):
            task.cancel()
        for task in list(self._searches):
            with contextlib.suppress(asyncio.CancelledError, EngineError, MatchStoppedError):
                await task
        for growing in list(self._growing):
            growing.cancel()
        await asyncio.gather(*(client.close() for client in self._clients))
        self._clients.clear()
        await asyncio.to_thread(self._nursery.close)


def _waiting_seconds(client: EngineClient) -> float:
    """About how long a new job would wait for this process."""
    return client.pending * client.usual_seconds
