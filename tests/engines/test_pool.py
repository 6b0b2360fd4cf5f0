"""The pool of engines: what it keeps, what it ends, and that nothing outlives it."""

from __future__ import annotations

import threading

import pytest

from plyground.core.outcome import Termination
from plyground.engines.engine import EngineSettings
from plyground.engines.failure import EngineError, EngineStartError, MatchStoppedError
from plyground.engines.pool import EngineKey, EnginePool, engine_pool, one_engine


class Toy:
    """Stands for an engine; counts how often it was ended."""

    def __init__(self, key: EngineKey) -> None:
        self.key = key
        self.reusable = True
        self.ended = 0

    def close(self) -> None:
        self.ended += 1


def toy_pool(**bounds: int) -> EnginePool[Toy]:
    return EnginePool(lambda key, interrupt, nursery: Toy(key), **bounds)


def key(player: str) -> EngineKey:
    return EngineKey("connect4", player, EngineSettings())


def test_a_healthy_engine_is_used_again_and_a_broken_one_is_ended():
    with toy_pool() as pool:
        first = pool.take(key("a"))
        pool.give_back(key("a"), first)
        assert pool.take(key("a")) is first
        pool.give_back(key("a"), first, EngineError(Termination.CRASH, "gone"))
        assert first.ended == 1
        second = pool.take(key("a"))
        assert second is not first
        second.reusable = False
        pool.give_back(key("a"), second)
        assert second.ended == 1
        assert pool.size == 0


def test_a_player_may_meet_itself():
    with toy_pool() as pool:
        first, second = pool.take(key("a")), pool.take(key("a"))
        assert first is not second
        pool.give_back(key("a"), first)
        pool.give_back(key("a"), second)
        assert {pool.take(key("a")), pool.take(key("a"))} == {first, second}


def test_the_longest_unused_engine_makes_room():
    with toy_pool(kept=2, most=2) as pool:
        first, second = pool.take(key("a")), pool.take(key("b"))
        assert not pool.has_room
        pool.give_back(key("a"), first)
        pool.give_back(key("b"), second)
        assert pool.has_room
        third = pool.take(key("c"))
        assert (first.ended, second.ended, third.ended) == (1, 0, 0)
        assert pool.size == 2
    assert second.ended == 1


def test_no_more_are_kept_than_asked_for():
    with toy_pool(kept=1) as pool:
        lent = [pool.take(key(name)) for name in "abc"]
        for engine in lent:
            pool.give_back(engine.key, engine)
        assert [engine.ended for engine in lent] == [1, 1, 0]
        pool.end_idle(60.0)
        assert lent[2].ended == 0
        pool.end_idle()
        assert lent[2].ended == 1


def test_a_player_that_does_not_start_is_refused_after_a_while():
    failure = EngineStartError(Termination.TIMEOUT, "no hello")
    with toy_pool() as pool:
        for _ in range(3):
            assert pool.refusal(key("a")) is None
            pool.give_back(key("a"), pool.take(key("a")), failure)
        assert pool.refusal(key("a")) is not None
        assert pool.refusal(key("b")) is None


def test_what_is_lent_when_the_pool_closes_ends_when_it_comes_back():
    pool = toy_pool()
    kept, lent = pool.take(key("a")), pool.take(key("b"))
    pool.give_back(key("a"), kept)
    pool.close()
    assert (kept.ended, lent.ended) == (1, 0)
    pool.give_back(key("b"), lent)
    assert lent.ended == 1
    with pytest.raises(MatchStoppedError):
        pool.take(key("a"))


def test_threads_never_share_an_engine():
    used: set[int] = set()
    shared: list[Toy] = []

    def play() -> None:
        for _ in range(200):
            engine = pool.take(key("a"))
            if id(engine) in used:
                shared.append(engine)
            used.add(id(engine))
            used.discard(id(engine))
            pool.give_back(key("a"), engine)

    with toy_pool(kept=4) as pool:
        threads = [threading.Thread(target=play) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not shared
        assert 1 <= pool.size <= 4


def test_engines_of_one_pool_come_from_one_nursery_and_end_with_it():
    settings = EngineSettings()
    with engine_pool() as pool:
        engines = [pool.take(EngineKey("connect4", "random", settings)) for _ in range(2)]
        for engine in engines:
            engine.start()
        processes = [engine.process for engine in engines]
        for engine in engines:
            pool.give_back(EngineKey("connect4", "random", settings), engine)
    assert all(engine.process is None for engine in engines)
    assert len({process.pid for process in processes}) == 2


def test_one_engine_ends_with_its_block():
    with one_engine("connect4", "random", EngineSettings()) as engine:
        engine.start()
        assert engine.process is not None
    assert engine.process is None
