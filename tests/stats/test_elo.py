"""Elo estimates against published figures of an established match runner and by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.stats.elo import (
    elo_from_score,
    estimate_elo,
    estimate_from_pentanomial,
    pentanomial,
    score_from_elo,
)

# Pair counts (0, 1/2, 1, 3/2, 2 points), then the figures the fastchess test-suite publishes.
PUBLISHED = [
    ((34, 54, 63, 64, 75), 55.58, 27.65, 57.94, 1.0, 0.579),
    ((332, 433, 498, 333, 334), -8.64, 10.33, -9.17, 0.0505, 0.488),
    ((7895, 8757, 5685, 568, 9999), -21.04, 2.95, -19.01, 0.0, 0.470),
]


@pytest.mark.parametrize(("counts", "elo", "error", "normalized", "los", "score"), PUBLISHED)
def test_pentanomial_agrees_with_published_figures(counts, elo, error, normalized, los, score):
    estimate = estimate_from_pentanomial(counts)
    # The prior draw moves a result over hundreds of pairs by a fraction of a point.
    assert estimate.elo == pytest.approx(elo, abs=0.2)
    assert estimate.error == pytest.approx(error, rel=0.01)
    assert estimate.normalized == pytest.approx(normalized, abs=0.01)
    assert estimate.los == pytest.approx(los, abs=1e-3)
    assert estimate.score == pytest.approx(score, abs=1e-3)


def test_pairs_and_counts_give_the_same_estimate():
    scores = [0.0] * 3 + [0.5] * 4 + [1.0] * 9 + [1.5] * 5 + [2.0] * 6
    assert pentanomial(scores) == (3, 4, 9, 5, 6)
    listed, counted = estimate_elo(scores), estimate_from_pentanomial(pentanomial(scores))
    assert listed.elo == pytest.approx(counted.elo)
    assert (listed.low, listed.high) == pytest.approx((counted.low, counted.high))
    assert listed.games == counted.games == 54


def test_impossible_pair_score_is_refused():
    with pytest.raises(ValueError, match=r"1\.25"):
        pentanomial([1.25])


def test_interval_from_correlated_pairs_is_narrower_than_from_single_games():
    pairs = [1.0] * 40 + [1.5, 0.5] * 5
    singles = [1.0, 0.0] * 45 + [0.5] * 10
    assert estimate_elo(pairs).error < 0.5 * estimate_elo([], singles).error


def test_a_clean_sweep_has_a_finite_lower_bound_and_no_certainty():
    estimate = estimate_elo([2.0] * 10)
    assert 100 < estimate.low < estimate.elo < estimate.high < 2500
    assert 0.999 < estimate.los <= 1.0
    assert estimate.score == estimate.score_high == 1.0 > estimate.expected
    one = estimate_elo([2.0])
    assert one.low < 0 < one.elo
    assert one.los < 0.99


def test_no_games_say_nothing():
    estimate = estimate_elo([])
    assert (estimate.score, estimate.elo, estimate.los) == (0.5, 0.0, 0.5)
    assert estimate.low == pytest.approx(-estimate.high) and 500 < estimate.high < 2500
    assert math.copysign(1.0, estimate.elo) == 1.0


@given(st.floats(-800, 800))
def test_elo_and_score_are_inverse(elo):
    assert elo_from_score(score_from_elo(elo)) == pytest.approx(elo, abs=1e-6)


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, 1.5, 2.0]), min_size=1, max_size=60))
def test_swapping_players_mirrors_the_estimate(scores):
    forward, back = estimate_elo(scores), estimate_elo([2.0 - score for score in scores])
    assert forward.score_low == pytest.approx(1.0 - back.score_high, abs=1e-6)
    assert forward.los == pytest.approx(1.0 - back.los, abs=1e-6)
    assert forward.low < forward.elo < forward.high
    assert 0.0 <= forward.score_low <= forward.score <= forward.score_high <= 1.0


@pytest.mark.parametrize(
    ("pairs", "probabilities"),
    [
        (10, (0.1, 0.15, 0.4, 0.2, 0.15)),
        (30, (0.01, 0.02, 0.07, 0.1, 0.8)),
        (200, (0.2, 0.2, 0.2, 0.2, 0.2)),
    ],
)
def test_interval_covers_the_true_score_about_95_percent_of_the_time(pairs, probabilities):
    generator = np.random.default_rng(7)
    true_score = float(np.dot(probabilities, [0.0, 0.25, 0.5, 0.75, 1.0]))
    draws = generator.multinomial(pairs, probabilities, size=800)
    covered = 0
    for counts in draws:
        estimate = estimate_from_pentanomial([int(count) for count in counts])
        covered += estimate.score_low <= true_score <= estimate.score_high
    assert 0.93 <= covered / len(draws) <= 0.98
