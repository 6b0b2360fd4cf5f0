"""Levels are players like any other: named, within their limit, careless by seed and position."""

from __future__ import annotations

import pytest

from plyground.core.agent import Agent, Report, Stop, no_report, no_stop
from plyground.core.errors import UnknownNameError
from plyground.core.game import Position
from plyground.core.levels import LevelAgent, find_level, levels_of
from plyground.core.limits import Clock, Limit
from plyground.core.page import Level
from plyground.core.registry import games, make_agent, make_game
from plyground.core.search import SearchResult


class Fixed(Agent):
    """Always the same move; remembers how long it might have thought."""

    def __init__(self, move: str) -> None:
        self.move, self.limits = move, list[Limit]()

    def search(
        self, position: Position, limit: Limit, report: Report = no_report, stop: Stop = no_stop
    ) -> SearchResult:
        self.limits.append(limit)
        return SearchResult(self.move)


def test_every_game_for_two_has_levels_that_can_be_made() -> None:
    for name, game in games().items():
        if game.info.players == 2:
            levels = levels_of(name)
            assert len(levels) == 6 and levels[-1].name == "Champion"
            for level in levels:
                made = make_agent(name, level.key)
                assert isinstance(made, LevelAgent) and made.level == level


def test_an_unknown_level_is_named_with_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match=r"(?s)clubb.*club"):
        make_agent("connect4", "level:clubb")
    assert find_level("connect4", "level:Club").name == "Club"


def test_slips_are_as_frequent_as_said_and_the_same_again() -> None:
    game = make_game("connect4")
    level = Level("Some", "a", Limit(nodes=50), careless="b", slips=0.3)
    agent = LevelAgent(level, Fixed("4"), Fixed("1"))
    first = game.parse_position("")
    played = []
    for seed in range(300):
        agent.new_game(game, seed)
        played.append(agent.search(first, Limit(time=1.0)).move)
        assert agent.search(first, Limit(time=1.0)).move == played[-1]
    assert 60 <= played.count("1") <= 120


def test_a_level_keeps_its_limit_and_that_of_the_match() -> None:
    game = make_game("connect4")
    inner = Fixed("4")
    agent = LevelAgent(Level("Some", "a", Limit(time=1.0, nodes=50)), inner, None)
    agent.new_game(game, 0)
    agent.search(game.start(), Limit(time=0.2, depth=9))
    agent.search(game.start(), Limit(nodes=10, clock=Clock(30.0)))
    assert inner.limits == [
        Limit(time=0.2, nodes=50, depth=9),
        Limit(time=1.0, nodes=10, clock=Clock(30.0)),
    ]


def test_a_name_of_any_length_is_refused_with_its_beginning() -> None:
    said = str(UnknownNameError.of("agent", "champion" * 20_000, ["champion", "mcts"]))
    assert len(said) < 400
    assert said.startswith("unknown agent 'championchampion")
