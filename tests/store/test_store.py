"""The database keeps every game once, migrates, and explains what is wrong with its file."""

from __future__ import annotations

import io
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys

import pytest

from plyground.core.errors import InputError, PlygroundError, RecordError
from plyground.core.outcome import Outcome, Termination
from plyground.core.record import GameRecord, MoveRecord
from plyground.engines import sandbox
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
        outcome=Outcome(1, Termination.RESIGN),
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


def test_what_another_program_keeps_is_left_alone(tmp_path):
    path = tmp_path / "photos.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript("CREATE TABLE photos (name); INSERT INTO photos VALUES ('cat')")
    connection.close()
    before = path.read_bytes()
    for create in (True, False):
        with pytest.raises(StoreError, match="what another program keeps"):
            Store(path, create=create)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_is_no_database(tmp_path):
    with pytest.raises(InputError, match="is a folder"):
        Store(tmp_path)


ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"
TRAPS = {
    "a view in place": f"DROP TABLE games; CREATE VIEW games AS {ENDLESS}",
    "view in place of the table 'runs'": f"DROP TABLE runs; CREATE VIEW runs AS {ENDLESS}",
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM games; END",
}


@pytest.mark.parametrize("said", TRAPS)
def test_a_database_with_a_trap_in_it_is_not_read(tmp_path, said):
    path = tmp_path / "trap.sqlite"
    Store(path).close()
    connection = sqlite3.connect(path)
    connection.executescript(TRAPS[said])
    connection.close()
    for create in (True, False):
        with pytest.raises(StoreError, match=said):
            Store(path, create=create)


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


def test_a_run_has_one_claim_by_whatever_link(store, tmp_path):
    link = tmp_path / "elsewhere" / "link.sqlite"
    link.parent.mkdir()
    link.symlink_to(store.path)
    store.claim("evening")
    with Store(link) as second, pytest.raises(StoreError, match="another process"):
        second.claim("evening")


def test_a_file_of_two_names_is_not_written(store, tmp_path):
    """Each name would have a log of its own: what one of them had kept was lost."""
    store.close()
    other = tmp_path / "other.sqlite"
    other.hardlink_to(store.path)
    with pytest.raises(StoreError, match="2 names"):
        Store(other)
    other.unlink()
    with Store(store.path) as again:
        assert [run.id for run in again.runs()] == ["evening"]


@pytest.mark.parametrize("deed", ["moved", "deleted", "replaced"])
def test_a_database_that_is_taken_away_ends_the_run(store, tmp_path, deed):
    """Games were written on where nobody would ever find them."""
    assert store.add_game("evening", stored(0))
    if deed == "deleted":
        store.path.unlink()
    else:
        store.path.rename(tmp_path / "elsewhere.sqlite")
    if deed == "replaced":
        store.path.touch()
    with pytest.raises(StoreError, match="moved, deleted or replaced"):
        store.add_game("evening", stored(1))


def test_locks_go_with_their_owner_and_those_of_the_dead_with_the_next_claim(store, tmp_path):
    def locks():
        return sorted(path.name for path in tmp_path.rglob("*.lock"))

    left = store.path.with_name(f"{store.path.name}.of_the_dead.lock")
    left.write_text("")
    store.claim("evening")
    assert locks() == [f"{store.path.name}.evening.lock"]
    with Store(store.path) as other:
        other.claim("another")
        assert len(locks()) == 2
        with pytest.raises(StoreError, match="another process"):
            other.claim("evening")
    assert len(locks()) == 1
    store.close()
    assert locks() == []


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


def test_nothing_is_imported_into_a_run_that_is_being_played(store, tmp_path):
    out = io.StringIO()
    store.add_game("evening", stored(0))
    export_jsonl(store, "evening", out)
    store.create_run(RunInfo("copy", "import", "connect4", store.run("evening").players, {}))
    with Store(store.path) as player:
        player.claim("copy")
        with pytest.raises(StoreError, match="another process"):
            import_jsonl(store, "copy", out.getvalue().splitlines())
    assert store.count_games("copy") == 0
    assert import_jsonl(store, "copy", out.getvalue().splitlines()) == 1


def test_another_game_of_the_same_name_is_no_game_again(store):
    """It was skipped as if it had been there: of two games one was lost without a word."""
    records = [json.loads(stored(0, moves).record.to_json()) for moves in (2, 3)]
    for record in records:
        record["tags"] = {"schedule": "g0"}
    lines = [json.dumps(record) for record in records]
    with pytest.raises(RecordError, match="line 2: another game is called 'g0'"):
        import_jsonl(store, "copy", lines)
    assert [run.id for run in store.runs()] == ["evening"]
    store.add_game("evening", stored(0, 2))
    with pytest.raises(RecordError, match="line 1: another game"):
        import_jsonl(store, "evening", lines[1:])
    out = io.StringIO()
    export_jsonl(store, "evening", out)
    assert import_jsonl(store, "evening", out.getvalue().splitlines()) == 0


@pytest.mark.parametrize("name", ["", "\x1b[2J", "a\u202eb", "n" * 201, "\udcff"])
def test_no_run_has_a_name_that_cannot_be_shown(store, name):
    with pytest.raises(InputError, match="name of a run"):
        store.create_run(RunInfo(name, "match", "connect4", ("a", "b"), {}))


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


CONTRADICTIONS = {
    "winner 7": ({"outcome": {"winner": 7}}, "player 7 cannot win"),
    "a winner below 0": ({"outcome": {"winner": -1}}, "cannot win"),
    "won by the rules too early": ({"outcome": {"winner": 1}}, "goes on"),
    "unknown game": ({"game": "no-such-game"}, "no-such-game"),
    "unknown option": ({"options": {"colour": "red"}}, "colour"),
    "wrong mover": ({"moves": [{"move": "1", "player": 1}]}, "move 1.*player 0 was due"),
    "a move twice": ({"moves": [{"move": "1", "player": 0}] * 2}, "move 2.*player 1 was due"),
    "a deal": ({"moves": [{"move": "1", "player": -1}]}, "random event"),
    "illegal move": ({"moves": [{"move": "9", "player": 0}]}, "move 1"),
    "endless move": ({"moves": [{"move": "9" * 5000, "player": 0}]}, "move 1"),
    "three players": ({"players": ["a", "b", "c"]}, "3 players"),
    "scores for one": (
        {"outcome": {"winner": 1, "termination": "resign", "scores": [1]}},
        "scores",
    ),
    "time backwards": ({"moves": [{"move": "1", "player": 0, "time": -1}]}, "time"),
    "huge nodes": ({"moves": [{"move": "1", "player": 0, "nodes": 10**30}]}, ""),
    "opening": ({"tags": {"opening": "\u00b2"}}, "opening"),
    "long opening": ({"tags": {"opening": "99"}}, "opening"),
    "huge score": (
        {"moves": [{"move": "1", "player": 0, "score": {"player": 0, "probability": 77}}]},
        "score",
    ),
    "a score of nobody": (
        {"moves": [{"move": "1", "player": 0, "score": {"player": 5, "points": 1}}]},
        "score",
    ),
    "bad start": ({"start": "not a position"}, ""),
    "a book in a tag": ({"tags": {"note": "x" * 30_000}}, "characters"),
}


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_contradictions_are_refused_with_line_and_reason(store, name):
    change, reason = CONTRADICTIONS[name]
    good = stored(1).record.to_json()
    bad = json.dumps({**json.loads(good), **change})
    with pytest.raises(RecordError, match=f"line 3: .*{reason}"):
        import_jsonl(store, "broken", [good, "", bad])
    assert [run.id for run in store.runs()] == ["evening"]


def test_an_import_that_fails_half_way_leaves_nothing(store):
    lines = [stored(number, number + 1).record.to_json() for number in range(3)]
    real, calls = store.add_game, []

    def fails(run, game):
        calls.append(game)
        if len(calls) == 3:
            raise StoreError("the disk is full")
        return real(run, game)

    store.add_game = fails
    with pytest.raises(StoreError):
        import_jsonl(store, "copy", lines)
    assert [run.id for run in store.runs()] == ["evening"]
    assert store.connection.execute("SELECT count(*) FROM games").fetchone() == (0,)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE runs SET players = 'nobody'",
        "UPDATE runs SET config = '[1, 2'",
        "UPDATE runs SET players = 7",
        "UPDATE games SET record = '{'",
        "UPDATE games SET record = x'ff00ff'",
        "UPDATE games SET first = 99",
        "UPDATE games SET first = 'first'",
        "UPDATE games SET seconds = 'long'",
        "UPDATE games SET schedule_id = x'ff'",
    ],
)
def test_damage_in_a_row_is_a_typed_error(store, statement):
    store.add_game("evening", stored(1))
    store.connection.execute(statement)
    with pytest.raises(StoreError, match="damaged"):
        store.runs()
        list(store.games("evening"))


def test_any_damaged_byte_is_a_typed_error_or_harmless(store, tmp_path):
    for number in range(30):
        store.add_game("evening", stored(number))
    store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = store.path.read_bytes()
    chance = random.Random(5)
    for trial in range(150):
        damaged = bytearray(whole)
        for _ in range(chance.choice((1, 1, 20))):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        if trial % 5 == 0:
            damaged = damaged[: chance.randrange(len(damaged))]
        path = tmp_path / f"damaged{trial}.sqlite"
        path.write_bytes(damaged)
        try:
            with Store(path, create=False) as opened:
                for run in opened.runs():
                    list(opened.games(run.id))
                opened.check_integrity()
        except PlygroundError:
            pass
        path.unlink()


READ = """
import json, sys
from plyground.store import Store, StoreError
try:
    with Store(sys.argv[1], create=False) as store:
        games = len(list(store.games("evening")))
        try:
            store.claim("evening")
            print(json.dumps("claimed"))
        except StoreError:
            print(json.dumps(games))
except StoreError as error:
    print(json.dumps(str(error)))
"""


def read(folder):
    wrapped = [shutil.which("bwrap"), "--ro-bind", "/", "/", "--dev", "/dev"]
    command = [*wrapped, sys.executable, "-c", READ, str(folder / "db")]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "Traceback" not in result.stderr, result.stderr
    return json.loads(result.stdout)


needs_read_only_disk = pytest.mark.skipif(
    not sandbox.state().available, reason="no bubblewrap here"
)


@needs_read_only_disk
def test_a_closed_database_is_read(tmp_path):
    with Store(tmp_path / "db") as store:
        store.create_run(RUN)
        store.add_game("evening", stored(1))
    assert read(tmp_path) == 1


@needs_read_only_disk
def test_a_database_with_games_in_its_log_is_read_or_refused(tmp_path):
    with Store(tmp_path / "db") as store:
        store.create_run(RUN)
        store.add_game("evening", stored(1))
        found = read(tmp_path)
    assert found == 1 or "read-only" in found
