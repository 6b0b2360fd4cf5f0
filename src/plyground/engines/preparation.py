"""Compiles what players need before any clock runs: on all cores, each player only once.

A stamp in the compile cache says that a player was prepared by this very installation; then there
is nothing to do, and no process is started.
"""

from __future__ import annotations

import concurrent.futures as futures
import contextlib
import hashlib
import json
import multiprocessing
import os
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from plyground.core.errors import PlygroundError
from plyground.core.game import OptionValue
from plyground.core.registry import agents, is_built_in, make_agent, make_game
from plyground.core.rooms import HOUSE, installation_state
from plyground.kernels.store import kernels_root

BACKGROUND = 3
"""Niceness of what compiles while games are played already."""


@cache
def _state() -> str:
    return installation_state(HOUSE.rglob("*.py"))


def built_in_players(
    game: str, texts: Iterable[str], options: Mapping[str, OptionValue]
) -> list[Player]:
    """Those of these players that are agents of our own; others prepare themselves."""
    known = agents(game)
    return [
        Player.of(game, text, options)
        for text in texts
        if (name := text.partition(":")[0]) in known and is_built_in(known[name])
    ]


@dataclass(frozen=True)
class Player:
    """A built-in agent in a game with its options (those that are not the usual ones)."""

    game: str
    agent: str
    options: tuple[tuple[str, OptionValue], ...] = ()

    @classmethod
    def of(cls, game: str, agent: str, options: Mapping[str, OptionValue]) -> Player:
        """A player by its text and the game's options."""
        return cls(game, agent, tuple(sorted(options.items())))

    @property
    def is_ready(self) -> bool:
        """Whether nothing is to be compiled."""
        return self.stamp.exists()

    @property
    def stamp(self) -> Path:
        """What is there once the player is prepared."""
        flags = sorted(item for item in os.environ.items() if item[0].startswith("NUMBA_"))
        # Without the options: hardly any kernel is compiled for one of them alone.
        facts = json.dumps([self.game, self.agent.partition(":")[0], flags, _state()])
        return kernels_root() / f"prepared-{hashlib.sha256(facts.encode()).hexdigest()[:20]}"

    def prepare(self) -> None:
        """Compile or load everything, in this process."""
        rules = make_game(self.game, dict(self.options))
        agent = make_agent(self.game, self.agent)
        agent.new_game(rules, 0)
        agent.warm_up()
        # The referee lists moves by the rules themselves, which a search may have compiled in.
        position = rules.first_decision()
        position.play(position.legal_moves[0])


class Preparation:
    """Prepares players in the background, in their order; use it as a context manager."""

    def __init__(self, players: Sequence[Player], workers: int = 0) -> None:
        waiting = [player for player in dict.fromkeys(players) if not player.is_ready]
        self.total = len(waiting)
        self._others = set(multiprocessing.active_children())
        self._pool: futures.ProcessPoolExecutor | None = None
        self._jobs: dict[futures.Future[None], Player] = {}
        if waiting:
            count = min(workers or os.cpu_count() or 1, len(waiting))
            context = multiprocessing.get_context("spawn")
            self._pool = futures.ProcessPoolExecutor(count, context, _settle_in)
            self._jobs = {
                self._pool.submit(_prepare, player, player.stamp): player for player in waiting
            }

    def waiting(self, players: Sequence[Player]) -> list[Player]:
        """Those of these players that are not ready yet."""
        jobs = self._jobs.items()
        return [player for job, player in jobs if player in players and not job.done()]

    def ready(self, players: Sequence[Player]) -> Iterator[Player]:
        """Those of these players that had to wait, each as soon as it is ready."""
        for player in self.follow(players):
            if player is not None:
                yield player

    def follow(
        self, players: Sequence[Player], seconds: float | None = None
    ) -> Iterator[Player | None]:
        """The same; None whenever so many seconds have passed meanwhile."""
        jobs = {job for job, player in self._jobs.items() if player in players}
        while jobs:
            done, jobs = futures.wait(jobs, seconds, futures.FIRST_COMPLETED)
            for job in done:
                job.result()
                yield self._jobs.pop(job)
            if not done:
                yield None

    def close(self) -> None:
        """Leave the rest; what is compiled so far is kept."""
        if self._pool is not None:
            for process in set(multiprocessing.active_children()) - self._others:
                process.terminate()
            # The pool's own thread reaps its processes; a second waiter would race with it.
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    def __enter__(self) -> Preparation:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _settle_in() -> None:
    """A process of the pool begins: it gives way to others, and ends with whoever started it.

    One that was killed cannot tell; the pool's own pipes are held open by all its processes.
    """
    os.nice(BACKGROUND)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _prepare(player: Player, stamp: Path) -> None:
    """In a process of the pool, which says nothing: somebody shows the progress of all.

    The stamp is named by whoever asks: files may be newer by now. What an agent cannot play it says
    itself, when it is asked to.
    """
    sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    with contextlib.suppress(PlygroundError, OSError):
        player.prepare()
        stamp.mkdir(exist_ok=True)
