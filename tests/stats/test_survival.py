"""Survival statistics against textbook values, simulation and each other."""

from __future__ import annotations

import math
import random

import pytest

from plyground.stats.survival import (
    Exposure,
    Interval,
    clustered_rate,
    hazard_ratio,
    paired_hazard_ratio,
    paired_rate_ratio,
)
from processes import run_python


def test_poisson_interval_of_ten_deaths() -> None:
    # Garwood's table: 10 events have the 95 % limits 4.795 and 18.391.
    low, estimate, high = Exposure(1000, 10).hazard()
    assert low == pytest.approx(4.795e-3, rel=1e-3)
    assert estimate == 0.01
    assert high == pytest.approx(18.391e-3, rel=1e-3)


def test_no_deaths_leave_the_top_open() -> None:
    low, estimate, high = Exposure(3000, 0).turns_per_death()
    assert low == pytest.approx(3000 / 3.689, rel=1e-3)
    assert estimate == math.inf
    assert high == math.inf


def test_exposures_add_and_refuse_nonsense() -> None:
    assert Exposure(3, 1) + Exposure(4, 2) == Exposure(7, 3)
    with pytest.raises(ValueError, match="negative"):
        Exposure(-1, 0)
    assert math.isnan(Exposure(0, 0).hazard().estimate)


def test_inverse_swaps_the_ends() -> None:
    assert Interval(0.1, 0.2, 0.5).inverse() == Interval(2.0, 5.0, 10.0)


def test_hazard_ratio_is_symmetric_and_covers_the_truth() -> None:
    low, middle, high = hazard_ratio(Exposure(1000, 20), Exposure(500, 20))
    back = hazard_ratio(Exposure(500, 20), Exposure(1000, 20))
    assert middle == pytest.approx(0.5)
    assert low == pytest.approx(1 / back.high)
    assert high == pytest.approx(1 / back.low)
    rng = random.Random(1)
    covered = 0
    for _ in range(300):
        first = Exposure(2000, sum(rng.random() < 0.01 for _ in range(2000)))
        second = Exposure(1000, sum(rng.random() < 0.02 for _ in range(1000)))
        low, _, high = hazard_ratio(first, second)
        covered += low <= 0.5 <= high
    assert covered >= 280


def test_pairing_takes_out_what_the_deals_do_to_both() -> None:
    rng = random.Random(2)
    pairs = []
    for _ in range(200):
        hard = rng.expovariate(1.0)
        first = Exposure(1000, round(10 * hard))
        second = Exposure(1000, round(20 * hard))
        pairs.append((first, second))
    low, middle, high = paired_hazard_ratio(pairs)
    assert low < 0.5 < high
    assert middle == pytest.approx(0.5, rel=0.02)
    assert high / low < 1.1


def test_a_ratio_without_enough_to_go_by_is_unknown() -> None:
    one = ((1.0, 10.0), (2.0, 10.0))
    assert paired_rate_ratio([one]).high == math.inf
    assert paired_rate_ratio([((0.0, 1.0), (1.0, 1.0))] * 3).high == math.inf
    assert paired_rate_ratio([((1.0, 1.0), (2.0, 1.0)), ((0.0, 1.0), (1.0, 1.0))]).low == 0.0
    assert paired_rate_ratio([one] * 3) == pytest.approx((0.5, 0.5, 0.5))


def test_clustered_rate_covers_the_truth_where_events_come_in_bunches() -> None:
    rng = random.Random(3)
    covered = 0
    for _ in range(300):
        chains = [(50.0 if rng.random() < 0.2 else rng.random(), 1000.0) for _ in range(60)]
        low, _, high = clustered_rate(chains)
        covered += low <= (0.2 * 50 + 0.8 * 0.5) / 1000 <= high
    assert covered >= 275
    assert clustered_rate([(1.0, 1000.0)]).high == math.inf


LOADS = """
import sys
from plyground.lab.checks import same_share
from plyground.stats.survival import Exposure, clustered_rate, hazard_ratio
assert not same_share(744, 1000, 90_000, 100_000)
assert hazard_ratio(Exposure(1000, 0), Exposure(500, 3)).low == 0.0
assert clustered_rate([(1.0, 90.0), (2.0, 80.0)]).high > 3.0 / 170.0
print([name for name in sys.modules if name.startswith("scipy.stats")])
"""


def test_no_command_waits_for_all_of_scipys_statistics() -> None:
    assert run_python("-c", LOADS, timeout=60).stdout == "[]\n"


def test_the_hazard_ratio_of_few_deaths_has_the_exact_binomial_limits() -> None:
    # Clopper and Pearson's table: 3 of 10 lie between 0.0667 and 0.6525.
    low, _, high = hazard_ratio(Exposure(100, 3), Exposure(100, 7))
    assert low == pytest.approx(0.0667 / 0.9333, rel=1e-3)
    assert high == pytest.approx(0.6525 / 0.3475, rel=1e-3)
    assert hazard_ratio(Exposure(100, 4), Exposure(100, 0)).high == math.inf
