"""What happens in a run. Store, tables, reports and the page listen to nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from plyground.arena.task import GameResult, GameTask
from plyground.core.game import Position
from plyground.core.record import MoveRecord
from plyground.core.search import SearchInfo


@dataclass(frozen=True)
class GameStarted:
    """The engines are ready; `position` is the one after the opening moves."""

    task: GameTask
    position: Position


@dataclass(frozen=True)
class InfoReceived:
    """The player in `seat` said something while thinking."""

    task: GameTask
    seat: int
    info: SearchInfo


@dataclass(frozen=True)
class MovePlayed:
    """A move (or deal) was accepted; `position` is the one after it."""

    task: GameTask
    move: MoveRecord
    position: Position


@dataclass(frozen=True)
class GameEnded:
    """A game has its outcome."""

    result: GameResult


Event = GameStarted | InfoReceived | MovePlayed | GameEnded
Listener = Callable[[Event], None]


def ignore_event(event: Event) -> None:
    """A listener for those who only want the result."""
