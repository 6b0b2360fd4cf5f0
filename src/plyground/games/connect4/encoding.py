"""Moves and boards as the numbers of a learning environment."""

from __future__ import annotations

import numpy as np

from plyground.core.encoding import Encoding, Planes
from plyground.core.game import Game, Position
from plyground.games.connect4 import rules


class Connect4Encoding(Encoding):
    """Drops are actions 0 to W-1, the mean move from a to b is W + a*W + b.

    Planes are the player's own discs, the opponent's, and the empty cells.
    """

    def __init__(self, game: Game) -> None:
        self.width = int(game.options["width"])
        self.height = int(game.options["height"])
        self.actions = self.width * (self.width + 1)
        self.shape = (3, self.height, self.width)
        self.mean_code = int(rules.MEAN_CODE)

    def action(self, position: Position, code: int) -> int:
        return self.action_of_code(code)

    def action_of_code(self, code: int) -> int:
        """The action of a move code: the same in every position."""
        source, column = divmod(code, self.mean_code)
        return column if source == 0 else self.width * source + column

    def code(self, position: Position, action: int) -> int:
        return self.code_of_action(action)

    def code_of_action(self, action: int) -> int:
        """The move code of an action: the same in every position."""
        source, column = divmod(action, self.width)
        return self.mean_code * source + column

    def planes(self, position: Position, player: int) -> Planes:
        bits = np.arange(self.width) * (self.height + 1)
        rows = np.arange(self.height)[::-1]
        places = (rows[:, None] + bits[None, :]).astype(np.uint64)
        own, other = position.state[player], position.state[1 - player]
        words = (own, other, ~(own | other))
        return np.stack([((word >> places) & np.uint64(1)).astype(np.int8) for word in words])
