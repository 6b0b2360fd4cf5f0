"""Ratings of many players from paired games: Bradley-Terry on scores, intervals by bootstrap.

A draw is half a point for each side, and the expected score follows the logistic Elo curve, so
that two players' rating difference means the same as in :mod:`plyground.stats.elo`. One virtual
drawn game of every player against an average opponent keeps ratings of players who won or lost
everything finite. The average rating is 0.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_LOGISTIC = math.log(10.0) / 400.0


@dataclass(frozen=True)
class PairResult:
    """Games of one opening between two players (indices); points of ``first`` in ``games``."""

    first: int
    second: int
    points: float
    games: int = 2


@dataclass(frozen=True)
class Rating:
    """A player's rating with its 95 % bootstrap interval, and his raw score."""

    player: int
    elo: float
    low: float
    high: float
    points: float
    games: int

    @property
    def score(self) -> float:
        """Points per game; one half before the first game."""
        return self.points / self.games if self.games else 0.5


def rate_players(
    player_count: int, results: Sequence[PairResult], resamples: int = 400, seed: int = 0
) -> list[Rating]:
    """Ratings in the order of the players.

    Pairs are resampled within each pairing of two players, so the interval shows the noise of
    the games and not that of the schedule. The same arguments give the same intervals.
    """
    categories = _tally(results)
    points, games = _matrices(player_count, categories)
    ratings = _fit(points, games, np.zeros(player_count))
    generator = np.random.default_rng(seed)
    samples = np.empty((max(resamples, 1), player_count))
    for index in range(max(resamples, 1)):
        drawn_points, drawn_games = _matrices(player_count, _resample(categories, generator))
        samples[index] = _fit(drawn_points, drawn_games, ratings)
    low, high = np.quantile(samples, [0.025, 0.975], axis=0)
    return [
        Rating(
            player=player,
            elo=float(ratings[player]),
            low=float(min(low[player], ratings[player])),
            high=float(max(high[player], ratings[player])),
            points=float(points[player].sum()),
            games=round(games[player].sum()),
        )
        for player in range(player_count)
    ]


Tally = dict[tuple[int, int], dict[tuple[float, int], int]]


def _tally(results: Sequence[PairResult]) -> Tally:
    """Per pairing (lower index first) how often each (points of the lower, games) occurred."""
    tally: Tally = defaultdict(lambda: defaultdict(int))
    for result in results:
        if result.first == result.second:
            raise ValueError(f"player {result.first} cannot play against himself")
        if result.first < result.second:
            key, points = (result.first, result.second), result.points
        else:
            key, points = (result.second, result.first), result.games - result.points
        tally[key][points, result.games] += 1
    return tally


def _resample(tally: Tally, generator: np.random.Generator) -> Tally:
    """Draw as many pairs again, from the observed ones and one imagined pair of either sweep.

    The imagined pair keeps the interval of a few equal results from shrinking to a point.
    """
    drawn: Tally = {}
    for key in sorted(tally):
        total = sum(tally[key].values())
        weights: dict[tuple[float, int], float] = defaultdict(float, tally[key])
        games = max(kind[1] for kind in tally[key])
        weights[0.0, games] += 0.5
        weights[float(games), games] += 0.5
        kinds = sorted(weights)
        counts = np.array([weights[kind] for kind in kinds])
        draw = generator.multinomial(total, counts / counts.sum())
        drawn[key] = dict(zip(kinds, draw.tolist(), strict=True))
    return drawn


def _matrices(player_count: int, tally: Tally) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """``points[i, j]``: points of i against j; ``games[i, j]``: games between them."""
    points = np.zeros((player_count, player_count))
    games = np.zeros((player_count, player_count))
    for (first, second), kinds in tally.items():
        scored = sum(kind[0] * count for kind, count in kinds.items())
        played = sum(kind[1] * count for kind, count in kinds.items())
        points[first, second] += scored
        points[second, first] += played - scored
        games[first, second] += played
        games[second, first] += played
    return points, games


def _fit(
    points: NDArray[np.float64], games: NDArray[np.float64], start: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Maximum of the penalised likelihood, by Newton's method with halved steps."""
    theta = start * _LOGISTIC
    scored = points.sum(axis=1)

    def objective(values: NDArray[np.float64]) -> float:
        gaps = values[:, None] - values[None, :]
        likelihood = -(points * np.logaddexp(0.0, -gaps)).sum()
        prior = -0.5 * (np.logaddexp(0.0, -values) + np.logaddexp(0.0, values)).sum()
        return float(likelihood + prior)

    value = objective(theta)
    for _ in range(100):
        expected = 1.0 / (1.0 + np.exp(theta[None, :] - theta[:, None]))
        own = 1.0 / (1.0 + np.exp(-theta))
        gradient = scored - (games * expected).sum(axis=1) + 0.5 - own
        information = games * expected * (1.0 - expected)
        hessian = np.diag(information.sum(axis=1) + own * (1.0 - own)) - information
        step = np.linalg.solve(hessian, gradient)
        largest = float(np.abs(step).max(initial=0.0))
        if largest < 1e-10:
            break
        step *= min(1.0, 4.0 / largest)
        while (trial := objective(theta + step)) < value and np.abs(step).max() > 1e-12:
            step /= 2.0
        theta, value = theta + step, max(trial, value)
    return np.asarray((theta - theta.mean()) / _LOGISTIC)
