"""Files to write to: a database is never written over, and nothing waits for a pipe's reader."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from plyground.core.outcome import Outcome, Termination
from plyground.core.record import GameRecord
from plyground.store import RunInfo, Store, StoredGame
from tests.cli.test_streams import shell

WRITERS = (
    "export --output FILE --database games.sqlite",
    "export --output FILE --format parquet --database games.sqlite",
    "report --out FILE --database games.sqlite",
    "runs --log-file FILE --database games.sqlite",
    "tree connect4 --option width=4 --option height=4 --out FILE",
    "prove --option width=4 --option height=4 --within 3 --certificate FILE",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With a database of one game."""
    record = GameRecord(
        game="connect4",
        players=("a", "b"),
        outcome=Outcome(0, Termination.RESIGN),
    )
    with Store(tmp_path / "games.sqlite") as store:
        store.create_run(RunInfo("evening", "match", "connect4", ("a", "b"), {}))
        store.add_game("evening", StoredGame("g", "p", 0, 1, record))
    return tmp_path


@pytest.mark.parametrize("words", WRITERS)
def test_no_output_takes_the_place_of_a_database(folder: Path, words: str) -> None:
    before = (folder / "games.sqlite").read_bytes()
    done = shell(f"$P {words.replace('FILE', 'games.sqlite')}", folder)
    assert done.returncode == 2, done.stderr
    assert "is a database and is not written over" in done.stderr
    assert (folder / "games.sqlite").read_bytes() == before


@pytest.mark.parametrize("words", [WRITERS[0], WRITERS[2], WRITERS[3], WRITERS[4]])
def test_a_pipe_that_nobody_reads_is_refused_at_once(folder: Path, words: str) -> None:
    os.mkfifo(folder / "pipe")
    done = shell(f"timeout 60 $P {words.replace('FILE', 'pipe')}", folder)
    assert done.returncode == 2, done.stderr
    assert "a pipe that nobody reads" in done.stderr


def test_a_pipe_with_a_reader_is_written(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    done = shell(f"cat pipe & $P {WRITERS[0].replace('FILE', 'pipe')}; wait", folder)
    assert done.returncode == 0, done.stderr
    assert '"connect4"' in done.stdout


def test_the_name_of_a_report_is_text(folder: Path) -> None:
    done = shell("$P report --database games.sqlite --out $'\\x80.html'", folder)
    assert done.returncode == 2
    assert "is no text in UTF-8" in done.stderr
