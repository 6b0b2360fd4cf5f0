"""Searches on a bounded pool of engine processes. They wait here; the event loop never does."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from plyground.engines.engine import Answer, EngineSettings
from plyground.engines.failure import EngineError, Interrupt, MatchStoppedError
from plyground.engines.nursery import Nursery
from plyground.engines.players import make_engine
from plyground.engines.pool import EngineKey, EnginePool
from plyground.engines.program import ProgramEngine
from plyground.web.engine_client import EngineClient, GoneError, SearchJob
from plyground.web.settings import BusyError, Settings

SHARE_SECONDS = 0.25
"""A second process for the same agent is started when a search would wait longer than this."""

MOMENT_SECONDS = 0.02
"""An answer that comes faster is shown together with the move that it answers."""

Meanwhile = Callable[[], Awaitable[None]]


class SearchDesk:
    """Searches of built-in agents, spread over at most `engine_processes` processes.

    A process holds many games and thinks about one at a time; jobs of the same agent queue up for
    it. One that has nothing to do is idle in the pool.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._loop = asyncio.get_running_loop()
        self._engine_settings = EngineSettings(loading=settings.loading_seconds)
        most = settings.engine_processes
        self._pool = EnginePool(self._make_client, kept=most, most=most)
        self._busy: list[EngineClient] = []
        self._changed = asyncio.Condition()
        self._searches: set[asyncio.Task[Answer]] = set()
        self._growing: set[asyncio.Task[None]] = set()
        self._closed = False

    def _make_client(self, key: EngineKey, interrupt: Interrupt, nursery: Nursery) -> EngineClient:
        engine = make_engine(*key, interrupt, nursery)
        assert isinstance(engine, ProgramEngine)
        return EngineClient(key, engine, self._settings.games_per_engine, self._loop)

    @property
    def processes(self) -> int:
        """How many engine processes run."""
        return self._pool.size

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
        while True:
            client = await self._client_for(self._key_of(job))
            client.pending += 1
            try:
                return await client.search(job)
            except GoneError:
                continue
            finally:
                client.pending -= 1
                await self._release(client)

    def _key_of(self, job: SearchJob) -> EngineKey:
        return EngineKey(job.game, job.agent, self._engine_settings)

    async def make_ready(self, job: SearchJob) -> None:
        """Load an agent that will have to move soon, unless it is there or others search."""
        key = self._key_of(job)
        async with self._changed:
            known = any(one.key == key for one in (*self._busy, *self._pool.idle))
            if known or self._closed or self._searches or not self._pool.has_room:
                return
            self._grow(await self._add(key), job)

    async def _client_for(self, key: EngineKey) -> EngineClient:
        """A process that may take a job next, started or freed if need be."""
        async with self._changed:
            while True:
                if self._closed:
                    raise BusyError("the server is shutting down")
                idle = self._pool.take_idle(key)
                if idle is not None:
                    return self._employ(idle)
                same = [one for one in self._busy if one.key == key and not one.failed]
                ready = [client for client in same if client.ready]
                best = min(ready or same, key=_waiting_seconds, default=None)
                if best is None and self._pool.has_room:
                    return await self._add(key)
                if best is not None:
                    crowded = _waiting_seconds(best) > SHARE_SECONDS
                    if crowded and len(ready) == len(same) and self._pool.has_room:
                        self._grow(await self._add(key))
                    return best
                await self._changed.wait()

    async def _add(self, key: EngineKey) -> EngineClient:
        """A new process; one that has nothing to do is ended if there are too many."""
        return self._employ(await asyncio.to_thread(self._pool.take, key))

    def _employ(self, client: EngineClient) -> EngineClient:
        self._busy.append(client)
        return client

    async def _release(self, client: EngineClient) -> None:
        """Give a process back that failed or has nothing left to do."""
        async with self._changed:
            if client in self._busy and (client.failed or client.pending == 0):
                self._busy.remove(client)
                if client.failed:
                    await asyncio.to_thread(self._pool.discard, client)
                else:
                    self._pool.give_back(client.key, client)
            self._changed.notify_all()

    def _grow(self, client: EngineClient, job: SearchJob | None = None) -> None:
        """Start another process for an agent; jobs get to it once it is up and knows this game."""
        task = asyncio.create_task(self._prepare(client, job))
        self._growing.add(task)
        task.add_done_callback(self._growing.discard)

    async def _prepare(self, client: EngineClient, job: SearchJob | None) -> None:
        client.pending += 1
        try:
            with contextlib.suppress(EngineError, MatchStoppedError):
                await (client.prepare() if job is None else client.make_ready(job))
        finally:
            client.pending -= 1
            await self._release(client)

    def forget(self, key: str) -> None:
        """No process need remember this game any longer."""
        for client in (*self._busy, *self._pool.idle):
            client.forget(key)

    async def end_idle(self) -> None:
        """End processes that had nothing to do for a while."""
        await asyncio.to_thread(self._pool.end_idle, self._settings.engine_idle)

    async def close(self) -> None:
        """Stop all searches and end all processes."""
        self._closed = True
        self._pool.interrupt.set()
        tasks = [*self._searches, *self._growing]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.to_thread(self._pool.close)


def _waiting_seconds(client: EngineClient) -> float:
    """About how long a new job would wait for this process."""
    return client.pending * client.usual_seconds
