"""Runs and their games in one SQLite file.

Games are committed one by one as they end, keyed by (run, schedule id): a game that arrives twice
counts once. Write-ahead logging lets reports and the page read while a run writes. Only the
process that conducts a run writes to it (`claim`).
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

from plyground.core.errors import InputError, PlygroundError
from plyground.core.paths import data_root
from plyground.core.record import GameRecord
from plyground.store.claims import Claims
from plyground.store.failure import StoreError
from plyground.store.schema import (
    ForeignSchemaError,
    NewerSchemaError,
    OlderSchemaError,
    check_tables,
    check_version,
    migrate,
)

_GAMES = "SELECT schedule_id, pair_id, first, second, record, seconds FROM games WHERE run = ?"

RUN_CHARACTERS = 200
"""Of a run's name, at most."""


class RunInfo(msgspec.Struct, frozen=True):
    """A match or tournament: who plays what; `config` is all that is needed to go on with it."""

    id: str
    kind: str
    game: str
    players: tuple[str, ...]
    config: dict[str, Any]
    created: str = ""


class StoredGame(msgspec.Struct, frozen=True):
    """A finished game. `first` and `second` are indices of the run's players; in a one-player
    game `second` is None. Games with the same `pair_id` are the same opening with swapped sides.
    """

    schedule_id: str
    pair_id: str
    first: int
    second: int | None
    record: GameRecord
    seconds: float = 0.0


def default_path() -> Path:
    """Where results go unless said otherwise: the user's data folder."""
    return data_root() / "results.sqlite"


class Store:
    """An open database. Use it as a context manager, from one thread.

    Without `create` it has to be there, and is read also where it cannot be written.
    """

    def __init__(self, path: Path | str, *, create: bool = True) -> None:
        self.path = Path(path)
        # By whatever link it is opened, a run has one claim.
        self._claims = Claims(self.path.resolve())
        if not create and not self.path.exists():
            raise InputError(f"there is no database {str(self.path)!r}")
        if self.path.is_dir():
            raise InputError(f"a database is a file: {str(self.path)!r} is a folder")
        with self._errors("open"):
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise StoreError(
                    f"cannot make the folder of the database {str(self.path)!r}: {error.strerror}"
                ) from error
            self._check_names()
            self.connection = sqlite3.connect(self.path, timeout=30.0, isolation_level=None)
            try:
                self._prepare()
            except sqlite3.OperationalError as error:
                self.connection.close()
                if create or not _is_read_only(error):
                    raise
                self.connection = _connect_for_reading(self.path)
            except BaseException:
                self.connection.close()
                raise
            self._opened = self.path.stat()

    def _check_names(self) -> None:
        """StoreError for a file of several names: SQLite keeps its log beside one of them."""
        names = self.path.stat().st_nlink if self.path.exists() else 1
        if names > 1:
            raise StoreError(
                f"the database {str(self.path)!r} is a file with {names} names (hard links): what "
                "is written under one of them can be lost under the others; make a copy of it"
            )

    def _check_place(self) -> None:
        """StoreError if the file is not any more where it was opened."""
        try:
            there = os.path.samestat(self.path.stat(), self._opened)
        except OSError:
            there = False
        if not there:
            raise StoreError(
                f"the database {str(self.path)!r} was moved, deleted or replaced meanwhile: the "
                "games of this run cannot be kept. What belongs to it are three files, of the same "
                "name, with -wal and with -shm: put them back and go on with --resume"
            )

    def _prepare(self) -> None:
        check_tables(self.connection)
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA synchronous = NORMAL")
        self.connection.execute("PRAGMA foreign_keys = ON")
        migrate(self.connection)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def files(self) -> tuple[str, ...]:
        """The database and what SQLite keeps beside it."""
        path = str(self.path.resolve())
        return (path, f"{path}-wal", f"{path}-shm", f"{path}-journal")

    @contextmanager
    def all_or_nothing(self) -> Iterator[None]:
        """What is written inside is kept together, or not at all if something goes wrong."""
        with self._errors("write to"):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                if self.connection.in_transaction:  # SQLite gives up by itself on a full disk
                    self.connection.execute("ROLLBACK")
                raise
            self.connection.execute("COMMIT")

    def close(self) -> None:
        """Close the file and give up claimed runs."""
        self.connection.close()
        self._claims.give_up()

    # Runs -----------------------------------------------------------------------------------

    def create_run(self, run: RunInfo) -> None:
        """Add a run; InputError if one of that name exists, or no run can have it."""
        if not run.id or len(run.id) > RUN_CHARACTERS or not run.id.isprintable():
            shown = run.id[:RUN_CHARACTERS]
            raise InputError(
                f"the name of a run has 1 to {RUN_CHARACTERS} characters that can be printed, not"
                f" {shown!r}"
            )
        created = run.created or datetime.now(UTC).isoformat(timespec="seconds")
        with self._errors("write to"):
            try:
                self.connection.execute(
                    "INSERT INTO runs (id, created, kind, game, players, config) "
                    "VALUES (?, ?, ?, ?, ?, ?)",
                    (
                        run.id,
                        created,
                        run.kind,
                        run.game,
                        msgspec.json.encode(run.players).decode(),
                        msgspec.json.encode(run.config).decode(),
                    ),
                )
            except sqlite3.IntegrityError:
                raise InputError(
                    f"run {run.id!r} exists already in {str(self.path)!r}: "
                    "go on with it by --resume, or choose another --run name"
                ) from None

    def add_players(self, run: str, players: Sequence[str]) -> None:
        """Let further players take part in a run; games keep their numbers."""
        everybody = list(dict.fromkeys([*self.run(run).players, *players]))
        with self._errors("write to"):
            self.connection.execute(
                "UPDATE runs SET players = ? WHERE id = ?",
                (msgspec.json.encode(everybody).decode(), run),
            )

    def runs(self) -> list[RunInfo]:
        """All runs, oldest first."""
        with self._errors("read"):
            rows = self.connection.execute(
                "SELECT id, kind, game, players, config, created FROM runs ORDER BY rowid"
            ).fetchall()
        return [self._run_of(row) for row in rows]

    def _run_of(self, row: tuple[Any, ...]) -> RunInfo:
        try:
            fields = dict(zip(("id", "kind", "game"), row, strict=False))
            fields["players"] = msgspec.json.decode(row[3])
            fields["config"] = msgspec.json.decode(row[4])
            return msgspec.convert({**fields, "created": row[5]}, RunInfo)
        except (msgspec.DecodeError, TypeError, ValueError, RecursionError) as error:
            raise self._damaged(f"run {str(row[0])[:100]!r}", error) from error

    def _damaged(self, what: str, error: Exception) -> StoreError:
        return StoreError(f"the database {str(self.path)!r} is damaged: {what} ({error})")

    def run(self, name: str) -> RunInfo:
        """A run by name; InputError lists the nearest ones."""
        known = {run.id: run for run in self.runs()}
        if name not in known:
            listing = ", ".join(list(known)[-8:]) or "none"
            raise InputError(f"no run {name!r} in {str(self.path)!r} (latest: {listing})")
        return known[name]

    def claim(self, run: str) -> None:
        """Become the only writer of a run until the store is closed (or the process dies)."""
        self._claims.claim(run)

    # Games ----------------------------------------------------------------------------------

    def add_game(self, run: str, game: StoredGame) -> bool:
        """Commit a finished game; False if a game with its schedule id is there already."""
        outcome = game.record.outcome
        if outcome is None:
            raise InputError(f"game {game.schedule_id!r} has no outcome and cannot be stored")
        self._check_place()
        with self._errors("write to"):
            cursor = self.connection.execute(
                "INSERT INTO games (run, schedule_id, pair_id, first, second, winner, termination,"
                " margin, plies, seconds, record) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (run, schedule_id) DO NOTHING",
                (
                    run,
                    game.schedule_id,
                    game.pair_id,
                    game.first,
                    game.second,
                    outcome.winner,
                    str(outcome.termination),
                    outcome.margin,
                    len(game.record.moves),
                    game.seconds,
                    game.record.to_json(),
                ),
            )
        return cursor.rowcount == 1

    def schedule_ids(self, run: str) -> set[str]:
        """The games that need not be played again."""
        with self._errors("read"):
            rows = self.connection.execute("SELECT schedule_id FROM games WHERE run = ?", (run,))
            return {row[0] for row in rows}

    def games(self, run: str) -> Iterator[StoredGame]:
        """The games of a run in the order in which they ended, read as they are asked for."""
        players = len(self.run(run).players)
        with self._errors("read"):
            rows = self.connection.execute(f"{_GAMES} ORDER BY number", (run,))
            for row in rows:
                yield self._game_of(row, players)

    def game(self, run: str, schedule_id: str) -> StoredGame:
        """One game of a run, which must be there."""
        players = len(self.run(run).players)
        with self._errors("read"):
            row = self.connection.execute(
                f"{_GAMES} AND schedule_id = ?", (run, schedule_id)
            ).fetchone()
            return self._game_of(row, players)

    def _game_of(self, row: tuple[Any, ...], players: int) -> StoredGame:
        try:
            fields = dict(zip(("schedule_id", "pair_id", "first", "second"), row, strict=False))
            game = msgspec.convert(
                {**fields, "record": GameRecord.from_json(row[4]), "seconds": row[5]}, StoredGame
            )
        except (PlygroundError, msgspec.ValidationError, TypeError, ValueError) as error:
            raise self._damaged(f"game {str(row[0])[:100]!r}", error) from error
        seats = [game.first] if game.second is None else [game.first, game.second]
        if game.record.outcome is None or not all(0 <= seat < players for seat in seats):
            raise self._damaged(f"game {game.schedule_id!r}", ValueError("no such players"))
        return game

    def count_games(self, run: str) -> int:
        """How many games of a run have ended."""
        with self._errors("read"):
            query = "SELECT count(*) FROM games WHERE run = ?"
            return int(self.connection.execute(query, (run,)).fetchone()[0])

    def check_integrity(self) -> None:
        """StoreError says what is damaged, if anything is."""
        with self._errors("read"):
            rows = [str(row[0]) for row in self.connection.execute("PRAGMA integrity_check")]
            rows += [
                f"row {row[1]} of {row[0]} points nowhere"
                for row in self.connection.execute("PRAGMA foreign_key_check")
            ]
        if rows != ["ok"]:
            raise StoreError(f"the database {str(self.path)!r} is damaged: {'; '.join(rows[:3])}")

    @contextmanager
    def _errors(self, doing: str) -> Iterator[None]:
        try:
            yield
        except NewerSchemaError as error:
            raise StoreError(
                f"the database {str(self.path)!r} was written by a newer plyground ({error}): "
                "update plyground or use another --database"
            ) from error
        except OlderSchemaError as error:
            raise StoreError(
                f"the database {str(self.path)!r} is of an older plyground ({error}) and cannot be"
                " brought up to date where it is read-only: copy it to another folder"
            ) from error
        except ForeignSchemaError as error:
            raise StoreError(
                f"the database {str(self.path)!r} has {error}, which is not plyground's: not read"
            ) from error
        except sqlite3.Error as error:
            raise StoreError(self._explain(doing, error)) from error
        except (UnicodeDecodeError, OverflowError) as error:  # text and numbers of no database
            raise self._damaged("not what was written", error) from error

    def _explain(self, doing: str, error: sqlite3.Error) -> str:
        name = getattr(error, "sqlite_errorname", "")
        where = f"cannot {doing} the database {str(self.path)!r}"
        if name == "SQLITE_FULL" or (name.startswith("SQLITE_IOERR") and _disk_full(self.path)):
            return f"{where}: the disk is full; free some space and go on with --resume"
        if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN")):
            return f"{where}: the file or its folder is read-only; choose another --database"
        if name.startswith("SQLITE_BUSY"):
            return f"{where}: another program has locked it"
        if name in ("SQLITE_NOTADB", "SQLITE_CORRUPT"):
            return f"{where}: it is no database or it is damaged; choose another --database"
        return f"{where}: {error}"


def _is_read_only(error: sqlite3.OperationalError) -> bool:
    name = getattr(error, "sqlite_errorname", "")
    return name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN"))


def _connect_for_reading(path: Path) -> sqlite3.Connection:
    """A database on a disk that cannot be written.

    Games that a writer has left in the log beside it are read too if that is possible at all.
    """
    address = f"file:{quote(str(path.resolve()))}?mode=ro"
    log = path.with_name(f"{path.name}-wal")
    unread = log.exists() and log.stat().st_size > 0
    for ending in ("",) if unread else ("", "&immutable=1"):
        connection = sqlite3.connect(address + ending, uri=True, timeout=30.0, isolation_level=None)
        try:
            check_tables(connection)
            check_version(connection)
            return connection
        except sqlite3.OperationalError:
            connection.close()
            if ending or unread:
                raise
        except BaseException:
            connection.close()
            raise
    raise AssertionError("one of the two is tried last")


def _disk_full(path: Path) -> bool:
    try:
        space = os.statvfs(path.parent)
    except (OSError, AttributeError):
        return False
    return space.f_bavail * space.f_frsize < 1 << 20
