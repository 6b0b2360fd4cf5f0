"""Survival: deaths per turn with intervals, comparisons, and the splitting estimator.

Games are censored: a run of so many turns with so many deaths in it says all there is, since game
lengths are close to exponential. `Interval` is always (low, estimate, high), 95 %.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scipy import stats

from plyground.stats.hazard import estimate_hazard

CONFIDENCE = 0.95


class Interval(NamedTuple):
    """A number with its 95 % interval; `high` may be infinite."""

    low: float
    estimate: float
    high: float

    def inverse(self) -> Interval:
        """The same for one over the number: deaths per turn to turns per death."""
        low, estimate, high = (1.0 / x if x > 0 else math.inf for x in self)
        return Interval(high, estimate, low)


@dataclass(frozen=True)
class Exposure:
    """Turns played and deaths met in them."""

    turns: int
    deaths: int

    def __post_init__(self) -> None:
        if self.turns < 0 or self.deaths < 0:
            raise ValueError(f"turns and deaths cannot be negative: {self}")

    def __add__(self, other: Exposure) -> Exposure:
        return Exposure(self.turns + other.turns, self.deaths + other.deaths)

    def hazard(self) -> Interval:
        """Deaths per turn, with the exact Poisson interval; without a turn nothing is known."""
        low, estimate, high = estimate_hazard(self.deaths, self.turns)
        if estimate is None or high is None:
            return Interval(0.0, math.nan, math.inf)
        return Interval(low, estimate, high)

    def turns_per_death(self) -> Interval:
        """How long a game lasts on average."""
        return self.hazard().inverse()


def hazard_ratio(first: Exposure, second: Exposure) -> Interval:
    """Hazard of the first over hazard of the second, exact given the number of deaths.

    For independent games. Given all deaths, those of the first are binomial.
    """
    deaths = first.deaths + second.deaths
    if deaths == 0 or first.turns == 0 or second.turns == 0:
        return Interval(0.0, math.nan, math.inf)
    exact = stats.binomtest(first.deaths, deaths).proportion_ci(CONFIDENCE, "exact")
    scale = second.turns / first.turns

    def ratio(share: float) -> float:
        return scale * share / (1.0 - share) if share < 1.0 else math.inf

    return Interval(ratio(exact.low), ratio(first.deaths / deaths), ratio(exact.high))


def paired_hazard_ratio(pairs: Sequence[tuple[Exposure, Exposure]]) -> Interval:
    """Hazard ratio of two agents that met the same deals, pair by pair (jackknife over pairs).

    What the deals do to both cancels; what is left is how differently they played.
    """
    if len(pairs) < 2:
        return Interval(0.0, math.nan, math.inf)

    def log_ratio(chosen: Sequence[tuple[Exposure, Exposure]]) -> float:
        hazards = []
        for side in (0, 1):
            deaths = sum(pair[side].deaths for pair in chosen)
            turns = sum(pair[side].turns for pair in chosen)
            # Half a death keeps the logarithm finite and hardly matters where there are many.
            hazards.append((deaths + 0.5) / max(1, turns))
        return math.log(hazards[0] / hazards[1])

    whole = log_ratio(pairs)
    count = len(pairs)
    left_out = [log_ratio([*pairs[:i], *pairs[i + 1 :]]) for i in range(count)]
    mean = math.fsum(left_out) / count
    error = math.sqrt((count - 1) / count * math.fsum((x - mean) ** 2 for x in left_out))
    reach = _student(count - 1) * error
    return Interval(math.exp(whole - reach), math.exp(whole), math.exp(whole + reach))


def clustered_rate(chains: Sequence[tuple[float, float]]) -> Interval:
    """Events per turn from chains of (events, turns), each chain one independent observation.

    Events need not be whole: sampled risk is welcome. The interval is a ratio estimate on the
    logarithmic scale with Student's quantile.
    """
    turns = math.fsum(chain[1] for chain in chains)
    events = math.fsum(chain[0] for chain in chains)
    if turns <= 0 or events <= 0 or len(chains) < 2:
        return Interval(0.0, events / turns if turns > 0 else math.nan, math.inf)
    rate = events / turns
    residuals = math.fsum((chain[0] - rate * chain[1]) ** 2 for chain in chains)
    count = len(chains)
    error = math.sqrt(count / (count - 1) * residuals) / events
    reach = _student(count - 1) * error
    return Interval(rate * math.exp(-reach), rate, rate * math.exp(reach))


@dataclass(frozen=True)
class SplittingRun:
    """One independent run of splitting.

    `turns` were played, in which the first level was entered `entries` times; `stages` are
    (reached the next level or died, tries) from each level to the next, the last one to death.
    """

    turns: int
    entries: int
    stages: tuple[tuple[int, int], ...]

    def hazard(self) -> float:
        """Deaths per turn."""
        rate = self.entries / self.turns
        for reached, tries in self.stages:
            rate *= reached / tries if tries else 0.0
        return rate


def splitting_hazard(runs: Sequence[SplittingRun]) -> Interval:
    """Deaths per turn from independent runs of splitting.

    The mean over runs is unbiased; its interval takes each run as one observation, so that
    whatever the tries within a run have in common is in it. It is symmetric on the logarithmic
    scale, since the runs' estimates are skewed.
    """
    return clustered_rate([(run.hazard(), 1.0) for run in runs])


def _student(freedom: int) -> float:
    return float(stats.t.ppf(0.5 + CONFIDENCE / 2, freedom))
