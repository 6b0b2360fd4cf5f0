"""The sequential test against published ratios, and its error rates by simulation."""

from __future__ import annotations

import numpy as np
import pytest

from plyground.stats.elo import score_from_elo
from plyground.stats.sprt import GAME_SCORES, Sprt, log_likelihood_ratio


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "published"),
    [
        ((223, 9863, 21279, 10037, 246), 0.5, 2.5, -3.07),
        ((871, 26175, 55983, 26678, 821), 0.0, 2.0, -4.98),
    ],
)
def test_pentanomial_ratio_agrees_with_published_figures(counts, elo0, elo1, published):
    assert Sprt(elo0, elo1).test(counts).llr == pytest.approx(published, rel=0.01)


@pytest.mark.parametrize(
    ("wins", "losses", "draws", "elo0", "elo1", "published"),
    [
        (21404, 21184, 40708, 0.5, 2.5, -1.57),
        (57433, 57030, 106593, 0.0, 2.0, -2.59),
    ],
)
def test_trinomial_ratio_agrees_with_published_figures(wins, losses, draws, elo0, elo1, published):
    ratio = log_likelihood_ratio(
        (losses, draws, wins), GAME_SCORES, score_from_elo(elo0), score_from_elo(elo1)
    )
    assert ratio == pytest.approx(published, rel=0.01)


def test_bounds_are_walds():
    assert Sprt(0, 5, 0.05, 0.05).bounds == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert Sprt(0, 5, 0.05, 0.10).bounds == pytest.approx((-2.251, 2.890), abs=1e-3)


def test_nothing_is_decided_without_games_or_after_one_pair():
    test = Sprt(0, 20)
    assert test.test((0, 0, 0, 0, 0)).decision == "continue"
    assert test.test((0, 0, 0, 0, 1)).decision == "continue"


def test_one_sided_results_are_decided():
    assert Sprt(0, 20).test((0, 0, 0, 0, 200)).decision == "accept_elo1"
    assert Sprt(0, 20).test((200, 0, 0, 0, 0)).decision == "accept_elo0"
    assert Sprt(0, 100).test((0, 0, 500, 0, 0)).decision == "accept_elo0"


@pytest.mark.parametrize(
    "arguments", [(5, 5), (5, 0), (0, 5, 0.0), (0, 5, 0.05, 0.5), (float("nan"), 5)]
)
def test_senseless_tests_are_refused(arguments):
    with pytest.raises(ValueError, match="SPRT"):
        Sprt(*arguments)


@pytest.mark.parametrize(("elo", "wrong"), [(0.0, "accept_elo1"), (60.0, "accept_elo0")])
def test_error_rate_stays_near_five_percent(elo, wrong):
    test = Sprt(0.0, 60.0, 0.05, 0.05)
    expected = score_from_elo(elo)
    probabilities = np.array([0.15, 0.2, 0.3, 0.2, 0.15])
    probabilities += (expected - 0.5) * np.array([-0.8, -0.4, 0.0, 0.4, 0.8])
    assert probabilities @ [0.0, 0.25, 0.5, 0.75, 1.0] == pytest.approx(expected)
    generator = np.random.default_rng(3)
    errors = 0
    runs = 400
    for _ in range(runs):
        counts = np.zeros(5)
        while True:
            counts += generator.multinomial(4, probabilities)
            decision = test.test(counts.tolist()).decision
            if decision != "continue":
                break
        errors += decision == wrong
    assert errors / runs <= 0.08
