"""All games of the page: made, found again after a restart, put away when nobody looks on."""

from __future__ import annotations

import asyncio
import secrets
import time

from plyground.core.errors import RecordError
from plyground.core.game import Game
from plyground.core.record import GameRecord, MoveRecord
from plyground.web.engine_pool import EnginePool
from plyground.web.history import History
from plyground.web.requests import (
    Fork,
    NewGame,
    check_new_game,
    check_seats,
    check_seconds,
    open_game,
)
from plyground.web.session_store import SessionSetup, SessionStore
from plyground.web.settings import BusyError, NotFoundError, Settings
from plyground.web.table import Table

KEPT_RULES = 64
"""Games with their options that are kept ready."""


class Lobby:
    """Finds tables by their name; opens those that are only on disk."""

    def __init__(self, pool: EnginePool, store: SessionStore, settings: Settings) -> None:
        self._pool, self.store, self._settings = pool, store, settings
        self._tables: dict[str, Table] = {}
        self._opening: dict[str, asyncio.Task[Table]] = {}
        self._rules: dict[tuple[object, ...], Game] = {}

    def __len__(self) -> int:
        return len(self._tables)

    async def create(self, request: NewGame) -> Table:
        """A new game as asked for."""
        game, seats = await asyncio.to_thread(check_new_game, request, self._settings)
        if request.position:
            await asyncio.to_thread(game.parse_position, request.position)
        setup = SessionSetup(
            game=game.info.name,
            options=dict(game.options),
            start=request.position,
            seats=seats,
            seconds=request.seconds,
            seed=secrets.randbelow(2**32) if request.seed is None else request.seed,
        )
        return await self._add(setup, [])

    async def fork(self, identity: str, request: Fork) -> Table:
        """A new game that goes on from a position of another."""
        parent = await self.find(identity)
        if request.ply > len(parent.history):
            raise NotFoundError(f"the game has only {len(parent.history)} moves")
        check_seconds(request.seconds, self._settings.move_seconds)
        setup = SessionSetup(
            game=parent.setup.game,
            options=parent.setup.options,
            start=parent.setup.start,
            seats=check_seats(parent.history.game, request.seats),
            seconds=request.seconds,
            seed=parent.setup.seed,
            title=f"from move {request.ply} of {parent.id}",
        )
        return await self._add(setup, parent.history.entries[: request.ply])

    async def add_record(self, data: bytes, title: str = "") -> Table:
        """A finished game from a file; RecordError says what is wrong with it."""
        record = GameRecord.from_json(data)
        if len(record.moves) > self._settings.record_moves:
            raise RecordError(f"the record has more than {self._settings.record_moves} moves")

        def check() -> SessionSetup:
            game = open_game(record.game, record.options)
            for _ in record.positions(game):
                pass
            return SessionSetup(
                game=record.game,
                options=dict(game.options),
                start=record.start,
                seats=tuple(name[:100] for name in record.players[: game.info.players]),
                kind="record",
                title=title[:100],
            )

        setup = await asyncio.to_thread(check)
        table = await self._add(setup, list(record.moves))
        if table.outcome is None and record.outcome is not None:
            await table.close_record(record.outcome)
        return table

    async def _add(self, setup: SessionSetup, moves: list[MoveRecord]) -> Table:
        if len(self._tables) >= self._settings.live_games:
            await self.put_away(0.0)
        if len(self._tables) >= self._settings.live_games:
            raise BusyError("too many games are being played; try again later")
        identity = secrets.token_urlsafe(9)
        await self.store.create(identity, setup, moves)
        return await self.find(identity)

    async def find(self, identity: str) -> Table:
        """A game by its name; NotFoundError if there is none."""
        table = self._tables.get(identity)
        if table is not None:
            table.last_used = time.monotonic()
            return table
        if identity not in self._opening:
            task = asyncio.create_task(self._open(identity))
            self._opening[identity] = task
            task.add_done_callback(lambda _: self._opening.pop(identity, None))
        return await asyncio.shield(self._opening[identity])

    async def _open(self, identity: str) -> Table:
        stored = await self.store.load(identity)
        table = Table(stored, self._pool, self.store, self._settings)
        await table.open(self._history)
        self._tables[identity] = table
        return table

    def _history(self, setup: SessionSetup) -> History:
        key = (setup.game, *sorted(setup.options.items()))
        game = self._rules.get(key)
        if game is None:
            game = open_game(setup.game, setup.options)
            while len(self._rules) >= KEPT_RULES:
                self._rules.pop(next(iter(self._rules)))
            self._rules[key] = game
        return History(game, setup.start)

    async def put_away(self, idle: float | None = None) -> None:
        """Forget games that nobody looked at for a while; they stay on disk."""
        limit = self._settings.game_idle if idle is None else idle
        now = time.monotonic()
        for identity, table in list(self._tables.items()):
            if not table.busy and not table.lock.locked() and now - table.last_used >= limit:
                del self._tables[identity]
                self._pool.forget(identity)

    async def close(self) -> None:
        """Let all agents stop."""
        for table in self._tables.values():
            table.rest()
