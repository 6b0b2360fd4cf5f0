"""Score, Elo difference and likelihood of superiority of one player over another.

The unit of evidence is the *pair*: the same opening played twice with swapped sides (the
"pentanomial" counts, pairs that scored 0, 1/2, 1, 3/2 and 2 points). A game without its partner
counts as a pair of half weight. The numbers come from the estimator of `stats.strength`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from plyground.stats.strength import Evidence, estimate_strengths

_NORMALIZED_SCALE = 800.0 / math.log(10.0)


@dataclass(frozen=True)
class EloEstimate:
    """Strength of the first player relative to the second.

    ``score`` is the mean score per game in [0, 1], as it was. ``elo`` is the estimate of
    `stats.strength` with its 95 % interval ``low`` to ``high``; ``expected``, ``score_low`` and
    ``score_high`` are the scores that go with the three (the ends hold ``score`` as well).
    ``normalized`` is the difference in standard deviations of a game times 800 / ln 10, which does
    not shrink with the draw rate; None while the spread is unknown. ``los`` is the
    probability that the first player is the stronger one. ``pairs`` is the total weight (an
    unpaired game weighs 1/2).
    """

    score: float
    expected: float
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
    units = [(score / 2.0, 1.0) for score in pair_scores]
    units += [(score, 0.5) for score in single_scores]
    return _estimate(units, 2 * len(pair_scores) + len(single_scores))


def estimate_from_pentanomial(counts: Sequence[float]) -> EloEstimate:
    """Estimate from counts of pairs that scored 0, 1/2, 1, 3/2 and 2 points."""
    units = [(index / 4.0, count) for index, count in enumerate(counts) if count]
    return _estimate(units, 2 * round(sum(counts)))


def _estimate(units: Sequence[tuple[float, float]], games: int) -> EloEstimate:
    """From mean scores with their weights."""
    evidence = Evidence(2)
    for mean, weight in units:
        evidence.add(0, 1, mean, weight)
    strengths = estimate_strengths(evidence)
    elo, low, high = (
        float(2.0 * end[0]) + 0.0 for end in (strengths.elo, strengths.low, strengths.high)
    )
    total = evidence.units
    score = float(evidence.scores[0, 1]) / total if total else 0.5
    variance = float(evidence.squares[0, 1]) / total - score**2 if total else 0.0
    return EloEstimate(
        score=score,
        expected=score_from_elo(elo),
        score_low=min(score, score_from_elo(low)),
        score_high=max(score, score_from_elo(high)),
        elo=elo,
        low=low,
        high=high,
        normalized=(
            (score - 0.5) / math.sqrt(2.0 * variance) * _NORMALIZED_SCALE
            if variance > 1e-12
            else None
        ),
        los=strengths.superiority(0, 1),
        pairs=total,
        games=games,
    )
