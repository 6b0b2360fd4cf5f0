"""The boards on which a submission is judged before it plays."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

from plyground.core.game import OptionValue
from plyground.core.registry import make_game

GAME = "competitive-sudoku"
CLASSIC = "classic"
CLASSIC_BOARDS = ("easy-2x2", "random-2x3", "random-3x3")
EMPTY_BOARDS = ("empty-2x2", "empty-2x3", "empty-3x3")
TABOO = " after passes"
TABOO_BOARDS = (f"random-3x3{TABOO}", f"empty-3x3{TABOO}")
SOLID_MOVES, FEWEST_PASSES, MOST_PASSES = 28, 10, 120
"""On a board that begins empty something has to be there before moves can be passes."""


def check_boards(mode: str, given: str = "") -> tuple[str, ...]:
    """The boards on which submissions are judged: the given one first.

    With allowed squares the course loads only boards whose digits have owners, so empty ones.
    """
    classic = mode in ("board", CLASSIC)
    boards = CLASSIC_BOARDS if classic else EMPTY_BOARDS
    taboo = (TABOO_BOARDS[not classic],) if boards else ()
    return (*([given] if given else []), *(name for name in boards if name != given), *taboo)


def board_name(board: str) -> str:
    """A board as pages call it: of a file its name alone."""
    board, *more = board.split(TABOO)
    name = Path(board).name if "/" in board and " " not in board else board
    return name + (" with many taboo moves" if more else "")


def taboo_opening(options: dict[str, OptionValue]) -> tuple[str, ...]:
    """Moves to a position in which much is taboo: both have passed by it.

    A submission that does not look at the taboo list soon plays such a move.
    """
    return _passes(tuple(sorted(options.items())))


@cache
def _passes(options: tuple[tuple[str, OptionValue], ...]) -> tuple[str, ...]:
    position = make_game(GAME, dict(options)).start()
    draw = random.Random(0)
    solid = SOLID_MOVES if dict(options)["board"] in EMPTY_BOARDS else 0
    moves: list[str] = []
    while position.outcome is None:
        legal = position.legal_moves
        passes = [move for move in legal if move[-1] == "!"]
        played = sum(move[-1] == "!" for move in moves)
        if len(moves) < solid or (not passes and played < FEWEST_PASSES):
            good = [move for move in legal if move[-1] != "!"]
            passes = good and [draw.choice(good)]
        if not passes or played == MOST_PASSES:
            break
        moves.append(passes[0])
        position = position.play(passes[0])
    return tuple(moves)
