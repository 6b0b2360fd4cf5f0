"""Board files of both generations of the Competitive Sudoku course: what stands where.

- Older: the block size `m n`, then N*N tokens separated by white space, `.` (or 0) for empty.
- Newer: `key = value` lines whose further lines begin with a space; `rows`, `columns` and `board`
  must be there. On the board a value may carry `+` or `-`: the first or second player's square.

`#` starts a comment. Other keys (moves, scores, ...) are handed on as text to whoever knows the
game. Errors name the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from plyground.sudoku.board import Board, BoardError
from plyground.sudoku.geometry import Geometry, GeometryError, geometry

KEYS = (
    "rows",
    "columns",
    "board",
    "initial-board",
    "moves",
    "taboo-moves",
    "scores",
    "current-player",
    "allowed-squares1",
    "allowed-squares2",
    "occupied-squares1",
    "occupied-squares2",
)
OWNERS = "+-"
_SIZE_LINE = re.compile(r"\s*(\d+)\s+(\d+)\s*", re.ASCII)
_KEY_LINE = re.compile(r"[A-Za-z][\w-]*\s*=", re.ASCII)
_TOKEN = re.compile(r"(\.|\d{1,3})([+-]?)", re.ASCII)

Lines = tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class Field:
    """The value of a key: its lines of text with their numbers."""

    name: str
    lines: Lines

    @property
    def text(self) -> str:
        return " ".join(text for _, text in self.lines).strip()

    @property
    def line(self) -> int:
        return self.lines[0][0]


@dataclass(frozen=True)
class BoardFile:
    """A board, who owns which cells (player 0 or 1), and the fields of a newer file."""

    board: Board
    owners: Mapping[int, int]
    fields: Mapping[str, Field]
    line: int
    """Where the board begins."""

    def digits_of(self, name: str) -> tuple[int, ...]:
        """The digits of another field that is a board, such as `initial-board`."""
        field = self.fields[name]
        return tuple(_read_tokens(field.lines, self.board.geometry, field.line)[0])


def is_board_file(text: str) -> bool:
    """Whether the first line of a text that is not empty begins a board file."""
    lines = _content_lines(text)
    first = lines[0][1] if lines else ""
    return bool(_SIZE_LINE.fullmatch(first) or _KEY_LINE.match(first))


def read_board_file(text: str) -> BoardFile:
    """A board file of either format; `BoardError` begins with the line. Digits may clash."""
    lines = _content_lines(text)
    if not lines:
        raise BoardError("line 1: the file is empty")
    sizes = _SIZE_LINE.fullmatch(lines[0][1])
    if sizes:
        shape = _shape(sizes[1], sizes[2], lines[0][0])
        digits, owners = _read_tokens(lines[1:], shape, lines[0][0])
        line = lines[1][0]
        if owners:
            raise BoardError(f"line {line}: a value with + or - belongs to the newer format")
        return BoardFile(Board.of(digits, shape), {}, {}, line)
    fields = _split_fields(lines)
    shape = _shape(fields["rows"].text, fields["columns"].text, fields["rows"].line)
    board = fields["board"]
    digits, owners = _read_tokens(board.lines, shape, board.line)
    return BoardFile(Board.of(digits, shape), owners, fields, board.line)


def _content_lines(text: str) -> Lines:
    lines = ((n, line.partition("#")[0].rstrip()) for n, line in enumerate(text.splitlines(), 1))
    return tuple((number, line) for number, line in lines if line.strip())


def _shape(rows: str, columns: str, line: int) -> Geometry:
    for text in (rows, columns):
        if not (text.isascii() and text.isdecimal() and len(text) < 4):
            raise BoardError(f"line {line}: {text!r} is not the size of a block")
    try:
        return geometry(int(rows), int(columns))
    except GeometryError as error:
        raise BoardError(f"line {line}: {error}") from error


def _split_fields(lines: Lines) -> dict[str, Field]:
    fields: dict[str, Field] = {}
    last = ""
    for number, line in lines:
        if line[0].isspace():
            if not last:
                raise BoardError(f"line {number}: a continuation line before any key")
            fields[last] = Field(last, (*fields[last].lines, (number, line.strip())))
            continue
        name, equals, value = (part.strip() for part in line.partition("="))
        if not equals:
            raise BoardError(
                f"line {number}: expected 'key = value' or a continuation that begins with a space"
            )
        if name not in KEYS:
            raise BoardError(f"line {number}: unknown key {name!r} (known: {', '.join(KEYS)})")
        if name in fields:
            raise BoardError(f"line {number}: {name} was already given in line {fields[name].line}")
        fields[name] = Field(name, ((number, value),))
        last = name
    for name in ("rows", "columns", "board"):
        if name not in fields:
            raise BoardError(f"line {lines[-1][0]}: the key {name!r} is missing")
    return fields


def _read_tokens(lines: Lines, shape: Geometry, line: int) -> tuple[list[int], dict[int, int]]:
    """The digits of a board, and which player owns which cell by its sign."""
    digits: list[int] = []
    owners: dict[int, int] = {}
    for line, text in lines:
        for token in text.split():
            if len(digits) == shape.cells:
                raise BoardError(f"line {line}: more than {shape.cells} cells on a {shape} board")
            parts = _TOKEN.fullmatch(token)
            value = 0 if token in (".", "0") else int(parts[1]) if parts and parts[1] != "." else -1
            if not (0 <= value <= shape.size and (value or len(token) == 1)):
                place = cell_name(len(digits), shape.size)
                raise BoardError(
                    f"line {line}: {token!r} at {place} is not a value from 1 to {shape.size}, "
                    "nor . for empty"
                )
            if parts and parts[2]:
                owners[len(digits)] = OWNERS.index(parts[2])
            digits.append(value)
    if len(digits) != shape.cells:
        raise BoardError(
            f"line {line}: the board ends after {len(digits)} cells; "
            f"a {shape} board has {shape.cells}"
        )
    return digits, owners


def cell_name(cell: int, size: int) -> str:
    """Row and column for messages, from 1."""
    return f"row {cell // size + 1}, column {cell % size + 1}"


def board_rows(
    shape: Geometry, digits: Iterable[int], owners: Mapping[int, int] | None = None
) -> list[str]:
    """A line of text for each row, columns aligned; `owners` adds the players' signs."""
    tokens = [
        (str(digit) if digit else ".") + (OWNERS[owners[cell]] if owners and cell in owners else "")
        for cell, digit in enumerate(digits)
    ]
    width = max(map(len, tokens))
    return [
        " ".join(token.rjust(width) for token in tokens[start : start + shape.size])
        for start in range(0, shape.cells, shape.size)
    ]


def board_file(board: Board) -> str:
    """A board as an older course file."""
    shape = board.geometry
    rows = board_rows(shape, board.digits.tolist())
    return "\n".join([f"{shape.rows} {shape.columns}", *rows]) + "\n"
