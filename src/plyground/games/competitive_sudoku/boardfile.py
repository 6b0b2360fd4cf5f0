"""Board files of both generations of the course, read by one reader.

Older: the block size `m n`, then N*N values with `.` for empty. Newer: `key = value` lines whose
continuation lines begin with a space. Errors name the line and the reason; fields that contradict
each other are errors too (`history.py` compares them with the rules).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

from plyground.core.errors import PositionError
from plyground.games.competitive_sudoku.history import check_history
from plyground.games.competitive_sudoku.setup import Placement, Setup, check_block

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
_OLD_HEAD = re.compile(r"\d+\s+\d+", re.ASCII)
_CELL = re.compile(r"(\.|\d+)([+-]?)", re.ASCII)
_SQUARE = re.compile(r"\(\s*(\d+)\s*,\s*(\d+)\s*\)", re.ASCII)
_MOVE = re.compile(r"\(\s*(\d+)\s*,\s*(\d+)\s*\)\s*->\s*(\d+)", re.ASCII)


@dataclass(frozen=True)
class _Field:
    """The value of a key: its lines of text with their numbers."""

    name: str
    lines: tuple[tuple[int, str], ...]

    @property
    def text(self) -> str:
        return " ".join(text for _, text in self.lines).strip()

    @property
    def line(self) -> int:
        return self.lines[0][0]


class _Reader:
    """Reads one file; `name` opens every error message."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.size = 0

    def fail(self, line: int, reason: str) -> NoReturn:
        raise PositionError(f"{self.name}, line {line}: {reason}")

    def read(self, text: str) -> Setup:
        lines = [
            (number, line.split("#")[0].rstrip()) for number, line in enumerate(text.split("\n"), 1)
        ]
        lines = [(number, line) for number, line in lines if line.strip()]
        if not lines:
            self.fail(1, "the file is empty")
        if _OLD_HEAD.fullmatch(lines[0][1].strip()):
            return self._read_old(lines)
        return self._read_new(self._split_fields(lines))

    def _shape(self, rows: str, columns: str, line: int) -> tuple[int, int]:
        for text in (rows, columns):
            if not (text.isascii() and text.isdecimal() and len(text) < 4):
                self.fail(line, f"{text!r} is not the size of a block")
        check_block(int(rows), int(columns), f"{self.name}, line {line}")
        self.size = int(rows) * int(columns)
        return int(rows), int(columns)

    def _read_old(self, lines: list[tuple[int, str]]) -> Setup:
        first, second = lines[0][1].split()
        rows, columns = self._shape(first, second, lines[0][0])
        cells, signs = self._cells(lines[1:], lines[0][0])
        if signs:
            self.fail(lines[1][0], "a value with + or - belongs to the newer format")
        setup = Setup(rows, columns, cells, initial=cells)
        self._check_board(setup, lines[1][0])
        return setup

    def _cells(
        self, lines: list[tuple[int, str]], line: int
    ) -> tuple[tuple[int, ...], dict[int, int]]:
        """The values of a board, and which player owns which square by its sign."""
        cells: list[int] = []
        owners: dict[int, int] = {}
        wanted = self.size * self.size
        for number, text in lines:
            line = number
            for token in text.split():
                match = _CELL.fullmatch(token)
                if not match or len(token) > 4:
                    self.fail(number, f"{token!r} is not a value or '.'")
                value = 0 if match[1] == "." else int(match[1])
                if value > self.size or match[1] == "0" or (not value and match[2]):
                    self.fail(number, f"{token!r} is not a value from 1 to {self.size} or '.'")
                if match[2]:
                    owners[len(cells)] = "+-".index(match[2])
                cells.append(value)
                if len(cells) > wanted:
                    self.fail(number, f"more than {wanted} squares")
        if len(cells) < wanted:
            self.fail(line, f"the board has {len(cells)} squares instead of {wanted}")
        return tuple(cells), owners

    def _check_board(self, setup: Setup, line: int) -> None:
        clash = setup.conflict()
        if clash:
            first, second = (f"({cell // self.size},{cell % self.size})" for cell in clash)
            self.fail(
                line,
                f"value {setup.cells[clash[1]]} stands twice in a row, column or block, "
                f"at {first} and {second}",
            )

    def _split_fields(self, lines: list[tuple[int, str]]) -> dict[str, _Field]:
        fields: dict[str, _Field] = {}
        last = ""
        for number, line in lines:
            if line[0] in " \t":
                if not last:
                    self.fail(number, "a continuation line before any key")
                field = fields[last]
                fields[last] = _Field(last, (*field.lines, (number, line.strip())))
                continue
            name, equals, value = (part.strip() for part in line.partition("="))
            if not equals:
                self.fail(number, f"{line!r} is not of the form key = value")
            if name not in KEYS:
                self.fail(number, f"unknown key {name!r} (known: {', '.join(KEYS)})")
            if name in fields:
                self.fail(number, f"{name} was already given in line {fields[name].line}")
            fields[name] = _Field(name, ((number, value),))
            last = name
        for name in ("rows", "columns", "board"):
            if name not in fields:
                self.fail(lines[-1][0], f"the key {name!r} is missing")
        return fields

    def _read_new(self, fields: dict[str, _Field]) -> Setup:
        rows, columns = self._shape(
            fields["rows"].text, fields["columns"].text, fields["rows"].line
        )
        board = fields["board"]
        cells, owners = self._cells(list(board.lines), board.line)
        allowed = self._pair(fields, "allowed-squares", board.line)
        occupied = self._occupied(fields, owners, cells, allowed is not None)
        if allowed is None and any(occupied):
            self.fail(board.line, "squares have owners, but there are no allowed squares")
        self._check_board(Setup(rows, columns, cells), board.line)
        initial = cells
        if "initial-board" in fields:
            field = fields["initial-board"]
            initial, _ = self._cells(list(field.lines), field.line)
            for cell, value in enumerate(initial):
                if value and cells[cell] != value:
                    place = f"({cell // self.size},{cell % self.size})"
                    self.fail(field.line, f"value {value} at {place} is not on the board")
        lines = {name: field.line for name, field in fields.items()}
        return check_history(
            Setup(
                rows,
                columns,
                cells,
                self._scores(fields.get("scores")),
                self._player(fields.get("current-player")),
                taboo=self._moves(fields.get("taboo-moves")),
                allowed=allowed,
                occupied=occupied,
                initial=initial,
                moves=self._moves(fields.get("moves")),
            ),
            lines,
            self.fail,
        )

    def _pair(
        self, fields: dict[str, _Field], stem: str, line: int
    ) -> tuple[frozenset[int], frozenset[int]] | None:
        given = [fields.get(f"{stem}{player}") for player in (1, 2)]
        if not any(given):
            return None
        if not all(given):
            self.fail(line, f"give both {stem}1 and {stem}2, or neither")
        first, second = (self._squares(field) for field in given if field)
        return first, second

    def _occupied(
        self,
        fields: dict[str, _Field],
        owners: dict[int, int],
        cells: tuple[int, ...],
        restricted: bool,
    ) -> tuple[frozenset[int], frozenset[int]]:
        sets = [frozenset(c for c, owner in owners.items() if owner == p) for p in (0, 1)]
        for player in (0, 1):
            field = fields.get(f"occupied-squares{player + 1}")
            if not field:
                continue
            squares = self._squares(field)
            empty = sorted(cell for cell in squares if not cells[cell])
            if empty:
                place = f"({empty[0] // self.size},{empty[0] % self.size})"
                self.fail(field.line, f"{field.name}: the square {place} is empty")
            if owners and restricted and squares != sets[player]:
                self.fail(field.line, f"{field.name} differs from the signs on the board")
            sets[player] = squares
        both = sorted(sets[0] & sets[1])
        if both:
            place = f"({both[0] // self.size},{both[0] % self.size})"
            self.fail(fields["board"].line, f"the square {place} is occupied by both players")
        return sets[0], sets[1]

    def _items(self, field: _Field, pattern: re.Pattern[str]) -> list[tuple[int, ...]]:
        text = field.text
        if not (text.startswith("[") and text.endswith("]")):
            self.fail(field.line, f"{field.name} is a list in brackets")
        rest = text[1:-1].strip()
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

    def _squares(self, field: _Field) -> frozenset[int]:
        return frozenset(row * self.size + col for row, col in self._items(field, _SQUARE))

    def _moves(self, field: _Field | None) -> tuple[Placement, ...]:
        if field is None:
            return ()
        moves = []
        for row, column, value in self._items(field, _MOVE):
            if not 1 <= value <= self.size:
                self.fail(field.line, f"{field.name}: {value} is not a value from 1 to {self.size}")
            moves.append((row * self.size + column, value))
        return tuple(moves)

    def _scores(self, field: _Field | None) -> tuple[int, int]:
        if field is None:
            return (0, 0)
        match = re.fullmatch(r"\[\s*(\d{1,5})\s*,\s*(\d{1,5})\s*\]", field.text, re.ASCII)
        if not match:
            self.fail(field.line, f"scores are written as [3, 1], not {field.text!r}")
        return int(match[1]), int(match[2])

    def _player(self, field: _Field | None) -> int:
        if field is None:
            return 0
        if field.text not in ("1", "2"):
            self.fail(field.line, f"current-player is 1 or 2, not {field.text!r}")
        return int(field.text) - 1


def read_board_file(text: str, name: str = "board file") -> Setup:
    """The position in a board file of either format; PositionError with line and reason."""
    return _Reader(name).read(text)
