"""Ratings recover known strengths; their intervals cover; margins have the right quantiles."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from plyground.stats.elo import elo_from_score, score_from_elo
from plyground.stats.margins import estimate_margin, student_quantile_975
from plyground.stats.ratings import PairResult, rate_players


def simulate(strengths, pairs, generator):
    """Round robin of pairs of decisive games with the given true Elo values."""
    results = []
    for first in range(len(strengths)):
        for second in range(first + 1, len(strengths)):
            expected = score_from_elo(strengths[first] - strengths[second])
            results += [
                PairResult(first, second, float(points))
                for points in generator.binomial(2, expected, size=pairs)
            ]
    return results


def test_two_players_get_the_elo_of_their_score():
    results = [PairResult(0, 1, 2.0)] * 300 + [PairResult(0, 1, 1.0)] * 700
    first, second = rate_players(2, results, resamples=50)
    assert first.elo - second.elo == pytest.approx(elo_from_score(0.65), abs=0.3)
    assert (first.points, first.games) == (1300.0, 2000)


def test_order_of_the_players_in_a_result_does_not_matter():
    one = rate_players(2, [PairResult(0, 1, 1.5)] * 9, resamples=20)
    other = rate_players(2, [PairResult(1, 0, 0.5)] * 9, resamples=20)
    assert one == other


def test_a_clean_sweep_stays_finite_and_ordered():
    results = [PairResult(0, 1, 2.0)] * 50 + [PairResult(1, 2, 2.0)] * 50
    top, middle, bottom = rate_players(3, results, resamples=20)
    assert np.isfinite([top.elo, middle.elo, bottom.elo]).all()
    assert top.elo > middle.elo > bottom.elo


def test_players_without_games_are_average():
    ratings = rate_players(3, [], resamples=10)
    assert [rating.elo for rating in ratings] == [0.0, 0.0, 0.0]
    assert ratings[0].score == 0.5


def test_playing_oneself_is_refused():
    with pytest.raises(ValueError, match="himself"):
        rate_players(2, [PairResult(1, 1, 1.0)])


def test_intervals_cover_the_truth():
    strengths = np.array([120.0, 40.0, 0.0, -160.0])
    generator = np.random.default_rng(11)
    covered = total = 0
    for run in range(60):
        ratings = rate_players(4, simulate(strengths, 40, generator), resamples=120, seed=run)
        for rating, truth in zip(ratings, strengths, strict=True):
            covered += rating.low <= truth <= rating.high
            total += 1
    assert 0.88 <= covered / total <= 0.99


def test_same_arguments_give_the_same_intervals():
    results = simulate([50.0, 0.0, -50.0], 20, np.random.default_rng(1))
    assert rate_players(3, results, seed=5) == rate_players(3, results, seed=5)


def test_margin_interval_is_students():
    margins = [3.0, -1.0, 4.0, 1.0, 5.0, 9.0, -2.0, 6.0]
    estimate = estimate_margin(margins)
    low, high = scipy_stats.t.interval(
        0.95, len(margins) - 1, loc=np.mean(margins), scale=scipy_stats.sem(margins)
    )
    assert (estimate.low, estimate.high) == pytest.approx((low, high), abs=0.01)
    assert estimate_margin([]).low is None
    assert estimate_margin([2.5]).mean == 2.5


@pytest.mark.parametrize("degrees", [1, 2, 3, 5, 6, 7, 10, 30, 1000])
def test_student_quantile(degrees):
    assert student_quantile_975(degrees) == pytest.approx(
        scipy_stats.t.ppf(0.975, degrees), rel=2e-3
    )
