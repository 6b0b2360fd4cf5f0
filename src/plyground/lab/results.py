"""Results of an experiment as its claims look at them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from plyground.lab.experiment import Experiment, Measure, Scale, Series
from plyground.report.games import PlayedGame
from plyground.report.summary import estimate_for
from plyground.stats import EloEstimate


class MissingResultError(LookupError):
    """A claim asks for something that has not been measured yet."""


@dataclass(frozen=True)
class Tally:
    """Games of `player` against `opponent`, seen by `player`, with the interval of its score."""

    wins: int
    draws: int
    losses: int
    estimate: EloEstimate

    @property
    def games(self) -> int:
        """How many games."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Points per game."""
        return self.estimate.score

    @property
    def low(self) -> float:
        """Lower end of the score's 95 % interval."""
        return self.estimate.score_low

    @property
    def high(self) -> float:
        """Upper end of the score's 95 % interval."""
        return self.estimate.score_high

    def __str__(self) -> str:
        return f"{self.wins}-{self.losses}" + (f"-{self.draws}" if self.draws else "")

    @property
    def text(self) -> str:
        """`499-1 of 500: 99.8 % [98.9 to 100.0]`, draws as a third number."""
        return (
            f"{self} of {self.games}: {100 * self.score:.1f} % "
            f"[{100 * self.low:.1f} to {100 * self.high:.1f}]"
        )


class Results:
    """Finished games and measurements of one experiment at one scale."""

    def __init__(
        self,
        experiment: Experiment,
        scale: Scale,
        games: dict[str, list[PlayedGame]],
        values: dict[str, dict[str, Any]],
    ) -> None:
        self.experiment = experiment
        self.scale = scale
        self._games = games
        self._values = values
        self.plan = list(experiment.plan(scale))

    def series(self, where: Callable[[Series], bool] = lambda _: True) -> list[Series]:
        """The planned series that satisfy a condition."""
        return [item for item in self.plan if isinstance(item, Series) and where(item)]

    def games(self, *names: str) -> list[PlayedGame]:
        """The games of these series; MissingResultError if there are none."""
        found = [game for name in names for game in self._games.get(name, [])]
        if not found:
            raise MissingResultError(", ".join(names))
        return found

    def count_games(self, name: str) -> int:
        """How many games of a series were played."""
        return len(self._games.get(name, []))

    def all_games(self) -> list[PlayedGame]:
        """All games of the experiment."""
        return [game for games in self._games.values() for game in games]

    def value(self, name: str) -> dict[str, Any]:
        """What a measurement gave."""
        if name not in self._values:
            raise MissingResultError(name)
        return self._values[name]

    def has(self, name: str) -> bool:
        """Whether a measurement was made."""
        return name in self._values

    def tally(self, *names: str) -> Tally:
        """The record of the player whom these series name first."""
        planned = [item for item in self.plan if isinstance(item, Series) and item.name in names]
        player = planned[0].first if planned else ""
        return tally_for(player, self.games(*names))

    def tally_where(self, condition: Callable[[Series], bool]) -> Tally:
        """The record over all series that satisfy a condition, seen by their first player."""
        return self.tally(*(item.name for item in self.series(condition)))


def tally_for(player: str, games: Sequence[PlayedGame]) -> Tally:
    """A player's record over games; two copies of one player count by the first seat."""
    scores = [
        game.score if game.first == player or game.second != player else 1.0 - game.score
        for game in games
    ]
    return Tally(
        wins=sum(score == 1.0 for score in scores),
        draws=sum(score == 0.5 for score in scores),
        losses=sum(score == 0.0 for score in scores),
        estimate=estimate_for(player, games),
    )


def is_finished(item: Series | Measure, results: Results) -> bool:
    """Whether nothing of a planned item is left to do."""
    if isinstance(item, Measure):
        return results.has(item.name)
    return results.count_games(item.name) >= item.games
