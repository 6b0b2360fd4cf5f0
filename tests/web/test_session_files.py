"""The file of the page's games: damaged, foreign, locked, or used by two servers."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from plyground.core.record import MoveRecord
from plyground.store.failure import StoreError
from plyground.web import session_store
from plyground.web.lobby import Lobby
from plyground.web.requests import NewGame
from plyground.web.searches import SearchDesk
from plyground.web.session_store import SESSIONS, SessionSetup, SessionStore, add_moves
from plyground.web.settings import Settings
from tests.web.test_sessions import run_apart


def foreign(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE sessions (name TEXT)")


STRANGE: dict[str, Callable[[Path], object]] = {
    "garbage": lambda path: path.write_bytes(os.urandom(5000)),
    "folder": lambda path: path.mkdir(),
    "pipe": os.mkfifo,
    "of another program": foreign,
    "no folder": lambda path: (path.parent.rmdir(), path.parent.touch()),
}


@pytest.mark.parametrize("make", STRANGE.values(), ids=STRANGE)
def test_a_server_whose_games_cannot_be_kept_says_so(
    tmp_path: Path, make: Callable[[Path], object]
) -> None:
    folder = tmp_path / "web"
    folder.mkdir()
    make(folder / SESSIONS)
    ended = subprocess.run(
        [sys.executable, "-m", "plyground", "serve", "--port", "0"],
        env={**os.environ, "PLYGROUND_DATA_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert SESSIONS in ended.stderr and "Traceback" not in ended.stderr


def test_two_servers_do_not_mix_their_moves_in_one_game(tmp_path: Path) -> None:
    settings = Settings(folder=tmp_path, results=tmp_path / "runs")

    async def play() -> None:
        stores = [SessionStore(tmp_path / SESSIONS) for _ in range(2)]
        here, there = (Lobby(SearchDesk(settings), store, settings) for store in stores)
        game = await here.create(NewGame("connect4", seats=["", ""]))
        same = await there.find(game.id)
        await game.move("1", 0, judged=False)
        with pytest.raises(StoreError, match="another server"):
            await same.move("7", 0, judged=False)
        assert len(same.history) == 0
        await game.move("2", 1, judged=False)
        stored = await stores[1].load(game.id)
        assert [entry.move for entry in stored.moves] == ["1", "2"]
        for store in stores:
            store.close()

    run_apart(play())


def test_damaged_games_and_locked_files_are_typed_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_store, "LOCKED_SECONDS", 0.05)
    path = tmp_path / SESSIONS

    async def look() -> None:
        store = SessionStore(path)
        store.create("one", SessionSetup(game="connect4"), [])
        with sqlite3.connect(path) as other:
            other.execute("UPDATE sessions SET setup = '{\"game\": 7}'")
            other.commit()
            with pytest.raises(StoreError, match="damaged"):
                await store.load("one")
            with pytest.raises(StoreError, match="damaged"):
                await store.recent()
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreError, match="locked"):
                store.write(add_moves("one", 0, [MoveRecord("1", 0)]))
            other.rollback()
        store.write(add_moves("one", 0, [MoveRecord("1", 0)]))
        store.close()

    run_apart(look())
