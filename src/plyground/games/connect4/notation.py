"""Text of moves and positions.

Drop: the column from 1 (`4`). Mean move: `1-4`, take from column 1, put on column 4. A game is
moves separated by spaces, or a string of digits for drops only. A position is its rows from the
top, separated by `/`, then the side to move and the plies played: `..../..../..../x.o. x 2`.
"""

from __future__ import annotations

import re

import numpy as np

from plyground.core.errors import InvalidMoveError, PositionError
from plyground.core.game import Words
from plyground.core.numbers import whole_number
from plyground.games.connect4 import rules

FIRST, SECOND, EMPTY = "x", "o", "."


def parse_move(width: int, text: str) -> int:
    """The code of a drop or mean move; it need not be legal, but its columns must exist."""
    match = re.fullmatch(r"\s*(\d{1,2})(?:\s*-\s*(\d{1,2}))?\s*", text)
    if match is None:
        raise InvalidMoveError(
            f"{text!r} is not a move: write a column from 1 to {width}, or FROM-TO for a mean move"
        )
    columns = [int(group) for group in match.groups() if group is not None]
    for column in columns:
        if not 1 <= column <= width:
            raise InvalidMoveError(
                f"move {text.strip()!r}: there is no column {column} (columns are 1 to {width})"
            )
    if len(columns) == 1:
        return columns[0] - 1
    return int(rules.MEAN_CODE) * columns[0] + columns[1] - 1


def format_move(code: int) -> str:
    """The standard text of a move code."""
    source, column = divmod(code, int(rules.MEAN_CODE))
    return f"{source}-{column + 1}" if source else str(column + 1)


def split_moves(width: int, text: str) -> list[str]:
    """The moves of a game: separated by spaces, or one string of digits for drops only."""
    words = text.split()
    if len(words) == 1 and words[0].isdigit() and len(words[0]) > 1 and width <= 9:
        return list(words[0])
    return words


def looks_like_position(text: str) -> bool:
    """Whether the text is a board rather than a list of moves."""
    return "/" in text


def parse_board(params: Words, text: str) -> Words:
    """A position's words from its text, its result included; PositionError if none can be."""
    width, height = int(params[rules.WIDTH]), int(params[rules.HEIGHT])
    parts = text.split()
    if len(parts) != 3:
        raise PositionError(
            f"position {text!r}: write ROWS SIDE PLIES, e.g. '{_empty_rows(width, height)} x 0'"
        )
    boards = _parse_rows(parts[0], width, height)
    if parts[1] not in (FIRST, SECOND):
        raise PositionError(f"position: side to move must be x or o, not {parts[1]!r}")
    turn = 0 if parts[1] == FIRST else 1
    plies = whole_number(parts[2], int(rules.PLY_MASK) + 1)
    if plies is None:
        raise PositionError(f"position: plies played must be a number from 0, not {parts[2]!r}")
    _check_counts(params, boards, turn, plies)
    result = _result(params, boards, turn, plies)
    meta = turn | plies << int(rules.PLY_SHIFT) | result << int(rules.RESULT_SHIFT)
    return np.array([*boards, meta], np.uint64)


def _empty_rows(width: int, height: int) -> str:
    return "/".join([EMPTY * width] * height)


def _parse_rows(text: str, width: int, height: int) -> list[int]:
    lines = text.split("/")
    if len(lines) != height:
        raise PositionError(f"position: {len(lines)} rows, but the board has {height}")
    boards = [0, 0]
    for number, line in enumerate(lines, 1):
        if len(line) != width:
            raise PositionError(
                f"position: row {number} from the top has {len(line)} cells, not {width}"
            )
        for column, letter in enumerate(line):
            if letter not in (FIRST, SECOND, EMPTY):
                raise PositionError(
                    f"position: row {number}, column {column + 1}: {letter!r} is not x, o or ."
                )
            if letter != EMPTY:
                bit = column * (height + 1) + height - number
                boards[0 if letter == FIRST else 1] |= 1 << bit
    occupied = boards[0] | boards[1]
    for column in range(width):
        stack = occupied >> column * (height + 1) & ((1 << height) - 1)
        if stack & (stack + 1):
            row = height - (stack & (stack + 1)).bit_length() + 1
            raise PositionError(
                f"position: the disc in row {row} from the top, column {column + 1}, floats"
            )
    return boards


def _check_counts(params: Words, boards: list[int], turn: int, plies: int) -> None:
    """Refuse what no game without mean moves can reach: two winners, or wrong disc counts."""
    if int(params[rules.MEAN]):
        return
    stride = np.uint64(params[rules.STRIDE])
    if all(rules.has_four(stride, np.uint64(board)) for board in boards):
        raise PositionError("position: both players have four in a line")
    first, second = (board.bit_count() for board in boards)
    if first - second != turn:
        side = "first" if turn == 0 else "second"
        raise PositionError(
            f"position: {first} discs x and {second} discs o cannot be with the {side} player "
            "to move when there are no mean moves"
        )
    if plies != first + second:
        raise PositionError(
            f"position: {plies} plies played, but {first + second} discs on the board, "
            "and there are no mean moves"
        )


def _result(params: Words, boards: list[int], turn: int, plies: int) -> int:
    stride = np.uint64(params[rules.STRIDE])
    first, second = (rules.has_four(stride, np.uint64(board)) for board in boards)
    if first and second:  # by one mean move, which the other player made
        mover = rules.RESULT_FIRST if turn else rules.RESULT_SECOND
        return {
            rules.SIMULTANEOUS_MOVER: mover,
            rules.SIMULTANEOUS_FIRST: rules.RESULT_FIRST,
            rules.SIMULTANEOUS_DRAW: rules.RESULT_DRAW,
        }[int(params[rules.SIMULTANEOUS])]
    if first or second:
        return rules.RESULT_FIRST if first else rules.RESULT_SECOND
    top = int(params[rules.TOP])
    if (boards[0] | boards[1]) & top == top or plies >= int(params[rules.PLY_LIMIT]):
        return rules.RESULT_DRAW
    return rules.RESULT_ONGOING


def cells(params: Words, state: Words) -> list[str]:
    """What stands in the cells, a text for every row from the bottom row up."""
    width, height, stride = (int(params[n]) for n in (rules.WIDTH, rules.HEIGHT, rules.STRIDE))
    first, second = int(state[0]), int(state[1])
    rows = []
    for row in range(height):
        bits = [1 << column * stride + row for column in range(width)]
        rows.append(
            "".join(FIRST if first & bit else SECOND if second & bit else EMPTY for bit in bits)
        )
    return rows


def format_board(params: Words, state: Words) -> str:
    """The standard text of a position."""
    rows = reversed(cells(params, state))
    meta = int(state[2])
    side = SECOND if meta & 1 else FIRST
    plies = meta >> int(rules.PLY_SHIFT) & int(rules.PLY_MASK)
    return f"{'/'.join(rows)} {side} {plies}"
