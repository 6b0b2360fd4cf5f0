"""Mistakes of authors: each is reported with file and line."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import plyground as pg
from plyground.board import plain
from plyground.board.faults import authors_fault
from plyground.board.game import DescribedGame
from plyground.core.errors import PlygroundError

GOOD = '''"""Line: three in a row of five."""
from plyground.board import BoardGame, option
SEEN = [0]
class Line(BoardGame):
    shape = 5
    winner = 0

    def moves(self):
        for cell in range(5):
            if self.cells[cell] == 0:
                yield cell

    def play(self, cell):
        self.cells[cell] = self.player

    def result(self):
        for start in range(3):
            if 0 != self.cells[start] == self.cells[start + 1] == self.cells[start + 2]:
                return self.cells[start]
        return None if 0 in self.cells else 0
'''
# (what is replaced, by what, the line that is to be named, a word of the message)
MISTAKES = {
    "result returns nothing": (
        "return self.cells[start]\n        return None if 0 in self.cells else 0",
        "pass",
        16,
        "return",
    ),
    "plies as text": ("winner = 0", 'max_plies = "9"', 4, "whole number"),
    "stored fraction": ("winner = 0", "speed = 0.5", 6, "whole numbers"),
    "huge board": ("shape = 5", "shape = 99, 99", 4, "at most"),
    "owners": ("winner = 0", "owners = 12", 4, "owners"),
    "index": ("range(3)", "range(4)", 18, "range"),
    "negative index": ("self.cells[start + 1]", "self.cells[start - 1]", 18, "range"),
    "undeclared": ("self.cells[cell] = self.player", "self.last = cell", 14, "last"),
    "read undeclared": ("self.cells[cell] == 0", "self.cells[cell] == self.nothing", 10, "nothing"),
    "bool as result": ("return self.cells[start]", "return True", 19, "result"),
    "text as result": ("return self.cells[start]", 'return "x"', 19, "result"),
    "wrong player": ("return self.cells[start]", "return 7", 19, "result"),
    "text as move": ("yield cell", 'yield "a"', 11, "whole number"),
    "move outside": ("yield cell", "yield cell + 1", 11, "0..4"),
    "moves twice": ("yield cell", "yield 0", 8, "twice"),
    "no moves left": ("return None if 0 in self.cells else 0", "return None", 8, "stuck"),
    "endless": ("self.cells[cell] = self.player", "while True: pass", 14, "end"),
    "missing function": ("def result", "def outcome", 4, "result"),
    "parameters": ("def play(self, cell)", "def play(self)", 13, "parameters"),
    "float in a cell": ("self.cells[cell] = self.player", "self.cells[cell] = 0.5", 14, "whole"),
    "too large": ("self.cells[cell] = self.player", "self.cells[cell] = 300", 14, "127"),
    "unknown name": ("range(5)", "range(width)", 9, "width"),
    "changes in moves": ("yield cell", "self.cells[0] = 1; yield cell", 8, "moves"),
    "next player": ("self.cells[cell] = self.player", "return 3", 13, "player"),
    "bad setting": ("winner = 0", 'stuck = "dies"', 4, "stuck"),
    "syntax": ("def result(self):", "def result(self)", 16, "expected"),
    "shape": ("shape = 5", 'shape = "big"', None, "shape"),
    "list of moves overflows": ("winner = 0", "max_moves = 3", 8, "max_moves"),
    "moves returned": ("yield cell", "return cell", 8, "yield"),
    "unknown setting": ("winner = 0", 'stuk = "loses"', 6, "stuck"),
    "taken name": ("winner = 0", "turn = 0", 6, "turn"),
    "import inside": ("self.cells[cell] = self.player", "import math", 14, "top of the file"),
    "global": ("self.cells[cell] = self.player", "global X\n        X = 1", 14, "stored"),
    "decorator": ("    def result", "    @property\n    def result", 17, "decorator"),
    "option of text": ("shape = 5", "size = option('5')\n    shape = 5", None, "whole numbers"),
    "endless game": ("self.cells[cell] = self.player", "self.cells[cell] = 0", 13, "max_plies"),
    "row for a cell": ("self.cells[cell] == 0", "self.cells[:] == 0", 10, "a row of the board"),
    "print": ("self.cells[cell] = self.player", "print(cell)", 14, "from outside"),
    "class": ("self.cells[cell] = self.player", "Line.winner = 1", 14, "stored"),
    "constant": ("self.cells[cell] = self.player", "GOOD[cell] = 1", 14, "stored"),
    "over at the start": ("return None if 0 in self.cells else 0", "return 0", 16, "at the start"),
    "move in two": ("def play(self, cell)", "def play(self, a, b)", 13, "a, b = move"),
    "typo in self": ("0 in self.cells", "0 in self.cels", 20, "did you mean self.cells"),
    "setting of nobody": ("winner = 0", 'stuck = "lose"', 4, "'loses'"),
    "nearly result": ("winner = 0\n", 'winner = 0\n    stuck = "draws"\n', 17, "mean result"),
    "changes in result": ("for start", "self.winner = 1\n        for start", 16, "as it was"),
    "evaluation": ("def result", "def evaluate(self): return 'x'\n    def result", 16, "whole"),
    "picture": ("def result", "def picture(self): return [1, 2]\n    def result", 16, "5 cells"),
    "caption": ("def result", "def caption(self): return 3\n    def result", 16, "a text, not 3"),
    "typo in moves": ("self.cells[cell] == 0", "self.cell[cell] == 0", 10, "mean self.cells"),
    "growing list": ("self.cells[cell] = self.player", "self.cells.append(1)", 14, "fixed length"),
    "growing constant": (
        "self.cells[cell] = self.player", "SEEN.append(cell)", 14, "outside the class"
    ),
    "global of a taken name": (
        "self.cells[cell] = self.player", "global turn\n        turn = 1", 14, "self.my_turn"
    ),
    "no board": ("    shape = 5\n", "", 4, "has no board"),
    "neither result nor stuck": ("def result", "def ending", 4, "stuck = 'loses'"),
    "letters": ("winner = 0", 'pieces = ".x"', 13, "add one"),
    "order": ("def result", "def order(self, move): return 5000\n    def result", 16, "0 to 1000"),
    "large value": (
        "def result", "def evaluate(self): return 10**9\n    def result", 16, "900000"
    ),
    "wrong symmetry": ("winner = 0", "symmetries = ((1, 0, 2, 3, 4),)", 8, "does not hold"),
    "try": ("self.cells[cell] = self.player", "try: pass\n        finally: pass", 14, "try"),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(MISTAKES))
def test_a_mistake_is_named_with_its_line(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyground.board.plain.LONGEST_CALL", 0.5)
    monkeypatch.setattr("plyground.board.trial.ENDLESS", 500)
    old, new, line, word = MISTAKES[name]
    assert old in GOOD
    file = tmp_path / "line.py"
    good = GOOD.replace("def result", "def resullt") if name == "nearly result" else GOOD
    file.write_text(good.replace(old, new, 1))
    with pytest.raises(PlygroundError) as caught:
        pg.game(str(file))
    message = str(caught.value)
    assert "line.py" in message and word in message
    if line is not None:
        assert f"line.py:{line}:" in message, message


def test_the_board_of_a_wrong_symmetry_is_drawn(tmp_path: Path) -> None:
    file = tmp_path / "line.py"
    file.write_text(GOOD.replace("winner = 0", "symmetries = ((1, 0, 2, 3, 4),)"))
    with pytest.raises(PlygroundError) as caught:
        pg.game(str(file))
    assert "a b c d e" in "".join(caught.value.__notes__)


def test_a_setting_that_is_nearly_known_is_named_before_what_misses_for_it(tmp_path: Path) -> None:
    file = tmp_path / "line.py"
    file.write_text(GOOD.partition("    def result")[0].replace("winner = 0", 'stuk = "loses"'))
    with pytest.raises(PlygroundError, match=r"line\.py:6: .* did you mean stuck"):
        pg.game(str(file))


def test_a_file_holds_one_game_and_what_it_is_made_from(tmp_path: Path) -> None:
    file = tmp_path / "line.py"
    file.write_text(GOOD + "\n\nclass Longer(Line):\n    player_names = 'a', 'b'\n")
    assert pg.game(str(file)).described.__name__ == "Longer"  # type: ignore[attr-defined]
    file.write_text(GOOD + GOOD.partition("SEEN = [0]")[2].replace("Line", "Other"))
    with pytest.raises(PlygroundError, match="Line or Other"):
        pg.game(str(file))


def test_types_that_only_compiled_code_minds(tmp_path: Path) -> None:
    file = tmp_path / "line.py"
    file.write_text(
        GOOD.replace(
            "self.cells[cell] = self.player",
            'if len(f"{cell:03d}") == 3:\n            self.cells[cell] = self.player',
        )
    )
    with pytest.raises(PlygroundError, match=r"line\.py:14: cannot be compiled"):
        pg.game(str(file)).start().legal_moves  # noqa: B018


LATE = {
    "cell": ("self.cells[cell + 40] = 1", "index out of range"),
    "cell by row": ("self.board[cell + 39] = 1", "index out of range"),
    "table": ("self.cells[cell] = TABLE[cell + 4]", "index out of range"),
    "local list": ("few = [1]; few[cell] = 1", "range"),
    "mask": ("free = self.cells == 0; free[cell + 40] = True", "index out of range"),
    "division": ("self.kind = 4 // (cell - 1)", "division by zero"),
    "remainder": ("self.kind %= cell - 1", "division by zero"),
    "value": ("self.cells[cell] = 127 + cell", "-128 to 127"),
}


def test_mistakes_that_only_a_search_meets(tmp_path: Path) -> None:
    """Random games of the trial do not get there: compiled code names the line itself."""
    text = GOOD.replace("shape = 5", "shape = 40").replace("range(5)", "range(40)")
    text = text.replace("class Line", "TABLE = [3, 1, 4, 1, 5]\n\nclass Line")
    text = text.replace("winner = 0", "winner = 0\n    kind = 0\n    max_plies = 8")
    cases = "".join(
        f"            if self.kind == {number}:\n                {code}\n"
        for number, (code, _) in enumerate(LATE.values())
    )
    text = text.replace(
        "        self.cells[cell] = self.player\n",
        "        self.cells[cell] = self.player\n"
        f"        if self.cells[0] == 1 == self.cells[1] and self.cells[39] == 2:\n{cases}",
    )
    file = tmp_path / "line.py"
    file.write_text(text)
    game = pg.game(str(file))
    lines = text.splitlines()
    for number, (code, words) in enumerate(LATE.values()):
        line = next(n for n, found in enumerate(lines, 1) if found.strip() == code)
        rows = f"x{'.' * 38}o 1 plies=2 kind={number}"
        with pytest.raises(PlygroundError, match=rf"line\.py:{line}: .*{words}"):
            game.parse_position(rows).play("b")


def test_errors_of_compiled_code_without_a_line_are_found_in_plain_python(tmp_path: Path) -> None:
    """What the trial missed by its few games, more games find."""
    file = tmp_path / "line.py"
    file.write_text(
        GOOD.replace(
            "self.cells[cell] = self.player",
            "self.cells[cell] = self.player\n        few = [1]\n        few.remove(1)",
        )
    )
    game = pg.game(str(file))
    assert isinstance(game, DescribedGame)
    with pytest.raises(TypeError) as own:
        game.describe_outcome(game.start().state, None)  # type: ignore[arg-type]
    assert authors_fault(own.value) is None
    assert authors_fault(ValueError("of somebody else")) is None
    try:
        raise ValueError("not in list")
    except ValueError as error:
        told = authors_fault(error)
    assert told is not None and "line.py: ValueError" in str(told) and "not in list" in str(told)


def test_calls_without_end_are_interrupted_one_after_the_other_and_side_by_side(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(plain, "LONGEST_CALL", 0.2)

    def ends() -> str:
        try:
            with plain.deadline():
                while True:
                    pass
        except Exception as error:
            return type(error).__name__

    assert [ends(), ends()] == ["_EndlessError"] * 2
    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(lambda _: ends(), range(2))) == ["_EndlessError"] * 2
    with plain.deadline():
        pass
    assert not plain._running


def test_variables_may_be_called_as_functions_of_the_house(tmp_path: Path) -> None:
    text = GOOD.replace("for cell in range(5)", "for tick in range(5)")
    text = text.replace("self.cells[cell] == 0", "self.cells[tick] == 0").replace(
        "yield cell", "yield tick"
    )
    text = text.replace(
        "self.cells[cell] = self.player",
        "join, append = self.first(within=cell), 1\n"
        "        self.cells[join + append - 1] = self.player\n\n"
        "    def first(self, save=3, within=2):\n"
        "        np = max(at1 for at1 in (within, 0))\n"
        "        return np",
    )
    file = tmp_path / "line.py"
    file.write_text(text)
    position = pg.game(str(file)).parse_position("c a b")
    assert position.outcome is None and position.text.startswith("oxx..")
