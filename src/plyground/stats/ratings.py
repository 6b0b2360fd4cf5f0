"""Ratings of many players from their paired games, by the estimator of `stats.strength`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plyground.stats.strength import Evidence, Strengths, estimate_strengths


@dataclass(frozen=True)
class PairResult:
    """Games of one opening between two players (indices); points of ``first`` in ``games``."""

    first: int
    second: int
    points: float
    games: int = 2


@dataclass(frozen=True)
class Rating:
    """A player's rating with its 95 % interval, and his raw score.

    Ratings are relative to the average of all players; between two, to the opponent.
    """

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
    player_count: int, results: Sequence[PairResult], *, intervals: bool = True
) -> list[Rating]:
    """Ratings in the order of the players; without `intervals` in a fraction of the time."""
    evidence = gather(player_count, results)
    return list_ratings(estimate_strengths(evidence, intervals=intervals), results)


def gather(player_count: int, results: Sequence[PairResult]) -> Evidence:
    """The evidence of these results: a pair is a unit, a single game half of one."""
    evidence = Evidence(player_count)
    for result in results:
        mean = result.points / result.games
        evidence.add(result.first, result.second, mean, result.games / 2.0)
    return evidence


def list_ratings(strengths: Strengths, results: Sequence[PairResult]) -> list[Rating]:
    """Strengths as ratings, with points and games from the results behind them."""
    scale = 2.0 if len(strengths.elo) == 2 else 1.0
    points = [0.0] * len(strengths.elo)
    games = [0] * len(strengths.elo)
    for result in results:
        points[result.first] += result.points
        points[result.second] += result.games - result.points
        games[result.first] += result.games
        games[result.second] += result.games
    return [
        Rating(
            player=player,
            elo=scale * float(strengths.elo[player]),
            low=scale * float(strengths.low[player]),
            high=scale * float(strengths.high[player]),
            points=points[player],
            games=games[player],
        )
        for player in range(len(strengths.elo))
    ]
