"""Compiles what players need before any clock runs: on all cores, each player only once.

A stamp in the compile cache says that a player was prepared by this very installation; then there
is nothing to do, and no process is started.
"""

from __future__ import annotations

import concurrent.futures as futures
import contextlib
import hashlib
import json
import os
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from plyground.core.game import OptionValue
from plyground.core.registry import agents, is_built_in, make_agent, make_game
from plyground.core.rooms import HOUSE, installation_state
from plyground.engines.compile_process import CompileProcess
from plyground.engines.players import split_player
from plyground.kernels.store import kernels_root, seal_used


@cache
def _state() -> str:
    return installation_state(HOUSE.rglob("*.py"))


def built_in_players(
    game: str, texts: Iterable[str], options: Mapping[str, OptionValue]
) -> list[Player]:
    """Those of these players that are agents of our own; others prepare themselves."""
    own = [text for text in texts if not split_player(text)[0]]
    known = agents(game) if own else {}
    return [
        Player.of(game, text, options)
        for text in own
        if (name := text.partition(":")[0]) in known and is_built_in(known[name])
    ]


Job = futures.Future[None]


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
    """Prepares players in the background; use it as a context manager.

    They are taken in their order, but each process keeps to a game of its own as long as there is
    one: players of the same game would wait for each other to compile its rules. A process that is
    killed or says nothing any more holds nobody up: who is left compiles when it is started.
    """

    def __init__(self, players: Sequence[Player], workers: int = 0) -> None:
        waiting = [player for player in dict.fromkeys(players) if not player.is_ready]
        self.total = len(waiting)
        self._jobs = {futures.Future[None](): player for player in waiting}
        self._queue = list(self._jobs.items())
        self._busy: list[str] = []  # the games that are being compiled, one for each process
        self._turn = threading.Lock()
        if waiting:
            seal_used()  # what this process has compiled is not compiled again
        count = min(workers or os.cpu_count() or 1, len(waiting))
        self.processes = [CompileProcess() for _ in range(count)]
        self._threads = [
            threading.Thread(target=self._work, args=(process, *self._take()), daemon=True)
            for process in self.processes
        ]
        for thread in self._threads:
            thread.start()

    def _work(self, process: CompileProcess, job: Job | None, player: Player | None) -> None:
        """Have one process prepare player after player, beginning with this one."""
        while job is not None and player is not None:
            with contextlib.suppress(OSError):  # no process can be had
                process.prepare(player.game, player.agent, dict(player.options), player.stamp)
            job.set_result(None)
            with self._turn:
                self._busy.remove(player.game)
            job, player = self._take()
        process.close()

    def _take(self) -> tuple[Job | None, Player | None]:
        """The next player for a process that has nothing to do."""
        with self._turn:
            if not self._queue:
                return None, None
            places = range(len(self._queue))
            free = (at for at in places if self._queue[at][1].game not in self._busy)
            job, player = self._queue.pop(next(free, 0))
            self._busy.append(player.game)
            return job, player

    @property
    def queued(self) -> list[Player]:
        """Players that no process has begun with."""
        return [player for _, player in self._queue]

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
        with self._turn:
            self._queue.clear()
        for process in self.processes:
            process.close()
        for thread in self._threads:
            thread.join()
        for process in self.processes:
            process.reap()

    def __enter__(self) -> Preparation:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
