"""A live game of the page: people and agents at one board, with everyone who looks on."""

from __future__ import annotations

import asyncio
import time
from typing import Any, Protocol

import msgspec

from plyground.arena.history import History
from plyground.arena.referee import Referee, Ruling
from plyground.core.errors import (
    GameFileError,
    GameOverError,
    IllegalMoveError,
    InputError,
    PlygroundError,
)
from plyground.core.game import CHANCE, GameInfo, Position
from plyground.core.limits import Limit
from plyground.core.outcome import Outcome, Termination
from plyground.core.record import GameRecord
from plyground.engines.engine import Answer
from plyground.engines.failure import EngineError, GameFaultError
from plyground.web.engine_client import SearchJob
from plyground.web.messages import (
    ErrorMessage,
    GameUpdate,
    ReviewedMove,
    Snapshot,
    Speed,
    Told,
)
from plyground.web.pace import Pace
from plyground.web.requests import PERSON, limit_of
from plyground.web.searches import SearchDesk
from plyground.web.session_store import (
    SessionStore,
    StoredSession,
    add_moves,
    cut_moves,
    set_outcome,
    set_review,
)
from plyground.web.settings import Settings
from plyground.web.snapshot import take_sketch, take_snapshot

CRASH = Termination.CRASH

PAUSES: dict[str, float] = {"slow": 1.5, "normal": 0.5, "fast": 0.1, "max": 0.0}
"""Seconds between two moves when agents play by themselves."""

SKETCH_SECONDS = 0.3
"""Who joins a game whose rules are not ready after this time sees its board meanwhile."""

FRAME_SECONDS = 0.05
"""At full speed the page gets at most so many pictures: one in this time."""

FULL_SPEED_SECONDS = 0.02
"""Time a move at full speed."""


class Audience(Protocol):
    """Somebody who follows a game."""

    def tell(self, message: Told) -> None:
        """Take a message; never blocks."""


class LiveGame:
    """One game. All changes go through its lock; every change is on disk before it is shown."""

    def __init__(
        self,
        stored: StoredSession,
        history: History,
        pace: Pace,
        pool: SearchDesk,
        store: SessionStore,
        settings: Settings,
    ) -> None:
        """`history` has all stored moves; `pace` is shared by all games under the same rules."""
        self.id = stored.id
        self.setup = stored.setup
        names = [name if name != PERSON else "person" for name in self.setup.seats]
        self.referee = Referee(history.game, history=history, labels=names, seed=self.setup.seed)
        self.referee.outcome = stored.outcome or self.referee.outcome
        self.review = (
            msgspec.json.decode(stored.review, type=list[ReviewedMove]) if stored.review else []
        )
        self.speed: Speed = "normal"
        self._single_move = False
        self._waited = False
        self._expected = False
        self._notices: set[asyncio.Task[None]] = set()
        self.stand_in = ""
        self.best: float | None = None
        self.used = [0.0] * self.info.players
        for entry in history.entries:
            if entry.player >= 0:
                self.used[entry.player] += entry.time or 0.0
        self.audience: set[Audience] = set()
        self.last_used = time.monotonic()
        self.lock = asyncio.Lock()
        self.epoch = 0
        self._pace, self._pool, self._store, self._settings = pace, pool, store, settings
        self._driver: asyncio.Task[None] | None = None
        self._job: SearchJob | None = None
        self._turn_began = time.monotonic()
        self._told = len(history)
        self._last_frame = 0.0
        self._unshown = False

    # What it is -----------------------------------------------------------------------------

    @property
    def info(self) -> GameInfo:
        return self.history.game.info

    @property
    def history(self) -> History:
        return self.referee.history

    @property
    def position(self) -> Position:
        return self.history.current

    @property
    def outcome(self) -> Outcome | None:
        return self.referee.outcome

    @property
    def has_person(self) -> bool:
        """Whether a person plays."""
        return PERSON in self.setup.seats

    @property
    def is_over(self) -> bool:
        return self.outcome is not None or self.setup.kind == "record"

    @property
    def busy(self) -> bool:
        """Whether somebody needs it: an onlooker or a thinking agent."""
        return bool(self.audience) or self._driver is not None

    def seat_to_move(self) -> str | None:
        """The agent to move, PERSON, or None when nobody is."""
        if self.is_over or self.position.turn == CHANCE:
            return None
        name = self.setup.seats[self.position.turn]
        return self.stand_in if name == PERSON and self.stand_in else name

    def update(self, keep: int | None = None) -> GameUpdate:
        """The state of the game, with the moves after the first `keep` (none: all moves)."""
        return self._tell_of(
            take_snapshot(self.position, self.outcome),
            keep=min(keep or 0, len(self.history)),
            thinking=self._job is not None,
            preparing=self._job is not None and self._job.began is None,
            outcome=self.outcome,
            review=self.review if keep is None else [],
        )

    def _sketch(self) -> GameUpdate:
        """The game before its rules are ready: nobody can move yet, and no clock runs."""
        board = take_sketch(self.history.game, self.position.text)
        return self._tell_of(board, preparing=True)

    def _tell_of(self, position: Snapshot, keep: int = 0, **more: Any) -> GameUpdate:
        return GameUpdate(
            id=self.id,
            game=self.setup.game,
            options=self.history.game.options,
            seats=self.setup.seats,
            seconds=self.setup.seconds,
            seed=self.setup.seed,
            keep=keep,
            moves=self.history.entries[keep:],
            position=position,
            used=tuple(self.used),
            kind=self.setup.kind,
            title=self.setup.title,
            speed=self.speed,
            best=self.best,
            start=self.setup.start,
            **more,
        )

    def record(self) -> GameRecord:
        """The game so far as a record."""
        record = self.referee.record()
        tags = {**record.tags, "session": self.id, "seed": str(self.setup.seed)}
        return msgspec.structs.replace(record, seed=None, tags=tags)

    # Onlookers ------------------------------------------------------------------------------

    async def join(self, onlooker: Audience) -> None:
        """Show the game to somebody from now on; agents start to move."""
        async with self.lock:
            self.audience.add(onlooker)
            self.last_used = time.monotonic()
            whole = asyncio.ensure_future(self._pace.run(self.update))
            await asyncio.wait([whole], timeout=SKETCH_SECONDS)
            if not whole.done():
                onlooker.tell(await asyncio.to_thread(self._sketch))
            onlooker.tell(await whole)
            if not self.history.entries:
                self._turn_began = time.monotonic()
        self.wake()

    def leave(self, onlooker: Audience) -> None:
        """Somebody is gone; nobody left means that agents stop."""
        self.audience.discard(onlooker)
        self.last_used = time.monotonic()
        if not self.audience:
            self.rest()

    async def show(self, *, force: bool = True) -> None:
        """Tell everybody what changed; without `force` only if the last picture is old enough."""
        now = time.monotonic()
        if not force and now - self._last_frame < FRAME_SECONDS:
            return
        self._last_frame = now
        self._unshown = False
        keep = min(self._told, len(self.history))
        self._told = len(self.history)
        if self.audience:
            message = await self._pace.run(self.update, keep)
            for onlooker in list(self.audience):
                onlooker.tell(message)

    # Changes by people ----------------------------------------------------------------------

    async def move(self, text: str, ply: int, judged: bool) -> None:
        """A person's move; a MoveError or InputError leaves the game as it is."""
        async with self.lock:
            self._check_open()
            if ply != len(self.history):
                raise IllegalMoveError(
                    f"this move was meant for the position after {ply} moves, "
                    f"the game has {len(self.history)}"
                )
            if self.seat_to_move() != PERSON:
                raise IllegalMoveError("it is not the turn of a person")
            spent = self._turn_seconds()
            if judged:
                answer = Answer(moves=(text,), elapsed=spent)
                ruling = await self._pace.run(self.referee.judge_answer, answer)
            else:
                ruling = await self._pace.run(self.referee.play_move, text, spent)
            self._accept(ruling)
            if self.is_over or self.seat_to_move() == PERSON:
                await self.show()
        self.wake()

    async def undo(self) -> None:
        """Back to before the last move of a person."""
        async with self.lock:
            if self.setup.kind == "record" or not self.has_person:
                raise InputError("only a game with a person in it can be taken back")
            people = {seat for seat, name in enumerate(self.setup.seats) if name == PERSON}
            entries = self.history.entries
            last = next(
                (n for n in range(len(entries) - 1, -1, -1) if entries[n].player in people), None
            )
            if last is None:
                raise InputError("there is no move to take back")
            await self._halt()
            self._store.write(cut_moves(self.id, last))
            self.epoch += 1
            self._pool.forget(self.id)
            for entry in entries[last:]:
                if entry.player >= 0:
                    self.used[entry.player] -= entry.time or 0.0
            await asyncio.to_thread(self.referee.take_back, last)
            self.review = []
            self._told = min(self._told, last)
            self.stand_in, self.speed = "", "normal"
            self._turn_began = time.monotonic()
            await self.show()
        self.wake()

    async def resign(self) -> None:
        """The person to move, or the only person, gives up."""
        async with self.lock:
            self._check_open()
            people = [seat for seat, name in enumerate(self.setup.seats) if name == PERSON]
            if not people:
                raise InputError("no person plays in this game")
            loser = self.position.turn if self.position.turn in people else people[0]
            await self._halt()
            self._accept(self.referee.resign(loser))
            await self.show()

    async def autoplay(self, speed: Speed, agent: str) -> None:
        """Set the pace of agents; with an agent's name it plays for the person as well."""
        async with self.lock:
            self._check_open()
            await self._halt()
            self.stand_in = agent if speed != "off" else ""
            self.speed = speed if agent or not self.has_person else "normal"
            self._turn_began = time.monotonic()
            await self.show()
        self.wake()

    async def step(self) -> None:
        """Let the agents pause, after one more move."""
        async with self.lock:
            self._check_open()
            await self._halt()
            self.speed = "off"
            self._single_move = True
            self._turn_began = time.monotonic()
        self.wake()

    def set_review(self, review: list[ReviewedMove]) -> None:
        """Keep a finished review with the game."""
        self.review = review
        self._store.write(set_review(self.id, msgspec.json.encode(review)))

    def close_record(self, outcome: Outcome) -> None:
        """The outcome that a referee gave to a recorded game."""
        self._end(outcome)

    def _check_open(self) -> None:
        if self.setup.kind == "record":
            raise GameOverError("this is a record; fork it to play on")
        if self.outcome is not None:
            raise GameOverError("the game is over")

    # Agents ---------------------------------------------------------------------------------

    def wake(self) -> None:
        """Let agents and chance move if it is their turn and somebody looks on."""
        if self._driver is None and self.audience and not self.is_over:
            self._driver = asyncio.create_task(self._drive())

    def rest(self) -> None:
        """Let agents stop where they are."""
        if self._driver is not None:
            self._driver.cancel()

    async def _halt(self) -> None:
        driver = self._driver
        if driver is not None:
            driver.cancel()
            await asyncio.wait([driver])
            self._driver = None

    async def _drive(self) -> None:
        """Play the moves of agents and chance until it is a person's turn."""
        try:
            while not self.is_over:
                if self.position.turn == CHANCE:
                    await self._deal()
                    continue
                agent = self.seat_to_move()
                if agent is None or agent == PERSON:
                    if self._expected:
                        break
                    await self._expect_agents()
                    continue  # the person may have moved meanwhile
                if self.speed == "off" and not self._single_move:
                    break
                self._single_move = False
                await self._agent_move(agent)
        except EngineError as error:
            self._engine_failed(error)
        except GameFileError as error:
            self._end(Outcome(None, Termination.INTERRUPTED, detail=str(error)))
        except asyncio.CancelledError:
            pass
        except PlygroundError as error:
            self._complain(error)
        finally:
            self._driver = None
            if self._job is not None or self._unshown:
                self._job = None
                try:
                    await self.show()
                except GameFileError as error:  # the file fails where the game stands
                    self._complain(error)

    async def _expect_agents(self) -> None:
        """While a person thinks about the first move, load the agent that will answer it."""
        self._expected = True
        for agent in dict.fromkeys(name for name in self.setup.seats if name != PERSON):
            limit = limit_of(self.setup.game, agent, self.setup.seconds)
            job = self.job(agent, limit)
            job.moves = tuple(job.moves)  # the person may move before the agent is told of them
            await self._pool.make_ready(job)

    async def _deal(self) -> None:
        self._accept(await self._pace.run(self.referee.draw_event))
        if self.speed != "max" or not self.stand_in:
            await self.show()

    async def _agent_move(self, agent: str) -> None:
        by_itself = bool(self.stand_in) or not self.has_person
        full_speed = by_itself and self.speed == "max"
        began = time.monotonic()
        limit = limit_of(self.setup.game, agent, self.setup.seconds)
        if full_speed and limit.time is not None:
            limit = Limit(time=min(limit.time, FULL_SPEED_SECONDS))
        self._job = job = self.job(agent, limit)
        job.on_begin = self._begin_to_think
        answer = await self._pool.search(job, None if full_speed else self._show_waiting)
        self._job = None
        thought = min(self._turn_seconds(), answer.elapsed)
        pause = PAUSES.get(self.speed, 0.0) if by_itself else 0.0
        await asyncio.sleep(max(0.0, pause - (time.monotonic() - began)))
        answer = msgspec.structs.replace(answer, elapsed=round(thought, 3))
        self._accept(await self._pace.run(self.referee.judge_answer, answer))
        await self.show(force=not full_speed)

    def _begin_to_think(self) -> None:
        """An agent is loaded: its clock starts, and a page that said so is told."""
        self._turn_began = time.monotonic()
        if self._waited:
            self._waited = False
            self._notices.add(notice := asyncio.create_task(self.show()))
            notice.add_done_callback(self._notices.discard)

    async def _show_waiting(self) -> None:
        self._waited = self._job is not None and self._job.began is None
        await self.show()

    def job(self, agent: str, limit: Limit) -> SearchJob:
        """A search of the present position by an agent."""
        return SearchJob(
            key=self.id,
            epoch=self.epoch,
            agent=agent,
            moves=self.history.entries,
            position=self.position,
            seed=self.setup.seed,
            limit=limit,
        )

    def _engine_failed(self, error: EngineError) -> None:
        """An agent that cannot go on loses, as in a match, unless the game itself is at fault.

        Nobody wins where it says before its first move that it does not play this game.
        """
        job = self._job
        played = any(entry.player == self.position.turn for entry in self.history.entries)
        declined = job is not None and job.began is None and not played
        if isinstance(error, GameFaultError) or (declined and error.termination is CRASH):
            detail = error.detail.removeprefix("says: ")
            self._end(Outcome(None, Termination.INTERRUPTED, detail=detail))
        elif not self.is_over:
            self._accept(self.referee.judge_failure(max(self.position.turn, 0), error))

    def _complain(self, error: PlygroundError) -> None:
        for onlooker in list(self.audience):
            onlooker.tell(ErrorMessage(error.kind, str(error), self.id))

    # Bookkeeping ----------------------------------------------------------------------------

    def _accept(self, ruling: Ruling) -> None:
        """Let a ruling count: on disk first, then here."""
        self._unshown = True
        if len(self.history) + len(ruling.steps) > self._settings.moves_per_game:
            self._end(Outcome(None, Termination.INTERRUPTED, detail="the game is too long"))
            return
        entries = [step.entry for step in ruling.steps]
        if entries:
            self._store.write(add_moves(self.id, len(self.history), entries))
        self.referee.accept(ruling)
        for entry in entries:
            if entry.player >= 0:
                self.used[entry.player] += entry.time or 0.0
                self._turn_began = time.monotonic()
        self.last_used = time.monotonic()
        if ruling.outcome is not None:
            self._end(ruling.outcome)

    def _end(self, outcome: Outcome) -> None:
        """The game is over."""
        self.referee.outcome = outcome
        self._unshown = True
        self._pool.forget(self.id)
        score = None
        if self.info.players == 1 and outcome.scores and self._is_own_play():
            score = outcome.scores[0]
            self.best = max(score, self.best or 0.0)
        self._store.write(set_outcome(self.id, len(self.history), outcome, score))

    def _is_own_play(self) -> bool:
        """Whether a person made most of the moves; only agents value what they play."""
        if not self.has_person or self.stand_in:
            return False
        played = [entry for entry in self.history.entries if entry.player >= 0]
        searched = sum(entry.score is not None for entry in played)
        return 2 * searched <= len(played)

    def _turn_seconds(self) -> float:
        """Seconds since the last move."""
        return round(time.monotonic() - self._turn_began, 3)
