"""Files of games that fail in rare positions: told by file and line, and nobody loses for it."""

from __future__ import annotations

from pathlib import Path

import pytest

import plyground as pg
from plyground.arena.referee import Referee
from plyground.core.errors import GameFileError
from plyground.core.outcome import Termination
from plyground.engines.engine import Answer
from tests.web.conftest import Server

RARE = '''"""Row: fails where the first cells are taken in their order."""
from plyground.board import BoardGame
class Row(BoardGame):
    shape = 40
    max_plies = 6
    stuck = "draws"
    move_names = {names}
    def rare(self):
        return self.cells[0] == 1 and self.cells[1] == 2 and self.cells[2] == 1
    def moves(self):
        return [cell for cell in range(40) if self.cells[cell] == 0]
    def play(self, cell):
        self.cells[cell] = self.player
        if self.rare():
            {play}
    def result(self):
        if self.rare():
            {result}
        return None
'''
CIRCLES = """
    def deep(self, number, step):
        if number > -2:
            number += step
        elif number == -2:
            return 1
        return self.deep(number + 1, 3)
    def here(self, number):
        return self.there(number, end=0) + 1
    def there(self, number, end=1):
        return 0 if number == end else self.here(number)
"""
CIRCLE_LINES = [line.strip() for line in CIRCLES.splitlines() if "return" in line]
NAMES = repr(tuple(f"m{number}" for number in range(40)))
LINE = """
import plyground as pg
class InOrder(pg.Agent):
    def choose(self, position, limit):
        return position.legal_moves[0]
"""
TEXTS = {
    "ended": "raise SystemExit(3)",
    "no text": "return '\\ud800'",
    "much text": "return 'x' * 20_000_000",
    "endless": "while True: pass",
}


def rare_file(folder: Path, play: str = "pass", result: str = "pass", more: str = "") -> Path:
    file = folder / "row.py"
    file.write_text(RARE.format(names=NAMES, play=play, result=result) + more)
    return file


def text_function(name: str, body: str) -> str:
    given = {"caption": "self", "format_move": "self, move"}[name]
    usual = {"caption": "''", "format_move": "f'm{move}'"}[name]
    read = "    def parse_move(self, text):\n        return int(text[1:])\n"
    return (
        f"    def {name}({given}):\n        if self.rare():\n            {body}\n"
        f"        return {usual}\n{read if name == 'format_move' else ''}"
    )


MISTAKES = (
    ("play", "self.cells[cell + 100] = 1"),
    ("play", "self.cells[cell] = 1000"),
    ("result", "while self.rare(): pass"),
    ("result", "for number in range(10**14): self.deep(number, 3)"),
    ("result", "return sum(1 for a in range(10**6) for b in range(10**6))"),
    ("result", "return self.deep(0, 1)"),
    ("result", "return self.here(self.player)"),
)


@pytest.mark.parametrize(("where", "code"), MISTAKES, ids=[code for _, code in MISTAKES])
def test_nobody_loses_for_a_mistake_in_the_file_of_the_game(
    tmp_path: Path, where: str, code: str
) -> None:
    file = rare_file(tmp_path, more=CIRCLES, **{where: code})
    player = tmp_path / "inorder.py"
    player.write_text(LINE)
    lines = file.read_text().splitlines()
    named = {code, *CIRCLE_LINES} if code.startswith("return self") else {code}
    places = "|".join(str(n) for n, text in enumerate(lines, 1) if text.strip() in named)
    with pytest.raises(GameFileError, match=rf"row\.py:({places}): "):
        pg.match(str(file), str(player), str(player), games=1, opening_plies=0, nodes=10)


def test_functions_that_call_themselves_and_end_are_compiled(tmp_path: Path) -> None:
    file = rare_file(tmp_path, result="return 1 + self.deep(-3, 2) % 2", more=CIRCLES)
    outcome = pg.game(str(file)).parse_position("m0 m1 m2").outcome
    assert outcome is not None and outcome.winner == 1


def test_what_is_no_legal_move_is_lost_even_where_the_file_cannot_read_it(tmp_path: Path) -> None:
    referee = Referee(pg.game(str(rare_file(tmp_path, more=text_function("format_move", "pass")))))
    ruling = referee.judge_answer(Answer(moves=("mx",), elapsed=0.0))
    assert ruling.outcome is not None
    assert ruling.outcome.termination is Termination.ILLEGAL_MOVE
    assert ruling.outcome.winner == 1


@pytest.mark.parametrize("function", ["caption", "format_move"])
@pytest.mark.parametrize("body", TEXTS.values(), ids=TEXTS)
def test_functions_for_text_fail_with_file_and_line(
    tmp_path: Path, function: str, body: str
) -> None:
    file = rare_file(tmp_path, more=text_function(function, body))
    position = pg.game(str(file)).parse_position("m0 m1 m2")
    with pytest.raises(GameFileError, match=r"row\.py:\d+: "):
        _ = position.view if function == "caption" else position.legal_moves


def test_texts_of_a_file_do_not_steer_the_terminal(tmp_path: Path) -> None:
    steer = "return '\\x1b]0;owned\\x07' + 'm'"
    file = rare_file(tmp_path, more=text_function("caption", steer))
    shown = str(pg.game(str(file)).parse_position("m0 m1 m2"))
    assert "owned" in shown and "\x1b" not in shown and "\x07" not in shown


def test_the_page_tells_where_a_file_fails_and_serves_on(tmp_path: Path) -> None:
    server = Server(tmp_path, str(rare_file(tmp_path, more=text_function("caption", "exit(1)"))))
    server.start()
    try:
        games = server.request("/api/catalog")[1]
        name = next(game["name"] for game in games if "@" in game["name"])
        ask = {"game": name, "moves": ["m0", "m1", "m2"]}
        status, answer = server.request("/api/position", ask)
        assert (status, answer["error"]["kind"]) == (400, "game-file")
        assert server.request("/api/position", {**ask, "moves": ["m0"]})[0] == 200
    finally:
        server.stop()
