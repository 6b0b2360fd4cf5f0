"""An engine as the referee sees it, whatever protocol the program behind it speaks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import msgspec

from plyground.core.errors import LimitError
from plyground.core.game import Game, Position
from plyground.core.limits import MOST_SECONDS, Limit, TimeBy
from plyground.core.outcome import Outcome
from plyground.core.search import MoveValue, Score, SearchInfo
from plyground.engines.failure import Interrupt
from plyground.engines.process import ProcessLimits
from plyground.engines.sandbox import SandboxMode

InfoListener = Callable[[SearchInfo], None]


class EngineSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How engine processes are run; times in seconds.

    `startup` is the budget of an external program for its start and each new game, `loading` that
    of a built-in agent (it may have to compile). `margin` is added to every limit for the pipe and
    the scheduler. `patience` ends a turn that has no limit on time. `grace` is what an engine that
    overran with a proposal on the table gets to come back. `sandbox` says whether programs of
    others run apart; `private` are files that they must not see there.
    """

    startup: float = 20.0
    loading: float = 300.0
    margin: float = 0.1
    patience: float = 120.0
    grace: float = 1.0
    limits: ProcessLimits = ProcessLimits()
    sandbox: SandboxMode = "auto"
    private: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("startup", "loading", "margin", "patience", "grace"):
            if not 0 <= getattr(self, name) <= MOST_SECONDS:
                raise LimitError(f"{name} must be 0 to {MOST_SECONDS:g} seconds")


class GameSetup(msgspec.Struct, frozen=True, kw_only=True):
    """A new game as it is told to one engine. `position` is the one after the opening moves."""

    id: str
    game: Game
    position: Position
    side: int
    seed: int
    limit: Limit
    start: str = ""
    """The position before the opening moves; empty for the game's own start."""
    opening: tuple[str, ...] = ()


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What an engine answered: its move (or sequence of moves, or none: it resigns).

    `elapsed` is what the referee measured. `line` is the play that the engine expects, `values`
    are the worths of moves, where it was asked for them or tells anyway. `overran` marks a proposal
    that was taken because the answer itself came too late.
    """

    moves: tuple[str, ...]
    elapsed: float
    score: Score | None = None
    nodes: int | None = None
    depth: int | None = None
    line: tuple[str, ...] = ()
    values: tuple[MoveValue, ...] = ()
    note: str = ""
    overran: bool = False


class TurnBudget(msgspec.Struct, frozen=True):
    """Seconds after which the engine is told to stop, and after which its turn is lost.

    `by` says what the seconds are.
    """

    soft: float | None
    hard: float
    by: TimeBy = "wall"

    @classmethod
    def of(cls, limit: Limit, settings: EngineSettings) -> TurnBudget:
        """The budget that a limit means under these settings."""
        bounds = [
            bound
            for bound in (limit.time, limit.clock.remaining if limit.clock else None)
            if bound is not None
        ]
        if not bounds:
            return cls(None, settings.patience)
        return cls(min(bounds), min(bounds) + settings.margin, limit.by)


class Engine(ABC):
    """A player's program. Every method that talks to it raises EngineError when it fails.

    `reusable` says whether one process plays many games, `logged` whether people will want to see
    what it said: not of an agent of our own.
    """

    reusable: bool = True
    logged: bool = True
    built_in: bool = False
    """Whether it is a player of our own, which is believed when it blames the game."""

    def __init__(self, name: str, settings: EngineSettings, interrupt: Interrupt) -> None:
        self.name = name
        self.settings = settings
        self.interrupt = interrupt

    @abstractmethod
    def start(self) -> None:
        """Start the process and wait until it is there. Does nothing when it is running."""

    @abstractmethod
    def new_game(self, setup: GameSetup) -> None:
        """Prepare a game; all that is slow happens here, before any clock runs."""

    @abstractmethod
    def think(self, position: Position, limit: Limit, listener: InfoListener) -> Answer:
        """Ask for a move and wait for it within the limit's budget."""

    @abstractmethod
    def observe(self, position: Position, move: str, player: int) -> None:
        """Tell a move that was played; `position` is the one after it."""

    @abstractmethod
    def deal(self, position: Position, event: str) -> None:
        """Tell a random event; `position` is the one after it."""

    @abstractmethod
    def finish_game(self, outcome: Outcome) -> None:
        """Tell that the game is over."""

    @abstractmethod
    def close(self) -> None:
        """End the process and all its children."""

    def log_text(self) -> str:
        """What the program wrote to standard error in this game, up to a limit."""
        return ""

    def protocol_text(self) -> str:
        """The last lines that were said to the program and by it in this game."""
        return ""
