"""Mean point margin with an interval, for games that are decided by points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class MarginEstimate:
    """Mean margin per game of the first player and its 95 % interval.

    The bounds are None below two pairs.
    """

    mean: float
    low: float | None
    high: float | None
    pairs: int


def estimate_margin(pair_margins: Sequence[float]) -> MarginEstimate:
    """From the mean margin per game of each pair (points of the first minus the second)."""
    count = len(pair_margins)
    if count == 0:
        return MarginEstimate(0.0, None, None, 0)
    mean = math.fsum(pair_margins) / count
    if count == 1:
        return MarginEstimate(mean, None, None, 1)
    variance = math.fsum((margin - mean) ** 2 for margin in pair_margins) / (count - 1)
    half = student_quantile_975(count - 1) * math.sqrt(variance / count)
    return MarginEstimate(mean, mean - half, mean + half, count)


def student_quantile_975(degrees: int) -> float:
    """97.5 % quantile of Student's t, by its expansion in 1/degrees (error below 1 % from 3 on)."""
    table = {1: 12.706204736, 2: 4.302652730, 3: 3.182446305, 4: 2.776445105, 5: 2.570581836}
    if degrees in table:
        return table[degrees]
    z = 1.959963984540054
    first = (z**3 + z) / 4.0
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96.0
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384.0
    return z + first / degrees + second / degrees**2 + third / degrees**3
