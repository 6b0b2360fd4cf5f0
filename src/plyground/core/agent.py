"""Agents: players of a game. Subclass `Agent` and implement `choose`; that is all.

An agent that searches overrides `search` instead, so that it can report progress and be stopped.
It keeps what it likes between its turns; `new_game` clears it, `observe` tells every move played.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from plyground.core.errors import InputError
from plyground.core.game import Game, GameInfo, Position
from plyground.core.limits import Limit
from plyground.core.search import SearchInfo, SearchResult

Report = Callable[[SearchInfo], None]
"""Called with progress; every info with a move is a proposal that counts if time runs out."""

Stop = Callable[[], bool]
"""Asked every few milliseconds; True ends the search with the best move so far."""


def no_report(info: SearchInfo) -> None:
    """A `Report` for callers who only want the result."""


def no_stop() -> bool:
    """A `Stop` for callers who leave it to the limit."""
    return False


class Agent:
    """A player. The parameters of its constructor, with defaults, are its settings."""

    name: ClassVar[str] = ""
    summary: ClassVar[str] = ""

    game: Game
    seed: int = 0

    @classmethod
    def plays(cls, info: GameInfo) -> bool:
        """Whether this agent can play a game; asked of agents registered for every game."""
        return True

    def new_game(self, game: Game, seed: int) -> None:
        """Start afresh: forget everything, fix the game and the seed of all randomness."""
        self.game = game
        self.seed = seed

    def warm_up(self) -> None:
        """Load or compile what the first search needs. Never on the clock; after `new_game`."""

    def observe(self, position: Position, move: str) -> None:
        """Told after every move of the game, its own included: the move and the new position."""

    def choose(self, position: Position, limit: Limit) -> str:
        """The move to play."""
        raise NotImplementedError(f"{type(self).__name__} needs a method `choose` or `search`")

    def search(
        self, position: Position, limit: Limit, report: Report = no_report, stop: Stop = no_stop
    ) -> SearchResult:
        """Think within the limit; report proposals on the way."""
        return SearchResult(self.choose(position, limit))

    def analyse(
        self, position: Position, limit: Limit, report: Report = no_report, stop: Stop = no_stop
    ) -> SearchResult:
        """Like `search`, for people who look on: agents that can give every move a value do so."""
        return self.search(position, limit, report, stop)


def check_agent(made: type[Agent]) -> None:
    """InputError for a class that could not make a single move as it is written."""
    import inspect  # here: only agents of people's own need it

    if made.choose is Agent.choose and made.search is Agent.search:
        raise InputError(f"{made.__name__} needs a method `choose(self, position, limit)`")
    for name in ("choose", "search"):
        method = inspect.getattr_static(made, name)
        if not inspect.isfunction(method):
            continue
        form = inspect.signature(getattr(Agent, name))
        try:
            inspect.signature(method).bind(*form.parameters)
        except TypeError:
            wanted, given = ", ".join(form.parameters), inspect.signature(method)
            line = method.__code__.co_firstlineno
            raise InputError(
                f"{made.__name__}.{name} must take ({wanted}), not {given} (line {line})"
            ) from None
