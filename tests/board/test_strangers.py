"""What people who know the tutorial alone have stumbled over."""

from __future__ import annotations

from pathlib import Path

import pytest

import plyground as pg
from plyground.board.drawing import draw
from plyground.board.game import DescribedGame
from plyground.cli import run
from plyground.core.errors import GameFileError
from plyground.core.files import short_name
from plyground.testing import findings

LEAP = '''"""Leap: step to a neighbour or pass; who reaches the end wins."""
from plyground.board import PASS, BoardGame

class Leap(BoardGame):
    shape = 6
    pieces = ".xoXO"
    max_plies = 12

    def setup(self):
        self.cells[0], self.cells[5] = 1, 2

    def near(self, cell):
        yield max(cell - 1, 0)
        yield min(cell + 1, 5)

    def moves(self):
        for start in range(6):
            for end in range(6):
                free = self.cells[end] == 0 and end in self.near(start)
                if self.cells[start] == self.player and free:
                    yield start, end
        yield PASS

    def play(self, move):
        if move == PASS:
            return
        start, end = move
        self.cells[start] = 0
        self.cells[end] = self.player

    def result(self):
        return 1 if self.cells[5] == 1 else 2 if self.cells[0] == 2 else None
'''

LATE = '''"""Late: the tenth move writes beside the board, if the corner is taken."""
from plyground.board import BoardGame

class Late(BoardGame):
    shape = 5, 5
    stuck = "draws"
    count = 0

    def moves(self):
        return [cell for cell in range(25) if self.cells[cell] == 0]

    def play(self, cell):
        self.cells[cell] = self.player
        self.count += 1
        if self.count == 2 and self.cells[0] == 1 and self.cells[24] == 2:
            self.cells[self.count + 40] = 1
'''


def test_a_pass_and_membership_in_what_a_function_yields(tmp_path: Path) -> None:
    file = tmp_path / "leap.py"
    file.write_text(LEAP)
    assert run(["check", str(file)]) == 0


def test_files_are_called_by_their_short_name() -> None:
    assert short_name("othello.py@0123456789abcdef") == "othello"
    assert short_name("connect4") == "connect4"


def colours(tmp_path: Path, extra: str) -> list[str]:
    """The styles of the pieces 1 to 4, side by side."""
    file = tmp_path / "colours.py"
    file.write_text(LEAP.replace("    max_plies", f"    {extra}\n    max_plies"))
    game = pg.game(str(file))
    assert isinstance(game, DescribedGame)
    position = game.notation.parse_position(".xoXO. 1")
    shapes = draw(position, game.notation, "").shapes
    return [shape.style for shape in shapes if shape.kind == "circle" and shape.width > 0.5]


def test_pieces_have_the_colours_of_their_owners(tmp_path: Path) -> None:
    assert colours(tmp_path, "stuck = 'loses'") == ["first", "second", "first", "second"]
    assert colours(tmp_path, "owners = '02100'") == ["second", "first"]
    assert colours(tmp_path, "owners = ''") == []


def test_functions_draw_no_lots_themselves(tmp_path: Path) -> None:
    file = tmp_path / "lots.py"
    changed = LATE.replace("import BoardGame\n", "import BoardGame\nimport random\n")
    file.write_text(changed.replace("= self.player", "= random.choice((1, 2))"))
    with pytest.raises(GameFileError, match=r"lots\.py:14: .*CHANCE"):
        pg.game(str(file))


LISTED = """from plyground.board import BoardGame


class Pairs(BoardGame):
    shape = 2, 3
    squares = "north", "b", "c", "d", "e", "f"
    stuck = "loses"
    scoring = "points"
    score = [0, 0]

    def moves(self):
        found = []
        for cell in range(5):
            if self.cells[cell] == 0 == self.cells[cell + 1]:
                found.append((cell, cell + 1))
        if len(found) == 0:
            return []
        return found

    def play(self, move):
        first, second = move
        self.cells[first] = self.cells[second] = self.player
        self.score[self.player - 1] += 2
"""


def test_moves_may_be_returned_as_a_list(tmp_path: Path) -> None:
    file = tmp_path / "pairs.py"
    file.write_text(LISTED)
    game = pg.game(str(file))
    assert game.start().legal_moves == ["north-b", "b-c", "c-d", "d-e", "e-f"]
    assert all(finding.ok for finding in findings(game, 1))
    stuck = game.parse_position("xx./oox 2")
    assert stuck.is_over and stuck.outcome is not None and stuck.outcome.winner == 0


def test_the_terminal_has_the_names_of_squares_and_the_points(tmp_path: Path) -> None:
    file = tmp_path / "pairs.py"
    file.write_text(LISTED)
    drawn = str(pg.game(str(file)).start().play("north-b"))
    assert drawn.split() == [
        *("x", "x", ".", "north", "b", "c", ".", ".", ".", "d", "e", "f"),
        *("second", "(o)", "to", "move,", "score", "2", "-", "0"),
    ]


def test_what_is_stored_is_told_below_the_board_and_boards_are_arrays(tmp_path: Path) -> None:
    file = tmp_path / "late.py"
    said = '    def caption(self):\n        return f"move {self.count + 1}"\n'
    file.write_text(LATE + said)
    position = pg.game(str(file)).parse_position("a1")
    shown = str(position)
    assert shown.splitlines()[-2:] == ["move 2", "second (o) to move"]
    assert any(shape.text == "move 2" for shape in position.view.shapes)
    board = position.board  # type: ignore[attr-defined]
    assert board[-1, 0] == 1 and board[-1].tolist() == [1, 0, 0, 0, 0]
    assert str(board) == str(position.plain.board)  # type: ignore[attr-defined]
    assert "int8" in repr(position.plain.board)  # type: ignore[attr-defined]
    board[0, 0] = 2
    assert position.board[0, 0] == 0  # type: ignore[attr-defined]


@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
def test_where_plain_and_compiled_code_part_both_positions_are_told(tmp_path: Path) -> None:
    file = tmp_path / "wrap.py"
    wraps = "self.word = (self.word - 1) // 3"  # NumPy's words stay words, compiled ones do not
    game = LATE.replace("count = 0", "count = 0\n    word = np.uint64(0)")
    game = game.replace("self.count += 1", f"self.count += 1\n        {wraps}")
    file.write_text("import numpy as np\n" + game)
    told = [finding.detail for finding in findings(pg.game(str(file)), 1) if not finding.ok]
    assert "word=6148914691236517205 in plain Python, to" in told[-1]
