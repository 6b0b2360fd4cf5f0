"""Moves, boards and game states of the newer generation of the course.

Submissions write `from competitive_sudoku.sudoku import *`: they find here what the course's module
imports as well.
"""

from __future__ import annotations

from plyground.course.host import boardtext
from plyground.course.host.latenames import late_names
from plyground.course.host.newer import reading
from plyground.course.host.regionboard import RegionBoard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LATE = ["copy", "io", "random", "Any", "Iterator", "List", "Optional", "Tuple", "Union"]
__getattr__ = late_names(__name__, _LATE)

Square = tuple[int, int]


class SudokuSettings:
    """Switches of the course's printing."""

    print_ascii_states = False


class Move:
    """A value for a square (row, column); as in the course it has no hash."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, square: Square, value: int) -> None:
        self.square = square
        self.value = value

    def __eq__(self, other: Any) -> bool:
        return bool((self.square, self.value) == (other.square, other.value))

    def __str__(self) -> str:
        return f"({self.square[0]},{self.square[1]}) -> {self.value}"

    __repr__ = __str__


class TabooMove(Move):
    """A move that may not be proposed any more."""


class SudokuBoard(RegionBoard):
    """A board whose squares are pairs (row, column)."""

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


def print_sudoku_board(board: SudokuBoard) -> str:
    """The board in the older format of board files."""
    return str(board)


def pretty_print_sudoku_board(board: SudokuBoard, gamestate: GameState | None = None) -> str:
    """The board with numbered rows and columns and lines between the regions."""
    return boardtext.framed_board(board.m, board.n, board.squares)


def parse_sudoku_board(text: str) -> SudokuBoard:
    """A board in the older format of board files."""
    m, n, squares = boardtext.read_plain_board(text)
    board = SudokuBoard(m, n)
    board.squares = squares
    return board


def _replayed(board: SudokuBoard | None, moves: list[Move], forward: bool) -> SudokuBoard:
    """A copy of the board after the moves, or before them; without a board an empty 2x2 one."""
    if board is None:
        return SudokuBoard(2, 2)
    other = SudokuBoard(board.m, board.n)
    other.squares = list(board.squares)
    for move in moves:
        other.put(move.square, move.value if forward else SudokuBoard.empty)
    return other


class GameState:
    """Where a game stands. Allowed and occupied squares are None in a classic game."""

    def __init__(
        self,
        initial_board: SudokuBoard | None = None,
        board: SudokuBoard | None = None,
        taboo_moves: list[TabooMove] | None = None,
        moves: list[Move] | None = None,
        scores: list[int] | None = None,
        current_player: int = 1,
        allowed_squares1: list[Square] | None = None,
        allowed_squares2: list[Square] | None = None,
        occupied_squares1: list[Square] | None = None,
        occupied_squares2: list[Square] | None = None,
    ) -> None:
        self.moves = [] if moves is None else moves
        self.initial_board = initial_board or _replayed(board, self.moves, forward=False)
        self.board = board or _replayed(initial_board, self.moves, forward=True)
        self.taboo_moves = [] if taboo_moves is None else taboo_moves
        self.scores = [0, 0] if scores is None else scores
        self.current_player = current_player
        self.allowed_squares1 = allowed_squares1
        self.allowed_squares2 = allowed_squares2
        self.occupied_squares1 = occupied_squares1
        self.occupied_squares2 = occupied_squares2

    def is_classic_game(self) -> bool:
        """Whether every empty square is open to both players."""
        return self.allowed_squares1 is None and self.allowed_squares2 is None

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
        return print_game_state(self)


def print_game_state(game_state: GameState) -> str:
    """The state in the newer format of board files."""
    board = game_state.board
    first, second = game_state.occupied_squares1 or (), game_state.occupied_squares2 or ()
    owners = {board.square2index(square): "+" for square in first}
    owners.update({board.square2index(square): "-" for square in second})
    fields: dict[str, object] = {"rows": board.m, "columns": board.n}
    fields["board"] = boardtext.rows_of_text(board.N, board.squares, owners)
    for name, moves in (("taboo-moves", game_state.taboo_moves), ("moves", game_state.moves)):
        fields[name] = f"[{', '.join(map(str, moves))}]"
    fields["scores"] = list(game_state.scores)
    fields["current-player"] = game_state.current_player
    if not game_state.is_classic_game():
        for kind in ("allowed", "occupied"):
            for player in (1, 2):
                squares = getattr(game_state, f"{kind}_squares{player}") or ()
                places = ", ".join(f"({row},{column})" for row, column in squares)
                fields[f"{kind}-squares{player}"] = f"[{places}]"
    return "".join(f"{name} = {value}\n" for name, value in fields.items())


def pretty_print_game_state(game_state: GameState) -> str:
    """The board, the score and the player to move, for people."""
    board = pretty_print_sudoku_board(game_state.board)
    return f"{board}Score: {game_state.scores[0]} - {game_state.scores[1]}\n"


def parse_properties(text: str) -> dict[str, str]:
    """The keys of a board file and their values."""
    return reading.read_properties(text)


def parse_game_state(text: str, playmode: str = "classic") -> GameState:
    """A board file; where it says nothing, the mode sets the allowed squares."""
    state = reading.read_state(text, playmode)
    board = SudokuBoard(state.rows, state.columns)
    board.squares = list(state.board)
    initial = None
    if state.initial is not None:
        initial = SudokuBoard(state.rows, state.columns)
        initial.squares = list(state.initial)
    return GameState(
        initial,
        board,
        [TabooMove(square, value) for square, value in state.taboo],
        [Move(square, value) for square, value in state.moves],
        state.scores,
        state.player,
        *state.allowed,
        *state.occupied,
    )


def allowed_squares(board: SudokuBoard, playmode: str) -> tuple[list[Square], list[Square]]:
    """The squares on which either player may begin; empty lists in classic mode."""
    return reading.squares_of_mode(board.N, playmode)


def generate_random_tuples(N: int) -> list[Square]:  # noqa: N803
    """Twice N different squares of a board of side N."""
    first, second = reading.squares_of_mode(N, "random")
    return first + second


__all__ = [name for name in [*globals(), *_LATE] if not name.startswith("_")]
