"""Ratings of a field: many players of whom each has met only a few, in a few games.

**Why not the most likely ratings.** Swiss pairing puts lucky winners against lucky winners, so that
the luck of a whole group adds up: after seven rounds the most likely ratings of forty players lie a
quarter too far apart, and their intervals miss the truth. What pairing does not touch is the
likelihood itself, so here it is averaged over instead of maximised, with the spread of the field as
one more unknown.

**Model.** The evidence and its dispersion are those of `stats.strength`. Before any game everybody
is drawn from one distribution around the average (Student's with `FREEDOM` degrees of freedom: some
may be far off), whose spread is unknown. Rating and 95 % interval are mean and quantiles of what is
left after the games, sampled by Hamiltonian Monte Carlo with a fixed seed.
`benchmarks/course_coverage.py` measures how often the intervals hold the truth.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from plyground.stats.strength import (
    ELO_PER_UNIT,
    PRIOR_DISPERSION,
    PRIOR_UNITS,
    Evidence,
    Matrix,
    Vector,
)

FREEDOM = 8.0
SPREAD_CENTRE = math.log(250.0 / ELO_PER_UNIT)
SPREAD_WIDTH = 1.0
"""Before any game the logarithm of the spread is normal around the centre."""

WIDENING = 1.1
"""Intervals reach so much further from the rating than the model says: strength is not one number,
and who beats whom follows it less closely than the model believes. Chosen by the benchmark."""

CHAINS = 24
WARM_UP, SAMPLES = 150, 300
STEPS = 10
"""Leaps between two samples of a chain."""


@dataclass(frozen=True)
class FieldStrengths:
    """Ratings in Elo with the ends of their 95 % intervals, relative to the origin's average."""

    elo: Vector
    low: Vector
    high: Vector
    spread: float
    dispersion: float
    samples: Matrix
    """Ratings of all players, one row a sample."""

    def superiority(self, first: int, second: int) -> float:
        """The probability that `first` is stronger."""
        return float((self.samples[:, first] > self.samples[:, second]).mean())


@dataclass(frozen=True)
class _Question:
    """What ratings are asked for; the same for the same evidence, whoever gathered it."""

    origin: tuple[int, ...]
    content: bytes
    evidence: Evidence = field(compare=False)


def estimate_field(evidence: Evidence, origin: Sequence[int] = ()) -> FieldStrengths:
    """Ratings of all players; `origin` are those whose average is zero (all of them if none).

    The last few are kept: a table is shown more often than a game is added to it.
    """
    parts = (evidence.counts, evidence.scores, evidence.squares)
    content = b"".join(part.tobytes() for part in parts)
    return _estimate(_Question(tuple(origin), content, evidence))


@lru_cache(maxsize=4)
def _estimate(question: _Question) -> FieldStrengths:
    evidence, origin = question.evidence, question.origin
    dispersion = PRIOR_DISPERSION
    posterior = _Posterior(evidence, dispersion)
    for _ in range(2):
        dispersion = posterior.measure_dispersion(posterior.sample(WARM_UP, SAMPLES // 3))
        posterior = _Posterior(evidence, dispersion)
    states = posterior.sample(WARM_UP, SAMPLES)
    ratings = posterior.ratings(states)
    zero = list(origin) or list(range(evidence.players))
    ratings = (ratings - ratings[:, zero].mean(axis=1, keepdims=True)) * ELO_PER_UNIT
    elo = ratings.mean(axis=0)
    low, high = elo + WIDENING * (np.quantile(ratings, (0.025, 0.975), axis=0) - elo)
    for each in (elo, low, high, ratings):
        each.flags.writeable = False  # many will see them
    return FieldStrengths(
        elo=elo,
        low=low,
        high=high,
        spread=float(np.exp(states[:, -1]).mean()) * ELO_PER_UNIT,
        dispersion=dispersion,
        samples=ratings,
    )


class _Posterior:
    """What is known after the games. A state is a row: ratings over the spread, log spread."""

    def __init__(self, evidence: Evidence, dispersion: float) -> None:
        self.players = evidence.players
        first, second = np.nonzero(np.triu(evidence.counts))
        self._units = evidence.counts[first, second]
        self._scores = evidence.scores[first, second]
        self._squares = evidence.squares[first, second]
        self._won = self._scores / dispersion
        self._played = self._units / dispersion
        self._meetings = np.zeros((len(first), self.players))
        self._meetings[np.arange(len(first)), first] = 1.0
        self._meetings[np.arange(len(first)), second] = -1.0

    def ratings(self, states: Matrix) -> Matrix:
        """In natural logarithms of odds."""
        return np.asarray(states[:, :-1] * np.exp(states[:, -1:]))

    def value_and_slope(self, states: Matrix) -> tuple[Vector, Matrix]:
        """Log-density of each state (up to a constant) and its slope."""
        own, spread = states[:, :-1], states[:, -1]
        ratings = self.ratings(states)
        gaps = ratings @ self._meetings.T
        shares = _share(gaps)
        value = self._won @ gaps.T - np.logaddexp(0.0, gaps) @ self._played
        value -= (FREEDOM + 1.0) / 2.0 * np.log1p(own**2 / FREEDOM).sum(axis=1)
        value -= ((spread - SPREAD_CENTRE) / SPREAD_WIDTH) ** 2 / 2.0
        pull = (self._won - self._played * shares) @ self._meetings
        slope = np.empty_like(states)
        slope[:, :-1] = pull * np.exp(spread)[:, None]
        slope[:, :-1] -= (FREEDOM + 1.0) * own / (FREEDOM + own**2)
        slope[:, -1] = (pull * ratings).sum(axis=1) - (spread - SPREAD_CENTRE) / SPREAD_WIDTH**2
        return value, slope

    def sample(self, warm_up: int, samples: int) -> Matrix:
        """States of all chains, one after the other, after a warm-up that finds the step's size."""
        generator = np.random.default_rng(0)
        states = 0.1 * generator.standard_normal((CHAINS, self.players + 1))
        states[:, -1] += SPREAD_CENTRE
        value, slope = self.value_and_slope(states)
        step = 0.1
        kept = []
        for number in range(warm_up + samples):
            momentum = generator.standard_normal(states.shape)
            energy = value - (momentum**2).sum(axis=1) / 2.0
            trial, trial_slope = states, slope
            leap = step * generator.uniform(0.8, 1.2)
            for _ in range(STEPS):
                momentum = momentum + leap / 2.0 * trial_slope
                trial = trial + leap * momentum
                trial_value, trial_slope = self.value_and_slope(trial)
                momentum = momentum + leap / 2.0 * trial_slope
            change = trial_value - (momentum**2).sum(axis=1) / 2.0 - energy
            chance = np.exp(np.minimum(0.0, np.nan_to_num(change, nan=-np.inf)))
            taken = generator.random(CHAINS) < chance
            states = np.where(taken[:, None], trial, states)
            slope = np.where(taken[:, None], trial_slope, slope)
            value = np.where(taken, trial_value, value)
            if number < warm_up:
                step *= math.exp(0.1 * (float(chance.mean()) - 0.8))
            else:
                kept.append(states)
        return np.concatenate(kept)

    def measure_dispersion(self, states: Matrix) -> float:
        """Variance of the units around their expectation, relative to the largest possible one.

        Taken over the samples: how far the ratings are from known makes up for their following the
        results.
        """
        shares = _share(self.ratings(states) @ self._meetings.T)
        deviations = self._squares - 2.0 * shares * self._scores + self._units * shares**2
        largest = self._units * shares * (1.0 - shares)
        prior = PRIOR_UNITS / 2.0
        measured = float(deviations.mean(axis=0).sum()) + prior * PRIOR_DISPERSION
        return measured / (float(largest.mean(axis=0).sum()) + prior)


def _share(gaps: Matrix) -> Matrix:
    """Expected scores at these gaps, without an overflow at wide ones."""
    return np.asarray(0.5 + 0.5 * np.tanh(gaps / 2.0))
