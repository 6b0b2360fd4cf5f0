"""Every game of the gallery against published facts: numbers of sequences, solved values."""

from __future__ import annotations

from functools import reduce
from operator import xor
from pathlib import Path

import pytest

import plyground as pg
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.search.alphabeta import AlphaBeta
from plyground.search.perft import perft
from plyground.testing import check_game

GALLERY = Path(__file__).parents[2] / "examples" / "games"
SMALL = {
    "othello": {"size": 4},
    "hex": {"size": 3},
    "gomoku": {"rows": 4, "columns": 4, "length": 4},
    "amazons": {"size": 5},
    "dots_and_boxes": {"rows": 2, "columns": 2},
    "breakthrough": {"rows": 5, "columns": 4},
}


def open_gallery(name: str, **options: int) -> Game:
    return pg.game(str(GALLERY / f"{name}.py"), **options)


def value(game: Game, position: str = "") -> int:
    """1, 0 or -1: what perfect play gives the side to move."""
    start = game.parse_position(position) if position else game.start()
    score = AlphaBeta(game).search(start, Limit(depth=60)).score
    assert score is not None
    return {"win": 1, "loss": -1, None: 0}[score.value]


@pytest.mark.parametrize("name", sorted(path.stem for path in GALLERY.glob("*.py")))
def test_conformance(name: str) -> None:
    check_game(open_gallery(name, **SMALL.get(name, {})), seeds=2)


PERFT = {
    "othello": [4, 12, 56, 244, 1396, 8200, 55092, 390216],
    "amazons": [4, 80, 2176, 8704, 168420, 4307152],  # a turn has three parts
    "connect_four": [7, 49, 343, 2401, 16807, 117649, 823536, 5673234],
    "nine_mens_morris": [24, 552, 12144, 255024, 5100480],  # a stone is taken in a part of its own
    "tictactoe": [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872],
    "breakthrough": [22, 484, 11132, 256036],
    "othello_bitboards": [4, 12, 56, 244, 1396, 8200, 55092, 390216],
}


@pytest.mark.parametrize("name", sorted(PERFT))
def test_published_numbers_of_sequences(name: str) -> None:
    start = open_gallery(name).start()
    counts = [perft(start, depth) for depth in range(1, len(PERFT[name]) + 1)]
    assert counts == PERFT[name]


def test_tictactoe_is_a_draw() -> None:
    assert value(open_gallery("tictactoe")) == 0


@pytest.mark.parametrize("size", [2, 3])
def test_hex_is_won_by_the_first_player(size: int) -> None:
    assert value(open_gallery("hex", size=size)) == 1


@pytest.mark.parametrize(
    "heaps", ["0123 1", "0145 1", "1234 1", "0022 2", "0531 1", "0007 1", "0356 2"]
)
def test_nim_is_lost_where_the_nim_sum_is_zero(heaps: str) -> None:
    """Bouton's theorem."""
    game = open_gallery("nim", heaps=4, largest=7)
    lost = reduce(xor, map(int, heaps.split()[0])) == 0
    assert value(game, heaps) == (-1 if lost else 1)


@pytest.mark.parametrize(
    ("rows", "columns", "length", "expected"),
    [(3, 3, 3, 0), (3, 4, 3, 1)],
)
def test_lines_on_small_boards(rows: int, columns: int, length: int, expected: int) -> None:
    """The first player wins three in a line on 3x4; tic-tac-toe is a draw."""
    game = open_gallery("gomoku", rows=rows, columns=columns, length=length)
    assert value(game) == expected


def test_othello_on_four_by_four_is_won_by_the_second_player() -> None:
    """Perfect play on 4x4 ends 3-11 (the discs counted, no empties given)."""
    assert value(open_gallery("othello", size=4)) == -1


def test_every_cell_is_told_in_words() -> None:
    def told(name: str) -> dict[str, str]:
        shapes = open_gallery(name).start().view.shapes
        return {shape.cell: shape.label for shape in shapes if shape.label}

    othello = told("othello")
    assert len(othello) == 64
    assert (othello["a8"], othello["d5"]) == ("a8: empty", "d5: o, white")
    assert othello["e5"] == "e5: x, black"
    assert told("kalah")["b1"] == "b1: 4", "a number of seeds is nobody's"
