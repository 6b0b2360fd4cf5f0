"""How a game ended."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class Termination(StrEnum):
    """Why a game ended. All but NORMAL are verdicts of the referee."""

    NORMAL = "normal"
    TIMEOUT = "timeout"
    CRASH = "crash"
    ILLEGAL_MOVE = "illegal move"
    TABOO_MOVE = "taboo move"
    FALSE_CLAIM = "false claim"
    NO_MOVE = "no move"
    OUT_OF_TURN = "out of turn"
    RESIGN = "resign"
    PLY_LIMIT = "ply limit"
    ADJUDICATED = "adjudicated"
    INTERRUPTED = "interrupted"


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result of a finished game.

    `winner` is the index of the winning player, or None for a draw (and for one-player games).
    `scores` are the players' points in games that count them, `points` the contest's points.
    """

    winner: int | None
    termination: Termination = Termination.NORMAL
    scores: tuple[float, ...] | None = None
    points: tuple[int, ...] | None = None
    detail: str = ""

    @property
    def margin(self) -> float | None:
        """Points of the first player minus points of the second, where the game has points."""
        if self.scores is None or len(self.scores) != 2:
            return None
        return self.scores[0] - self.scores[1]

    def score(self, player: int) -> float:
        """1 for a win of this player, 0.5 for a draw, 0 for a loss."""
        if self.winner is None:
            return 0.5
        return 1.0 if self.winner == player else 0.0
