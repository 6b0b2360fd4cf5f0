"""Text of squares, moves and positions of a board game.

Squares are `a1`, `b1`, ... from the lower left corner; on a row of cells `a`, `b`, ... A move is
its squares with `-` between (one of them if they are all the same), `pass`, or a name from
`move_names`. A position is its rows from the
top (`/` between them), the player to move, and the stored numbers that are not as at the start.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from plyground.board.description import BoardGame
from plyground.board.description import number as typed
from plyground.board.layout import Layout
from plyground.core.errors import InvalidMoveError, PositionError
from plyground.core.numbers import whole_number

BLANK = "_"
"""How an empty cell is written in a position if its letter is a space."""
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def column_name(column: int) -> str:
    """a, b, ..., z, aa, ab, ..."""
    high, low = divmod(column, 26)
    return (LETTERS[high - 1] if high else "") + LETTERS[low]


def square_names(cls: type[BoardGame], layout: Layout) -> tuple[str, ...]:
    """The names of all cells in the order of `cells`."""
    if cls.squares:
        return tuple(cls.squares)
    if len(layout.shape) == 1:
        return tuple(column_name(column) for column in range(layout.cells))
    rows, columns = layout.shape
    return tuple(
        f"{column_name(column)}{rows - row}" for row in range(rows) for column in range(columns)
    )


class Notation:
    """Reads and writes the texts of one game."""

    def __init__(self, cls: type[BoardGame], layout: Layout) -> None:
        self.cls, self.layout = cls, layout
        self.squares = square_names(cls, layout)
        self._square_numbers = {name: number for number, name in enumerate(self.squares)}
        named = bool(cls.move_names) and layout.arity == 1
        self._all_squares = not named and set(layout.move_sizes) == {layout.cells}

    # Moves --------------------------------------------------------------------------------

    def part_name(self, part: int, size: int) -> str:
        """One part of a move: a square where it can be one, else its number."""
        if self.cls.move_names and self.layout.arity == 1:
            return self.cls.move_names[part]
        return self.squares[part] if size == self.layout.cells else str(part)

    def format_move(self, code: int) -> str:
        """The text of a move."""
        if code == self.layout.pass_code:
            return "pass"
        move = self.layout.decode(code)
        parts = move if isinstance(move, tuple) else (move,)
        if self._all_squares and len(set(parts)) == 1:
            return self.squares[parts[0]]
        return "-".join(map(self.part_name, parts, self.layout.move_sizes))

    def parse_move(self, text: str, example: Callable[[], str]) -> int:
        """The code of a move; InvalidMoveError shows one: an example that is legal."""
        word = text.strip()
        if word.lower() == "pass":
            return self.layout.pass_code
        if self.cls.move_names and word in self.cls.move_names:
            return self.cls.move_names.index(word)
        parts = re.split(r"\s*[-:,\s]\s*", word)
        sizes = self.layout.move_sizes
        if self._all_squares and len(parts) == 1:
            parts *= len(sizes)
        numbers = []
        for part, size in zip(parts, sizes, strict=False):
            number = self._parse_part(part, size)
            if number is None:
                break
            numbers.append(number)
        if len(parts) != len(sizes) or len(numbers) != len(sizes):
            raise InvalidMoveError(f"{text[:60]!r} is not a move: {self._advice(example)}")
        return self.layout.encode(tuple(numbers))

    def _parse_part(self, part: str, size: int) -> int | None:
        if self.cls.move_names:
            return None
        if size == self.layout.cells:
            return self._square_numbers.get(part, self._square_numbers.get(part.lower()))
        return whole_number(part, size)

    def _advice(self, example: Callable[[], str]) -> str:
        if self.cls.move_names:
            return f"write one of {' '.join(self.cls.move_names)}"
        return f"write it like {example()}"

    # Positions ----------------------------------------------------------------------------

    def letter(self, value: int) -> str:
        """A cell as text: its letter, or its number."""
        if 0 <= value < len(self.cls.pieces):
            return self.cls.pieces[value]
        return f"({value})"

    def format_position(self, position: BoardGame) -> str:
        """The standard text of a position."""
        board = np.asarray(position.board).reshape(-1, self.layout.shape[-1])
        rows = "/".join("".join(self.letter(int(cell)) for cell in row) for row in board)
        rows = rows.replace(" ", BLANK)
        words = [rows, str(position.player)]
        if position.turn == 0:  # type: ignore[attr-defined]
            words.append("chance")
        if self.cls.counts_plies():
            words.append(f"plies={position.plies}")  # type: ignore[attr-defined]
        for name, value in self.cls.fields.items():
            here = getattr(position, name)
            if isinstance(value, list):
                if not np.array_equal(here, np.array(value)):
                    words.append(f"{name}={','.join(map(str, np.asarray(here).reshape(-1)))}")
            elif int(here) != int(value):
                words.append(f"{name}={here}")
        return " ".join(words)

    def parse_position(self, text: str) -> BoardGame:
        """A position from its text; PositionError says what is wrong and where."""
        words = text.split()
        if len(words) < 2:
            raise PositionError(f"position {text!r}: write ROWS PLAYER, rows separated by /")
        position = self.cls()
        np.asarray(position.cells)[:] = self._parse_board(words[0])
        players = [str(n) for n in range(1, self.cls.players + 1)]
        if words[1] not in players:
            raise PositionError(
                f"position: the player to move must be {' or '.join(players)}, not {words[1]!r}"
            )
        keep = object.__setattr__
        keep(position, "player", int(words[1]))
        keep(position, "turn", int(words[1]))
        for word in words[2:]:
            if word == "chance" and hasattr(self.cls, "chance"):
                keep(position, "turn", 0)
                continue
            self._parse_field(position, word)
        return position

    def _parse_field(self, position: BoardGame, word: str) -> None:
        name, _, value = word.partition("=")
        known = self.cls.fields
        try:
            if name == "plies" and self.cls.counts_plies():
                object.__setattr__(position, "plies", int(value))
            elif isinstance(known.get(name), list):
                numbers = [int(part) for part in value.split(",")]
                flat = np.asarray(getattr(position, name)).reshape(-1)
                if len(numbers) != len(flat):
                    raise ValueError(f"{len(flat)} numbers are needed")
                flat[:] = numbers
            elif name in known:
                object.__setattr__(position, name, typed(int(value), like=known[name]))
            else:
                raise ValueError("no such field")
        except (ValueError, OverflowError) as error:
            raise PositionError(f"position: {word!r}: {error}") from None

    def _parse_board(self, text: str) -> list[int]:
        rows = text.split("/")
        columns = self.layout.shape[-1]
        height = self.layout.cells // columns
        if len(rows) != height:
            raise PositionError(f"position: {len(rows)} rows, but the board has {height}")
        values: list[int] = []
        if " " in self.cls.pieces:
            rows = [row.replace(BLANK, " ") for row in rows]
        for number, row in enumerate(rows, 1):
            cells = self._parse_row(row, number)
            if len(cells) != columns:
                raise PositionError(f"position: row {number} has {len(cells)} cells, not {columns}")
            values.extend(cells)
        return values

    def _parse_row(self, row: str, number: int) -> list[int]:
        cells: list[int] = []
        at = 0
        while at < len(row):
            found: Any = re.match(r"\((-?\d{1,3})\)", row[at:], re.ASCII)
            if found and -128 <= int(found[1]) <= 127:
                cells.append(int(found[1]))
                at += found.end()
                continue
            if row[at] not in self.cls.pieces:
                raise PositionError(
                    f"position: row {number}, cell {len(cells) + 1}: {row[at]!r} is not one of "
                    f"{self.cls.pieces!r}"
                )
            cells.append(self.cls.pieces.index(row[at]))
            at += 1
        return cells
