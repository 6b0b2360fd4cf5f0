"""Tic-tac-toe, complete: the example of `docs/adding-a-game.md`. Rules and game in one file."""

from __future__ import annotations

import numpy as np

from plyground.core.errors import InvalidMoveError, PositionError
from plyground.core.game import Game, GameInfo, Position, Scoring, Words
from plyground.core.registry import register_game
from plyground.core.view import Glyph, Shape, View
from plyground.kernels import kernel
from plyground.kernels.bits import popcount
from plyground.kernels.random import split_mix

# A position is two words, the squares of each player; bit 0 is the top left corner.
LINES = np.array([0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124], np.uint64)
ALL, ONE = np.uint64(0o777), np.uint64(1)


@kernel
def legal_moves(params, state, moves):  # type: ignore[no-untyped-def]
    count = 0
    for square in range(9):
        if (state[0] | state[1]) & (ONE << np.uint64(square)) == 0:
            moves[count] = square
            count += 1
    return count


@kernel
def mover(params, state):  # type: ignore[no-untyped-def]
    return popcount(state[0] | state[1]) % 2


@kernel
def play(params, state, move, child):  # type: ignore[no-untyped-def]
    child[:] = state
    child[mover(params, state)] |= ONE << np.uint64(move)


@kernel
def outcome(params, state):  # type: ignore[no-untyped-def]
    for line in LINES:
        if state[0] & line == line:
            return np.int64(1)
        if state[1] & line == line:
            return np.int64(-1)
    return np.int64(0) if state[0] | state[1] == ALL else np.int64(-(2**62))


@kernel
def key(params, state):  # type: ignore[no-untyped-def]
    return split_mix(state[0] << np.uint64(9) | state[1])


@register_game
class TicTacToe(Game):
    """Three in a line wins."""

    info = GameInfo("tictactoe", "Tic-tac-toe", "three in a line", 2, False, Scoring.WIN_LOSS)
    rules_module = __name__
    params, state_words, max_moves = np.zeros(1, np.uint64), 2, 9

    def initial_state(self) -> Words:
        return np.zeros(2, np.uint64)

    def parse_move(self, state: Words, text: str) -> int:
        if not (len(text) == 1 and text in "123456789"):
            raise InvalidMoveError(f"{text!r} is not a square from 1 to 9")
        return int(text) - 1

    def format_move(self, state: Words, move: int) -> str:
        return str(move + 1)

    def parse_position(self, text: str) -> Position:
        if len(text) != 9 or set(text) - set("xo."):
            raise PositionError(f"{text!r} is not nine of the letters x, o and .")
        words = [sum(1 << i for i, c in enumerate(text) if c == disc) for disc in "xo"]
        return Position(self, np.array(words, np.uint64))

    def format_position(self, state: Words) -> str:
        return "".join("xo."[self._owner(state, square)] for square in range(9))

    def _owner(self, state: Words, square: int) -> int:
        return 0 if int(state[0]) >> square & 1 else 1 if int(state[1]) >> square & 1 else 2

    def view(self, state: Words) -> View:
        text = self.format_position(state)
        shapes = [
            Shape("text", i % 3 + 0.5, i // 3 + 0.5, 0, 0.8, text=c) for i, c in enumerate(text)
        ]
        rows = tuple(tuple(Glyph(c) for c in text[r : r + 3]) for r in (0, 3, 6))
        return View(3, 3, tuple(shapes), rows)
