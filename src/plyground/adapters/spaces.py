"""How the moves and boards of each two-player game become the numbers of a learning environment."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from plyground.core.errors import UnsupportedError
from plyground.core.game import Game, Position
from plyground.games.codecup_sudoku import rules as codecup_rules
from plyground.games.competitive_sudoku import rules as competitive_rules
from plyground.games.competitive_sudoku.setup import read_cells
from plyground.games.connect4 import rules as connect4_rules

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


class Connect4Encoding(Encoding):
    """Drops are actions 0 to W-1, the mean move from a to b is W + a*W + b.

    Planes are the player's own discs, the opponent's, and the empty cells.
    """

    def __init__(self, game: Game) -> None:
        self.width = int(game.options["width"])
        self.height = int(game.options["height"])
        self.actions = self.width * (self.width + 1)
        self.shape = (3, self.height, self.width)
        self.mean_code = int(connect4_rules.MEAN_CODE)

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


def _digit_planes(digits: npt.NDArray[np.int64], size: int) -> Planes:
    """One plane a value, the plane of the empty cells first."""
    board = digits.reshape(size, size)
    return np.stack([(board == value).astype(np.int8) for value in range(size + 1)])


class CompetitiveSudokuEncoding(Encoding):
    """An action is cell * N + value - 1, for a placement and for a pass by that value alike."""

    def __init__(self, game: Game) -> None:
        self.size = int(game.params[competitive_rules.SIZE])
        self.actions = self.size**3
        self.shape = (self.size + 1, self.size, self.size)

    def action(self, position: Position, code: int) -> int:
        cell, rest = divmod(code, int(competitive_rules.CODE_CELL))
        return cell * self.size + rest // 2 - 1

    def code(self, position: Position, action: int) -> int:
        return next(code for code in position.move_codes if self.action(position, code) == action)

    def planes(self, position: Position, player: int) -> Planes:
        digits = read_cells(position.game.params, position.state)
        return _digit_planes(digits, self.size)


class CodeCupEncoding(Encoding):
    """An action is cell * 9 + digit - 1, with the claim wherever it is right; 729 only claims."""

    actions = 730
    shape = (10, 9, 9)

    def action(self, position: Position, code: int) -> int:
        return 729 if code == codecup_rules.CLAIM else code % codecup_rules.CLAIMED

    def code(self, position: Position, action: int) -> int:
        return next(code for code in position.move_codes if self.action(position, code) == action)

    def planes(self, position: Position, player: int) -> Planes:
        digits = np.zeros(81, np.uint8)
        position.game.rules.read_cells(position.state, digits)
        return _digit_planes(digits.astype(np.int64), 9)


def encoding_of(game: Game) -> Encoding:
    """The encoding of a two-player game."""
    known: dict[str, Callable[[Game], Encoding]] = {
        "connect4": Connect4Encoding,
        "competitive-sudoku": CompetitiveSudokuEncoding,
        "codecup-sudoku": lambda _: CodeCupEncoding(),
    }
    if game.info.name not in known:
        raise UnsupportedError(f"{game.info.name} has no encoding for learning environments")
    return known[game.info.name](game)
