"""The database keeps every game once, migrates, and explains what is wrong with its file."""

from __future__ import annotations

import io
import os
import sqlite3
import subprocess
import sys

import pytest

from plyground.core.errors import InputError, RecordError
from plyground.core.outcome import Outcome, Termination
from plyground.core.record import GameRecord, MoveRecord
from plyground.store import (
    RunInfo,
    Store,
    StoredGame,
    StoreError,
    export_csv,
    export_jsonl,
    import_jsonl,
)
from plyground.store.schema import MIGRATIONS, migrate, schema_version

RUN = RunInfo("evening", "match", "connect4", ("random", "champion"), {"seed": 3})


def stored(number: int, moves: int = 3) -> StoredGame:
    record = GameRecord(
        game="connect4",
        players=("random", "champion"),
        moves=tuple(MoveRecord(str(i % 7 + 1), i % 2, time=0.25, nodes=i) for i in range(moves)),
        outcome=Outcome(1, Termination.NORMAL),
    )
    return StoredGame(f"g{number}", f"p{number // 2}", 0, 1, record, 0.5)


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "results.sqlite") as opened:
        opened.create_run(RUN)
        yield opened


def test_a_game_counts_once_however_often_it_arrives(store):
    assert store.add_game("evening", stored(1))
    assert not store.add_game("evening", stored(1, moves=9))
    assert store.count_games("evening") == 1
    assert [len(game.record.moves) for game in store.games("evening")] == [3]


def test_games_and_runs_come_back_as_they_were(tmp_path):
    path = tmp_path / "results.sqlite"
    with Store(path) as store:
        store.create_run(RUN)
        for number in range(5):
            store.add_game("evening", stored(number))
    with Store(path) as store:
        assert list(store.games("evening")) == [stored(number) for number in range(5)]
        assert store.schedule_ids("evening") == {f"g{number}" for number in range(5)}
        again = store.run("evening")
        assert (again.players, again.config) == (RUN.players, RUN.config)
        store.check_integrity()


def test_moves_can_be_queried(store):
    store.add_game("evening", stored(1))
    rows = store.connection.execute("SELECT ply, player, move, nodes FROM moves").fetchall()
    assert rows == [(0, 0, "1", 0), (1, 1, "2", 1), (2, 0, "3", 2)]


def test_a_second_run_of_the_same_name_is_refused(store):
    with pytest.raises(InputError, match="--resume"):
        store.create_run(RUN)
    with pytest.raises(InputError, match="evening"):
        store.run("morning")


def test_old_files_are_migrated_with_their_games(tmp_path):
    path = tmp_path / "old.sqlite"
    connection = sqlite3.connect(path)
    migrate(connection, MIGRATIONS[:1])
    connection.execute("INSERT INTO runs VALUES ('old', '2020', 'match', 'connect4', '[]', '{}')")
    connection.execute(
        "INSERT INTO games (run, schedule_id, pair_id, first, second, termination, plies, seconds,"
        " record) VALUES ('old', 'g', 'p', 0, 1, 'normal', 0, 0, ?)",
        (stored(0).record.to_json(),),
    )
    connection.commit()
    connection.close()
    with Store(path) as store:
        assert schema_version(store.connection) == len(MIGRATIONS)
        assert store.count_games("old") == 1
        assert store.connection.execute("SELECT count(*) FROM moves").fetchone() == (3,)


def test_newer_files_are_left_alone(tmp_path):
    path = tmp_path / "new.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 999")
    connection.close()
    with pytest.raises(StoreError, match="newer"):
        Store(path)


def test_full_disk_is_explained_and_committed_games_stay(store):
    store.add_game("evening", stored(1))
    pages = store.connection.execute("PRAGMA page_count").fetchone()[0]
    store.connection.execute(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(StoreError, match="disk is full"):
        for number in range(2, 200):
            store.add_game("evening", stored(number, moves=40))
    kept = store.count_games("evening")
    assert kept >= 1
    store.check_integrity()
    store.connection.execute(f"PRAGMA max_page_count = {pages + 1000}")
    assert store.add_game("evening", stored(500))
    assert store.count_games("evening") == kept + 1


def test_read_only_database_is_explained(store):
    store.connection.execute("PRAGMA query_only = ON")
    with pytest.raises(StoreError, match="read-only"):
        store.add_game("evening", stored(1))


def test_other_files_are_explained(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("dear diary " * 100)
    with pytest.raises(StoreError, match="no database"):
        Store(path)
    with pytest.raises(StoreError, match=r"folder|read-only"):
        Store(path / "below" / "results.sqlite")
    with pytest.raises(InputError, match="no database"):
        Store(tmp_path / "missing.sqlite", create=False)


def test_only_one_process_plays_a_run(store, tmp_path):
    store.claim("evening")
    script = (
        "import sys; from plyground.store import Store\n"
        "store = Store(sys.argv[1])\n"
        "store.claim('another')\n"
        "store.claim('evening')\n"
    )
    other = subprocess.run(
        [sys.executable, "-c", script, str(store.path)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )
    assert "played by another process" in other.stderr


def test_export_and_import_round_trip(store, tmp_path):
    for number in range(4):
        store.add_game("evening", stored(number))
    out = io.StringIO()
    assert export_jsonl(store, "evening", out) == 4
    lines = out.getvalue().splitlines()
    assert import_jsonl(store, "copy", lines) == 4
    assert import_jsonl(store, "copy", lines) == 0
    assert [game.schedule_id for game in store.games("copy")] == ["g0", "g1", "g2", "g3"]
    assert [game.record.moves for game in store.games("copy")] == [stored(0).record.moves] * 4
    assert store.run("copy").players == ("random", "champion")


def test_csv_names_the_winner(store):
    store.add_game("evening", stored(1))
    out = io.StringIO()
    export_csv(store, "evening", out)
    header, row = out.getvalue().splitlines()
    cells = dict(zip(header.split(","), row.split(","), strict=True))
    assert (cells["winner"], cells["moves"], cells["plies"]) == ("champion", "1 2 3", "3")


def test_damaged_import_changes_nothing(store):
    good = stored(1).record.to_json()
    with pytest.raises(RecordError, match="line 2"):
        import_jsonl(store, "broken", [good, good[:-5]])
    assert [run.id for run in store.runs()] == ["evening"]
