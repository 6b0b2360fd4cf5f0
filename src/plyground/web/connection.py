"""One WebSocket: reads a page's messages, serves them, sends what the page follows."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from plyground.core.errors import PlygroundError
from plyground.engines.failure import EngineError
from plyground.web import analysis, messages
from plyground.web.crash import describe
from plyground.web.live_game import LiveGame
from plyground.web.messages import (
    AnalysisUpdate,
    ErrorMessage,
    FromPage,
    GameUpdate,
    ReviewUpdate,
    Told,
)
from plyground.web.requests import check_agent, check_seconds, open_game
from plyground.web.services import Services
from plyground.web.settings import BusyError

OUTBOX = 512
"""Messages that may wait for a slow page before it is cut off."""

OUTBOX_MOVES = 50_000
"""Moves in those messages; a single longer game may wait alone."""

SEARCH_TASKS = 3
"""Hints and reviews that one page may have under way."""

Work = Callable[[], Coroutine[Any, Any, None]]
"""Not begun yet: a task that is cancelled at once never asks for it."""

_encoder = msgspec.json.Encoder()


class Connection:
    """A page that is connected. It follows games, runs searches, and hears of runs."""

    def __init__(self, socket: WebSocket, services: Services) -> None:
        self._socket = socket
        self._services = services
        self._outbox: asyncio.Queue[Told] = asyncio.Queue(OUTBOX)
        self._games: dict[str, LiveGame] = {}
        self._analyses: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._waiting_moves = 0
        self._overflow = False
        self._dismissed = False
        self._task: asyncio.Task[Any] | None = None
        self.heard = time.monotonic()

    def tell(self, message: Told) -> None:
        """Send a message soon; a page that does not read is cut off."""
        moves = _moves_in(message)
        crowded = self._waiting_moves and self._waiting_moves + moves > OUTBOX_MOVES
        if crowded or self._outbox.full():
            self._overflow = True
            return
        self._waiting_moves += moves
        self._outbox.put_nowait(message)

    def dismiss(self) -> None:
        """Show the page out: others need the place."""
        self._overflow = self._dismissed = True
        if self._task is not None:
            self._task.cancel()

    async def run(self) -> None:
        """Serve until the page leaves, or is shown out."""
        self._task = asyncio.current_task()
        sender = asyncio.create_task(self._send())
        try:
            while not self._overflow:
                data = await self._socket.receive()
                if data["type"] == "websocket.disconnect":
                    break
                self.heard = time.monotonic()
                await self._receive(data.get("text") or data.get("bytes") or "")
        except WebSocketDisconnect:
            pass
        except asyncio.CancelledError:
            if not self._dismissed:
                raise
        finally:
            await self._clean_up(sender)

    async def _clean_up(self, sender: asyncio.Task[None]) -> None:
        for task in (*self._tasks, *self._analyses.values(), sender):
            task.cancel()
        for game in self._games.values():
            game.leave(self)
        self._services.runs.unfollow(self.tell)
        with contextlib.suppress(asyncio.CancelledError):
            await sender
        if self._socket.client_state is WebSocketState.CONNECTED:
            with contextlib.suppress(RuntimeError):
                await self._socket.close(1013 if self._overflow else 1000)

    async def _send(self) -> None:
        while True:
            message = await self._outbox.get()
            self._waiting_moves -= _moves_in(message)
            try:
                await self._socket.send_text(_encoder.encode(message).decode())
            except (RuntimeError, WebSocketDisconnect):
                return

    async def _receive(self, data: str | bytes) -> None:
        try:
            message = messages.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            self.tell(ErrorMessage("bad-message", f"not understood: {error}"))
            return
        await self._guarded(message, partial(self._serve, message))

    async def _guarded(self, message: FromPage, work: Work) -> None:
        """Do the work; whatever goes wrong becomes an error message."""
        kind = str(message.__struct_config__.tag)
        identity = getattr(message, "id", "") or getattr(message, "key", "")
        try:
            await work()
        except PlygroundError as error:
            self.tell(ErrorMessage(error.kind, str(error)[:1000], identity, kind))
        except EngineError as error:
            self.tell(
                ErrorMessage("engine", f"the agent failed: {error.detail[:300]}", identity, kind)
            )
        except Exception as error:
            self.tell(ErrorMessage("internal", describe(error), identity, kind))

    async def _serve(self, message: FromPage) -> None:
        match message:
            case messages.Join(id=identity):
                await self._join(identity)
            case messages.Leave(id=identity):
                game = self._games.pop(identity, None)
                if game is not None:
                    game.leave(self)
            case messages.Move():
                game = await self._joined(message.id)
                await game.move(message.move, message.ply, message.judged)
            case messages.Undo(id=identity):
                await (await self._joined(identity)).undo()
            case messages.Resign(id=identity):
                await (await self._joined(identity)).resign()
            case messages.Autoplay():
                game = await self._joined(message.id)
                agent = message.agent and check_agent(game.setup.game, message.agent)
                await game.autoplay(message.speed, agent)
            case messages.Step(id=identity):
                await (await self._joined(identity)).step()
            case messages.Hint(id=identity):
                game = await self._joined(identity)
                self._begin(message, partial(self._hint, game))
            case messages.Review():
                game = await self._joined(message.id)
                self._begin(message, partial(self._review, game, message))
            case messages.Analyse():
                self._begin_analysis(message)
            case messages.StopAnalysis(key=key):
                task = self._analyses.get(key)
                if task is not None:
                    task.cancel()
            case messages.FollowRun(id=identity):
                self._services.runs.unfollow(self.tell)
                self._services.runs.follow(identity, self.tell)

    async def _join(self, identity: str) -> None:
        if identity not in self._games:
            if len(self._games) >= 16:
                raise BusyError("a page can follow at most 16 games")
            self._games[identity] = await self._services.lobby.find(identity)
        await self._games[identity].join(self)

    async def _joined(self, identity: str) -> LiveGame:
        if identity not in self._games:
            await self._join(identity)
        return self._games[identity]

    # Searches -------------------------------------------------------------------------------

    def _begin(self, message: FromPage, work: Work) -> None:
        """Do longer work beside the messages that follow."""
        if len(self._tasks) >= SEARCH_TASKS:
            raise BusyError("wait for the searches that are under way")
        task = asyncio.create_task(self._guarded(message, work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _hint(self, game: LiveGame) -> None:
        self.tell(await analysis.hint(self._services.pool, game))

    async def _review(self, game: LiveGame, message: messages.Review) -> None:
        seconds = check_seconds(message.seconds, 2.0)
        agent = self._analyst(game.setup.game, message.agent)

        def tell(update: ReviewUpdate) -> None:
            self.tell(update)

        with self._services.analysis_slot():
            await analysis.review(self._services.pool, game, agent, seconds, tell)

    def _begin_analysis(self, message: messages.Analyse) -> None:
        old = self._analyses.pop(message.key, None)
        if old is not None:
            old.cancel()
        if len(self._analyses) >= self._services.settings.analyses_per_connection:
            raise BusyError("a page can run at most two analyses")
        task = asyncio.create_task(self._guarded(message, partial(self._analyse, message)))
        self._analyses[message.key] = task

        def forget(done: asyncio.Task[None]) -> None:
            if self._analyses.get(message.key) is done:
                del self._analyses[message.key]

        task.add_done_callback(forget)

    async def _analyse(self, message: messages.Analyse) -> None:
        seconds = check_seconds(message.seconds, self._services.settings.analysis_seconds)
        agent = self._analyst(message.game, message.agent)

        def open_position() -> Any:
            return open_game(message.game, message.options).parse_position(message.position)

        position = await asyncio.to_thread(open_position)

        def tell(update: AnalysisUpdate) -> None:
            self.tell(update)

        with self._services.analysis_slot():
            await analysis.analyse(self._services.pool, position, message.key, agent, seconds, tell)

    @staticmethod
    def _analyst(game: str, wanted: str) -> str:
        return analysis.analyst(game, wanted and check_agent(game, wanted))


def _moves_in(message: Told) -> int:
    return len(message.moves) if isinstance(message, GameUpdate) else 0
