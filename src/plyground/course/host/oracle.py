"""The course's solver program as a function: answers in its words, without a program."""

from __future__ import annotations

import random
import shlex
from dataclasses import dataclass

from plyground.course.host.boardtext import read_plain_board
from plyground.course.host.solving import solvable, units

REWARDS = (0, 1, 3, 7)
_SOLUTION = "The sudoku has a solution.\n"
_NO_SOLUTION = "The sudoku has no solution.\n"


@dataclass
class Board:
    """A board; squares are flat indices, 0 is empty."""

    rows: int
    columns: int
    cells: list[int]

    @property
    def size(self) -> int:
        """Values, and squares on a side."""
        return self.rows * self.columns

    def fits(self, square: int, value: int) -> bool:
        """Whether no region of a square has the value."""
        regions = units(self.rows, self.columns)[square]
        return all(self.cells[other] != value for region in regions for other in region)

    def reward(self, square: int) -> int:
        """The points for filling a square."""
        regions = units(self.rows, self.columns)[square]
        return REWARDS[sum(all(self.cells[o] for o in region if o != square) for region in regions)]

    def solvable(self) -> bool:
        """Whether there is a solution."""
        return solvable(self.rows, self.columns, self.cells)


def answer(board_text: str, options: str = "") -> str:
    """What the solver program prints for a board.

    `--move "SQUARE VALUE"` judges a move, `--greedy` and `--random` generate one (neither asks
    whether the board stays solvable), else it says whether there is a solution. `--taboo="ROW
    COLUMN VALUE ..."` and `--allowed="SQUARE ..."` restrict moves.
    """
    board = Board(*read_plain_board(board_text))
    given = _parse(options)
    numbers = [int(word) for word in given.get("taboo", "").split()]
    size = board.size
    taboo = {
        (row * size + column, value)
        for row, column, value in zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True)
    }
    allowed = set(range(size * size))
    if "allowed" in given:
        allowed = {int(word) for word in given["allowed"].split()}
    if "move" in given:
        square, value = (int(word) for word in given["move"].split())
        return _judge(board, square, value, allowed)
    if "greedy" in given or "random" in given:
        return _generate(board, taboo, allowed, greedy="greedy" in given)
    return _SOLUTION if board.solvable() else _NO_SOLUTION


def _parse(options: str) -> dict[str, str]:
    given: dict[str, str] = {}
    words = shlex.split(options)
    while words:
        name, equals, text = words.pop(0).lstrip("-").partition("=")
        if not equals and words and not words[0].startswith("-"):
            text = words.pop(0)
        given[name] = text
    return given


def _judge(board: Board, square: int, value: int, allowed: set[int]) -> str:
    if not (0 <= square < len(board.cells) and 1 <= value <= board.size):
        return f"Invalid move: ({square},{value}) is not on the board.\n"
    if board.cells[square] or square not in allowed or not board.fits(square, value):
        return f"Illegal move: ({square},{value}) does not fit.\n"
    score = board.reward(square)
    board.cells[square] = value
    if not board.solvable():
        return _NO_SOLUTION
    return f"{_SOLUTION}The score is {score}.\n"


def _generate(board: Board, taboo: set[tuple[int, int]], allowed: set[int], greedy: bool) -> str:
    moves = [
        (square, value)
        for square in sorted(allowed)
        for value in range(1, board.size + 1)
        if not board.cells[square] and (square, value) not in taboo and board.fits(square, value)
    ]
    if not moves:
        return "No move can be generated.\n"
    if greedy:
        best = max(board.reward(square) for square, _ in moves)
        moves = [move for move in moves if board.reward(move[0]) == best]
    square, value = random.choice(moves)
    return f"Generated move ({square},{value})\n"
