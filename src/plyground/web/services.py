"""What the parts of the server share, with its beginning and its end."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from typing import Protocol

from plyground.web.catalog import describe_games
from plyground.web.crash import describe
from plyground.web.lobby import Lobby
from plyground.web.searches import SearchDesk
from plyground.web.session_store import SESSIONS, SessionStore
from plyground.web.settings import BusyError, Settings
from plyground.web.tournaments import Runs

CLEANING_SECONDS = 5.0


class Visit(Protocol):
    """A page that is connected; `heard` is when it said something last, by the monotonic clock."""

    heard: float

    def dismiss(self) -> None:
        """Show it out; a page that is still there connects again when it has something to say."""


class Services:
    """Engine processes, games and runs. Made inside the event loop; `close` ends everything."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.pool = SearchDesk(settings)
        self.store = SessionStore(settings.folder / SESSIONS)
        self.lobby = Lobby(self.pool, self.store, settings)
        self.runs = Runs(settings)
        self.connections: set[Visit] = set()
        self._analyses = 0
        self._janitor = asyncio.create_task(self._clean())
        self._opening = asyncio.create_task(asyncio.to_thread(describe_games))
        """What the first page will ask for, made before it asks."""

    def admit(self, visit: Visit) -> bool:
        """Take somebody in if there is a place; who has been silent for longest may have to go."""
        if len(self.connections) >= self.settings.connections:
            longest = min(self.connections, key=lambda one: one.heard)
            if visit.heard - longest.heard < self.settings.request_seconds:
                return False
            longest.dismiss()
            self.connections.discard(longest)
        self.connections.add(visit)
        return True

    @contextlib.contextmanager
    def analysis_slot(self) -> Iterator[None]:
        """Take part in the analyses that may run at a time; BusyError if there are too many."""
        if self._analyses >= self.settings.analyses:
            raise BusyError("too many analyses are running; try again in a moment")
        self._analyses += 1
        try:
            yield
        finally:
            self._analyses -= 1

    async def _clean(self) -> None:
        while True:
            await asyncio.sleep(CLEANING_SECONDS)
            try:
                self.lobby.put_away()
                await self.store.tidy()
                await self.pool.end_idle()
            except Exception as error:
                describe(error)

    async def close(self) -> None:
        """End searches, engines, tournaments; close the database last."""
        self._janitor.cancel()
        await self.lobby.close()
        await self.runs.close()
        await self.pool.close()
        self.store.close()
