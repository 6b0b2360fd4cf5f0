"""Moves, boards and game states of the older generation of the course.

Submissions write `from competitive_sudoku.sudoku import *`: they find here what the modules of the
course import as well.
"""

from __future__ import annotations

from plyground.course.host import boardtext
from plyground.course.host.latenames import late_names
from plyground.course.host.regionboard import RegionBoard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LATE = ["copy", "io", "random", "Path", "Any", "Iterator", "List", "Optional", "Tuple", "Union"]
__getattr__ = late_names(__name__, _LATE)


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
    with open(filename) as file:
        return load_sudoku_from_text(file.read())


def save_sudoku(filename: str, board: SudokuBoard) -> None:
    """Write a board to a file."""
    with open(filename, "w") as file:
        file.write(print_board(board))


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


__all__ = [name for name in [*globals(), *_LATE] if not name.startswith("_")]
