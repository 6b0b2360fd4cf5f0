"""Moves, boards and game states of the older generation of the course.

Submissions write `from competitive_sudoku.sudoku import *`: what the modules of the course import
is imported here as well, used or not.
"""

from __future__ import annotations

import copy  # noqa: F401
import io  # noqa: F401
from pathlib import Path
from typing import Any, Iterator, List, Optional, Tuple, Union  # noqa: F401, UP035

from plyground.course.host import boardtext
from plyground.course.host.regionboard import RegionBoard
from plyground.course.host.regionboard import late_random as __getattr__  # noqa: F401


class Move:
    """A value for the square in row `i`, column `j`; as in the course it has no hash."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, i: int, j: int, value: int) -> None:
        self.i = i
        self.j = j
        self.value = value

    def __eq__(self, other: Any) -> bool:
        return bool((self.i, self.j, self.value) == (other.i, other.j, other.value))

    def __str__(self) -> str:
        return f"({self.i},{self.j}) -> {self.value}"

    __repr__ = __str__


class TabooMove(Move):
    """A move that may not be proposed any more."""


class SudokuBoard(RegionBoard):
    """A board whose squares are named by row and column."""

    def rc2f(self, i: int, j: int) -> int:
        """The flat index of a square."""
        return self.N * i + j

    def f2rc(self, k: int) -> tuple[int, int]:
        """Row and column of a flat index."""
        return divmod(k, self.N)

    def get(self, i: int, j: int) -> int:
        """The value in row i, column j."""
        return self.squares[self.rc2f(i, j)]

    def put(self, i: int, j: int, value: int) -> None:
        """Set the value in row i, column j."""
        self.squares[self.rc2f(i, j)] = value


def print_board(board: SudokuBoard) -> str:
    """The board in the format of its files."""
    return str(board)


def load_sudoku_from_text(text: str) -> SudokuBoard:
    """A board in the format of its files."""
    m, n, squares = boardtext.read_plain_board(text)
    board = SudokuBoard(m, n)
    board.squares = squares
    return board


def load_sudoku(filename: str) -> SudokuBoard:
    """The board in a file."""
    return load_sudoku_from_text(Path(filename).read_text())


def save_sudoku(filename: str, board: SudokuBoard) -> None:
    """Write a board to a file."""
    Path(filename).write_text(print_board(board))


class GameState:
    """Where a game stands."""

    def __init__(
        self,
        initial_board: SudokuBoard,
        board: SudokuBoard,
        taboo_moves: list[TabooMove],
        moves: list[Move],
        scores: list[int],
        player: int | None = None,
    ) -> None:
        self.initial_board = initial_board
        self.board = board
        self.taboo_moves = taboo_moves
        self.moves = moves
        self.scores = scores
        # Submissions append to `moves` and ask again.
        self._first = 0 if player is None else player - 1 - len(moves)

    def current_player(self) -> int:
        """1 or 2: the player to move, counted by the moves."""
        return 1 + (self._first + len(self.moves)) % 2

    def __str__(self) -> str:
        return f"{self.board}\nscores {self.scores}, player {self.current_player()} to move"


__all__ = [name for name in list(globals()) if not name.startswith("_")]
__all__ += ["random"]  # noqa: F822
