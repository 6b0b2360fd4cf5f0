"""Sequential probability ratio test on pairs of games (generalised, pentanomial).

Tests "the first player is ``elo0`` stronger" against "he is ``elo1`` stronger" (logistic Elo) and
says after each pair whether the match can stop. The unknown distribution of pair scores is
replaced under each hypothesis by the one closest to the observed frequencies (maximum
likelihood) that has the expected score of the hypothesis.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from plyground.stats.elo import score_from_elo

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
GAME_SCORES = (0.0, 0.5, 1.0)
_EMPTY_COUNT = 1e-3
MOST_ELO = 4000.0
"""Beyond this who is stronger wins always, as far as numbers can tell."""

Decision = Literal["accept_elo0", "accept_elo1", "continue"]


@dataclass(frozen=True)
class SprtState:
    """Log-likelihood ratio (positive speaks for elo1), its two bounds, and what follows."""

    llr: float
    lower: float
    upper: float
    decision: Decision


@dataclass(frozen=True)
class Sprt:
    """The test. ``alpha``: probability to accept elo1 when elo0 is true; ``beta``: the reverse.

    Raises ValueError unless elo0 < elo1, both no further from 0 than `MOST_ELO`, and both error
    rates lie strictly between 0 and 1/2.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise ValueError(f"SPRT needs elo0 < elo1, got elo0={self.elo0} elo1={self.elo1}")
        if max(abs(self.elo0), abs(self.elo1)) > MOST_ELO:
            raise ValueError(f"SPRT bounds lie between -{MOST_ELO:g} and {MOST_ELO:g} Elo")
        if not (0.0 < self.alpha < 0.5 and 0.0 < self.beta < 0.5):
            raise ValueError(
                f"SPRT error rates lie between 0 and 0.5, got alpha={self.alpha} beta={self.beta}"
            )

    @property
    def bounds(self) -> tuple[float, float]:
        return (
            math.log(self.beta / (1.0 - self.alpha)),
            math.log((1.0 - self.beta) / self.alpha),
        )

    def test(self, counts: Sequence[float]) -> SprtState:
        """State after these counts of pairs with 0, 1/2, 1, 3/2 and 2 points."""
        lower, upper = self.bounds
        llr = log_likelihood_ratio(
            counts, PAIR_SCORES, score_from_elo(self.elo0), score_from_elo(self.elo1)
        )
        decision: Decision = "continue"
        if llr >= upper:
            decision = "accept_elo1"
        elif llr <= lower:
            decision = "accept_elo0"
        return SprtState(llr, lower, upper, decision)


def log_likelihood_ratio(
    counts: Sequence[float], scores: Sequence[float], score0: float, score1: float
) -> float:
    """Log of P(counts | expected score1) / P(counts | expected score0), both fitted."""
    if len(counts) != len(scores):
        raise ValueError(f"{len(scores)} counts expected, got {len(counts)}")
    if sum(counts) <= 0:
        return 0.0
    regular = [count if count > 0 else _EMPTY_COUNT for count in counts]
    total = sum(regular)
    frequencies = [count / total for count in regular]
    tilt0 = _tilt(frequencies, scores, score0)
    tilt1 = _tilt(frequencies, scores, score1)
    return total * math.fsum(
        frequency * (math.log1p(tilt0 * (score - score0)) - math.log1p(tilt1 * (score - score1)))
        for frequency, score in zip(frequencies, scores, strict=True)
    )


def _tilt(frequencies: Sequence[float], scores: Sequence[float], expected: float) -> float:
    """The multiplier t for which frequencies / (1 + t * (score - expected)) has that mean.

    The weighted deviation falls strictly in t between the two poles, so bisection finds it.
    """
    low = -1.0 / (max(scores) - expected)
    high = 1.0 / (expected - min(scores))
    for _ in range(200):
        middle = (low + high) / 2.0
        if middle in (low, high):
            break
        deviation = math.fsum(
            frequency * (score - expected) / (1.0 + middle * (score - expected))
            for frequency, score in zip(frequencies, scores, strict=True)
        )
        if deviation > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2.0
