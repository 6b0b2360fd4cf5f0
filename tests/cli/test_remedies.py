"""Mistakes on the command line: the message names the remedy."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import plyground as pg
from plyground.cli import run
from plyground.core.errors import InvalidMoveError

GAMES = Path(__file__).parents[2] / "examples" / "games"

OUT_OF_BOUNDS = """
from plyground.board import BoardGame, option

class Wrong(BoardGame):
    size = option(3, 4, 16)
    board = (size, size)
"""

BESIDE_THE_BOARD = """
from plyground.board import BoardGame

class Line(BoardGame):
    shape = 1, 3

    def moves(self):
        for square in range(3):
            if self.cells[square] == 0:
                yield square

    def play(self, square):
        self.cells[square + 2 * self.cells[1]] = self.player

    def result(self):
        return None if 0 in self.cells else 0
"""


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        ("analyse connect4 --agent exec:./bot", "exec:./bot: programs play in match"),
        ("play connect4 --second exec:./bot", "exec:./bot: programs play in match"),
        ("tree connect4 --agent exec:./bot", "exec:./bot: programs play in match"),
        ("analyse connect4 v1.py", "write --agent v1.py"),
        ("perft connect4 v1.py --depth 2", "no further words: v1.py"),
        ("match connect4 random random --game 2", "--games?"),
        ("match connect4 random", "name a second, such as random"),
        ("match connect4 nosuch.py random", "there is no file 'nosuch.py'"),
        ("solve connect4 --proof --retrograde", "choose one"),
        ("tune connect4 mcts:c=1..2 --confirm 0", "--confirm 0"),
        ("tune connect4 mcts:c=1..2 --elo1 -5 --games 10000", "elo0 < elo1"),
        ("match connect4 random random --sprt elo0=-9e9 elo1=9e9", "between -4000 and 4000"),
        ("match connect4 b\udce9t.py random", "no text in UTF-8"),
        ("match connect4 random exec:true\udce9", "no text in UTF-8"),
        ("match connect4 random random --run \udce9", "name of a run"),
    ],
)
def test_the_message_names_the_remedy(words, remedy, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(words.split()) == 2
    assert remedy in capsys.readouterr().err


def test_a_default_outside_its_bounds(capsys, tmp_path):
    path = tmp_path / "wrong.py"
    path.write_text(OUT_OF_BOUNDS)
    assert run(["check", str(path)]) == 2
    said = capsys.readouterr().err
    assert ":5: option(): the default 3 is outside 4 to 16" in said


def test_wrong_input_does_not_draw_the_board_again(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("x\n9\nq\n4\n"))
    assert run(["play", "connect4", "--second", "human"]) == 0
    assert capsys.readouterr().out.count("to move") == 1


def test_the_example_of_a_move_is_legal():
    position = pg.game(str(GAMES / "tictactoe.py")).play_line("a1 b1 c1")
    with pytest.raises(InvalidMoveError) as caught:
        position.play("z9")
    assert str(caught.value).rpartition(" ")[2] in position.legal_moves


def test_moves_that_are_not_proven_have_no_value(capsys):
    assert run(["solve", str(GAMES / "tictactoe.py"), "--position", "a1 b1"]) == 0
    said = capsys.readouterr().out
    assert "+0" not in said and "visits" not in said and "moves without a value" in said


def test_the_position_of_a_wrong_index_is_drawn(capsys, tmp_path):
    path = tmp_path / "line.py"
    path.write_text(BESIDE_THE_BOARD)
    assert run(["check", str(path)]) == 2
    said = capsys.readouterr()
    assert "line.py:13: index" in said.err
    assert "a b c" in said.out and "to move" in said.out
