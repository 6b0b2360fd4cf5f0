"""The course's solver program as a function: answers in its words, from plyground's own solver."""

from __future__ import annotations

import random
import shlex

import numpy as np

from plyground.course.host.boardtext import read_plain_board
from plyground.games.competitive_sudoku.setup import Setup
from plyground.sudoku.solvability import solvability

REWARDS = (0, 1, 3, 7)


def answer(board_text: str, options: str = "") -> str:
    """What the solver program prints for a board.

    `--move "SQUARE VALUE"` judges a move, `--greedy` and `--random` generate one (neither asks
    whether the board stays solvable), else it says whether there is a solution. `--taboo="ROW
    COLUMN VALUE ..."` and `--allowed="SQUARE ..."` restrict moves.
    """
    rows, columns, squares = read_plain_board(board_text)
    setup = Setup(rows, columns, tuple(squares))
    given = _parse(options)
    numbers = [int(word) for word in given.get("taboo", "").split()]
    size = setup.size
    taboo = {
        (row * size + column, value)
        for row, column, value in zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True)
    }
    allowed = set(range(size * size))
    if "allowed" in given:
        allowed = {int(word) for word in given["allowed"].split()}
    if "move" in given:
        square, value = (int(word) for word in given["move"].split())
        return _judge(setup, square, value, allowed)
    if "greedy" in given or "random" in given:
        return _generate(setup, taboo, allowed, greedy="greedy" in given)
    return "The sudoku has a solution.\n" if _solvable(setup.cells, setup) else _NO_SOLUTION


_NO_SOLUTION = "The sudoku has no solution.\n"


def _parse(options: str) -> dict[str, str]:
    given: dict[str, str] = {}
    words = shlex.split(options)
    while words:
        name, equals, text = words.pop(0).lstrip("-").partition("=")
        if not equals and words and not words[0].startswith("-"):
            text = words.pop(0)
        given[name] = text
    return given


def _judge(setup: Setup, square: int, value: int, allowed: set[int]) -> str:
    size = setup.size
    if not (0 <= square < size * size and 1 <= value <= size):
        return f"Invalid move: ({square},{value}) is not on the board.\n"
    if setup.cells[square] or square not in allowed or not _fits(setup, square, value):
        return f"Illegal move: ({square},{value}) does not fit.\n"
    cells = list(setup.cells)
    cells[square] = value
    if not _solvable(tuple(cells), setup):
        return _NO_SOLUTION
    return f"The sudoku has a solution.\nThe score is {_reward(setup, square)}.\n"


def _generate(setup: Setup, taboo: set[tuple[int, int]], allowed: set[int], greedy: bool) -> str:
    moves = [
        (square, value)
        for square in sorted(allowed)
        for value in range(1, setup.size + 1)
        if not setup.cells[square] and (square, value) not in taboo and _fits(setup, square, value)
    ]
    if not moves:
        return "No move can be generated.\n"
    if greedy:
        best = max(_reward(setup, square) for square, _ in moves)
        moves = [move for move in moves if _reward(setup, move[0]) == best]
    square, value = random.choice(moves)
    return f"Generated move ({square},{value})\n"


def _units(setup: Setup, square: int) -> list[list[int]]:
    mine = setup.units(square)
    return [
        [other for other in range(len(setup.cells)) if setup.units(other)[index] == mine[index]]
        for index in range(3)
    ]


def _fits(setup: Setup, square: int, value: int) -> bool:
    return all(setup.cells[other] != value for unit in _units(setup, square) for other in unit)


def _reward(setup: Setup, square: int) -> int:
    return REWARDS[
        sum(all(setup.cells[o] for o in unit if o != square) for unit in _units(setup, square))
    ]


def _solvable(cells: tuple[int, ...], setup: Setup) -> bool:
    return solvability(setup.geometry).solvable(np.array(cells, np.int64))
