"""Competitive Sudoku: two players fill one Sudoku and score the regions that they complete."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

import numpy as np

from plyground.core import reading
from plyground.core.demo import Demo
from plyground.core.encoding import Encoding
from plyground.core.errors import (
    GameOverError,
    IllegalMoveError,
    InputError,
    InvalidMoveError,
    OptionError,
    PositionError,
)
from plyground.core.game import (
    Game,
    GameInfo,
    MoveVerdict,
    Option,
    OptionValue,
    Position,
    Scoring,
    Words,
)
from plyground.core.limits import Limit
from plyground.core.outcome import Outcome, Termination
from plyground.core.paths import is_file
from plyground.core.registry import register_game
from plyground.core.view import View
from plyground.games.competitive_sudoku import notation, rules
from plyground.games.competitive_sudoku.modes import MODES, allowed_squares
from plyground.games.competitive_sudoku.page import PAGE
from plyground.games.competitive_sudoku.position_data import (
    PositionData,
    check_block,
    pack,
    params_of,
    read_cells,
    state_words,
    unpack,
)
from plyground.games.competitive_sudoku.position_file import read_position_file
from plyground.games.competitive_sudoku.view import draw
from plyground.kernels.words import ONGOING
from plyground.sudoku.board import Board
from plyground.sudoku.boards import NAMED_BOARDS, named_board
from plyground.sudoku.solvability import solvability
from plyground.sudoku.sources import read_source

_Cells = np.ndarray[tuple[int], np.dtype[np.int64]]
_CODE_CELL = int(rules.CODE_CELL)
FROM_BOARD = "board"
"""The mode that takes the allowed squares from the board file (none: classic)."""


_BOARD_LINE = re.compile(r"(empty|random|easy|hard)-|\d+x\d+ ")


def _line_options(line: str) -> dict[str, OptionValue]:
    """`random-3x3 seed=4 mode=rows` or a one-line position as options."""
    if notation.looks_like_position(line):
        return {"board": line}
    name, *words = line.split()
    return {"board": name, **dict(word.split("=", 1) for word in words if "=" in word)}


def _one_line(board: Board) -> str:
    """A board without history as a one-line position."""
    shape = board.geometry
    return notation.format_position(
        PositionData(shape.rows, shape.columns, tuple(int(digit) for digit in board.digits))
    )


@register_game
class CompetitiveSudoku(Game):
    """The rules on one start position. Every block size from 2x2 to 5x5."""

    info = GameInfo(
        name="competitive-sudoku",
        title="Competitive Sudoku",
        summary="fill a Sudoku in turn; completed regions score 1, 3 or 7; "
        "a first unsolvable proposal passes the turn",
        scoring=Scoring.WIN_LOSS,
        options=(
            Option(
                "board",
                "random-3x3",
                "a name (empty-, random-, easy-, hard-MxN) or a one-line position",
                suggestions=NAMED_BOARDS,
                files="a board file",
            ),
            Option(
                "mode",
                FROM_BOARD,
                "where players may play; `board`: as the board says",
                choices=(FROM_BOARD, *MODES),
            ),
            Option("seed", 0, "of named boards and of the squares of mode random", low=0),
        ),
    )
    demo = Demo(
        ("champion", "mcts", "greedy", "random"),
        Limit(time=0.01),
        2,
        {"board": "random-2x3"},
        compiling=15.0,
    )
    page = PAGE
    rules_module = "plyground.games.competitive_sudoku.rules"
    playout_module = "plyground.games.competitive_sudoku.playout"

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        super().__init__(options)
        data = self._start_data(str(self.options["board"]))
        self.data = data = self._in_mode(data, str(self.options["mode"]))
        self.restricted = data.allowed is not None
        self.params = params_of(data.rows, data.columns, self.restricted)
        self.state_words = state_words(self.params)
        self.max_moves = int(self.params[rules.CELLS]) * data.size
        self.slice_nodes = max(2, 4096 // self.max_moves)  # each move is asked for a solution
        self.answers = solvability(data.geometry)
        self._start = self._checked_state(data)

    def _in_mode(self, data: PositionData, mode: str) -> PositionData:
        """The position under a mode, wherever the course would load it in that mode."""
        owned = any(data.occupied)
        if data.allowed is None and owned and mode in (FROM_BOARD, "classic"):
            needed = "give mode=rows, mode=border or mode=random"
            raise OptionError(
                f"mode={mode}: the squares of this board have owners, but it lists no allowed "
                f"squares; {needed}"
            )
        if mode == FROM_BOARD:
            return data
        if data.allowed is not None and (data.moves or owned):
            raise OptionError(f"mode={mode}: this board has a history; leave the mode to it")
        if data.moves and not owned and mode != "classic":
            raise OptionError(
                f"mode={mode}: this board has a history, but no owners of squares (digits with + "
                "or -); play it with mode=classic"
            )
        return data.with_mode(allowed_squares(mode, data.size, int(self.options["seed"])))

    def _start_data(self, board: str) -> PositionData:
        if notation.looks_like_position(board):
            return notation.parse_position(board)
        path = Path(board)
        if is_file(path):
            try:
                return read_position_file(reading.read_text(path), board)
            except (OSError, UnicodeDecodeError) as error:
                raise InputError(f"board file {board}: cannot be read: {error}") from error
        if "/" in board or path.suffix:
            raise InputError(f"board file {board}: no such file")
        made = named_board(board, int(self.options["seed"]))
        check_block(made.geometry.rows, made.geometry.columns, f"board {board}")
        return PositionData(made.geometry.rows, made.geometry.columns, tuple(made.digits.tolist()))

    def _checked_state(self, data: PositionData) -> Words:
        """The row of words of a position that can exist; else PositionError."""
        size = data.size
        clash = data.conflict()
        if clash:
            places = " and ".join(f"({cell // size},{cell % size})" for cell in clash)
            raise PositionError(f"position: the same value stands twice in a region, at {places}")
        if not self.answers.solvable(np.array(data.cells, np.int64)):
            raise PositionError("position: this board has no solution; a game cannot start on it")
        for cell, value in data.taboo:
            trial = np.array(data.cells, np.int64)
            if trial[cell] == 0:
                trial[cell] = value
                if self.answers.solvable(trial):
                    move = notation.format_placement(size, cell, value)
                    raise PositionError(f"position: {move} is taboo, but leaves the board solvable")
        state = pack(self.params, data)
        rules.hand_over(self.params, state, np.uint64(data.player))
        return state

    def another_board(self, number: int) -> dict[str, OptionValue]:
        """Named boards come from the seed, which counts up from pair to pair."""
        made = re.match("(random|easy|hard)-", str(self.options["board"])) is not None
        if not made and self.options["mode"] != "random":
            return dict(self.options)
        return {**self.options, "seed": int(self.options["seed"]) + number}

    def read_boards(self, text: str, name: str) -> list[dict[str, OptionValue]]:
        """Lines with a name (and options), a one-line position, or boards in any Sudoku format."""
        lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
        lines = [entry for entry in lines if entry[1] and not entry[1].startswith("#")]
        if not all(_BOARD_LINE.match(line) for _, line in lines):
            found = read_source(text, name)
            return [{"board": _one_line(each.board)} for each in found]
        boards = []
        for number, line in lines:
            options = _line_options(line)
            try:
                type(self)({**self.options, **options})
            except InputError as error:
                raise PositionError(f"{name}, line {number}: {error}") from error
            boards.append(options)
        return boards

    def initial_state(self) -> Words:
        return self._start.copy()

    def start(self) -> Position:
        return SudokuPosition(self, self.initial_state())

    def parse_move(self, state: Words, text: str) -> int:
        """The code of a move; it is marked as a pass if it leaves the board unsolvable.

        Squares and values off the board are no moves: InvalidMoveError.
        """
        row, column, value = notation.parse_triple(text)
        size = self.data.size
        if not (0 <= row < size and 0 <= column < size):
            raise InvalidMoveError(f"{text!r}: the square is off the board (0 to {size - 1})")
        if not 1 <= value <= size:
            raise InvalidMoveError(f"{text!r}: the value is not from 1 to {size}")
        cell = row * size + column
        cells = read_cells(self.params, state)
        if cells[cell] == 0 and not self._clashes(cells.tolist(), cell, value):
            return self.code_of(cells, cell, value)
        return _code(cell, value, False)

    def code_of(self, cells: _Cells, cell: int, value: int) -> int:
        """The code of a placement that breaks no region of a board."""
        return _code(cell, value, not self.answers.solvable(_placed(cells, cell, value)))

    def format_move(self, state: Words, move: int) -> str:
        cell, rest = divmod(move, int(rules.CODE_CELL))
        return notation.format_placement(self.data.size, cell, rest // 2) + "!" * (rest % 2)

    def _clashes(self, cells: list[int], cell: int, value: int) -> str:
        """Which of row, column and block already has the value; empty if none has."""
        size, rows, columns = self.data.size, self.data.rows, self.data.columns
        row, column = divmod(cell, size)
        if value in cells[row * size : (row + 1) * size]:
            return "row"
        if value in cells[column::size]:
            return "column"
        corner = (row - row % rows) * size + column - column % columns
        starts = range(corner, corner + rows * size, size)
        return "block" if any(value in cells[start : start + columns] for start in starts) else ""

    def why_forfeit(self, position: SudokuPosition, text: str) -> tuple[Termination, str] | None:
        """Why a proposal loses at once, in the judge's order; None if it does not.

        The taboo list comes first, then the board's limits, then the square and its regions.
        """
        return self._fault(position, text, *notation.parse_triple(text))

    def _fault(
        self, position: SudokuPosition, text: str, row: int, column: int, value: int
    ) -> tuple[Termination, str] | None:
        size, state = self.data.size, position.state
        on_board = 0 <= row < size and 0 <= column < size and 1 <= value <= size
        if not on_board:
            return Termination.ILLEGAL_MOVE, f"{text.strip()}: square or value off the board"
        cell = row * size + column
        index = np.uint64(cell * size + value - 1)
        if rules.has_bit(state, self.params[rules.TABOO], index):
            return Termination.TABOO_MOVE, f"{text.strip()} is on the taboo list"
        cells = position.values
        if cells[cell]:
            return Termination.ILLEGAL_MOVE, f"{text.strip()}: the square is occupied"
        clash = self._clashes(cells, cell, value)
        if clash:
            return Termination.ILLEGAL_MOVE, f"{text.strip()}: the value is already in this {clash}"
        mover = state[rules.HEAD] & np.uint64(1)
        if self.restricted and not rules.reachable(self.params, state, mover, np.uint64(cell)):
            return Termination.ILLEGAL_MOVE, f"{text.strip()}: the player may not use this square"
        return None

    def judge(self, position: Position, text: str) -> MoveVerdict:
        """Placement, pass, or the loss of the game, by the course's order of checks."""
        if position.is_over:
            return super().judge(position, text)
        assert isinstance(position, SudokuPosition)
        try:
            row, column, value = notation.parse_triple(text)
            reason = self._fault(position, text, row, column, value)
        except InvalidMoveError as error:
            reason = Termination.ILLEGAL_MOVE, str(error)
        if reason:
            return MoveVerdict(outcome=self.forfeit(position, position.turn, *reason))
        following = position.judged(row * self.data.size + column, value)
        return MoveVerdict(following, following.last_move)

    def parse_position(self, text: str) -> Position:
        """A position in its one-line form, or the text of a board file of either format.

        Boards of another size or with other restrictions bring their own rules along.
        """
        if "\n" in text.strip() or "=" in text.split("/")[0]:
            data = read_position_file(text, "position")
        else:
            data = notation.parse_position(text)
        same = (data.rows, data.columns) == (self.data.rows, self.data.columns)
        if same and (data.allowed is None) == (self.data.allowed is None):
            return SudokuPosition(self, self._checked_state(data))
        line = notation.format_position(data)
        return CompetitiveSudoku({"board": line}).start()

    def format_position(self, state: Words) -> str:
        return notation.format_position(unpack(self.params, state))

    @classmethod
    def sketch(cls, text: str) -> View:
        return draw(notation.parse_position(text), False)

    def view(self, state: Words) -> View:
        over = int(self.rules.outcome(self.params, state)) != ONGOING
        return draw(unpack(self.params, state), over)

    def encoding(self) -> Encoding:
        from plyground.games.competitive_sudoku.encoding import (
            CompetitiveSudokuEncoding,  # only learners need it
        )

        return CompetitiveSudokuEncoding(self)

    def describe_outcome(self, state: Words, value: int) -> Outcome:
        return replace_scores(super().describe_outcome(state, value), self.scores(state))

    def forfeit(
        self, position: Position, loser: int, termination: Termination, detail: str = ""
    ) -> Outcome:
        outcome = super().forfeit(position, loser, termination, detail)
        return replace_scores(outcome, self.scores(position.state))

    def scores(self, state: Words) -> tuple[int, int]:
        packed = int(state[rules.SCORES])
        return packed & int(rules.SCORE_MASK), packed >> int(rules.SCORE_SHIFT)


def _code(cell: int, value: int, is_pass: bool) -> int:
    return cell * _CODE_CELL + 2 * value + is_pass


def replace_scores(outcome: Outcome, scores: tuple[int, int]) -> Outcome:
    """The same outcome with the players' points."""
    return Outcome(outcome.winner, outcome.termination, scores, outcome.points, outcome.detail)


class SudokuPosition(Position):
    """A position whose moves are judged with certainty on boards of every size."""

    game: CompetitiveSudoku
    solution: list[int] | None = None
    """One way to fill the board, if it is known; it goes along from position to position."""

    @cached_property
    def cells(self) -> _Cells:
        """The values of all squares, 0 = empty."""
        return read_cells(self.game.params, self.state)

    @cached_property
    def values(self) -> list[int]:
        """The same as plain numbers."""
        return self.cells.tolist()

    @property
    def text(self) -> str:
        return notation.format_position(self.data)

    @cached_property
    def data(self) -> PositionData:
        """The position as plain values."""
        return unpack(self.game.params, self.state, self.values, self.game.data.cells)

    @cached_property
    def move_codes(self) -> list[int]:
        """Placements and passes by square and value."""
        if self.is_over:
            return []
        params, module = self.game.params, self.game.rules
        fitting = np.zeros(len(self.cells), np.uint64)
        module.fitting_values(params, self.cells, fitting)
        moves = np.zeros(self.game.max_moves, np.int64)
        solvable = self.game.answers.values(self.cells)
        count = module.list_moves(params, self.state, fitting, solvable, moves)
        return [int(code) for code in moves[:count]]

    def play(self, move: str | int) -> Position:
        """The position after a placement or pass; only the one move's solvability is looked at."""
        if self.is_over:
            raise GameOverError(f"the game is over ({self.outcome}); {move!r} cannot be played")
        text = move if isinstance(move, str) else self.game.format_move(self.state, move)
        reason = self.game.why_forfeit(self, text)
        if reason:
            raise IllegalMoveError(f"illegal move: {reason[1]}")
        code = self.parse_move(text)
        if not isinstance(move, str) and code != move:
            raise IllegalMoveError(f"illegal move code {move}: {text} is {code}")
        return self.after(code)

    def follow(self, move: str) -> Position:
        """The position after a judged move: a pass is known by its mark, not by a search."""
        if self.is_over or self.game.why_forfeit(self, move):
            return self.play(move)  # which says what is wrong
        row, column, value = notation.parse_triple(move)
        cell = row * self.game.data.size + column
        is_pass = move.rstrip().endswith("!")
        return self.after(cell * int(rules.CODE_CELL) + 2 * value + is_pass)

    def judged(self, cell: int, value: int) -> SudokuPosition:
        """The position after a placement that breaks no region: a pass if nothing can follow it."""
        solution, is_pass = self.solution, False
        if solution is None or solution[cell] != value:
            found = self.game.answers.solution(_placed(self.cells, cell, value))
            is_pass = found is None
            solution = solution if found is None else found.tolist()
        following = self.after(_code(cell, value, is_pass))
        following.solution = solution
        following.cells = self.cells if is_pass else _placed(self.cells, cell, value)
        return following

    def after(self, code: int) -> SudokuPosition:
        """The position after a move that is known to be legal."""
        child = np.empty_like(self.state)
        self.game.rules.play(self.game.params, self.state, np.int64(code), child)
        return type(self)(self.game, child, self.game.format_move(self.state, code))


def _placed(cells: _Cells, cell: int, value: int) -> _Cells:
    """A board with one more value."""
    filled = cells.copy()
    filled[cell] = value
    return filled


__all__ = ["CompetitiveSudoku", "SudokuPosition"]
