"""Positions that tests start from."""

from __future__ import annotations

import random

from plyground.core.game import Game, Position


def random_position(game: Game, source: random.Random, plies: int) -> Position:
    """The position after so many random moves, or the end of the game before."""
    position = game.start()
    for _ in range(plies):
        if not position.is_over:
            position = position.play(source.choice(position.move_codes))
    return position
