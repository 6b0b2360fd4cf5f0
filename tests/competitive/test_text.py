"""Board files, one-line positions, moves as text, pictures."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.core.errors import (
    InputError,
    InvalidMoveError,
    OptionError,
    PositionError,
    UnknownNameError,
)
from plyground.core.registry import make_game
from plyground.games.competitive_sudoku.modes import MODES
from plyground.games.competitive_sudoku.position_data import PositionData
from plyground.games.competitive_sudoku.position_file import (
    read_position_file,
    write_position_file,
)
from plyground.sudoku import board_file, named_board

NAME = "competitive-sudoku"
OLD = "2 2\n1 . . .\n. . 2 .\n. 3 . .\n. . . 4\n"
NEW = """\
# a game in progress
rows = 2
columns = 2
board =
   1 2+ . .
   3- 4 . .
   . . . .
   . . . .
initial-board =
   1 . . .
   . 4 . .
   . . . .
   . . . .
moves = [(0,1) -> 2, (1,0) -> 3]
scores = [0, 3]
current-player = 1
allowed-squares1 = [(0,0), (0,1),
   (0,2), (0,3)]
allowed-squares2 = [(1,0), (3,0)]
occupied-squares1 = [(0,1)]
occupied-squares2 = [(1,0)]
"""
NEW = NEW.replace("scores = [0, 3]", "scores = [0, 1]")


def random_data(board: str, mode: str, seed: int, plies: int):
    """A position of a random game with its history."""
    game = make_game(NAME, {"board": board, "mode": mode, "seed": seed})
    chance = random.Random(seed)
    position = game.start()
    moves = []
    for _ in range(plies):
        if position.is_over:
            break
        code = chance.choice(position.move_codes)
        moves.append((code // 64, code % 64 // 2))
        position = position.play(code)
    data = position.data
    return position, PositionData(
        data.rows,
        data.columns,
        data.cells,
        data.scores,
        data.player,
        data.plies,
        data.taboo,
        data.allowed,
        data.occupied,
        data.initial,
        tuple(moves),
    )


def test_the_old_format() -> None:
    data = read_position_file(OLD)
    assert (data.rows, data.columns) == (2, 2)
    assert data.cells == (1, 0, 0, 0, 0, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 4)
    assert read_position_file(board_file(data.board)) == data
    # Only white space separates values, wherever the lines end.
    assert read_position_file("2 2\n" + " ".join(OLD.split()[2:])) == data


def test_the_new_format() -> None:
    data = read_position_file(NEW)
    assert data.cells[:6] == (1, 2, 0, 0, 3, 4)
    assert data.scores == (0, 1)
    assert data.player == 0
    assert data.occupied == (frozenset({1}), frozenset({4}))
    assert data.allowed == (frozenset({0, 1, 2, 3}), frozenset({4, 12}))
    assert data.moves == ((1, 2), (4, 3))
    again = read_position_file(write_position_file(data))
    assert again == data
    assert again.moves == data.moves


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("rows = 2", "rows = x", 2, "size of a block"),
        ("rows = 2", "rows = 99", 2, "not supported"),
        ("columns = 2", "colums = 2", 3, "unknown key"),
        ("columns = 2", "columns 2", 3, "key = value"),
        ("   1 2+ . .", "   1 2+ . x", 5, "'x'"),
        ("   1 2+ . .", "   1 2+ . 5", 5, "from 1 to 4"),
        ("   1 2+ . .", "   1 2+ .", 8, "ends after 15 cells"),
        ("   1 2+ . .", "   1 1+ . .", 4, "twice"),
        ("   1 . . .", "   2 . . .", 9, "not on the board"),
        ("scores = [0, 1]", "scores = [1, 0]", 15, "the moves give"),
        ("scores = [0, 1]", "scores = 0 1", 15, "written as"),
        ("current-player = 1", "current-player = 2", 16, "to move"),
        ("current-player = 1", "current-player = 3", 16, "1 or 2"),
        ("(1,0) -> 3]", "(1,0) -> 2]", 14, "neither on the board nor taboo"),
        ("(1,0) -> 3]", "(1,0) -> 3, (0,1) -> 2]", 14, "filled before"),
        ("(1,0) -> 3]", "(4,0) -> 3]", 14, "off the board"),
        ("(1,0) -> 3]", "(1,0) 3]", 14, "cannot read"),
        ("[(0,1) -> 2, (1,0) -> 3]", "[(1,0) -> 3, (0,1) -> 2]", 14, "may not use"),
        ("occupied-squares1 = [(0,1)]", "occupied-squares1 = [(0,3)]", 20, "is empty"),
        ("occupied-squares1 = [(0,1)]", "occupied-squares1 = [(0,0)]", 20, "signs on the board"),
        ("allowed-squares2 = [(1,0), (3,0)]", "# no allowed squares for 2", 4, "give both"),
        ("columns = 2", "columns = 2\nrows = 2", 4, "already given"),
    ],
)
def test_bad_files_get_line_and_reason(old: str, new: str, line: int, reason: str) -> None:
    assert old in NEW
    with pytest.raises(PositionError) as caught:
        read_position_file(NEW.replace(old, new, 1), "my.txt")
    assert f"my.txt, line {line}: " in str(caught.value)
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("2 2\n1 2 3", "ends after 3 cells"),
        ("2 2\n" + "1 " * 17, "more than 16"),
        ("2 2\n" + "1 " * 16, "twice"),
        ("9 9\n.", "not supported"),
        ("2 6\n" + ". " * 144, "not played"),
        ("  . .\n", "before any key"),
        ("rows = 2\ncolumns = 2\n", "'board' is missing"),
    ],
)
def test_more_bad_files(text: str, reason: str) -> None:
    with pytest.raises(PositionError, match=reason):
        read_position_file(text)


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(["empty-2x2", "random-2x3", "random-3x2"]),
    st.sampled_from(MODES),
    st.integers(0, 1000),
    st.integers(0, 30),
)
def test_every_position_survives_both_forms(board: str, mode: str, seed: int, plies: int) -> None:
    position, data = random_data(board, mode, seed, plies)
    game = position.game
    again = game.parse_position(position.text)
    assert again == position
    assert again.text == position.text
    read = read_position_file(write_position_file(data))
    assert read.moves == data.moves
    assert sorted(read.taboo) == sorted(data.taboo)
    assert read.scores == data.scores
    assert (read.allowed, read.occupied) == (data.allowed, data.occupied)
    assert position.is_over or read.player == data.player


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="0123456789x./ first second-=,;taboalwedply+\n#[]>()", max_size=60))
def test_junk_is_refused_with_a_typed_error(text: str) -> None:
    game = make_game(NAME, {"board": "empty-2x2"})
    with pytest.raises(InputError):
        game.parse_position(text)


@pytest.mark.parametrize("text", ["", "0,0", "e4", "(0,0) -> ", "0,0=1=2", "٣,0=1", "1e3,0=1"])
def test_junk_moves_lose(text: str) -> None:
    game = make_game(NAME, {"board": "empty-2x2"})
    with pytest.raises(InvalidMoveError):
        game.parse_move(game.initial_state(), text)
    assert game.judge(game.start(), text).outcome.winner == 1


def test_moves_in_either_notation() -> None:
    position = make_game(NAME, {"board": "empty-2x2"}).start()
    assert position.play(" ( 0 , 1 )->  3 ") == position.play("0,1=3")
    assert position.play("0,1=3").last_move == "(0,1) -> 3"


def test_boards_from_names_and_files(tmp_path: Path) -> None:
    path = tmp_path / "board.txt"
    path.write_text(NEW)
    game = make_game(NAME, {"board": str(path)})
    assert game.start().turn == 0
    assert game.start().data.plies == 2
    with pytest.raises(UnknownNameError, match="did you mean"):
        make_game(NAME, {"board": "random-3y3"})
    with pytest.raises(InputError, match="no such file"):
        make_game(NAME, {"board": str(tmp_path / "none.txt")})
    boards = {make_game(NAME, {"board": "random-3x3", "seed": s}).data.cells for s in range(5)}
    assert len(boards) == 5
    assert all(sum(map(bool, cells)) == 40 for cells in boards)
    with pytest.raises(PositionError, match="not played"):
        make_game(NAME, {"board": "empty-2x6"})


@pytest.mark.parametrize("name", ["easy-2x2", "random-2x3", "hard-3x3", "empty-3x4"])
def test_the_game_and_the_generator_have_the_same_boards(name: str) -> None:
    for seed in (0, 5):
        game = make_game(NAME, {"board": name, "seed": seed})
        assert game.data.board == named_board(name, seed)


@pytest.mark.parametrize("kind", ["easy", "hard"])
@pytest.mark.parametrize("shape", ["2x2", "2x3", "3x3"])
def test_easy_and_hard_boards_have_one_solution(kind: str, shape: str) -> None:
    from plyground.sudoku import Board, count, geometry

    data = make_game(NAME, {"board": f"{kind}-{shape}"}).data
    board = Board.of(data.cells, geometry(data.rows, data.columns))
    assert count(board, 2) == 1


def test_positions_of_other_sizes_bring_their_rules() -> None:
    game = make_game(NAME, {"board": "empty-2x2"})
    other = make_game(NAME, {"board": "random-2x3", "mode": "rows"}).start()
    assert game.parse_position(other.text).text == other.text
    assert game.parse_position(OLD).data.cells == read_position_file(OLD).cells


def test_pictures() -> None:
    game = make_game(
        NAME, {"board": "2x2 1+.../..../...2-/.... first 0-0 allowed1=0,0 allowed2=2,3"}
    )
    position = game.start()
    assert str(position).splitlines()[1].split() == ["0", "1", "+", "|", ".", ".", "|"]
    assert "the first player is to move" in str(position)
    svg = ElementTree.fromstring(position.view.svg())
    texts = [element.text for element in svg.iter() if element.tag.endswith("text")]
    assert texts.count("1") >= 1
    cells = {shape.cell for shape in position.view.shapes if shape.cell}
    assert len(cells) == 16


OWNED = """rows = 2
columns = 2
board =
   .   1+   .   2-
   2-   .   3-   .
   4-   2-   .   .
   1+   .   2+   4+
moves = [(0,1) -> 1, (2,0) -> 4, (3,2) -> 2, (0,3) -> 2, (3,3) -> 1, (1,0) -> 2]
taboo-moves = [(3,3) -> 1]
scores = [0, 0]
"""


def test_owned_squares_without_allowed_ones_load_in_the_modes_of_the_course(tmp_path):
    file = tmp_path / "owned.txt"
    file.write_text(OWNED)
    for mode in ("rows", "border", "random"):
        game = make_game("competitive-sudoku", {"board": str(file), "mode": mode})
        assert game.data.allowed is not None
        assert sorted(game.data.occupied[0]) == [1, 12, 14, 15]
    rows = make_game("competitive-sudoku", {"board": str(file), "mode": "rows"}).start()
    # (0,0) and (0,2) of the first row, and the neighbours of its own squares
    assert {move.split(" ")[0] for move in rows.legal_moves} <= {
        "(0,0)", "(0,2)", "(1,1)", "(2,2)", "(2,3)", "(3,1)"
    }  # fmt: skip
    for mode in ("board", "classic"):
        with pytest.raises(OptionError, match="give mode=rows"):
            make_game("competitive-sudoku", {"board": str(file), "mode": mode})


def test_lists_of_squares_as_the_course_prints_them(tmp_path):
    text = OWNED.split("moves")[0] + "allowed-squares1 = (0,0), (0,1)\nallowed-squares2 = (3,1)\n"
    data = read_position_file(text)
    assert data.allowed == (frozenset({0, 1}), frozenset({13}))
