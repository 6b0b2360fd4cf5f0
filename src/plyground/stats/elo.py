"""Score, Elo difference and likelihood of superiority of one player over another.

The unit of evidence is the *pair*: the same opening played twice with swapped sides. The two
games of a pair are not independent, so the variance is taken over pairs (the "pentanomial"
counts, pairs that scored 0, 1/2, 1, 3/2 and 2 points). A game without its partner counts as a
pair of half weight.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

_NORMALIZED_SCALE = 800.0 / math.log(10.0)
_Z_95 = 1.959963984540054


@dataclass(frozen=True)
class EloEstimate:
    """Strength of the first player relative to the second.

    ``score`` is the mean score per game in [0, 1]. ``elo`` and its 95 % interval ``low`` to
    ``high`` may be infinite when the score is 0 or 1. ``normalized`` is the difference in
    standard deviations of a game times 800 / ln 10, which does not shrink with the draw rate;
    None while the spread is unknown. ``los`` is the probability that the first player is
    the stronger one. ``pairs`` is the total weight (an unpaired game weighs 1/2).
    """

    score: float
    score_low: float
    score_high: float
    elo: float
    low: float
    high: float
    normalized: float | None
    los: float
    pairs: float
    games: int

    @property
    def error(self) -> float:
        """Half the width of the Elo interval."""
        return (self.high - self.low) / 2.0


def elo_from_score(score: float) -> float:
    """The logistic Elo difference at which ``score`` (0 to 1) is expected."""
    if score <= 0.0:
        return -math.inf
    if score >= 1.0:
        return math.inf
    return 400.0 * math.log10(score / (1.0 - score)) + 0.0


def score_from_elo(elo: float) -> float:
    """The expected score (0 to 1) of a player who is ``elo`` stronger."""
    if elo < 0:
        ratio = math.pow(10.0, elo / 400.0)
        return ratio / (1.0 + ratio)
    return 1.0 / (1.0 + math.pow(10.0, -elo / 400.0))


def pentanomial(pair_scores: Sequence[float]) -> tuple[int, int, int, int, int]:
    """How many pairs scored 0, 1/2, 1, 3/2 and 2 points; scores are points of the first player.

    Raises ValueError for a score that two games cannot give.
    """
    counts = [0, 0, 0, 0, 0]
    for score in pair_scores:
        index = round(score * 2)
        if not 0 <= index <= 4 or abs(index - score * 2) > 1e-9:
            raise ValueError(f"a pair cannot score {score!r} points")
        counts[index] += 1
    return counts[0], counts[1], counts[2], counts[3], counts[4]


def estimate_elo(pair_scores: Sequence[float], single_scores: Sequence[float] = ()) -> EloEstimate:
    """Estimate from points per pair (0 to 2) and points of games without a partner (0 to 1)."""
    means = [score / 2.0 for score in pair_scores] + list(single_scores)
    weights = [1.0] * len(pair_scores) + [0.5] * len(single_scores)
    return _estimate(means, weights, games=2 * len(pair_scores) + len(single_scores))


def estimate_from_pentanomial(counts: Sequence[float]) -> EloEstimate:
    """Estimate from counts of pairs that scored 0, 1/2, 1, 3/2 and 2 points."""
    return _estimate(
        [0.0, 0.25, 0.5, 0.75, 1.0], None, games=2 * round(sum(counts)), counts=list(counts)
    )


def _estimate(
    means: Sequence[float],
    weights: Sequence[float] | None,
    games: int,
    counts: Sequence[float] | None = None,
) -> EloEstimate:
    """Weighted mean of pair means with an interval that stays inside [0, 1].

    The variance is modelled as ``spread * score * (1 - score)``, where ``spread`` is the observed
    variance relative to its largest possible value, pulled towards that largest value by one
    pair of prior weight. Solving for the score (as in Wilson's interval) keeps the coverage right
    for few pairs and one-sided results, and agrees with the plain normal interval for many.
    """
    if counts is None:
        assert weights is not None
        total = math.fsum(weights)
        squares = math.fsum(weight * weight for weight in weights)
        entries = [
            (mean, weight, weight * weight) for mean, weight in zip(means, weights, strict=True)
        ]
    else:
        total = squares = float(sum(counts))
        entries = [(mean, count, count) for mean, count in zip(means, counts, strict=True)]
    if total <= 0:
        return EloEstimate(0.5, 0.0, 1.0, 0.0, -math.inf, math.inf, None, 0.5, 0.0, 0)
    score = math.fsum(weight * mean for mean, weight, _ in entries) / total
    deviation = math.fsum(square * (mean - score) ** 2 for mean, _, square in entries)
    effective = total * total / squares
    variance = deviation / squares
    prior = 0.25
    spread = (effective * variance + prior) / (effective * score * (1.0 - score) + prior)
    low, high = _wilson(score, effective, spread)
    null_error = math.sqrt(spread * 0.25 / effective)
    return EloEstimate(
        score=score,
        score_low=low,
        score_high=high,
        elo=elo_from_score(score),
        low=elo_from_score(low),
        high=elo_from_score(high),
        normalized=(
            (score - 0.5) / math.sqrt(2.0 * variance) * _NORMALIZED_SCALE if variance > 0 else None
        ),
        los=0.5 * math.erfc(-(score - 0.5) / null_error / math.sqrt(2.0)),
        pairs=total,
        games=games,
    )


def _wilson(score: float, effective: float, spread: float) -> tuple[float, float]:
    """Scores s with (score - s)^2 <= z^2 * spread * s * (1 - s) / effective."""
    strength = _Z_95 * _Z_95 * spread / effective
    centre = (score + strength / 2.0) / (1.0 + strength)
    half = math.sqrt(strength * (score * (1.0 - score) + strength / 4.0)) / (1.0 + strength)
    low = 0.0 if score <= 0.0 else max(0.0, centre - half)
    high = 1.0 if score >= 1.0 else min(1.0, centre + half)
    return low, high
