"""Survival: deaths per turn with intervals, and comparisons.

Games are censored: a run of so many turns with so many deaths in it says all there is, since game
lengths are close to exponential. `Interval` is always (low, estimate, high), 95 %.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

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
    from scipy import special  # slow to load, scipy.stats three times as much, and few need it

    beyond = (1.0 - CONFIDENCE) / 2.0
    low, high = 0.0, 1.0  # where no death, or every one, was of the first
    if first.deaths:
        low = float(special.betaincinv(first.deaths, second.deaths + 1, beyond))
    if second.deaths:
        high = float(special.betaincinv(first.deaths + 1, second.deaths, 1.0 - beyond))
    scale = second.turns / first.turns

    def ratio(share: float) -> float:
        return scale * share / (1.0 - share) if share < 1.0 else math.inf

    return Interval(ratio(low), ratio(first.deaths / deaths), ratio(high))


def paired_hazard_ratio(pairs: Sequence[tuple[Exposure, Exposure]]) -> Interval:
    """Hazard ratio of two agents that met the same deals, pair by pair.

    What the deals do to both cancels; what is left is how differently they played.
    """
    # Half a death keeps the logarithm finite and hardly matters where there are many.
    half = 0.5 / max(1, len(pairs))
    return paired_rate_ratio(
        [
            ((first.deaths + half, first.turns), (second.deaths + half, second.turns))
            for first, second in pairs
        ]
    )


def paired_rate_ratio(
    pairs: Sequence[tuple[tuple[float, float], tuple[float, float]]],
) -> Interval:
    """Events per turn of the first over those of the second (jackknife over pairs).

    Each side of a pair is (events, turns); events need not be whole.
    """
    count = len(pairs)
    sums = [[math.fsum(pair[side][part] for pair in pairs) for part in (0, 1)] for side in (0, 1)]
    if count < 2 or min(sums[0][0], sums[1][0]) <= 0:
        return Interval(0.0, math.nan, math.inf)

    def log_ratio(left_out: tuple[tuple[float, float], tuple[float, float]]) -> float:
        rates = [
            max(1e-300, events - out[0]) / max(1.0, turns - out[1])
            for (events, turns), out in zip(sums, left_out, strict=True)
        ]
        return math.log(rates[0] / rates[1])

    whole = log_ratio(((0.0, 0.0), (0.0, 0.0)))
    left_out = [log_ratio(pair) for pair in pairs]
    mean = math.fsum(left_out) / count
    error = math.sqrt((count - 1) / count * math.fsum((x - mean) ** 2 for x in left_out))
    reach = _student(count - 1) * error
    high = math.exp(whole + reach) if whole + reach < 700 else math.inf
    return Interval(math.exp(whole - reach), math.exp(whole), high)


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


def _student(freedom: int) -> float:
    from scipy import special  # as above

    return float(special.stdtrit(freedom, 0.5 + CONFIDENCE / 2))
