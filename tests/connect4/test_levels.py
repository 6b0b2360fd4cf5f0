"""The levels of Connect 4: the weak ones miss threats, but none lets a won game go."""

from __future__ import annotations

import random

import pytest

from plyground.core.game import Position
from plyground.core.levels import levels_of
from plyground.core.limits import Limit
from plyground.core.registry import make_agent, make_game

POSITIONS = 12


def wins_at_once(position: Position) -> set[str]:
    """The moves that win the game."""
    ends = {move: position.play(move).outcome for move in position.legal_moves}
    return {move for move, end in ends.items() if end is not None and end.winner == position.turn}


def positions_with_a_win() -> list[tuple[Position, set[str]]]:
    """Positions of random games with a win at once, by few of many moves."""
    source = random.Random(5)
    found: list[tuple[Position, set[str]]] = []
    while len(found) < POSITIONS:
        position = make_game("connect4").play_line([])
        for _ in range(source.randint(8, 26)):
            if position.outcome is None:
                position = position.play(source.choice(position.legal_moves))
        if position.outcome is None:
            wins = wins_at_once(position)
            if wins and 8 * len(wins) < len(position.legal_moves):
                found.append((position, wins))
    return found


@pytest.mark.parametrize("level", [level.key for level in levels_of("connect4")])
def test_every_level_takes_a_win_at_once(level: str) -> None:
    agent = make_agent("connect4", level)
    for number, (position, wins) in enumerate(positions_with_a_win()):
        agent.new_game(position.game, number)
        assert agent.search(position, Limit(by="cpu")).move in wins
