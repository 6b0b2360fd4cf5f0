"""Boards as text: all formats are read, and bad ones are refused with line, cell and reason."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground import sudoku
from plyground.core.errors import InputError
from plyground.sudoku.sources import read_source

ONE_LINE = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"
NEWER = """# a board
rows = 2
columns = 2
board =
  1+ . . 4-
  .  . 1 .   # a remark
  .  1 . .
  4  . . 1
scores = [0, 0]
"""


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([(2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (5, 5)]), st.data())
def test_written_boards_read_back(shape: tuple[int, int], data: st.DataObject) -> None:
    geometry = sudoku.geometry(*shape)
    digits = data.draw(
        st.lists(st.integers(0, geometry.size), min_size=geometry.cells, max_size=geometry.cells)
    )
    board = sudoku.Board.of(digits, geometry)
    assert sudoku.read_board(sudoku.board_line(board.digits), geometry) == board
    assert sudoku.read_board(sudoku.board_file(board)) == board


def test_formats() -> None:
    assert sudoku.read_board(ONE_LINE) == sudoku.read_board(ONE_LINE.replace(".", "0"))
    older = sudoku.read_board("2 2\n1 . . 4\n. . 1 .\n. 1 . .\n4 . . 1\n")
    assert sudoku.read_board(NEWER) == older
    assert older == sudoku.read_board("1..4..1..1..4..1")
    assert str(sudoku.read_board("." * 36).geometry) == "2x3"
    assert str(sudoku.read_board("3 2\n" + ". " * 36).geometry) == "3x2"


def test_several_lines_with_comments() -> None:
    text = f"# two boards\n{ONE_LINE}\n\n{'.' * 81}\n"
    assert [line for line, _ in sudoku.read_boards(text)] == [2, 4]


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        (ONE_LINE[:80], ["line 1", "80 characters", "81"]),
        (f"{ONE_LINE}\n{ONE_LINE}.", ["line 2", "82 characters", "81"]),
        (ONE_LINE[:30] + "x" + ONE_LINE[31:], ["line 1", "row 4, column 4", "'x'"]),
        ("." * 25, ["line 1", "5 x 5", "m x n"]),
        ("." * 49, ["line 1", "7 x 7"]),
        ("5" + ONE_LINE[1:15] + "." * 65 + "5\n" + "55" + "." * 79, ["line 2", "column 2", "row"]),
        ("5" + "." * 71 + "5" + "." * 8, ["line 1", "row 9, column 1", "column", "row 1"]),
        ("5" + "." * 9 + "5" + "." * 70, ["line 1", "row 2, column 2", "block"]),
        ("1...\n", ["line 1"]),
        ("2 2\n1 . . 9\n" + ". " * 12, ["line 2", "row 1, column 4", "'9'"]),
        ("2 2\n1 . .\n", ["line 2", "3 cells", "16"]),
        ("2 2\n" + ". " * 17, ["line 2", "more than 16"]),
        ("1 5\n" + ". " * 25, ["line 1", "1 x 5"]),
        ("6 6\n" + ". " * 36, ["line 1", "6 x 6"]),
        ("rows = 2\nboard = 1\n", ["columns", "missing"]),
        ("rows = two\ncolumns = 2\nboard = 1\n", ["line 1", "'two'"]),
        ("rows = 2\ncolumns = 2\nnonsense\n", ["line 3", "key = value"]),
        ("rows = 2\ncolumns = 2\nboard = 1 2 x 4\n", ["line 3", "row 1, column 3", "'x'"]),
    ],
)
def test_bad_boards_are_refused_with_line_cell_and_reason(text: str, reasons: list[str]) -> None:
    with pytest.raises(InputError) as caught:
        read_source(text, "file.txt")
    message = str(caught.value)
    assert message.startswith("file.txt")
    assert all(reason in message for reason in reasons), message
    assert caught.value.exit_code == 2


def test_arrays_are_checked() -> None:
    for digits in ([0] * 80, [10] + [0] * 80, [-1] + [0] * 80, [0.5] * 81, [0] * 49):
        with pytest.raises(InputError):
            sudoku.count(digits)
