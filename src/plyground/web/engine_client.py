"""One engine process of the pool, which holds many games and thinks about one at a time."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field

from plyground.core.agent import no_report
from plyground.core.game import CHANCE, Position
from plyground.core.limits import Limit
from plyground.core.outcome import Outcome, Termination
from plyground.core.record import MoveRecord
from plyground.engines.conversation import Answered, Conversation, Event
from plyground.engines.engine import Answer, GameSetup, InfoListener, TurnBudget
from plyground.engines.failure import EngineError
from plyground.engines.pool import EngineKey
from plyground.engines.process import EngineProcess
from plyground.engines.processor_time import resident_bytes
from plyground.engines.program import ProgramEngine

OVERRUN_SECONDS = 10.0
"""An agent that does not answer this long after its limit has failed."""

LIGHT_BYTES = 128 << 20
LIGHT_GAMES = 1000
"""A process that has grown by less than this since its start may hold so many games."""

SEND_SECONDS = 1.0
"""An agent that does not read a request for this long has failed."""


class GoneError(EngineError):
    """The process failed with somebody else's job: another one can be asked."""


@dataclass
class SearchJob:
    """A search for the pool: where the game `key` stands and how long to think.

    `epoch` changes when moves were taken back: what a process knows of the game is then void.
    `moves` are all moves so far, `position` is the one after them.
    """

    key: str
    epoch: int
    agent: str
    moves: Sequence[MoveRecord]
    position: Position
    seed: int
    limit: Limit
    listener: InfoListener = no_report
    analyse: bool = False
    on_begin: Callable[[], None] | None = None
    """Called when the agent is loaded and begins to think."""
    began: float | None = field(default=None, init=False)
    stopped: bool = field(default=False, init=False)
    client: EngineClient | None = field(default=None, init=False)

    @property
    def game(self) -> str:
        """The game's name; jobs with the same game and agent can share a process."""
        return self.position.game.info.name

    def begin(self) -> None:
        """The agent is loaded; from now on it thinks."""
        self.began = time.monotonic()
        if self.on_begin is not None:
            self.on_begin()

    def stop(self) -> None:
        """Have the search end with what it has."""
        self.stopped = True
        if self.client is not None:
            self.client.stop(self)


@dataclass
class HostedGame:
    """What a process knows of a game."""

    epoch: int
    known: int


class EngineClient:
    """A process for one agent of one game. Methods belong to the event loop's thread.

    It is listened to while it searches only: at other times another thread may end it.
    """

    def __init__(
        self, key: EngineKey, engine: ProgramEngine, room: int, loop: asyncio.AbstractEventLoop
    ) -> None:
        self.key = key
        self.pending = 0
        self.failed = False
        self.usual_seconds = 0.0
        """How long a search takes, lately."""
        self._engine = engine
        self._started = False
        self._room = room
        self._loading = engine.settings.loading
        self._games: OrderedDict[str, HostedGame] = OrderedDict()
        self._lock = asyncio.Lock()
        self._loop = loop
        self._heard = asyncio.Event()
        self._current: SearchJob | None = None
        self._bytes_at_start = 0

    @property
    def ready(self) -> bool:
        """Whether its process is up."""
        return self._started and not self.failed

    @property
    def reusable(self) -> bool:
        """Whether it can take another search."""
        return not self.failed

    @property
    def _process(self) -> EngineProcess:
        assert self._engine.process is not None
        return self._engine.process

    @property
    def _conversation(self) -> Conversation:
        return self._engine.conversation

    async def prepare(self) -> None:
        """Start the process before there is something to search; EngineError if it fails."""
        async with self._turn():
            pass

    async def make_ready(self, job: SearchJob) -> None:
        """Load the agent for the game of a job, before there is something to search."""
        async with self._turn():
            if job.key not in self._games:
                await self._set_up(job)

    @contextlib.asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """The time in which the started process is there for one search, after those before it."""
        async with self._lock:
            if self.failed:
                raise GoneError(Termination.CRASH, "the engine process has failed")
            try:
                if not self._started:
                    await self._start()
                output = self._process.output
                self._loop.add_reader(output, self._read)
                try:
                    yield
                finally:
                    self._loop.remove_reader(output)
            except BaseException:
                self.failed = True
                raise

    async def _start(self) -> None:
        """Start the process; a cancelled caller waits as well: nobody may end it meanwhile."""
        starting = asyncio.create_task(asyncio.to_thread(self._engine.start))
        try:
            await asyncio.shield(starting)
        finally:
            await asyncio.wait([starting])
            if not starting.cancelled():
                starting.exception()  # known now, also if nobody waits for it any more
        self._bytes_at_start = resident_bytes(self._process.pid) or 0
        self._started = True

    def _read(self) -> None:
        """Hand what the process wrote to the conversation."""
        process = self._process
        try:
            data = process.receive_now()
        except EOFError:
            self._loop.remove_reader(process.output)
            self._loop.run_in_executor(None, self._diagnose, process)
            return
        if data:
            self._conversation.receive(data, time.monotonic())
            self._heard.set()

    def _diagnose(self, process: EngineProcess) -> None:
        """In a thread: find out why a process has closed its output."""
        failure = process.diagnose()

        def tell() -> None:
            self._conversation.fail(failure.termination, failure.detail)
            self._heard.set()

        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(tell)

    async def search(self, job: SearchJob) -> Answer:
        """Think about a job, after the jobs that came before it."""
        async with self._turn():
            self._current = job
            try:
                return await self._search(job)
            finally:
                self._current = None

    async def _search(self, job: SearchJob) -> Answer:
        hosted = self._games.get(job.key)
        if hosted is None or hosted.epoch != job.epoch or hosted.known > len(job.moves):
            hosted = await self._set_up(job)
        for entry in job.moves[hosted.known :]:
            if entry.player == CHANCE:
                self._conversation.deal(job.key, entry.move)
            else:
                self._conversation.observe(job.key, entry.move, entry.player)
        hosted.known = len(job.moves)
        self._games.move_to_end(job.key)
        began = time.monotonic()
        job.begin()
        budget = TurnBudget(None, (job.limit.time or self._loading) + OVERRUN_SECONDS)
        self._conversation.go(job.key, job.position, job.limit, budget, began, analyse=job.analyse)
        job.client = self
        if job.stopped:
            self._conversation.stop()
        event = await self._converse(job.listener)
        assert isinstance(event, Answered)
        self.usual_seconds += 0.2 * (time.monotonic() - began - self.usual_seconds)
        return event.answer

    async def _set_up(self, job: SearchJob) -> HostedGame:
        """Tell the process of a game, in place of another if it has no room."""
        self.forget(job.key)
        if len(self._games) >= self._room and not self._is_light():
            self.forget(next(iter(self._games)))
        position = job.position
        setup = GameSetup(
            id=job.key,
            game=position.game,
            start=position.text,
            position=position,
            side=max(position.turn, 0),
            seed=job.seed,
            limit=job.limit,
        )
        self._conversation.prepare(setup, time.monotonic(), self._loading)
        await self._converse()
        hosted = self._games[job.key] = HostedGame(job.epoch, len(job.moves))
        return hosted

    def _is_light(self) -> bool:
        """Whether the agents of its games keep so little that more games have room."""
        now = resident_bytes(self._process.pid)
        light = now is not None and now - self._bytes_at_start < LIGHT_BYTES
        return light and len(self._games) < LIGHT_GAMES

    async def _converse(self, listener: InfoListener = no_report) -> Event:
        """Carry bytes to and fro until what was asked for has come, or EngineError."""
        conversation = self._conversation
        while (event := conversation.answer(listener)) is None:
            self._send()
            self._heard.clear()
            assert conversation.deadline is not None
            seconds = conversation.deadline - time.monotonic()
            try:
                if seconds <= 0:
                    raise TimeoutError
                async with asyncio.timeout(seconds):
                    await self._heard.wait()
            except TimeoutError:
                conversation.tick(time.monotonic())
        return event

    def _send(self) -> None:
        if outgoing := self._conversation.take_outgoing():
            self._process.send(outgoing, time.monotonic() + SEND_SECONDS)

    def stop(self, job: SearchJob) -> None:
        """End the search of a job if it is the one that runs."""
        if self._current is job:
            with contextlib.suppress(EngineError):
                self._conversation.stop()
                self._send()

    def forget(self, key: str) -> None:
        """The process need not remember a game any longer; it hears so with the next request."""
        if self._games.pop(key, None) is not None:
            self._conversation.finish(key, Outcome(None, Termination.INTERRUPTED))

    def close(self) -> None:
        """End the process."""
        self.failed = True
        if self._engine.process is not None:
            self._engine.process.close()
