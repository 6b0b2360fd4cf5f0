"""The plug is pulled between any two writes: what is found afterwards are whole games, in order.

SQLite appends frames to its log and copies pages from there into the database only after the log is
on disk. So what a power cut can leave is: the log cut anywhere, or with pieces of its unsaved end
missing, beside the database as it was; or the whole log beside a database with any of its pages
copied. All of these are made here from the files of a writer that was never closed.
"""

from __future__ import annotations

import random
import shutil
import struct
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from plyground.core.outcome import Outcome, Termination
from plyground.core.record import GameRecord, MoveRecord
from plyground.store import RunInfo, Store, StoredGame

GAMES = 12
HEADER, FRAME_HEADER = 32, 24


def game(number: int) -> StoredGame:
    record = GameRecord(
        game="connect4",
        players=("a", "b"),
        moves=tuple(MoveRecord(str(i % 7 + 1), i % 2, nodes=number) for i in range(40 + number)),
        outcome=Outcome(number % 2, Termination.RESIGN),
    )
    return StoredGame(f"g{number}", f"p{number}", 0, 1, record, 0.5)


@pytest.fixture(scope="module")
def written(tmp_path_factory) -> Path:
    """A folder with the files of a run of GAMES games as they are while it goes on."""
    folder = tmp_path_factory.mktemp("written")
    copy = folder / "copy"
    copy.mkdir()
    with Store(folder / "db") as store:
        store.connection.execute("PRAGMA wal_autocheckpoint = 0")
        store.create_run(RunInfo("run", "match", "connect4", ("a", "b"), {}))
        store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for number in range(GAMES):
            store.add_game("run", game(number))
        for name in ("db", "db-wal"):
            shutil.copy(folder / name, copy / name)
    return copy


def found(database: bytes, log: bytes, folder: Path) -> int:
    """How many games are there after the cut; they must be the first ones, and whole."""
    folder.mkdir(exist_ok=True)
    for left in folder.iterdir():
        left.unlink()
    (folder / "db").write_bytes(database)
    (folder / "db-wal").write_bytes(log)
    with Store(folder / "db", create=False) as store:
        store.check_integrity()
        games = list(store.games("run"))
        assert games == [game(number) for number in range(len(games))]
        for number in range(GAMES):  # and the run goes on
            assert store.add_game("run", game(number)) == (number >= len(games))
        assert sorted(store.schedule_ids("run")) == sorted(
            game(n).schedule_id for n in range(GAMES)
        )
    return len(games)


def frames(log: bytes) -> tuple[int, int]:
    size = struct.unpack(">I", log[8:12])[0] + FRAME_HEADER
    return size, (len(log) - HEADER) // size


def test_the_log_cut_anywhere(written, tmp_path):
    database, log = (written / "db").read_bytes(), (written / "db-wal").read_bytes()
    size, count = frames(log)
    chance = random.Random(1)
    counts = []
    for number in range(count + 1):
        end = HEADER + number * size
        counts.append(found(database, log[:end], tmp_path / "cut"))
        torn = log[: end + chance.randrange(1, size)]
        assert found(database, torn, tmp_path / "cut") == counts[-1]
    assert counts == sorted(counts)
    assert (counts[0], counts[-1]) == (0, GAMES)


def test_pieces_of_the_log_that_never_reached_the_disk(written, tmp_path):
    database, log = (written / "db").read_bytes(), (written / "db-wal").read_bytes()
    chance = random.Random(2)
    for _ in range(25):
        holed = bytearray(log)
        for _ in range(chance.randrange(1, 4)):
            sector = 512 * chance.randrange(1, len(log) // 512)
            holed[sector : sector + 512] = bytes(512)
        found(database, bytes(holed), tmp_path / "holed")


def test_pages_copied_back_in_any_order(written, tmp_path):
    database, log = (written / "db").read_bytes(), (written / "db-wal").read_bytes()
    size, count = frames(log)
    page = size - FRAME_HEADER
    newest = {}
    for number in range(count):
        start = HEADER + number * size
        newest[struct.unpack(">I", log[start : start + 4])[0]] = log[start + FRAME_HEADER :][:page]
    chance = random.Random(3)
    for _ in range(25):
        mixed = bytearray(database.ljust(page * max(newest), b"\0"))
        for number, content in newest.items():
            if chance.random() < 0.5:
                mixed[page * (number - 1) : page * number] = content
        assert found(bytes(mixed), log, tmp_path / "mixed") == GAMES


WRITER = """
import sys
sys.path.insert(0, sys.argv[2])
from test_plug import game
from plyground.store import RunInfo, Store
with Store(sys.argv[1]) as store:
    store.connection.execute("PRAGMA wal_autocheckpoint = 3")
    if not store.runs():
        store.create_run(RunInfo("run", "match", "connect4", ("a", "b"), {}))
    number = store.count_games("run")
    while True:
        store.add_game("run", game(number))
        number += 1
        print(number, flush=True)
"""


def test_a_writer_that_is_killed_loses_nothing_that_it_said(tmp_path):
    path = tmp_path / "db"
    chance = random.Random(4)
    told = 0
    for _ in range(5):
        command = [
            sys.executable,
            "-c",
            textwrap.dedent(WRITER),
            str(path),
            str(Path(__file__).parent),
        ]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            for _ in range(chance.randrange(1, 40)):
                told = int(writer.stdout.readline())
            time.sleep(chance.random() * 0.005)
            writer.kill()
            rest = writer.stdout.read().split("\n")
        told = max([told, *(int(line) for line in rest[:-1])])
        with Store(path, create=False) as store:
            store.check_integrity()
            kept = [stored.schedule_id for stored in store.games("run")]
        assert kept == [f"g{number}" for number in range(len(kept))]
        assert len(kept) >= told
