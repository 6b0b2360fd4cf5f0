"""Tournaments of the page: never more than allowed, and each can be stopped at once."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from plyground.core.errors import PlygroundError
from plyground.web.live_game import LiveGame
from plyground.web.lobby import Lobby
from plyground.web.requests import NewGame, NewTournament
from plyground.web.searches import SearchDesk
from plyground.web.session_store import SessionStore
from plyground.web.settings import BusyError, Settings
from plyground.web.tournaments import Runs
from tests.web.test_sessions import run_apart


def request(agents: list[str] | None = None, seconds: float = 5.0) -> NewTournament:
    return NewTournament(
        "connect4", agents=agents or ["alphabeta", "mcts"], rounds=3, seconds=seconds
    )


async def until_idle(runs: Runs, seconds: float = 30.0) -> None:
    ending = time.monotonic() + seconds
    while any(summary.running for summary in await runs.listing()):
        assert time.monotonic() < ending, "a stopped tournament goes on"
        await asyncio.sleep(0.05)


def test_many_requests_at_once_start_only_as_many_as_allowed(tmp_path: Path) -> None:
    settings = Settings(folder=tmp_path, results=tmp_path / "runs.sqlite", running_tournaments=2)

    async def attack() -> None:
        runs = Runs(settings)
        results = await asyncio.gather(
            *(runs.start(request()) for _ in range(16)), return_exceptions=True
        )
        started = [result for result in results if isinstance(result, str)]
        assert len(started) == 2
        assert sum(isinstance(result, BusyError) for result in results) == 14
        for identity in started:
            runs.stop(identity)
        await until_idle(runs)
        for identity in started:
            assert (await runs.view(identity)).error == "stopped"
        again = await runs.start(request())
        runs.stop(again)
        await until_idle(runs)
        await runs.close()

    run_apart(attack())


def test_a_request_that_is_refused_keeps_no_place(tmp_path: Path) -> None:
    settings = Settings(folder=tmp_path, results=tmp_path / "runs.sqlite", running_tournaments=1)

    async def ask() -> None:
        runs = Runs(settings)
        for _ in range(3):
            with pytest.raises(PlygroundError) as refused:
                await runs.start(request(["alphabeta", "nobody"]))
            assert not isinstance(refused.value, BusyError)
        await runs.start(request())
        await runs.close()

    run_apart(ask())


def test_games_made_at_once_are_no_more_than_allowed(tmp_path: Path) -> None:
    settings = Settings(folder=tmp_path, results=tmp_path / "runs.sqlite", live_games=3)

    async def attack() -> None:
        store = SessionStore(tmp_path / "sessions.sqlite")
        lobby = Lobby(SearchDesk(settings), store, settings)
        made = await asyncio.gather(
            *(lobby.create(NewGame("connect4", seats=["", ""])) for _ in range(12)),
            return_exceptions=True,
        )
        assert 1 <= len(lobby) <= 3
        assert all(isinstance(one, (LiveGame, BusyError)) for one in made)
        store.close()

    run_apart(attack())


def test_who_follows_no_run_any_more_is_forgotten(tmp_path: Path) -> None:
    async def follow() -> None:
        runs = Runs(Settings(folder=tmp_path, results=tmp_path / "r"))
        tell = list[object]().append
        for number in range(100):
            runs.unfollow(tell)
            runs.follow(f"run {number}", tell)
        assert len(runs._followers) == 1
        runs.unfollow(tell)
        assert not runs._followers

    asyncio.run(follow())
