"""Sessions on disk: every game of the page with its moves, in one SQLite file.

A write is done when the call returns, so that a restart of the server loses nothing that a page
has seen; in the write-ahead log this takes some ten microseconds. Everything that takes longer
(queries, moving the log into the database file) happens in a thread with a connection of its own.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from plyground.core.outcome import Outcome
from plyground.core.record import MoveRecord
from plyground.store.failure import StoreError
from plyground.web.settings import NotFoundError

SCHEMA = """
CREATE TABLE IF NOT EXISTS sessions (
    id TEXT PRIMARY KEY,
    created TEXT NOT NULL,
    updated TEXT NOT NULL,
    game TEXT NOT NULL,
    kind TEXT NOT NULL,
    setup TEXT NOT NULL,
    outcome TEXT,
    score REAL,
    review TEXT
);
CREATE INDEX IF NOT EXISTS sessions_by_time ON sessions (updated);
CREATE INDEX IF NOT EXISTS sessions_by_score ON sessions (game, score);
CREATE TABLE IF NOT EXISTS moves (
    session TEXT NOT NULL,
    number INTEGER NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (session, number)
) WITHOUT ROWID;
"""

SESSIONS = "sessions.sqlite"
"""The name of the file."""

LOG_FRAMES = 1000
"""A longer write-ahead log (in pages) begins anew as soon as it can."""

LOCKED_SECONDS = 2.0
"""So long is waited for another program that has locked the file; nobody moves meanwhile."""

Result = TypeVar("Result")
Operation = Callable[[sqlite3.Connection], Any]


class SessionSetup(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What stays the same during a game: rules, seats (empty name: a person), time, seed."""

    game: str
    options: dict[str, int | float | str | bool] = {}
    start: str = ""
    seats: tuple[str, ...] = ()
    seconds: float = 1.0
    seed: int = 0
    kind: str = "game"
    title: str = ""


class StoredSession(msgspec.Struct, frozen=True):
    """A session as it was left."""

    id: str
    setup: SessionSetup
    moves: list[MoveRecord]
    outcome: Outcome | None
    review: bytes


class SessionSummary(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line in the list of games."""

    id: str
    game: str
    kind: str
    seats: tuple[str, ...]
    title: str
    created: str
    updated: str
    moves: int
    outcome: Outcome | None = None


class SessionStore:
    """The open database. Writes belong to the event loop's thread."""

    def __init__(self, path: Path) -> None:
        """StoreError says why there cannot be one."""
        self._path = path
        with self._errors("open"):
            self._writer = _open(path)
            self._writer.execute("PRAGMA wal_autocheckpoint = 0")
            self._thread = ThreadPoolExecutor(1, "sessions")
            self._reader = self._thread.submit(_open, path).result()

    def write(self, *operations: Operation) -> None:
        """Do these in one commit; StoreError if the disk does not take them."""
        with self._errors("write to"), self._writer:
            for operation in operations:
                operation(self._writer)

    async def read(self, query: Callable[[sqlite3.Connection], Result]) -> Result:
        """Run a query in the database's thread; StoreError if it is damaged."""
        loop = asyncio.get_running_loop()
        with self._errors("read"):
            return await loop.run_in_executor(self._thread, query, self._reader)

    @contextmanager
    def _errors(self, doing: str) -> Iterator[None]:
        where = f"cannot {doing} {str(self._path)!r}, where the games of the page are"
        try:
            yield
        except OSError as error:
            raise StoreError(f"{where}: {error.strerror or error}") from error
        except sqlite3.Error as error:
            raise StoreError(f"{where}: {error}") from error
        except (msgspec.DecodeError, UnicodeDecodeError, TypeError) as error:
            raise StoreError(f"{where}: it is damaged ({error})") from error

    async def tidy(self) -> None:
        """Move what the log holds into the database file, so that the log stays short.

        Most of it is moved in the thread. The log begins anew only when no part of it is left, and
        under constant writing there always is: the writer moves that part itself.
        """
        frames = await self.read(_move_log)
        if frames > LOG_FRAMES:
            _move_log(self._writer)

    def create(self, identity: str, setup: SessionSetup, moves: list[MoveRecord]) -> None:
        """Add a session with the moves that it begins with."""
        now = _now()
        row = (identity, now, now, setup.game, setup.kind, _json(setup))

        def insert(connection: sqlite3.Connection) -> None:
            connection.execute(
                "INSERT INTO sessions (id, created, updated, game, kind, setup)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                row,
            )

        self.write(insert, add_moves(identity, 0, moves))

    async def load(self, identity: str) -> StoredSession:
        """A session; NotFoundError if there is none of that name."""

        def query(connection: sqlite3.Connection) -> StoredSession | None:
            row = connection.execute(
                "SELECT setup, outcome, review FROM sessions WHERE id = ?", (identity,)
            ).fetchone()
            if row is None:
                return None
            entries = connection.execute(
                "SELECT entry FROM moves WHERE session = ? ORDER BY number", (identity,)
            )
            return StoredSession(
                identity,
                msgspec.json.decode(row[0], type=SessionSetup),
                [msgspec.json.decode(entry, type=MoveRecord) for (entry,) in entries],
                msgspec.json.decode(row[1], type=Outcome) if row[1] else None,
                row[2].encode() if row[2] else b"",
            )

        found = await self.read(query)
        if found is None:
            raise NotFoundError(f"there is no game {identity[:64]!r} on this server")
        return found

    async def recent(self, limit: int = 50) -> list[SessionSummary]:
        """The latest games, newest first."""

        def query(connection: sqlite3.Connection) -> list[SessionSummary]:
            rows = connection.execute(
                "SELECT id, game, kind, setup, created, updated, outcome,"
                " (SELECT count(*) FROM moves WHERE session = id)"
                " FROM sessions ORDER BY updated DESC, rowid DESC LIMIT ?",
                (limit,),
            ).fetchall()
            return [_summary(row) for row in rows]

        return await self.read(query)

    async def best_score(self, game: str) -> float | None:
        """The highest score of a person in this one-player game."""

        def query(connection: sqlite3.Connection) -> float | None:
            return connection.execute(
                "SELECT max(score) FROM sessions WHERE game = ?", (game,)
            ).fetchone()[0]

        return await self.read(query)

    def close(self) -> None:
        """Close the file."""
        self._thread.submit(self._reader.close).result()
        self._thread.shutdown()
        self._writer.close()


def add_moves(identity: str, first: int, moves: list[MoveRecord]) -> Operation:
    """Append moves from number `first` on; StoreError if another server has played on."""
    rows = [(identity, first + index, _json(entry)) for index, entry in enumerate(moves)]
    now = _now()

    def operation(connection: sqlite3.Connection) -> None:
        found = connection.execute("SELECT max(number) FROM moves WHERE session = ?", (identity,))
        last = found.fetchone()[0]
        if (-1 if last is None else last) != first - 1:
            raise StoreError("another server has changed this game: open it there")
        connection.executemany("INSERT INTO moves VALUES (?, ?, ?)", rows)
        connection.execute("UPDATE sessions SET updated = ? WHERE id = ?", (now, identity))

    return operation


def cut_moves(identity: str, count: int) -> Operation:
    """Take back all moves but the first `count`, and with them the outcome and the review."""

    def operation(connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM moves WHERE session = ? AND number >= ?", (identity, count))
        connection.execute(
            "UPDATE sessions SET outcome = NULL, review = NULL WHERE id = ?", (identity,)
        )

    return operation


def set_outcome(identity: str, count: int, outcome: Outcome, score: float | None) -> Operation:
    """Note the end of a game after `count` moves."""
    values = (_json(outcome), score, identity)

    def operation(connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM moves WHERE session = ? AND number >= ?", (identity, count))
        connection.execute("UPDATE sessions SET outcome = ?, score = ? WHERE id = ?", values)

    return operation


def set_review(identity: str, review: bytes) -> Operation:
    """Keep the review of a game."""

    def operation(connection: sqlite3.Connection) -> None:
        connection.execute(
            "UPDATE sessions SET review = ? WHERE id = ?", (review.decode(), identity)
        )

    return operation


def _open(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and not path.is_file():
        raise StoreError(f"{str(path)!r} is no file, and the games of the page are to be there")
    connection = sqlite3.connect(path, timeout=LOCKED_SECONDS, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA cache_size = -512")
    connection.executescript(SCHEMA)
    return connection


def _move_log(connection: sqlite3.Connection) -> int:
    """Copy the log into the database file without making anybody wait; how many pages it has."""
    _, frames, _ = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    return int(frames)


def _summary(row: tuple[Any, ...]) -> SessionSummary:
    setup = msgspec.json.decode(row[3], type=SessionSetup)
    return SessionSummary(
        row[0],
        row[1],
        row[2],
        setup.seats,
        setup.title,
        row[4],
        row[5],
        row[7],
        msgspec.json.decode(row[6], type=Outcome) if row[6] else None,
    )


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
