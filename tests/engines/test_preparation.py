"""Compiling before the first game: once, in processes that end, and only for agents of our own."""

from __future__ import annotations

import gc
import os
import signal
import threading
import weakref

import psutil
import pytest

from plyground.engines import compile_process
from plyground.engines.preparation import Player, Preparation, built_in_players
from processes import run_python


@pytest.fixture(autouse=True)
def empty_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("PLYGROUND_CACHE_DIR", str(tmp_path))
    before, threads = psutil.Process().children(), threading.active_count()
    yield
    assert psutil.Process().children() == before and threading.active_count() <= threads


def test_a_player_is_compiled_for_once(tmp_path):
    player = Player("connect4", "random")
    assert not player.is_ready
    with Preparation([player, player]) as preparation:
        assert preparation.total == 1 and preparation.waiting([player]) == [player]
        assert list(preparation.ready([player])) == [player]
        assert preparation.waiting([player]) == [] == list(preparation.ready([player]))
    assert player.is_ready and list(tmp_path.glob("kernels/*/__pycache__/*.nbc"))
    with Preparation([player, Player.of("connect4", "random", {"width": 6})]) as preparation:
        assert preparation.total == 0


COUNT = """
from numba.core import event
from plyground.engines.preparation import Player

class Count(event.Listener):
    def on_start(self, event):
        print(event.data["dispatcher"].py_func.__name__)
    def on_end(self, event):
        pass
event.register("numba:compile", Count())
Player("connect4", "mcts").prepare()
"""


def test_a_prepared_player_compiles_nothing_more():
    player = Player("connect4", "mcts")  # the first of its kernels takes longer than its search may
    with Preparation([player]) as preparation:
        assert list(preparation.ready([player])) == [player]
    assert run_python("-c", COUNT, timeout=120).stdout == ""


def test_garbage_of_compiling_is_looked_for_once_it_is_much(monkeypatch):
    monkeypatch.setattr(compile_process, "MOST_OBJECTS", 1000)
    gc.collect()
    gc.disable()
    try:
        garbage = threading.local()
        gone = weakref.ref(garbage)
        garbage.own = garbage
        del garbage
        compile_process._look_for_garbage()
        assert gone() is not None
        much = [[] for _ in range(1001)]
        compile_process._look_for_garbage()
        assert gone() is None and much
    finally:
        gc.enable()


def test_who_cannot_play_this_game_holds_nobody_up():
    player = Player.of("connect4", "perfect", {"mean": "both"})
    with Preparation([player]) as preparation:
        assert list(preparation.ready([player])) == [player]
    assert not player.is_ready


def test_leaving_early_ends_its_processes():
    preparation = Preparation([Player("connect4", "champion"), Player("connect4", "mcts")], 2)
    process = psutil.Process(process_of(preparation))
    preparation.close()
    assert not process.is_running()
    assert [each.pid for each in preparation.processes] == [None, None]


def test_only_agents_of_our_own_are_prepared():
    texts = ["champion", "mcts:c=2", "exec:./bot", "mybot.py:Mine"]
    players = built_in_players("connect4", texts, {"width": 6})
    assert [player.agent for player in players] == texts[:2]
    assert dict(players[0].options) == {"width": 6}


def process_of(preparation: Preparation) -> int:
    """Its only process, which is about to start."""
    while (pid := preparation.processes[0].pid) is None:
        pass
    return pid


def test_killed_processes_hold_nobody_up():
    players = [Player("connect4", name) for name in ("champion", "mcts", "alphabeta")]
    with Preparation(players, 1) as preparation:
        os.kill(process_of(preparation), signal.SIGKILL)
        assert next(preparation.ready(players)) == players[0]
        assert not players[0].is_ready and preparation.waiting(players) == players[1:]


def test_a_stopped_process_goes_on():
    player = Player("connect4", "random")
    with Preparation([player], 1) as preparation:
        os.kill(process_of(preparation), signal.SIGSTOP)
        assert list(preparation.ready([player])) == [player]
    assert player.is_ready


def test_a_process_whose_request_is_lost_holds_nobody_up(monkeypatch):
    """Somebody else has read it."""
    monkeypatch.setattr(compile_process, "IDLE_SECONDS", 2.0)
    monkeypatch.setattr(compile_process.os, "write", lambda descriptor, data: len(data))
    player = Player("connect4", "random")
    with Preparation([player], 1) as preparation:
        assert list(preparation.ready([player])) == [player]
    assert not player.is_ready


def test_processes_keep_to_games_of_their_own():
    players = [
        Player(game, name) for game in ("connect4", "blockudoku") for name in ("random", "champion")
    ]
    with Preparation(players, 2) as preparation:
        begun = {player.game for player in players if player not in preparation.queued}
        assert begun == {"connect4", "blockudoku"}
        assert preparation.queued == [players[1], players[3]]
