"""Sessions in memory and on disk: what is kept, what is put away, what survives."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from plyground.core.limits import Limit
from plyground.core.record import MoveRecord
from plyground.core.registry import make_game
from plyground.web import engine_client
from plyground.web.engine_client import SearchJob
from plyground.web.live_game import LiveGame
from plyground.web.lobby import Lobby
from plyground.web.pace import QUICK_SECONDS, Pace
from plyground.web.requests import NewGame
from plyground.web.searches import SearchDesk
from plyground.web.session_store import (
    LOG_FRAMES,
    SessionSetup,
    SessionStore,
    add_moves,
    cut_moves,
)
from plyground.web.settings import Settings
from tests.web.conftest import Server
from tests.web.talk import Talk


def run_apart(work: Coroutine[Any, Any, None]) -> None:
    """Run in a thread of its own: Playwright keeps an event loop in the thread of the tests."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


def test_only_few_quiet_games_stay_in_memory(tmp_path: Path) -> None:
    settings = Settings(folder=tmp_path, results=tmp_path / "runs", quiet_games=3)

    async def play() -> None:
        store = SessionStore(tmp_path / "sessions.sqlite")
        lobby = Lobby(SearchDesk(settings), store, settings)
        games: list[LiveGame] = []
        for number in range(10):
            game = await lobby.create(NewGame("connect4", seats=["", ""]))
            await game.move(str(number % 7 + 1), 0, judged=False)
            games.append(game)
        assert len(lobby) == 10
        lobby.put_away()
        assert len(lobby) == 3
        for game in games:  # those that were put away are on disk as they were
            found = await lobby.find(game.id)
            assert found.position.text == game.position.text
            assert [entry.move for entry in found.history.entries] == [
                entry.move for entry in game.history.entries
            ]
        store.close()

    run_apart(play())


@pytest.mark.parametrize(("bytes_", "kept"), [(1 << 40, 5), (-(1 << 40), 2)])
def test_a_process_keeps_many_games_of_small_agents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bytes_: int, kept: int
) -> None:
    monkeypatch.setattr(engine_client, "LIGHT_BYTES", bytes_)
    settings = Settings(folder=tmp_path, results=tmp_path / "runs", games_per_engine=2)
    position = make_game("connect4").start()

    async def think() -> None:
        desk = SearchDesk(settings)
        for number in range(5):
            job = SearchJob(f"g{number}", 0, "random", [], position, 1, Limit(time=0.05))
            assert (await desk.search(job)).moves[0] in position.legal_moves
        (client,) = desk._pool.idle
        assert len(client._games) == kept
        await desk.close()

    run_apart(think())


def test_the_log_of_the_database_stays_short_under_constant_writing(tmp_path: Path) -> None:
    async def write() -> None:
        path = tmp_path / "sessions.sqlite"
        store = SessionStore(path)
        store.create("a", SessionSetup(game="connect4"), [])
        stop, count = False, 0

        async def keep_writing() -> None:
            nonlocal count
            while not stop:
                number = count % 500
                again = () if number else (cut_moves("a", 0),)
                store.write(*again, add_moves("a", number, [MoveRecord("4" * 50, 0)]))
                count += 1
                await asyncio.sleep(0)

        writing = asyncio.create_task(keep_writing())
        sizes = []
        for number in range(1, 31):  # by writes, not by the clock: the machine may be busy
            while count < 150 * number:
                await asyncio.sleep(0.001)
            await store.tidy()
            sizes.append(path.with_name(path.name + "-wal").stat().st_size)
        stop = True
        await writing
        assert count > 3 * LOG_FRAMES
        assert max(sizes[20:]) <= 2 * max(sizes[:10])
        assert len((await store.load("a")).moves) == (count - 1) % 500 + 1
        store.close()

    run_apart(write())


def test_long_computations_leave_the_event_loop_alone() -> None:
    places: list[bool] = []
    now = 0.0
    loop_thread: threading.Thread | None = None

    def work(seconds: float) -> None:
        places.append(threading.current_thread() is loop_thread)
        nonlocal now
        now += seconds

    async def run() -> None:
        nonlocal loop_thread
        loop_thread = threading.current_thread()
        pace = Pace(lambda: now)
        for seconds in (0.0, 0.0, 100 * QUICK_SECONDS, 0.0):
            await pace.run(work, seconds)

    run_apart(run())
    assert places == [False, True, True, False]


def test_a_board_is_sketched_while_its_rules_are_made_ready(tmp_path: Path) -> None:
    """The board is there already; nobody can move on it, and the clock begins with the rules."""
    settings = Settings(folder=tmp_path, results=tmp_path / "runs")
    told: list[Any] = []

    class Onlooker:
        def tell(self, message: Any) -> None:
            told.append(message)

    async def join() -> None:
        store = SessionStore(tmp_path / "sessions.sqlite")
        lobby = Lobby(SearchDesk(settings), store, settings)
        game = await lobby.create(NewGame("codecup-sudoku", seats=["", ""]))
        ready, slow = threading.Event(), game.update

        def update(keep: int | None = None) -> Any:
            assert ready.wait(60)
            return slow(keep)

        game.update = update  # type: ignore[method-assign] # as if it had to be compiled
        joining = asyncio.create_task(game.join(Onlooker()))
        while not told:
            await asyncio.sleep(0.01)
        assert not joining.done()
        began = game._turn_began
        ready.set()
        await joining
        assert game._turn_began > began
        store.close()

    run_apart(join())
    sketch, whole = told
    assert sketch.preparing and not sketch.position.legal
    assert [one.kind for one in sketch.position.board.shapes] == [
        one.kind for one in whole.position.board.shapes
    ]
    assert not whole.preparing and len(whole.position.legal) == 729


def test_an_agent_is_loaded_while_a_person_thinks(tmp_path: Path) -> None:
    settings = Settings(folder=tmp_path, results=tmp_path / "runs")

    class Onlooker:
        def tell(self, message: Any) -> None:
            """Nothing is looked at."""

    async def wait() -> None:
        store = SessionStore(tmp_path / "sessions.sqlite")
        desk = SearchDesk(settings)
        game = await Lobby(desk, store, settings).create(NewGame("connect4", seats=["", "random"]))
        assert desk.processes == 0
        await game.join(Onlooker())
        async with asyncio.timeout(120):
            while not desk._pool.idle:
                await asyncio.sleep(0.01)
        (client,) = desk._pool.idle
        assert client.key.player == "random" and game.id in client._games
        await desk.close()
        store.close()

    run_apart(wait())


def test_the_text_of_a_position_is_drawn_without_its_rules(server: Server) -> None:
    grid = "1" + "." * 80
    asked = {"game": "codecup-sudoku", "position": grid, "sketch": True}
    status, found = server.request("/api/position", asked)
    assert status == 200 and found["text"] == grid and not found.get("legal")
    assert "1" in [one.get("text") for one in found["board"]["shapes"] if one.get("cell") == "Aa"]
    status, found = server.request("/api/position", {"game": "connect4", "sketch": True})
    assert status == 200 and found["board"]["shapes"]


def test_nobody_wins_against_an_agent_that_does_not_play_this_game(server: Server) -> None:
    identity = server.new_game("connect4", ["", "perfect"], options={"mean": "both"})
    with Talk(server) as talk:
        talk.send({"type": "join", "id": identity})
        talk.until(lambda message: message["position"].get("legal"))
        talk.send({"type": "move", "id": identity, "move": "4", "ply": 0})
        outcome = talk.until(lambda message: message.get("outcome"))["outcome"]
    assert outcome["termination"] == "interrupted" and outcome.get("winner") is None
    assert "perfect plays plain Connect 4" in outcome["detail"]
