"""What a search says: scores with their point of view, progress, results."""

from __future__ import annotations

from typing import Literal

import msgspec

Value = Literal["win", "loss", "draw"]
_OPPOSITE: dict[Value, Value] = {"win": "loss", "loss": "win", "draw": "draw"}


class Score(msgspec.Struct, frozen=True, omit_defaults=True):
    """The worth of a position or move for one player (`player`).

    Proven results carry `value`, and `distance` in plies to the end where known; `at_most` says
    that it may come sooner. Otherwise `points` (a margin or a heuristic value, in the game's own
    unit) or `probability` of winning (0 to 1).
    """

    player: int
    value: Value | None = None
    distance: int | None = None
    points: float | None = None
    probability: float | None = None
    at_most: bool = False

    def seen_by(self, player: int) -> Score:
        """The same score from the point of view of a player of a two-player game."""
        if player == self.player:
            return self
        return Score(
            player,
            _OPPOSITE[self.value] if self.value is not None else None,
            self.distance,
            -self.points if self.points is not None else None,
            1.0 - self.probability if self.probability is not None else None,
            self.at_most,
        )

    @property
    def expectation(self) -> float:
        """A number from -1 (lost) to 1 (won) for bars and heat maps; points are squashed."""
        if self.value is not None:
            return {"win": 1.0, "draw": 0.0, "loss": -1.0}[self.value]
        if self.probability is not None:
            return 2.0 * self.probability - 1.0
        if self.points is not None:
            return self.points / (1.0 + abs(self.points))
        return 0.0

    @property
    def when(self) -> str:
        """How far the end is: ` in 7`, ` within 31`, empty if not known."""
        if self.distance is None:
            return ""
        return f" {'within' if self.at_most else 'in'} {self.distance}"

    def __str__(self) -> str:
        if self.value is not None:
            return self.value + self.when
        if self.probability is not None:
            return f"{100 * self.probability:.1f} %"
        return f"{self.points:+g}" if self.points is not None else "unknown"


class MoveValue(msgspec.Struct, frozen=True, omit_defaults=True):
    """One move at the root with its score for the side to move, and how often it was tried.

    `kept` is the part of all possible ends that the move keeps, where a game estimates it.
    """

    move: str
    score: Score | None = None
    visits: int | None = None
    kept: float | None = None


class SearchInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """Progress while thinking. Every one with a `move` is a proposal that may be played."""

    move: str | None = None
    score: Score | None = None
    depth: int | None = None
    nodes: int = 0
    elapsed: float = 0.0
    line: tuple[str, ...] = ()
    moves: tuple[MoveValue, ...] = ()
    note: str = ""


class SearchResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """The end of a search: the move to play, what it is worth, and what was done to find out."""

    move: str
    score: Score | None = None
    line: tuple[str, ...] = ()
    moves: tuple[MoveValue, ...] = ()
    nodes: int = 0
    depth: int | None = None
    elapsed: float = 0.0
    note: str = ""

    @property
    def best(self) -> tuple[str, ...]:
        """All moves with the same score as the best one (the best move itself first)."""
        same = [m.move for m in self.moves if m.score == self.score and m.score is not None]
        return (self.move, *(move for move in same if move != self.move))

    def as_info(self) -> SearchInfo:
        """The same as a report of a search that goes on."""
        return SearchInfo(**msgspec.structs.asdict(self))
