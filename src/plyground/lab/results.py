"""Results of an experiment as its claims look at them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from plyground.lab.experiment import Experiment, Measure, Scale, Series
from plyground.report.games import PlayedGame
from plyground.report.summary import Tally, tally_for


class MissingResultError(LookupError):
    """A claim asks for something that has not been measured yet."""


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


def is_finished(item: Series | Measure, results: Results) -> bool:
    """Whether nothing of a planned item is left to do."""
    if isinstance(item, Measure):
        return results.has(item.name)
    return results.count_games(item.name) >= item.games
