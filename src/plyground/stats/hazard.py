"""Deaths per turn with an exact interval, for games in which one survives as long as possible."""

from __future__ import annotations

import math


def estimate_hazard(deaths: int, turns: int) -> tuple[float, float | None, float | None]:
    """Low, estimate and high (95 %) of deaths per turn; deaths are Poisson, turns may be censored.

    Before the first turn nothing is known: (0, None, None).
    """
    if turns <= 0:
        return 0.0, None, None
    return (
        _poisson_bound(deaths, 0.975, upper=False) / turns,
        deaths / turns,
        _poisson_bound(deaths, 0.975, upper=True) / turns,
    )


def _poisson_bound(count: int, confidence: float, *, upper: bool) -> float:
    """The mean that makes `count` or fewer (upper) or more (lower) events just too unlikely."""
    if count == 0 and not upper:
        return 0.0
    low, high = 0.0, count + 10.0 * math.sqrt(count + 1.0) + 20.0
    for _ in range(200):
        middle = (low + high) / 2.0
        tail = _poisson_at_most(count if upper else count - 1, middle)
        too_small = tail > 1.0 - confidence if upper else tail > confidence
        low, high = (middle, high) if too_small else (low, middle)
    return (low + high) / 2.0


def _poisson_at_most(count: int, mean: float) -> float:
    """Probability of at most `count` events."""
    if mean == 0.0:
        return 1.0
    return math.fsum(
        math.exp(number * math.log(mean) - mean - math.lgamma(number + 1))
        for number in range(count + 1)
    )
