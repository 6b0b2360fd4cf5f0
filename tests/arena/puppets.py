"""Engines for tests of the referee: they live in this process and say what they are told to."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from plyground.arena.task import GameTask, MatchRules
from plyground.core.game import Position
from plyground.core.limits import Limit
from plyground.core.search import SearchInfo
from plyground.engines.engine import Answer, Engine, EngineSettings
from plyground.engines.failure import EngineError, Interrupt


class Puppet(Engine):
    """Answers with the scripted answers in turn (an exception is raised), then its first move."""

    def __init__(self, script: Iterable[Answer | EngineError] = ()) -> None:
        super().__init__("puppet", EngineSettings(), Interrupt())
        self.script = list(script)
        self.setups = []
        self.limits: list[Limit] = []
        self.heard: list[tuple[str, int]] = []
        self.deals: list[str] = []
        self.outcome = None
        self.infos: list[SearchInfo] = []

    def start(self) -> None:
        pass

    def new_game(self, setup) -> None:
        self.setups.append(setup)

    def think(self, position: Position, limit: Limit, listener: Callable) -> Answer:
        self.limits.append(limit)
        for info in self.infos:
            listener(info)
        if not self.script:
            return Answer(moves=(position.legal_moves[0],), elapsed=0.01)
        answer = self.script.pop(0)
        if isinstance(answer, EngineError):
            raise answer
        return answer

    def observe(self, position: Position, move: str, player: int) -> None:
        self.heard.append((move, player))

    def deal(self, position: Position, event: str) -> None:
        self.deals.append(event)

    def finish_game(self, outcome) -> None:
        self.outcome = outcome

    def close(self) -> None:
        pass


def say(move: str, elapsed: float = 0.01, **more) -> Answer:
    return Answer(moves=(move,), elapsed=elapsed, **more)


def make_task(limit: Limit | None = None, **more) -> GameTask:
    return GameTask(
        **{
            "schedule_id": "0-1/1a",
            "pair_id": "0-1/1",
            "game": "connect4",
            "options": {"mean": "none"},
            "players": ("a", "b"),
            "labels": ("a", "b"),
            "seats": (0, 1),
            "limits": (limit or Limit(time=1.0),) * 2,
            "engine_seeds": (1, 2),
            "rules": MatchRules(),
            **more,
        }
    )
