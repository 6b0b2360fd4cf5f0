"""All games of the page: made, found again after a restart, put away when nobody looks on."""

from __future__ import annotations

import asyncio
import gc
import secrets
import time
from collections.abc import Mapping
from typing import NamedTuple

from plyground.arena.history import History
from plyground.core.errors import RecordError
from plyground.core.game import Game, OptionValue
from plyground.core.record import GameRecord, MoveRecord
from plyground.core.record_check import check_record
from plyground.core.registry import games
from plyground.web.live_game import LiveGame
from plyground.web.pace import Pace
from plyground.web.requests import (
    Fork,
    NewGame,
    check_seats,
    check_seconds,
    open_game,
)
from plyground.web.searches import SearchDesk
from plyground.web.session_store import SessionSetup, SessionStore, StoredSession
from plyground.web.settings import BusyError, NotFoundError, Settings

KEPT_RULES = 64
"""Games with their options that are kept ready."""


class Rules(NamedTuple):
    """A game with its options, and how long its computations take."""

    game: Game
    pace: Pace


class Lobby:
    """Finds games by their name; opens those that are only on disk."""

    def __init__(self, pool: SearchDesk, store: SessionStore, settings: Settings) -> None:
        self._pool, self.store, self._settings = pool, store, settings
        self._games: dict[str, LiveGame] = {}
        self._opening: dict[str, asyncio.Task[LiveGame]] = {}
        self._rules: dict[tuple[object, ...], Rules] = {}
        self._settled: set[str] = set()
        self._adding = 0

    def __len__(self) -> int:
        return len(self._games)

    async def create(self, request: NewGame) -> LiveGame:
        """A new game as asked for."""
        check_seconds(request.seconds, self._settings.move_seconds)
        rules = await self._find_rules(request.game, _with_seed(request.game, request.options))
        game = rules.game
        seats = check_seats(game, request.seats)
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
        return await self._add(setup, [], rules)

    async def fork(self, identity: str, request: Fork) -> LiveGame:
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

    async def add_record(self, data: bytes, title: str = "") -> LiveGame:
        """A finished game from a file; RecordError says what is wrong with it."""
        record = GameRecord.from_json(data)
        if len(record.moves) > self._settings.record_moves:
            raise RecordError(f"the record has more than {self._settings.record_moves} moves")

        def check() -> SessionSetup:
            game = open_game(record.game, record.options)
            check_record(record, game)
            return SessionSetup(
                game=record.game,
                options=dict(game.options),
                start=record.start,
                seats=tuple(name[:100] for name in record.players[: game.info.players]),
                kind="record",
                title=title[:100],
            )

        setup = await asyncio.to_thread(check)
        game = await self._add(setup, list(record.moves))
        if game.outcome is None and record.outcome is not None:
            game.close_record(record.outcome)
        return game

    async def _add(
        self, setup: SessionSetup, moves: list[MoveRecord], rules: Rules | None = None
    ) -> LiveGame:
        if self._full:
            self.put_away(0.0)
        if self._full:
            raise BusyError("too many games are being played; try again later")
        self._adding += 1
        try:
            if rules is None:
                rules = await self._find_rules(setup.game, setup.options)
            identity = secrets.token_urlsafe(9)
            # Kept once it is known to open: what fails leaves nothing behind.
            game = await self._open(StoredSession(identity, setup, moves, None, b""), rules)
            self.store.create(identity, setup, moves)
            return game
        finally:
            self._adding -= 1

    @property
    def _full(self) -> bool:
        """Whether there is no place for another game; those being added have theirs."""
        return len(self._games) + self._adding >= self._settings.live_games

    async def find(self, identity: str) -> LiveGame:
        """A game by its name; NotFoundError if there is none."""
        game = self._games.get(identity)
        if game is not None:
            game.last_used = time.monotonic()
            return game
        if identity not in self._opening:
            task = asyncio.create_task(self._load(identity))
            self._opening[identity] = task
            task.add_done_callback(lambda _: self._opening.pop(identity, None))
        return await asyncio.shield(self._opening[identity])

    async def _load(self, identity: str) -> LiveGame:
        stored = await self.store.load(identity)
        rules = await self._find_rules(stored.setup.game, stored.setup.options)
        return await self._open(stored, rules)

    async def _open(self, stored: StoredSession, rules: Rules) -> LiveGame:
        replay = rules.pace.run if not stored.moves else asyncio.to_thread
        history = await replay(_replay, rules.game, stored)
        if stored.setup.game not in self._settled:
            self._settled.add(stored.setup.game)
            _settle()
        game = LiveGame(stored, history, rules.pace, self._pool, self.store, self._settings)
        if game.info.players == 1:
            game.best = await self.store.best_score(game.info.name)
        self._games[stored.id] = game
        return game

    async def _find_rules(self, name: str, options: Mapping[str, OptionValue]) -> Rules:
        """The game with these options, made in a thread if it is not at hand."""
        described = [(key, type(value).__name__, value) for key, value in options.items()]
        key = (name, *sorted(described))
        if key not in self._rules:
            rules = Rules(await asyncio.to_thread(open_game, name, options), Pace())
            while len(self._rules) >= KEPT_RULES:
                self._rules.pop(next(iter(self._rules)))
            self._rules[key] = rules
        return self._rules[key]

    def put_away(self, idle: float | None = None) -> None:
        """Forget games that nobody looked at for a while, or too many of them; they stay on disk.

        With `idle`, forget those that nobody looked at for so many seconds.
        """
        now = time.monotonic()
        quiet = [game for game in self._games.values() if not game.busy and not game.lock.locked()]
        quiet.sort(key=lambda game: game.last_used, reverse=True)
        limit = self._settings.game_idle if idle is None else idle
        for rank, game in enumerate(quiet):
            if rank >= self._settings.quiet_games or now - game.last_used >= limit:
                del self._games[game.id]
                self._pool.forget(game.id)

    async def close(self) -> None:
        """Let all agents stop."""
        for game in self._games.values():
            game.rest()


def _with_seed(name: str, options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """The options, with a seed of its own for a new game whose board is drawn from one."""
    game = games().get(name)
    key = game.page.seed_option if game else ""
    drawn = {key: secrets.randbelow(1_000_000)} if key and key not in options else {}
    return {**options, **drawn}


def _replay(game: Game, stored: StoredSession) -> History:
    """The history of a stored game, with the outcome of its last position worked out."""
    history = History(game, stored.setup.start)
    history.extend(stored.moves)
    _ = history.current.outcome
    return history


def _settle() -> None:
    """Spare the collector of garbage what the first game of a kind has loaded.

    It would go through all compiled code again and again, and moves would wait for it.
    """
    gc.collect()
    gc.freeze()
