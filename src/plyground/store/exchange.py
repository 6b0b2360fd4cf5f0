"""Games out of the database as JSON lines or CSV, and records back in."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable
from typing import TextIO

import msgspec

from plyground.core.errors import PlygroundError, RecordError
from plyground.core.files import short_name
from plyground.core.game import Game
from plyground.core.record import GameRecord
from plyground.core.record_check import check_record
from plyground.core.registry import make_game
from plyground.store.database import RunInfo, Store, StoredGame
from plyground.store.frames import move_rows

EXPORTED_TAGS = ("run", "schedule", "pair")

CSV_COLUMNS = (
    "run",
    "schedule_id",
    "pair_id",
    "first",
    "second",
    "winner",
    "termination",
    "first_score",
    "second_score",
    "plies",
    "seconds",
    "moves",
)


def export_jsonl(store: Store, run: str, out: TextIO) -> int:
    """One game record per line; tags say run, schedule id and pair. Returns how many."""
    store.run(run)
    count = 0
    for game in store.games(run):
        tags = {
            **game.record.tags,
            "run": run,
            "schedule": game.schedule_id,
            "pair": game.pair_id,
        }
        out.write(msgspec.structs.replace(game.record, tags=tags).to_json() + "\n")
        count += 1
    return count


def export_csv(store: Store, run: str, out: TextIO) -> int:
    """One game per row; the winner is a name, empty for a draw. Returns how many."""
    players = store.run(run).players
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    count = 0
    for game in store.games(run):
        outcome = game.record.outcome
        assert outcome is not None
        names = [players[game.first], "" if game.second is None else players[game.second]]
        scores = [*(outcome.scores or ()), "", ""]
        writer.writerow(
            _cell(value)
            for value in (
                run,
                game.schedule_id,
                game.pair_id,
                *names,
                "" if outcome.winner is None else names[outcome.winner],
                str(outcome.termination),
                *scores[:2],
                len(game.record.moves),
                f"{game.seconds:.3f}",
                " ".join(entry.move for entry in game.record.moves),
            )
        )
        count += 1
    return count


def export_moves_csv(store: Store, run: str, out: TextIO) -> int:
    """One move per row: who, when, how long, and what the player said. Returns how many."""
    writer = csv.writer(out, lineterminator="\n")
    count = 0
    for row in move_rows(store, run):
        if not count:
            writer.writerow(row)
        writer.writerow(_cell(value) for value in row.values())
        count += 1
    return count


def _cell(value: object) -> object:
    """A text that a spreadsheet would take for a formula, as a text."""
    dangerous = isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r"))
    return f"'{value}" if dangerous else value


def import_jsonl(store: Store, run: str, lines: Iterable[str]) -> int:
    """Add records as a run (made if it is new). The same record again is skipped.

    Every game is replayed. A line that is damaged or contradicts itself (RecordError with number
    and the reason) changes nothing: all games are added, or none; StoreError if the run is being
    played. Returns how many were new.
    """
    records: list[tuple[int, str, GameRecord]] = []
    known: dict[str, Game] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = _read(line, known)
        except RecordError as error:
            raise RecordError(f"line {number}: {error}") from error
        digest = hashlib.blake2b(line.strip().encode(), digest_size=8).hexdigest()
        records.append((number, record.tags.get("schedule", f"import-{digest}"), record))
    if not records:
        raise RecordError("there is no record in this file")
    games = sorted({record.game for _, _, record in records})
    if len(games) > 1:
        raise RecordError(f"a run has one game, this file has {', '.join(games)}")
    store.claim(run)  # who plays it must not find its games there
    with store.all_or_nothing():
        return _add(store, run, games[0], records)


def _read(line: str, known: dict[str, Game]) -> GameRecord:
    """A record that can be true, of a finished game; games are made once."""
    record = GameRecord.from_json(line)
    if record.outcome is None or not record.players:
        raise RecordError("the record has no outcome or no players")
    key = f"{record.game} {sorted(record.options.items())}"
    if key not in known:
        try:
            known[key] = make_game(record.game, record.options)
        except PlygroundError as error:
            raise RecordError(str(error)) from error
    check_record(record, known[key])
    return record


def _add(store: Store, run: str, game: str, records: list[tuple[int, str, GameRecord]]) -> int:
    if run in {known.id for known in store.runs()}:
        if store.run(run).game != game:
            raise RecordError(
                f"run {run!r} is of {short_name(store.run(run).game)}, not of {short_name(game)}"
            )
        players = list(store.run(run).players)
        new = sorted({name for _, _, record in records for name in record.players} - set(players))
        if new:
            raise RecordError(f"run {run!r} has no player {new[0]!r}: import into a new run")
    else:
        players = list(dict.fromkeys(name for _, _, record in records for name in record.players))
        store.create_run(RunInfo(run, "import", game, tuple(players), {}))
    added = 0
    for number, schedule_id, record in records:
        seats = [players.index(name) for name in record.players]
        new_here = store.add_game(
            run,
            StoredGame(
                schedule_id=schedule_id,
                pair_id=record.tags.get("pair", schedule_id),
                first=seats[0],
                second=seats[1] if len(seats) == 2 else None,
                record=record,
                seconds=sum(entry.time or 0.0 for entry in record.moves),
            ),
        )
        if not new_here and _bare(store.game(run, schedule_id).record) != _bare(record):
            raise RecordError(
                f"line {number}: another game is called {schedule_id[:100]!r} in run {run!r}"
            )
        added += new_here
    return added


def _bare(record: GameRecord) -> GameRecord:
    """A record without what an export adds to it."""
    tags = {name: tag for name, tag in record.tags.items() if name not in EXPORTED_TAGS}
    return msgspec.structs.replace(record, tags=tags)
