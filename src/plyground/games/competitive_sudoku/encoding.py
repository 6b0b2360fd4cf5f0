"""Moves and boards as the numbers of a learning environment."""

from __future__ import annotations

from plyground.core.encoding import Encoding, Planes, value_planes
from plyground.core.game import Game, Position
from plyground.games.competitive_sudoku import rules
from plyground.games.competitive_sudoku.position_data import read_cells


class CompetitiveSudokuEncoding(Encoding):
    """An action is cell * N + value - 1, for a placement and for a pass by that value alike."""

    def __init__(self, game: Game) -> None:
        self.size = int(game.params[rules.SIZE])
        self.actions = self.size**3
        self.shape = (self.size + 1, self.size, self.size)

    def action(self, position: Position, code: int) -> int:
        cell, rest = divmod(code, int(rules.CODE_CELL))
        return cell * self.size + rest // 2 - 1

    def code(self, position: Position, action: int) -> int:
        return next(code for code in position.move_codes if self.action(position, code) == action)

    def planes(self, position: Position, player: int) -> Planes:
        digits = read_cells(position.game.params, position.state)
        return value_planes(digits, self.size)
