"""Text for placements (`slot@row,column`), deals, decks and positions."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from plyground.core.errors import InvalidMoveError, OptionError, PositionError
from plyground.core.game import Words
from plyground.core.numbers import whole_number
from plyground.games.blockudoku import rules
from plyground.games.blockudoku.pieces import (
    EMPTY_PIECE,
    LINE_COUNT,
    PIECE_COUNT,
    board_words,
    line_cells,
)

FILLED, OPEN, PLACED = "#", ".", "-"

_MOVE = re.compile(r"([1-3])@([0-9]{1,2}),([0-9]{1,2})")
_FIELD = re.compile(r"(score|turns|streak)=(\d{1,18})", re.ASCII)


def parse_move(text: str) -> int:
    """The code of `slot@row,column`."""
    match = _MOVE.fullmatch(text.strip())
    if match is None:
        raise InvalidMoveError(
            f"{text!r} is not a placement: write slot@row,column, e.g. 1@0,3 "
            "(slot 1-3, row and column of the top-left corner from 0)"
        )
    slot, row, column = (int(group) for group in match.groups())
    if row > 8 or column > 8:
        raise InvalidMoveError(f"{text!r}: row and column are 0 to 8")
    return 81 * (slot - 1) + 9 * row + column


def format_move(move: int) -> str:
    """The text of a move code."""
    slot, anchor = divmod(move, 81)
    return f"{slot + 1}@{anchor // 9},{anchor % 9}"


def hand_pieces(state: Words) -> list[int]:
    """The three piece numbers of a position, 47 where the piece is placed."""
    return [int(state[rules.HAND]) >> 8 * slot & 0xFF for slot in range(3)]


def pack_hand(pieces: Sequence[int]) -> int:
    """Three piece numbers as the word of a position."""
    return sum(piece << 8 * slot for slot, piece in enumerate(pieces))


def parse_deal(text: str) -> list[int]:
    """Three piece numbers."""
    return [_piece(word, text) for word in _three(text.replace(",", " ").split(), text)]


def _three(words: list[str], text: str) -> list[str]:
    if len(words) != 3:
        raise PositionError(f"{text!r}: three pieces are needed, {len(words)} are given")
    return words


def _piece(word: str, text: str) -> int:
    piece = whole_number(word, PIECE_COUNT)
    if piece is None:
        raise PositionError(f"{text!r}: there is no piece {word!r}; pieces are 0 to 46")
    return piece


def format_hand(pieces: Sequence[int]) -> str:
    """Three piece numbers with `-` for a piece that is placed."""
    return " ".join(PLACED if piece == EMPTY_PIECE else str(piece) for piece in pieces)


def parse_deck(text: str) -> list[int]:
    """The pieces in use, e.g. `0-46`, `13-46`, `0,5,13-20`."""
    chosen: set[int] = set()
    for part in text.split(","):
        match = re.fullmatch(r"(\d{1,2})(?:-(\d{1,2}))?", part.strip(), re.ASCII)
        first = int(match[1]) if match else 0
        last = int(match[2] or match[1]) if match else -1
        if match is None or first > last or last >= PIECE_COUNT:
            raise OptionError(
                f"option pieces={text!r}: {part!r} is no piece 0-46 and no range such as 13-46"
            )
        chosen.update(range(first, last + 1))
    return sorted(chosen)


def parse_position(text: str) -> Words:
    """81 cells, three pieces, and optionally `turns=N`, `score=N`, `streak=0|1`.

    Cells may be broken into several words (nine rows of nine, say); a board alone waits for a
    deal.
    """
    words = text.split()
    cells = ""
    while words and len(cells) < 81 and set(words[0]) <= {FILLED, OPEN}:
        cells += words.pop(0)
    if len(cells) != 81:
        raise PositionError(
            f"position {text!r}: the board has {len(cells)} cells of '{FILLED}' and '{OPEN}', "
            "81 are needed"
        )
    fields: dict[str, int] = {}
    while words and (match := _FIELD.fullmatch(words[-1])):
        fields[match[1]] = int(match[2])
        words.pop()
    pieces = [EMPTY_PIECE] * 3
    if words:
        pieces = [
            EMPTY_PIECE if word == PLACED else _piece(word, text) for word in _three(words, text)
        ]
    filled = {cell for cell, mark in enumerate(cells) if mark == FILLED}
    for line in range(LINE_COUNT):
        if filled.issuperset(line_cells(line)):
            kind = ("row", "column", "box")[line // 9]
            raise PositionError(
                f"position {text!r}: {kind} {line % 9} is full; it would have been cleared"
            )
    if fields.get("streak", 0) > 1:
        raise PositionError(f"position {text!r}: streak is 0 or 1")
    return np.array(
        [
            *board_words(sorted(filled)),
            pack_hand(pieces),
            fields.get("score", 0),
            fields.get("turns", 0),
            fields.get("streak", 0),
        ],
        np.uint64,
    )


def board_text(low: int, high: int) -> str:
    """81 characters, row by row."""
    number = int(low) | int(high) << 54
    return "".join(FILLED if number >> cell & 1 else OPEN for cell in range(81))


def format_position(state: Words) -> str:
    """The text that `parse_position` reads; what is 0 is left out."""
    text = f"{board_text(state[0], state[1])} {format_hand(hand_pieces(state))}"
    for name, place in (("turns", rules.TURNS), ("score", rules.SCORE), ("streak", rules.STREAK)):
        if state[place]:
            text += f" {name}={int(state[place])}"
    return text
