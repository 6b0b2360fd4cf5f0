"""Positions in board files of both generations of the course.

`sudoku.boardfile` reads the lines; here the game's fields get their meaning. Errors name the line
and the reason; fields that contradict each other are errors too (`history.py` compares them with
the rules).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NoReturn

from plyground.core.errors import PositionError
from plyground.games.competitive_sudoku.history import check_history
from plyground.games.competitive_sudoku.notation import format_placement, format_square
from plyground.games.competitive_sudoku.position_data import Placement, PositionData, check_block
from plyground.sudoku.board import BoardError
from plyground.sudoku.boardfile import BoardFile, Field, board_rows, read_board_file

_SQUARE = re.compile(r"\(\s*(\d+)\s*,\s*(\d+)\s*\)", re.ASCII)
_MOVE = re.compile(r"\(\s*(\d+)\s*,\s*(\d+)\s*\)\s*->\s*(\d+)", re.ASCII)

Squares = frozenset[int]


class _Reader:
    """Reads the fields of one file; `name` opens every error message."""

    def __init__(self, file: BoardFile, name: str) -> None:
        self.name = name
        self.file = file
        self.fields = file.fields
        self.shape = file.board.geometry
        self.size = self.shape.size
        self.cells = tuple(file.board.digits.tolist())

    def fail(self, line: int, reason: str) -> NoReturn:
        raise PositionError(f"{self.name}, line {line}: {reason}")

    def read(self) -> PositionData:
        head = self.fields["rows"].line if self.fields else self.file.line
        check_block(self.shape.rows, self.shape.columns, f"{self.name}, line {head}")
        plain = PositionData(self.shape.rows, self.shape.columns, self.cells, initial=self.cells)
        clash = plain.conflict()
        if clash:
            first, second = (format_square(self.size, cell) for cell in clash)
            value = self.cells[clash[1]]
            places = f"at {first} and {second}"
            self.fail(
                self.file.line, f"value {value} stands twice in a row, column or block, {places}"
            )
        return self._read_fields() if self.fields else plain

    def _read_fields(self) -> PositionData:
        allowed = self._allowed()
        occupied = self._occupied(allowed is not None)
        data = PositionData(
            self.shape.rows,
            self.shape.columns,
            self.cells,
            self._scores(self.fields.get("scores")),
            self._player(self.fields.get("current-player")),
            taboo=self._moves(self.fields.get("taboo-moves")),
            allowed=allowed,
            occupied=occupied,
            initial=self._initial(),
            moves=self._moves(self.fields.get("moves")),
        )
        lines = {name: field.line for name, field in self.fields.items()}
        return check_history(data, lines, self.fail)

    def _initial(self) -> tuple[int, ...]:
        if "initial-board" not in self.fields:
            return self.cells
        initial = self.file.digits_of("initial-board")
        for cell, value in enumerate(initial):
            if value and self.cells[cell] != value:
                place = format_square(self.size, cell)
                line = self.fields["initial-board"].line
                self.fail(line, f"value {value} at {place} is not on the board")
        return initial

    def _allowed(self) -> tuple[Squares, Squares] | None:
        given = [self.fields.get(f"allowed-squares{player}") for player in (1, 2)]
        if not any(given):
            return None
        if not all(given):
            self.fail(self.file.line, "give both allowed-squares1 and allowed-squares2, or neither")
        first, second = (self._squares(field) for field in given if field)
        return first, second

    def _occupied(self, restricted: bool) -> tuple[Squares, Squares]:
        owners = self.file.owners
        sets = [frozenset(c for c, owner in owners.items() if owner == p) for p in (0, 1)]
        for player in (0, 1):
            field = self.fields.get(f"occupied-squares{player + 1}")
            if not field:
                continue
            squares = self._squares(field)
            empty = sorted(cell for cell in squares if not self.cells[cell])
            if empty:
                place = format_square(self.size, empty[0])
                self.fail(field.line, f"{field.name}: the square {place} is empty")
            if owners and restricted and squares != sets[player]:
                self.fail(field.line, f"{field.name} differs from the signs on the board")
            sets[player] = squares
        both = sorted(sets[0] & sets[1])
        if both:
            place = format_square(self.size, both[0])
            self.fail(self.file.line, f"the square {place} is occupied by both players")
        return sets[0], sets[1]

    def _items(self, field: Field, pattern: re.Pattern[str]) -> list[tuple[int, ...]]:
        rest = field.text
        if rest.startswith("[") and rest.endswith("]"):
            rest = rest[1:-1].strip()
        elif not rest.startswith("("):  # the course writes lists of squares without brackets
            self.fail(field.line, f"{field.name} is a list in brackets")
        items = []
        while rest:
            match = pattern.match(rest)
            if not match:
                self.fail(field.line, f"{field.name}: cannot read {rest[:30]!r}")
            numbers = tuple(int(number) for number in match.groups())
            if numbers[0] >= self.size or numbers[1] >= self.size:
                self.fail(field.line, f"{field.name}: {match[0]} is off the board")
            items.append(numbers)
            rest = rest[match.end() :].strip()
            if rest and not rest.startswith(","):
                self.fail(field.line, f"{field.name}: a comma is missing before {rest[:30]!r}")
            rest = rest.removeprefix(",").strip()
        return items

    def _squares(self, field: Field) -> Squares:
        return frozenset(row * self.size + col for row, col in self._items(field, _SQUARE))

    def _moves(self, field: Field | None) -> tuple[Placement, ...]:
        if field is None:
            return ()
        moves = []
        for row, column, value in self._items(field, _MOVE):
            if not 1 <= value <= self.size:
                self.fail(field.line, f"{field.name}: {value} is not a value from 1 to {self.size}")
            moves.append((row * self.size + column, value))
        return tuple(moves)

    def _scores(self, field: Field | None) -> tuple[int, int]:
        if field is None:
            return (0, 0)
        match = re.fullmatch(r"\[\s*(\d{1,5})\s*,\s*(\d{1,5})\s*\]", field.text, re.ASCII)
        if not match:
            self.fail(field.line, f"scores are written as [3, 1], not {field.text!r}")
        return int(match[1]), int(match[2])

    def _player(self, field: Field | None) -> int:
        if field is None:
            return 0
        if field.text not in ("1", "2"):
            self.fail(field.line, f"current-player is 1 or 2, not {field.text!r}")
        return int(field.text) - 1


def read_position_file(text: str, name: str = "board file") -> PositionData:
    """The position in a board file of either format; PositionError with line and reason."""
    try:
        return _Reader(read_board_file(text), name).read()
    except BoardError as error:
        raise PositionError(f"{name}, {error}") from error


def write_position_file(data: PositionData) -> str:
    """The newer format, with history, scores and squares of the players."""
    initial = data.initial or data.cells
    shape = data.geometry
    owners = {}
    if data.allowed is not None:
        owners = {cell: player for player in (0, 1) for cell in data.occupied[player]}
    lines = [f"rows = {shape.rows}", f"columns = {shape.columns}", "board ="]
    lines += [f"  {row}" for row in board_rows(shape, data.cells, owners)]
    if initial != data.cells:
        lines.append("initial-board =")
        lines += [f"  {row}" for row in board_rows(shape, initial)]
    if data.moves:
        lines.append(f"moves = {_moves(data, data.moves)}")
    if data.taboo:
        lines.append(f"taboo-moves = {_moves(data, data.taboo)}")
    lines.append(f"scores = [{data.scores[0]}, {data.scores[1]}]")
    lines.append(f"current-player = {data.player + 1}")
    if data.allowed is not None:
        for name, sets in (("allowed", data.allowed), ("occupied", data.occupied)):
            for player, squares in enumerate(sets, 1):
                lines.append(f"{name}-squares{player} = {_squares(data, squares)}")
    return "\n".join(lines) + "\n"


def _moves(data: PositionData, moves: Iterable[Placement]) -> str:
    return "[" + ", ".join(format_placement(data.size, c, v) for c, v in moves) + "]"


def _squares(data: PositionData, squares: Iterable[int]) -> str:
    return "[" + ", ".join(format_square(data.size, cell) for cell in sorted(squares)) + "]"
