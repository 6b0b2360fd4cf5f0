"""The owner of engines: lends them to games and searches, keeps idle ones, and ends every one."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, NamedTuple, Protocol, TypeVar

from plyground.core.outcome import Termination
from plyground.engines.engine import Engine, EngineSettings
from plyground.engines.failure import EngineError, EngineStartError, Interrupt
from plyground.engines.nursery import Nursery
from plyground.engines.players import make_engine

START_ATTEMPTS = 3


class EngineKey(NamedTuple):
    """What an engine is for. Engines with the same key can stand in for each other."""

    game: str
    player: str
    settings: EngineSettings


class Ownable(Protocol):
    """An engine, or a shell around one. `reusable` says whether it is fit for another game."""

    @property
    def reusable(self) -> bool: ...

    def close(self) -> None:
        """End the process and all its children; does nothing the second time."""


Owned = TypeVar("Owned", bound=Ownable)

Maker = Callable[[EngineKey, Interrupt, Nursery], Owned]
"""Makes an engine, not yet started. InputError if there can be no such player."""


class _Idle(NamedTuple, Generic[Owned]):
    key: EngineKey
    engine: Owned
    since: float


class EnginePool(Generic[Owned]):
    """Engines by player, for use by any thread; calls that end an engine wait for its end.

    At most `kept` idle engines stay; `most` bounds all of them, lent and idle together. The engines
    share a nursery and an interrupt, which ends every wait for any of them.

    A player that fails to start several times in a row is not to be tried again (`refusal`).
    """

    def __init__(self, make: Maker[Owned], *, kept: int = 8, most: int | None = None) -> None:
        self.interrupt = Interrupt()
        self._make = make
        self._kept = kept
        self._most = most
        self.nursery = Nursery()
        self._lock = threading.Lock()
        self._idle: list[_Idle[Owned]] = []
        """The longest unused one first."""
        self._lent = 0
        self._failed_starts: Counter[EngineKey] = Counter()

    @property
    def size(self) -> int:
        """How many engines there are, lent and idle."""
        return self._lent + len(self._idle)

    @property
    def idle(self) -> list[Owned]:
        """The engines that nobody uses."""
        with self._lock:
            return [one.engine for one in self._idle]

    @property
    def has_room(self) -> bool:
        """Whether another engine can be had, in place of an idle one if need be."""
        return self._most is None or self._lent < self._most

    def refusal(self, key: EngineKey) -> EngineError | None:
        """Why this player shall not be started again, if so."""
        if self._failed_starts[key] < START_ATTEMPTS:
            return None
        return EngineError(
            Termination.CRASH, f"did not start {START_ATTEMPTS} times in a row, not tried again"
        )

    def take_idle(self, key: EngineKey) -> Owned | None:
        """The engine of this player that was used last, if one is kept."""
        with self._lock:
            for place in reversed(range(len(self._idle))):
                if self._idle[place].key == key:
                    self._lent += 1
                    return self._idle.pop(place).engine
        return None

    def take(self, key: EngineKey) -> Owned:
        """An engine of this player: one that is kept, else a new one, not yet started.

        InputError if there can be no such player, MatchStoppedError after the interrupt. Ask for
        room before, if the pool is bounded.
        """
        self.interrupt.check()
        kept = self.take_idle(key)
        if kept is not None:
            return kept
        engine = self._make(key, self.interrupt, self.nursery)
        with self._lock:
            self._lent += 1
            surplus = [] if self._most is None else self._surplus(self._most - self._lent)
        _end(surplus)
        return engine

    def give_back(self, key: EngineKey, engine: Owned, failure: EngineError | None = None) -> None:
        """Keep a healthy engine for its next game; end the others."""
        with self._lock:
            self._lent -= 1
            if isinstance(failure, EngineStartError):
                self._failed_starts[key] += 1
            fit = failure is None and engine.reusable and not self.interrupt.is_set
            if fit:
                del self._failed_starts[key]
                self._idle.append(_Idle(key, engine, time.monotonic()))
            surplus = self._surplus(self._kept)
        _end(surplus if fit else [engine, *surplus])

    def discard(self, engine: Owned) -> None:
        """End a lent engine whose game or search was broken off."""
        with self._lock:
            self._lent -= 1
        engine.close()

    def end_idle(self, seconds: float = 0.0) -> None:
        """End the engines that nobody used for so long."""
        latest = time.monotonic() - seconds
        with self._lock:
            fresh = sum(one.since > latest for one in self._idle)
            surplus = self._surplus(fresh)
        _end(surplus)

    def _surplus(self, kept: int) -> list[Owned]:
        """Take the longest unused engines out until no more than `kept` are idle."""
        count = max(0, len(self._idle) - max(0, kept))
        surplus = [one.engine for one in self._idle[:count]]
        del self._idle[:count]
        return surplus

    def close(self) -> None:
        """End all idle engines and the nursery; engines still lent end when they are given back."""
        self.interrupt.set()
        self.end_idle()
        self.nursery.close()

    def __enter__(self) -> EnginePool[Owned]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _end(engines: list[Owned]) -> None:
    for engine in engines:
        engine.close()


def engine_pool(kept: int = 8) -> EnginePool[Engine]:
    """A pool of engines for games."""

    def make(key: EngineKey, switch: Interrupt, nursery: Nursery) -> Engine:
        return make_engine(*key, switch, nursery)

    return EnginePool(make, kept=kept)


@contextmanager
def one_engine(game: str, player: str, settings: EngineSettings) -> Iterator[Engine]:
    """The engine of one player, not yet started; it is ended with the block.

    InputError if there can be no such player.
    """
    with engine_pool() as pool:
        engine = pool.take(EngineKey(game, player, settings))
        try:
            yield engine
        finally:
            engine.close()
