"""Moves, boards and game states of the newer generation of the course."""

from __future__ import annotations

Square = tuple[int, int]


class Move:
    """A value for a square (row, column)."""

    def __init__(self, square: Square, value: int) -> None:
        self.square = square
        self.value = value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Move):
            return NotImplemented
        return tuple(self.square) == tuple(other.square) and self.value == other.value

    def __hash__(self) -> int:
        return hash((tuple(self.square), self.value))

    def __str__(self) -> str:
        return f"({self.square[0]},{self.square[1]}) -> {self.value}"

    __repr__ = __str__


class TabooMove(Move):
    """A move that may not be proposed any more."""


class SudokuBoard:
    """A board with regions of `m` rows and `n` columns; 0 is an empty square."""

    empty = 0

    def __init__(self, m: int = 3, n: int = 3) -> None:
        self.m = m
        self.n = n
        self.N = m * n
        self.squares = [SudokuBoard.empty] * (self.N * self.N)

    def square2index(self, square: Square) -> int:
        """The flat index of a square."""
        row, column = square
        return self.N * row + column

    def index2square(self, k: int) -> Square:
        """Row and column of a flat index."""
        return divmod(k, self.N)

    def get(self, square: Square) -> int:
        """The value of a square."""
        return self.squares[self.square2index(square)]

    def put(self, square: Square, value: int) -> None:
        """Set the value of a square."""
        self.squares[self.square2index(square)] = value

    def region_width(self) -> int:
        """Columns of a region."""
        return self.n

    def region_height(self) -> int:
        """Rows of a region."""
        return self.m

    def board_width(self) -> int:
        """Columns of the board."""
        return self.N

    def board_height(self) -> int:
        """Rows of the board."""
        return self.N

    def __str__(self) -> str:
        rows = (self.squares[start : start + self.N] for start in range(0, self.N**2, self.N))
        return "\n".join(" ".join(str(value or ".").rjust(2) for value in row) for row in rows)


class GameState:
    """Where a game stands. Allowed and occupied squares are None in a classic game."""

    def __init__(
        self,
        initial_board: SudokuBoard,
        board: SudokuBoard,
        taboo_moves: list[TabooMove],
        moves: list[Move],
        scores: list[int],
        current_player: int = 1,
        allowed_squares1: list[Square] | None = None,
        allowed_squares2: list[Square] | None = None,
        occupied_squares1: list[Square] | None = None,
        occupied_squares2: list[Square] | None = None,
    ) -> None:
        self.initial_board = initial_board
        self.board = board
        self.taboo_moves = taboo_moves
        self.moves = moves
        self.scores = scores
        self.current_player = current_player
        self.allowed_squares1 = allowed_squares1
        self.allowed_squares2 = allowed_squares2
        self.occupied_squares1 = occupied_squares1
        self.occupied_squares2 = occupied_squares2

    def is_classic_game(self) -> bool:
        """Whether every empty square is open to both players."""
        return self.allowed_squares1 is None

    def occupied_squares(self) -> list[Square] | None:
        """The squares that the player to move has filled."""
        return self.occupied_squares1 if self.current_player == 1 else self.occupied_squares2

    def player_squares(self) -> list[Square] | None:
        """The empty squares on which the player to move may play; None in a classic game."""
        if self.is_classic_game():
            return None
        allowed = self.allowed_squares1 if self.current_player == 1 else self.allowed_squares2
        near = {tuple(square) for square in allowed or ()}
        for row, column in self.occupied_squares() or ():
            near.update((row + i, column + j) for i in (-1, 0, 1) for j in (-1, 0, 1))
        size = self.board.N
        return sorted(
            (row, column)
            for row, column in near
            if 0 <= row < size and 0 <= column < size and self.board.get((row, column)) == 0
        )

    def __str__(self) -> str:
        return f"{self.board}\nscores {self.scores}, player {self.current_player} to move"
