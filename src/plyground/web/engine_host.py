"""One engine process of the pool, which holds many games and thinks about one at a time."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import msgspec

from plyground.core.game import CHANCE, Game
from plyground.core.limits import Limit
from plyground.core.outcome import Outcome, Termination
from plyground.core.record import MoveRecord
from plyground.engines.engine import EngineSettings
from plyground.engines.failure import EngineError, Interrupt
from plyground.engines.jsonl import JsonEngine
from plyground.engines.messages import (
    BestMove,
    Deal,
    EngineComplaint,
    FromEngine,
    GameOver,
    Go,
    Info,
    Message,
    NewGame,
    PlayedMove,
    Ready,
    Stop,
    decode_from_engine,
    encode,
)
from plyground.engines.players import make_engine
from plyground.engines.process import EngineProcess

OVERRUN_SECONDS = 10.0
"""An agent that does not answer this long after its limit has failed."""

InfoListener = Callable[[Info], None]


@dataclass
class SearchJob:
    """A search for the pool: where the game `key` stands and how long to think.

    `epoch` changes when moves were taken back: what a process knows of the game is then void.
    `moves` are all moves so far, `text` the position after them.
    """

    key: str
    epoch: int
    game: Game
    agent: str
    moves: Sequence[MoveRecord]
    text: str
    side: int
    seed: int
    limit: Limit
    listener: InfoListener | None = None
    analyse: bool = False
    stopped: bool = field(default=False, init=False)
    host: EngineHost | None = field(default=None, init=False)

    @property
    def kind(self) -> tuple[str, str]:
        """Jobs of one kind can share a process."""
        return self.game.info.name, self.agent

    def stop(self) -> None:
        """Have the search end with what it has."""
        self.stopped = True
        if self.host is not None:
            self.host.stop(self)


@dataclass
class HostedGame:
    """What a process knows of a game."""

    epoch: int
    known: int


class EngineHost:
    """A process for one agent of one game. Methods belong to the event loop's thread."""

    def __init__(self, kind: tuple[str, str], room: int, loading: float) -> None:
        self.kind = kind
        self.pending = 0
        self.last_used = time.monotonic()
        self.failed = False
        self.usual_seconds = 0.0
        """How long a search takes, lately."""
        self._room = room
        self._loading = loading
        self._games: OrderedDict[str, HostedGame] = OrderedDict()
        self._lock = asyncio.Lock()
        self._loop = asyncio.get_running_loop()
        self._interrupt = Interrupt()
        self._incoming: asyncio.Queue[FromEngine | EngineError] = asyncio.Queue()
        self._process: EngineProcess | None = None
        self._unsent = b""
        self._current: SearchJob | None = None

    @property
    def ready(self) -> bool:
        """Whether its process is up."""
        return self._process is not None and not self.failed

    async def prepare(self) -> None:
        """Start the process before there is something to search."""
        self.pending += 1
        try:
            async with self._lock:
                if self._process is None:
                    await self._start()
        except EngineError:
            self.failed = True
            raise
        finally:
            self.pending -= 1

    async def _start(self) -> None:
        engine = make_engine(*self.kind, EngineSettings(loading=self._loading), self._interrupt)
        assert isinstance(engine, JsonEngine)
        await asyncio.to_thread(engine.start)
        process = self._process = engine.process
        assert process is not None
        if self.failed:  # closed while it was starting
            await self.close()
            raise EngineError(Termination.INTERRUPTED, "the engine was closed")
        self._loop.add_reader(process.output, self._read)

    def _read(self) -> None:
        """Lines of the process become messages."""
        assert self._process is not None
        try:
            for line in self._process.read_arrived():
                if line:
                    self._incoming.put_nowait(decode_from_engine(line))
        except EOFError:
            self._stop_reading()
            self._loop.run_in_executor(None, self._diagnose, self._process)
        except EngineError as error:
            self._stop_reading()
            self._incoming.put_nowait(error)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            self._stop_reading()
            failure = EngineError(Termination.NO_MOVE, f"sent no message: {error}")
            self._incoming.put_nowait(failure)

    def _diagnose(self, process: EngineProcess) -> None:
        """In a thread: find out why a process has closed its output."""
        failure = process.diagnose()
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._incoming.put_nowait, failure)

    def _stop_reading(self) -> None:
        if self._process is not None:
            self._loop.remove_reader(self._process.output)

    async def search(self, job: SearchJob) -> BestMove:
        """Think about a job, after the jobs that came before it."""
        try:
            async with self._lock:
                if self.failed:
                    raise EngineError(Termination.CRASH, "the engine process has failed")
                self._current = job
                try:
                    if self._process is None:
                        await self._start()
                    return await self._search(job)
                except BaseException:
                    self.failed = True
                    raise
                finally:
                    self._current = None
                    self.last_used = time.monotonic()
        finally:
            self.pending -= 1

    async def _search(self, job: SearchJob) -> BestMove:
        hosted = self._games.get(job.key)
        known = hosted is not None and hosted.epoch == job.epoch and hosted.known <= len(job.moves)
        if hosted is None or not known:
            hosted = self._set_up(job)
        for entry in job.moves[hosted.known :]:
            if entry.player == CHANCE:
                self._unsent += encode(Deal(id=job.key, deal=entry.move))
            else:
                self._unsent += encode(PlayedMove(id=job.key, move=entry.move, player=entry.player))
        hosted.known = len(job.moves)
        self._games.move_to_end(job.key)
        self._send(Go(id=job.key, limit=job.limit, analyse=job.analyse))
        job.host = self
        if job.stopped:
            self.stop(job)
        return await self._await_answer(job, 0.0 if known else self._loading)

    def _set_up(self, job: SearchJob) -> HostedGame:
        """Tell the process of a game, in place of another if it has no room."""
        self.forget(job.key)
        if len(self._games) >= self._room:
            self.forget(next(iter(self._games)))
        self._unsent += encode(
            NewGame(
                id=job.key,
                game=job.game.info.name,
                options=job.game.options,
                position=job.text,
                side=job.side,
                seed=job.seed,
                limit=job.limit,
            )
        )
        self._games[job.key] = HostedGame(job.epoch, len(job.moves))
        return self._games[job.key]

    async def _await_answer(self, job: SearchJob, loading: float) -> BestMove:
        """The answer; a process that has to learn of the game first may take `loading` for that."""
        patience = (job.limit.time or self._loading) + OVERRUN_SECONDS
        began = self._loop.time()
        while True:
            message = await self._receive(began + loading + patience)
            if isinstance(message, BestMove) and message.id == job.key:
                self.usual_seconds += 0.2 * (self._loop.time() - began - self.usual_seconds)
                return message
            if isinstance(message, Ready):
                began, loading = self._loop.time(), 0.0
            elif isinstance(message, Info) and job.listener is not None:
                job.listener(message)
            elif isinstance(message, EngineComplaint):
                raise EngineError(Termination.CRASH, message.message)

    async def _receive(self, deadline: float) -> FromEngine:
        try:
            async with asyncio.timeout_at(deadline):
                message = await self._incoming.get()
        except TimeoutError:
            raise EngineError(Termination.TIMEOUT, "the engine does not answer") from None
        if isinstance(message, EngineError):
            raise message
        return message

    def _send(self, message: Message) -> None:
        assert self._process is not None
        data, self._unsent = self._unsent + encode(message), b""
        self._process.send(data, time.monotonic() + 1.0)

    def stop(self, job: SearchJob) -> None:
        """End the search of a job if it is the one that runs."""
        if self._current is job:
            with contextlib.suppress(EngineError):
                self._send(Stop(id=job.key))

    def forget(self, key: str) -> None:
        """The process need not remember a game any longer; it hears so with the next request."""
        if self._games.pop(key, None) is not None:
            ended = GameOver(id=key, outcome=Outcome(None, Termination.INTERRUPTED))
            self._unsent += encode(ended)

    async def close(self) -> None:
        """End the process."""
        self.failed = True
        self._interrupt.set()
        self._stop_reading()
        if self._process is not None:
            await asyncio.to_thread(self._process.close)
