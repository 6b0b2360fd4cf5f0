"""Ends games whose result both players agree on: by proof, or by their scores for a while."""

from __future__ import annotations

import msgspec

from plyground.core.errors import InputError
from plyground.core.outcome import Outcome, Termination
from plyground.core.search import Score

RESIGN_MOVES = 3
DRAW_MOVES = 6
"""So many moves of each player in a row must agree."""


class Adjudication(msgspec.Struct, frozen=True, omit_defaults=True):
    """When a game is over before its end.

    `proven`: both players report the same proven result. `resign` and `draw` are thresholds on the
    scale from 0 (even) to 1 (decided) that scores are drawn on: the game is lost for whom both
    players' last three scores put beyond `resign`; it is a draw if both players' last six scores
    lie within `draw`. A player that tells no scores is never adjudicated.
    """

    proven: bool = False
    resign: float | None = None
    draw: float | None = None

    def check(self) -> None:
        """InputError for thresholds that make no sense."""
        if self.resign is not None and not 0.0 < self.resign <= 1.0:
            raise InputError(f"resign is a threshold above 0, at most 1, not {self.resign:g}")
        if self.draw is not None and not 0.0 <= self.draw < 1.0:
            raise InputError(f"draw is a threshold from 0, below 1, not {self.draw:g}")

    def verdict(self, said: tuple[list[Score | None], ...]) -> Outcome | None:
        """The outcome that follows from the scores of both players' turns so far, if one does."""
        if not self.proven and self.resign is None and self.draw is None:
            return None
        if len(said) != 2 or not all(said):
            return None
        return self._by_proof(said) or self._by_resigning(said) or self._by_draw(said)

    def _by_proof(self, said: tuple[list[Score | None], ...]) -> Outcome | None:
        if not self.proven:
            return None
        views = [one.seen_by(0).value if (one := scores[-1]) else None for scores in said]
        if views[0] is None or views[0] != views[1]:
            return None
        winner = {"win": 0, "loss": 1, "draw": None}[views[0]]
        return _ended(winner, f"both players have proven: {views[0]} for the first player")

    def _by_resigning(self, said: tuple[list[Score | None], ...]) -> Outcome | None:
        views = _last_views(said, RESIGN_MOVES)
        if self.resign is None or views is None:
            return None
        for winner, sign in ((0, 1.0), (1, -1.0)):
            if all(sign * view >= self.resign for view in views):
                sides = ("second", "first")
                return _ended(winner, f"both players take the {sides[winner]} for lost")
        return None

    def _by_draw(self, said: tuple[list[Score | None], ...]) -> Outcome | None:
        views = _last_views(said, DRAW_MOVES)
        if self.draw is None or views is None or any(abs(view) > self.draw for view in views):
            return None
        return _ended(None, "both players take it for even")


def _last_views(said: tuple[list[Score | None], ...], count: int) -> list[float] | None:
    """The last scores of both as the first player sees them; None unless there are so many."""
    last = [score for scores in said for score in scores[-count:]]
    if len(last) < 2 * count or None in last:
        return None
    return [score.seen_by(0).expectation for score in last if score is not None]


def _ended(winner: int | None, detail: str) -> Outcome:
    return Outcome(winner, Termination.ADJUDICATED, detail=detail)
