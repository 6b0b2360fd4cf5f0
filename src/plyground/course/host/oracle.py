"""The course's solver program as a function: answers in its words, without a program."""

from __future__ import annotations

import random
import shlex
from dataclasses import dataclass

from plyground.course.host.boardtext import plain_board, read_plain_board
from plyground.course.host.solving import solution, solvable, units

REWARDS = (0, 1, 3, 7)
_WITH_VALUE = ("move", "taboo", "allowed")


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

    def solved(self) -> str:
        """A solution as a board file."""
        found = solution(self.rows, self.columns, self.cells)
        return "" if found is None else "\n" + plain_board(self.rows, self.columns, found)


def answer(board_text: str, options: str = "") -> str:
    """What the solver program prints for a board, without the end of its last line.

    `--move "SQUARE VALUE"` judges a move, `--greedy` and `--random` generate one (neither asks
    whether the board stays solvable), else it says whether there is a solution. `--print` adds a
    solution. `--taboo="ROW COLUMN VALUE ..."` and `--allowed="SQUARE ..."` restrict moves; an empty
    list of squares allows all of them.
    """
    board = Board(*read_plain_board(board_text))
    given = _parse(options)
    numbers = [int(word) for word in given.get("taboo", "").split()]
    size = board.size
    taboo = {
        (row * size + column, value)
        for row, column, value in zip(numbers[::3], numbers[1::3], numbers[2::3])  # noqa: B905
    }
    allowed = {int(word) for word in given.get("allowed", "").split()}
    allowed = allowed or set(range(size * size))
    if "move" in given:
        text = _judge(board, given["move"], allowed)
    elif "greedy" in given or "random" in given:
        return _generate(board, taboo, allowed, greedy="greedy" in given)
    else:
        text = f"The sudoku has {'a' if board.solvable() else 'no'} solution."
    if "print" in given and text.startswith(("The score", "The sudoku has a")):
        text += board.solved()
    return text.rstrip("\n")


def _parse(options: str) -> dict[str, str]:
    given: dict[str, str] = {}
    words = shlex.split(options)
    while words:
        name, equals, text = words.pop(0).lstrip("-").partition("=")
        if not equals and words and name in _WITH_VALUE:
            text = words.pop(0)
        given[name] = text
    return given


def _judge(board: Board, move: str, allowed: set[int]) -> str:
    """The verdict on a move; one that can be played is put on the board."""
    try:
        square, value = (int(word) for word in move.split()[:2])  # more words are not read
    except ValueError:
        return f"Could not parse a move from '{move}'."
    if not (0 <= square < len(board.cells) and 1 <= value <= board.size):
        return f"Invalid move '{move}'."
    if board.cells[square] or square not in allowed or not board.fits(square, value):
        return f"Illegal move '{move}'."
    score = board.reward(square)
    board.cells[square] = value
    if not board.solvable():
        return f"The sudoku has no solution after move '{move}')."
    return f"The score is {score} (valid move '{move}')."


def _generate(board: Board, taboo: set[tuple[int, int]], allowed: set[int], greedy: bool) -> str:
    moves = [
        (square, value)
        for square in sorted(allowed)
        for value in range(1, board.size + 1)
        if not board.cells[square] and (square, value) not in taboo and board.fits(square, value)
    ]
    if not moves:
        return "Error: could not find a legal move."
    if greedy:
        best = max(board.reward(square) for square, _ in moves)
        moves = [move for move in moves if board.reward(move[0]) == best]
    square, value = random.choice(moves)
    return f"Generated move ({square},{value})."
