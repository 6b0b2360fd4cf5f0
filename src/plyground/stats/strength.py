"""The one estimator of playing strength behind every Elo number: two players or many.

**Model.** Two players whose ratings differ by d score `1 / (1 + 10 ** (-d / 400))` on average.
The unit of evidence is the *pair* (an opening played twice with swapped sides) with its mean score
m; a game without its partner is half a unit. The two games of a pair are not independent and draws
shrink their spread, so each unit counts `1 / dispersion` times, where the dispersion is the
variance of m relative to `s * (1 - s)`, the largest it can have at the expected score s. It is
measured over all units together, beginning with `PRIOR_UNITS` units a player at the dispersion of
two independent games: `PRIOR_DISPERSION` without draws, less by the share of draws that the units
with exactly one of them (mean 1/4 or 3/4) tell of.

**Prior.** Before any game everybody has drawn one game with an average player. This keeps ratings
after nothing but wins finite; it counts as much as one game among those that follow.

**Estimate and interval.** The most likely ratings, average 0. The 95 % interval holds the values
from which the likelihood (all other ratings fitted anew) is less than 1.96 standard deviations
below the best, so it always contains the estimate and is as lopsided as the evidence.
`benchmarks/interval_coverage.py` measures how often it holds the truth.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ELO_PER_UNIT = 400.0 / math.log(10.0)
"""Ratings are fitted in natural logarithms of odds."""

PRIOR_DRAWS = 1.0
PRIOR_UNITS = 2.0
PRIOR_DISPERSION = 0.5
PRIOR_DECIDED = 0.5
"""Units without a draw that precede all others when draws are counted."""
MOST_DRAWN = 0.65
Z_95 = 1.959963984540054

_FIRM = 1e7
"""Weight of a condition on ratings: that they average 0, that two of them are equal."""

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]


class Evidence:
    """Units of evidence between players, summed: counts, scores and squared scores.

    `scores[i, j]` is the sum of mean scores of i against j, `squares` that of their squares.
    """

    def __init__(self, players: int) -> None:
        self.players = players
        self.counts: Matrix = np.zeros((players, players))
        self.scores: Matrix = np.zeros((players, players))
        self.squares: Matrix = np.zeros((players, players))
        self.half_drawn = 0.0
        """The weight of units in which one of two games was drawn."""

    def add(self, first: int, second: int, mean: float, weight: float = 1.0) -> None:
        """A unit in which `first` scored `mean` (0 to 1) a game; ValueError for impossible ones."""
        if first == second:
            raise ValueError(f"player {first} cannot play against himself")
        if not 0.0 <= mean <= 1.0:
            raise ValueError(f"a mean score lies between 0 and 1, not at {mean!r}")
        for one, other, score in ((first, second, mean), (second, first, 1.0 - mean)):
            self.counts[one, other] += weight
            self.scores[one, other] += weight * score
            self.squares[one, other] += weight * score * score
        if mean in (0.25, 0.75):
            self.half_drawn += weight

    @property
    def units(self) -> float:
        """The weight of everything."""
        return float(self.counts.sum()) / 2.0

    @property
    def prior_dispersion(self) -> float:
        """The dispersion that two independent games with the draws seen here would have."""
        seen = self.half_drawn / (self.units + PRIOR_DECIDED)
        # A share d of draws shows as 2d(1 - d) of such units; up to a half this is the way back.
        drawn = 2.0 * seen * seen
        return PRIOR_DISPERSION * (1.0 - min(drawn, MOST_DRAWN))


@dataclass(frozen=True)
class Strengths:
    """Ratings in Elo, average 0, with the ends of their 95 % intervals; `dispersion` as above."""

    elo: Vector
    low: Vector
    high: Vector
    dispersion: float
    evidence: Evidence

    def superiority(self, first: int, second: int) -> float:
        """The probability that `first` is stronger: how unlikely equal strength would be."""
        if self.evidence.players == 2:
            counts, scores = self.evidence.counts[0, 1], self.evidence.scores[0, 1]
            curve = DuelCurve(scores / self.dispersion, (counts - scores) / self.dispersion)
            gap = float(self.elo[first] - self.elo[second]) / ELO_PER_UNIT
            loss = curve.value(gap if first == 0 else -gap) - curve.value(0.0)
            return normal_share(math.copysign(math.sqrt(max(0.0, 2.0 * loss)), gap))
        free = Likelihood(self.evidence, self.dispersion)
        tied = Likelihood(self.evidence, self.dispersion, (first, second))
        best = self.elo / ELO_PER_UNIT
        loss = free.value(best) - tied.value(tied.peak(best))
        deviations = math.sqrt(max(0.0, 2.0 * loss))
        return normal_share(math.copysign(deviations, self.elo[first] - self.elo[second]))


def normal_share(deviations: float) -> float:
    """The share of a normal distribution that lies below so many standard deviations."""
    return 0.5 * math.erfc(-deviations / math.sqrt(2.0))


def estimate_strengths(evidence: Evidence, *, intervals: bool = True) -> Strengths:
    """Ratings of all players from this evidence; without `intervals` their ends are the ratings."""
    if evidence.players == 2:
        return _estimate_two(evidence)
    return estimate_many(evidence, intervals=intervals)


def estimate_many(evidence: Evidence, *, intervals: bool = True) -> Strengths:
    """The same by matrices, for any number of players."""
    dispersion = evidence.prior_dispersion
    likelihood = Likelihood(evidence, dispersion)
    best = likelihood.peak(np.zeros(evidence.players))
    for _ in range(3):
        dispersion = _dispersion(evidence, best)
        likelihood = Likelihood(evidence, dispersion)
        best = likelihood.peak(best)
    low, high = best.copy(), best.copy()
    peak = likelihood.value(best)
    covariance = np.linalg.inv(likelihood.curvature(best))
    for player in range(evidence.players) if intervals else ():
        reach = Z_95 * math.sqrt(covariance[player, player])
        low[player] = likelihood.bound(best, peak, player, -reach)
        high[player] = likelihood.bound(best, peak, player, reach)
    return Strengths(
        elo=best * ELO_PER_UNIT + 0.0,
        low=low * ELO_PER_UNIT,
        high=high * ELO_PER_UNIT,
        dispersion=dispersion,
        evidence=evidence,
    )


def _estimate_two(evidence: Evidence) -> Strengths:
    """The same for two players, whose likelihood is a curve over one number; much faster."""
    counts, scores = float(evidence.counts[0, 1]), float(evidence.scores[0, 1])
    dispersion, gap = evidence.prior_dispersion, 0.0
    for _ in range(4):
        curve = DuelCurve(scores / dispersion, (counts - scores) / dispersion)
        gap = curve.peak(gap)
        dispersion, used = _dispersion(evidence, np.array([gap, -gap]) / 2.0), dispersion
    low, high = (curve.bound(gap, sign) for sign in (-1.0, 1.0))
    half = ELO_PER_UNIT / 2.0
    return Strengths(
        elo=np.array([gap * half, -gap * half]) + 0.0,
        low=np.array([low, -high]) * half,
        high=np.array([high, -low]) * half,
        dispersion=used,
        evidence=evidence,
    )


class DuelCurve:
    """Log-likelihood over the difference of two players' ratings, the prior included."""

    def __init__(self, won: float, lost: float) -> None:
        self.won, self.lost = won, lost

    def value(self, gap: float) -> float:
        return (
            self.won * _log_sigmoid(gap)
            + self.lost * _log_sigmoid(-gap)
            + PRIOR_DRAWS * (_log_sigmoid(gap / 2.0) + _log_sigmoid(-gap / 2.0))
        )

    def slope(self, gap: float) -> float:
        share = math.exp(_log_sigmoid(gap))
        half = math.exp(_log_sigmoid(gap / 2.0))
        return self.won - (self.won + self.lost) * share + PRIOR_DRAWS * (0.5 - half)

    def peak(self, start: float) -> float:
        """The slope falls everywhere, so its zero can be enclosed and halved."""
        if self.won == self.lost:
            return 0.0
        low, high = start - 1.0, start + 1.0
        while self.slope(low) < 0.0:
            low -= high - low
        while self.slope(high) > 0.0:
            high += high - low
        return _zero(self.slope, high, low)

    def bound(self, peak: float, sign: float) -> float:
        """Where the curve has fallen too far below its peak."""
        least = self.value(peak) - Z_95 * Z_95 / 2.0
        far = peak + sign
        while self.value(far) > least:
            far += far - peak
        return _zero(lambda gap: self.value(gap) - least, far, peak)


def _zero(function: Callable[[float], float], below: float, above: float) -> float:
    """Where a function that is negative at `below` and positive at `above` is zero."""
    for _ in range(60):
        middle = (below + above) / 2.0
        if middle in (below, above):
            break
        if function(middle) > 0.0:
            above = middle
        else:
            below = middle
    return (below + above) / 2.0


def _log_sigmoid(value: float) -> float:
    if value < 0.0:
        return value - math.log1p(math.exp(value))
    return -math.log1p(math.exp(-value))


def _dispersion(evidence: Evidence, ratings: Vector) -> float:
    """Variance of the units around their expectation, relative to the largest possible one.

    Fitted ratings follow the data, which makes deviations look smaller than they are; the first
    factor makes up for it.
    """
    expected = _expected(ratings)
    counts = evidence.counts
    deviations = evidence.squares - 2.0 * expected * evidence.scores + counts * expected**2
    largest = counts * expected * (1.0 - expected)
    units = evidence.units
    fitted = units / max(units - (evidence.players - 1), units / 2.0) if units else 1.0
    prior = PRIOR_UNITS * evidence.players / 4.0
    measured = fitted * float(deviations.sum()) / 2.0 + prior * evidence.prior_dispersion
    return measured / (float(largest.sum()) / 2.0 + prior)


def _expected(ratings: Vector) -> Matrix:
    """Expected score of the row player against the column player."""
    return np.asarray(1.0 / (1.0 + np.exp(ratings[None, :] - ratings[:, None])))


class Likelihood:
    """Log-likelihood of ratings, the prior and the condition on their average included.

    `tied` players are held at the same rating.
    """

    def __init__(
        self, evidence: Evidence, dispersion: float, tied: tuple[int, int] | None = None
    ) -> None:
        self._tie = np.zeros(evidence.players)
        if tied is not None:
            self._tie[tied[0]], self._tie[tied[1]] = 1.0, -1.0
        self._scores = evidence.scores / dispersion
        self._counts = evidence.counts / dispersion
        self._earned = self._scores.sum(axis=1)

    def value(self, ratings: Vector) -> float:
        gaps = ratings[:, None] - ratings[None, :]
        prior = np.logaddexp(0.0, -ratings) + np.logaddexp(0.0, ratings)
        return float(
            -(self._scores * np.logaddexp(0.0, -gaps)).sum()
            - 0.5 * PRIOR_DRAWS * prior.sum()
            - 0.5 * _FIRM * (ratings.sum() ** 2 + (self._tie @ ratings) ** 2)
        )

    def slope(self, ratings: Vector) -> Vector:
        own = 1.0 / (1.0 + np.exp(-ratings))
        expected = (self._counts * _expected(ratings)).sum(axis=1)
        prior = PRIOR_DRAWS * (0.5 - own)
        firm = ratings.sum() + self._tie * (self._tie @ ratings)
        return np.asarray(self._earned - expected + prior - _FIRM * firm)

    def curvature(self, ratings: Vector) -> Matrix:
        """How fast the slope falls: the matrix of negative second derivatives."""
        expected = _expected(ratings)
        own = 1.0 / (1.0 + np.exp(-ratings))
        information = self._counts * expected * (1.0 - expected)
        total = information.sum(axis=1) + PRIOR_DRAWS * own * (1.0 - own)
        firm = _FIRM * (1.0 + np.outer(self._tie, self._tie))
        return np.asarray(np.diag(total) - information + firm)

    def peak(self, start: Vector, fixed: int | None = None) -> Vector:
        """The most likely ratings (that of `fixed` stays), by Newton's method from `start`."""
        ratings = start.copy()
        free = np.arange(len(start)) != (-1 if fixed is None else fixed)
        value = self.value(ratings)
        for _ in range(100):
            slope = self.slope(ratings)[free]
            if not slope.size:
                break
            step = np.linalg.solve(self.curvature(ratings)[np.ix_(free, free)], slope)
            largest = float(np.abs(step).max())
            if largest < 1e-7:
                break
            step *= min(1.0, 3.0 / largest)
            for _ in range(40):
                trial = ratings.copy()
                trial[free] += step
                found = self.value(trial)
                if found >= value - 1e-12 * abs(value):
                    break
                step /= 2.0
            ratings, value = trial, found
        return ratings

    def bound(self, best: Vector, peak: float, player: int, reach: float) -> float:
        """Where, in the direction of `reach`, a rating is too unlikely to be held any longer."""
        ratings = best.copy()
        distance = abs(reach)
        sign = math.copysign(1.0, reach)
        near, far = 0.0, math.inf
        for _ in range(60):
            moved = best[player] + sign * distance - ratings[player]
            ratings -= moved / max(1, len(best) - 1)
            ratings[player] = best[player] + sign * distance
            ratings = self.peak(ratings, player)
            excess = 2.0 * (peak - self.value(ratings)) - Z_95 * Z_95
            if abs(excess) < 1e-5:
                break
            near, far = (near, distance) if excess > 0 else (distance, far)
            slope = -2.0 * sign * float(self.slope(ratings)[player])
            following = distance - excess / slope if slope > 0 else math.inf
            if not near < following < far:
                following = (near + far) / 2.0 if math.isfinite(far) else 2.0 * distance
            distance = following
        return float(best[player] + sign * distance)
