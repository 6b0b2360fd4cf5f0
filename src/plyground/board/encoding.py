"""Games by description as learning environments see them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyground.core.encoding import PlainEncoding

if TYPE_CHECKING:
    from plyground.board.game import DescribedGame
    from plyground.core.game import Position


class MoveEncoding(PlainEncoding):
    """An action is the move itself, the same in every position: its parts as digits, PASS last."""

    def __init__(self, game: DescribedGame) -> None:
        super().__init__(game)
        self.actions = game.layout.pass_code + 1

    def action(self, position: Position, code: int) -> int:
        return code

    def code(self, position: Position, action: int) -> int:
        return action
