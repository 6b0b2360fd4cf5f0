"""Deaths per turn against the chi-square form of the exact Poisson interval."""

from __future__ import annotations

import pytest

from plyground.stats.hazard import estimate_hazard


@pytest.mark.parametrize(("deaths", "turns"), [(1, 50), (3, 700), (40, 21_000), (900, 4_000)])
def test_interval_is_the_exact_one(deaths, turns):
    from scipy.stats import chi2  # slow to load, and not every process runs this

    low, estimate, high = estimate_hazard(deaths, turns)
    assert estimate == deaths / turns
    assert low == pytest.approx(chi2.ppf(0.025, 2 * deaths) / 2 / turns)
    assert high == pytest.approx(chi2.ppf(0.975, 2 * deaths + 2) / 2 / turns)


def test_nobody_died_and_nobody_played():
    low, estimate, high = estimate_hazard(0, 1000)
    assert (low, estimate) == (0.0, 0.0)
    assert high == pytest.approx(3.689 / 1000, rel=1e-3)
    assert estimate_hazard(0, 0) == (0.0, None, None)
