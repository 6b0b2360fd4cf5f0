"""The tables, as a list of migrations: version n is the first n steps applied in order.

A released step is never edited; a change is a new step at the end.
"""

from __future__ import annotations

import sqlite3

MIGRATIONS = (
    """
    CREATE TABLE runs (
        id TEXT PRIMARY KEY,
        created TEXT NOT NULL,
        kind TEXT NOT NULL,
        game TEXT NOT NULL,
        players TEXT NOT NULL,
        config TEXT NOT NULL
    );
    CREATE TABLE games (
        number INTEGER PRIMARY KEY,
        run TEXT NOT NULL REFERENCES runs (id),
        schedule_id TEXT NOT NULL,
        pair_id TEXT NOT NULL,
        first INTEGER NOT NULL,
        second INTEGER,
        winner INTEGER,
        termination TEXT NOT NULL,
        margin REAL,
        plies INTEGER NOT NULL,
        seconds REAL NOT NULL,
        record TEXT NOT NULL,
        UNIQUE (run, schedule_id)
    );
    """,
    """
    CREATE VIEW moves AS
        SELECT
            games.run AS run,
            games.schedule_id AS schedule_id,
            entry.key AS ply,
            json_extract(entry.value, '$.player') AS player,
            json_extract(entry.value, '$.move') AS move,
            json_extract(entry.value, '$.time') AS time,
            json_extract(entry.value, '$.nodes') AS nodes,
            json_extract(entry.value, '$.depth') AS depth,
            json_extract(entry.value, '$.score') AS score
        FROM games, json_each(games.record, '$.moves') AS entry;
    """,
)


class NewerSchemaError(Exception):
    """The file was written by a newer version of the program."""


class OlderSchemaError(Exception):
    """The file would have to be brought up to date, and cannot be written."""


class ForeignSchemaError(Exception):
    """The file has something in it that would act by itself when it is read or written."""


def check_tables(connection: sqlite3.Connection) -> None:
    """That the file is new or ours, and runs and games are tables: a view can be endless, a trigger
    can take games away."""
    kinds = dict(connection.execute("SELECT name, type FROM sqlite_master"))
    if kinds and "runs" not in kinds:
        raise ForeignSchemaError(f"what another program keeps ({next(iter(kinds))[:60]!r})")
    triggers = [name for name, kind in kinds.items() if kind == "trigger"]
    if triggers:
        raise ForeignSchemaError(f"a trigger {triggers[0][:60]!r}")
    for name in ("runs", "games"):
        if kinds.get(name, "table") != "table":
            raise ForeignSchemaError(f"a {kinds[name]} in place of the table {name!r}")


def check_version(connection: sqlite3.Connection) -> None:
    """That a file can be read as it is."""
    version = schema_version(connection)
    if version > len(MIGRATIONS):
        raise NewerSchemaError(f"version {version}, this program knows {len(MIGRATIONS)}")
    if version < len(MIGRATIONS):
        raise OlderSchemaError(f"version {version}, this program reads {len(MIGRATIONS)}")


def migrate(connection: sqlite3.Connection, migrations: tuple[str, ...] = MIGRATIONS) -> None:
    """Bring the file to the newest version, all steps in one transaction."""
    if schema_version(connection) != len(migrations):
        connection.execute("BEGIN IMMEDIATE")
        try:
            version = schema_version(connection)
            for step in migrations[version:]:
                for statement in filter(str.strip, step.split(";")):
                    connection.execute(statement)
            if version < len(migrations):
                connection.execute(f"PRAGMA user_version = {len(migrations)}")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")
        if version > len(migrations):
            raise NewerSchemaError(f"version {version}, this program knows {len(migrations)}")


def schema_version(connection: sqlite3.Connection) -> int:
    """How many migrations this file has seen; 0 for a new file."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
