"""Levels: opponents for people, from the weakest to the strongest, as players like any other.

`level:club` is a player wherever one is named. A level is an agent with a limit of its own; with
a share of `slips` it plays the move of a more careless agent instead, as people do now and then.
Which moves slip follows from the seed and the position, so that a game can be repeated.
"""

from __future__ import annotations

import random

from plyground.core.agent import Agent, Report, Stop, no_report, no_stop
from plyground.core.errors import UnknownNameError
from plyground.core.game import Game, Position
from plyground.core.limits import Limit
from plyground.core.page import PREFIX, Level
from plyground.core.registry import agents, find_game, make_agent, strongest_agent
from plyground.core.search import SearchResult

_SIMULATIONS = (
    ("Beginner", 60, "plays a few games in its head"),
    ("Casual", 300, "plays some hundred games in its head"),
    ("Club", 1_500, "plays many games in its head"),
    ("Strong", 4_000, "plays thousands of games in its head"),
    ("Expert", 10_000, "and thinks long about it"),
)
"""Levels of a game that brings none: Monte Carlo tree search with more and more simulations."""


def levels_of(game: str) -> tuple[Level, ...]:
    """The levels of a game: its own, or some made of the agents that play every game."""
    own = find_game(game).page.levels
    if own or find_game(game).info.players != 2:
        return own
    strongest = Level("Champion", strongest_agent(game), Limit(time=1.0), "the strongest there is")
    if "mcts" not in agents(game):
        return (Level("Beginner", "random", Limit(time=0.1), "any legal move"), strongest)
    searching = (
        Level(name, "mcts", Limit(nodes=nodes), summary) for name, nodes, summary in _SIMULATIONS
    )
    return (*searching, strongest)


def find_level(game: str, text: str) -> Level:
    """The level that a player's text names (`level:club`); UnknownNameError if there is none."""
    known = {level.key: level for level in levels_of(game)}
    if text.lower() not in known:
        names = {key.removeprefix(PREFIX): level for key, level in known.items()}
        raise UnknownNameError.of(f"level of {game}", text.removeprefix(PREFIX)[:60], names)
    return known[text.lower()]


class LevelAgent(Agent):
    """Plays as a level does: its agent within its limit, and the careless one when it slips."""

    name = "level"

    def __init__(self, level: Level, agent: Agent, careless: Agent | None) -> None:
        self.level, self.agent, self.careless = level, agent, careless

    @property
    def players(self) -> list[Agent]:
        """The agents behind the level."""
        return [self.agent] if self.careless is None else [self.agent, self.careless]

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        for player in self.players:
            player.new_game(game, seed)

    def warm_up(self) -> None:
        for player in self.players:
            player.warm_up()

    def observe(self, position: Position, move: str) -> None:
        for player in self.players:
            player.observe(position, move)

    def search(
        self, position: Position, limit: Limit, report: Report = no_report, stop: Stop = no_stop
    ) -> SearchResult:
        chance = random.Random(self.seed * 2_654_435_761 ^ position.key).random()
        slips = self.careless is not None and chance < self.level.slips
        player = self.careless if slips and self.careless is not None else self.agent
        return player.search(position, limit.within(self.level.limit), report, stop)


def make_level_agent(game: str, text: str) -> LevelAgent:
    """The agent of `level:club`."""
    level = find_level(game, text)
    careless = make_agent(game, level.careless) if level.slips else None
    return LevelAgent(level, make_agent(game, level.agent), careless)
