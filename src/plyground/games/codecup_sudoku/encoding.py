"""Moves and boards as the numbers of a learning environment."""

from __future__ import annotations

import numpy as np

from plyground.core.encoding import Encoding, Planes, value_planes
from plyground.core.game import Position
from plyground.games.codecup_sudoku import rules


class CodeCupEncoding(Encoding):
    """An action is cell * 9 + digit - 1, with the claim wherever it is right; 729 only claims."""

    actions = 730
    shape = (10, 9, 9)

    def action(self, position: Position, code: int) -> int:
        return 729 if code == rules.CLAIM else code % rules.CLAIMED

    def code(self, position: Position, action: int) -> int:
        return next(code for code in position.move_codes if self.action(position, code) == action)

    def planes(self, position: Position, player: int) -> Planes:
        digits = np.zeros(81, np.uint8)
        position.game.rules.read_cells(position.state, digits)
        return value_planes(digits.astype(np.int64), 9)
