"""How the moves and boards of a game become the numbers of a learning environment."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from plyground.core.game import Game, Position

Planes = npt.NDArray[np.int8]


class Encoding(ABC):
    """Numbers the actions of a game from 0 and turns positions into planes of small numbers.

    Planes are seen by one player: its own pieces first.
    """

    actions: int
    shape: tuple[int, int, int]

    @abstractmethod
    def action(self, position: Position, code: int) -> int:
        """The action of a move code."""

    @abstractmethod
    def code(self, position: Position, action: int) -> int:
        """The move code of a legal action."""

    @abstractmethod
    def planes(self, position: Position, player: int) -> Planes:
        """The board for a player, shape (planes, rows, columns)."""

    def mask(self, position: Position) -> npt.NDArray[np.int8]:
        """1 for every legal action."""
        mask = np.zeros(self.actions, np.int8)
        for code in position.move_codes:
            mask[self.action(position, code)] = 1
        return mask


class PlainEncoding(Encoding):
    """For games without an encoding of their own: an action is the place of a move in the list of
    legal moves, the planes are the bits of the position's words, whoever looks.
    """

    def __init__(self, game: Game) -> None:
        self.actions = game.max_moves
        self.shape = (game.state_words, 8, 8)

    def action(self, position: Position, code: int) -> int:
        return position.move_codes.index(code)

    def code(self, position: Position, action: int) -> int:
        return position.move_codes[action]

    def planes(self, position: Position, player: int) -> Planes:
        bits = np.arange(64, dtype=np.uint64)
        words = position.state[:, None] >> bits & np.uint64(1)
        return words.astype(np.int8).reshape(self.shape)


def value_planes(values: npt.NDArray[np.int64], size: int) -> Planes:
    """A square board of values up to `size`: one plane a value, that of the empty cells first."""
    board = values.reshape(size, size)
    return np.stack([(board == value).astype(np.int8) for value in range(size + 1)])
