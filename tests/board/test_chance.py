"""Games with chance and for one player: events by their weights, points, a player that plans."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import plyground as pg
from plyground.core.game import CHANCE, Position
from plyground.core.limits import Limit

GALLERY = Path(__file__).parents[2] / "examples" / "games"


def play(agent: str, seed: int, nodes: int = 60) -> Position:
    """A whole game of 2048 on a small board."""
    game = pg.game(str(GALLERY / "twenty48.py"), size=3)
    player = pg.agent(game, agent, seed=seed)
    position = game.start()
    while not position.is_over:
        if position.turn == CHANCE:
            position = game.apply_chance(position, game.chance_event(position, seed))
        else:
            position = position.play(player.search(position, Limit(nodes=nodes)).move)
    return position


def test_new_tiles_are_two_nine_times_of_ten() -> None:
    game = pg.game(str(GALLERY / "twenty48.py"))
    start = game.start()
    events = [int(game.chance_event(start, seed)) for seed in range(3000)]
    kinds = Counter(event % 2 for event in events)
    assert 0.07 < kinds[1] / len(events) < 0.13
    assert len({event // 2 for event in events}) == 16


def test_events_that_cannot_happen_are_refused() -> None:
    game = pg.game(str(GALLERY / "twenty48.py"))
    for event in ("99", "-1", "x", ""):
        with pytest.raises(pg.PlygroundError):
            game.apply_chance(game.start(), event)


def test_points_grow_with_planning() -> None:
    def points(agent: str) -> float:
        total = 0.0
        for seed in range(3):
            outcome = play(agent, seed).outcome
            assert outcome is not None and outcome.scores is not None and outcome.winner is None
            total += outcome.scores[0]
        return total

    assert points("rollouts") > 1.5 * points("random")
