"""Mistakes of authors: each is reported with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

import plyground as pg
from plyground.core.errors import PlygroundError

GOOD = '''"""Line: three in a row of five."""
from plyground.board import BoardGame

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
    "try": ("self.cells[cell] = self.player", "try: pass\n        finally: pass", 14, "try"),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(MISTAKES))
def test_a_mistake_is_named_with_its_line(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyground.board.plain.LONGEST_CALL", 0.5)
    old, new, line, word = MISTAKES[name]
    assert old in GOOD
    file = tmp_path / "line.py"
    file.write_text(GOOD.replace(old, new, 1))
    with pytest.raises(PlygroundError) as caught:
        pg.game(str(file))
    message = str(caught.value)
    assert "line.py" in message and word in message
    if line is not None:
        assert f":{line}:" in message or f"line {line}" in message, message


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


def test_an_index_that_only_a_search_meets(tmp_path: Path) -> None:
    """Random games of the trial do not get there."""
    text = GOOD.replace("shape = 5", "shape = 40").replace("range(5)", "range(40)")
    text = text.replace("winner = 0", "winner = 0\n    max_plies = 8")
    text = text.replace(
        "self.cells[cell] = self.player",
        "self.cells[cell] = self.player\n"
        "        if self.cells[0] == 1 == self.cells[1] and self.cells[39] == 2:\n"
        "            self.cells[cell + 40] = 1",
    )
    file = tmp_path / "line.py"
    file.write_text(text)
    game = pg.game(str(file))
    with pytest.raises(PlygroundError, match=r"line\.py:17: index out of range"):
        game.play_line("a an b")
