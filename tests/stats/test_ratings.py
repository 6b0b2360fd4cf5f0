"""Ratings recover known strengths; their intervals cover; margins have the right quantiles."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.stats.elo import elo_from_score, estimate_elo, score_from_elo
from plyground.stats.margins import estimate_margin, student_quantile_975
from plyground.stats.ratings import PairResult, gather, rate_players
from plyground.stats.strength import (
    ELO_PER_UNIT,
    Z_95,
    Evidence,
    Likelihood,
    estimate_many,
    estimate_strengths,
)


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
    first, second = rate_players(2, results)
    assert first.elo == -second.elo == pytest.approx(elo_from_score(0.65), abs=0.3)
    assert (first.points, first.games) == (1300.0, 2000)


def test_order_of_the_players_in_a_result_does_not_matter():
    one = rate_players(2, [PairResult(0, 1, 1.5)] * 9)
    other = rate_players(2, [PairResult(1, 0, 0.5)] * 9)
    assert one == other


def test_a_clean_sweep_stays_finite_and_ordered():
    results = [PairResult(0, 1, 2.0)] * 50 + [PairResult(1, 2, 2.0)] * 50
    top, middle, bottom = rate_players(3, results)
    assert np.isfinite([top.elo, middle.elo, bottom.elo]).all()
    assert top.elo > middle.elo > bottom.elo


def test_players_without_games_are_average():
    ratings = rate_players(3, [])
    assert [rating.elo for rating in ratings] == [0.0, 0.0, 0.0]
    assert ratings[0].score == 0.5


def test_playing_oneself_is_refused():
    with pytest.raises(ValueError, match="himself"):
        rate_players(2, [PairResult(1, 1, 1.0)])


def test_intervals_cover_the_truth():
    strengths = np.array([120.0, 40.0, 0.0, -160.0])
    generator = np.random.default_rng(11)
    covered = total = 0
    for _ in range(60):
        ratings = rate_players(4, simulate(strengths, 40, generator))
        for rating, truth in zip(ratings, strengths, strict=True):
            covered += rating.low <= truth <= rating.high
            total += 1
    assert 0.88 <= covered / total <= 0.99


def test_table_and_sentence_give_the_same_numbers():
    points = [2.0, 1.0, 1.5, 0.5, 2.0, 2.0]
    estimate = estimate_elo(points, [0.5])
    first, second = rate_players(
        2, [*(PairResult(0, 1, score) for score in points), PairResult(1, 0, 0.5, 1)]
    )
    assert (first.elo, first.low, first.high) == (estimate.elo, estimate.low, estimate.high)
    assert (second.elo, second.low) == pytest.approx((-estimate.elo, -estimate.high), abs=1e-2)


def brute_posterior(evidence, dispersion):
    """The likelihood of two players on a grid of differences, written from the definition."""
    gaps = np.linspace(-12.0, 12.0, 200_001)
    won, lost = evidence.scores[0, 1] / dispersion, evidence.scores[1, 0] / dispersion
    sure = lambda x: -np.logaddexp(0.0, -x)  # noqa: E731
    values = won * sure(gaps) + lost * sure(-gaps) + sure(gaps / 2) + sure(-gaps / 2)
    held = gaps[values >= values.max() - Z_95**2 / 2]
    return np.array([gaps[values.argmax()], held[0], held[-1]]) * ELO_PER_UNIT


@pytest.mark.parametrize(
    "means", [(1.0,), (0.5, 0.5), (1.0, 0.75, 0.25), (1.0,) * 9, (0.0, 0.5, 0.5, 0.5, 0.25) * 8]
)
def test_two_players_agree_with_the_likelihood_on_a_grid(means):
    evidence = Evidence(2)
    for mean in means:
        evidence.add(0, 1, mean)
    found = estimate_strengths(evidence)
    expected = brute_posterior(evidence, found.dispersion)
    ends = np.array([found.elo[0], found.low[0], found.high[0]]) * 2.0
    assert ends == pytest.approx(expected, abs=0.05)


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), max_size=40))
@settings(max_examples=25)
def test_the_curve_of_two_and_the_matrices_of_many_agree(means):
    evidence = Evidence(2)
    for mean in means:
        evidence.add(0, 1, mean)
    two, many = estimate_strengths(evidence), estimate_many(evidence)
    for one, other in ((two.elo, many.elo), (two.low, many.low), (two.high, many.high)):
        assert one == pytest.approx(other, abs=0.05)


def test_many_players_are_at_the_peak_of_the_likelihood():
    evidence = gather(5, simulate([200.0, 50.0, 0.0, -50.0, -200.0], 6, np.random.default_rng(3)))
    found = estimate_strengths(evidence)
    likelihood = Likelihood(evidence, found.dispersion)
    best = found.elo / ELO_PER_UNIT
    generator = np.random.default_rng(4)
    for _ in range(200):
        step = generator.normal(0.0, 0.02, 5)
        assert likelihood.value(best + step - step.mean()) < likelihood.value(best)
    assert (found.low < found.elo).all() and (found.elo < found.high).all()
    assert found.elo.mean() == pytest.approx(0.0, abs=0.01)
    assert found.superiority(0, 4) > 0.99 > found.superiority(1, 2) > 0.01
    assert found.superiority(4, 0) == pytest.approx(1.0 - found.superiority(0, 4), abs=1e-6)


def test_correlated_pairs_say_less_than_independent_games():
    alike = rate_players(2, [PairResult(0, 1, 2.0)] * 20 + [PairResult(0, 1, 0.0)] * 20)
    split = rate_players(2, [PairResult(0, 1, 1.0)] * 40)
    assert alike[0].high > 3 * split[0].high


def test_margin_interval_is_students():
    from scipy import stats as scipy_stats  # slow to load, and not every process runs this

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
    from scipy import stats as scipy_stats  # as above

    assert student_quantile_975(degrees) == pytest.approx(
        scipy_stats.t.ppf(0.975, degrees), rel=2e-3
    )
