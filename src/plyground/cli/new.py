"""`plyground new`: a small, complete start for a game or an agent of one's own."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from plyground.cli.app import Json, console, print_json
from plyground.core.errors import InputError

GAME = '''"""{title}: three in a line. Change it; run `plyground check {file}` after each step."""

from plyground.board import BoardGame, option


class {cls}(BoardGame):
    # An option is a number that players may choose: plyground play {file} --option size=4
    size = option(3, 3, 8, "rows and columns")
    shape = size, size
    pieces = ".xo"  # the letters of the numbers 0 (empty), 1 and 2 on the board

    def moves(self):
        """Yield every move of self.player (1 or 2): here the number of a cell."""
        for cell in range(self.size * self.size):
            if self.cells[cell] == 0:
                yield cell

    def play(self, cell):
        """Change the board. The other player is next, unless you return a player."""
        self.cells[cell] = self.player

    def result(self):
        """None while the game goes on, else the winner (1 or 2), or 0 for a draw."""
        for row in range(self.size):
            for col in range(self.size):
                for down, right in (0, 1), (1, 0), (1, 1), (1, -1):
                    if self.line(row, col, down, right):
                        return self.board[row, col]
        return None if 0 in self.cells else 0

    def line(self, row, col, down, right):
        """Whether three equal pieces lie from here in a direction. Functions may call others."""
        if not (row + 2 * down < self.size and 0 <= col + 2 * right < self.size):
            return False
        piece = self.board[row, col]
        return piece != 0 and all(
            self.board[row + step * down, col + step * right] == piece for step in range(3)
        )
'''

GAME_TEST = '''"""What is known about {title}."""

from pathlib import Path

import plyground as pg

FILE = str(Path(__file__).with_name("{file}"))


def test_it_is_a_proper_game():
    pg.check_game(pg.game(FILE))


def test_the_first_player_has_nine_moves():
    assert len(pg.game(FILE).start().legal_moves) == 9
'''

AGENT = '''"""{title}: an agent for {game}. Try it: plyground match {game} {file} random"""

import random

from plyground import Agent


class {cls}(Agent):
    """Wins if it can in one move, else plays at random."""

    name = "{name}"

    def choose(self, position, limit):
        for move in position.legal_moves:
            outcome = position.play(move).outcome
            if outcome is not None and outcome.winner == position.turn:
                return move
        return random.Random(self.seed + position.key).choice(position.legal_moves)
'''

AGENT_TEST = '''"""What {title} must do."""

from pathlib import Path

import plyground as pg

FILE = str(Path(__file__).with_name("{file}"))


def test_it_plays_whole_games():
    result = pg.match("{game}", FILE, "random", games=2, limit=pg.Limit(nodes=50))
    assert all(record.outcome.termination.value == "normal" for record in result.records)
'''


def new(
    what: Literal["game", "agent"],
    name: Annotated[str, Parameter(help="Its name; the file is NAME.py in this folder.")],
    *,
    game: Annotated[str, Parameter(help="The game that an agent plays: a name or a file.")] = "",
    json: Json = False,
) -> None:
    """Write a small, complete start for a game or an agent of your own, with its test.

    Example: plyground new agent mybot --game connect4
    """
    stem = re.sub(r"[\W-]+", "_", name.removesuffix(".py")).strip("_").lower()
    if not re.fullmatch(r"[a-z][a-z0-9_]*", stem):
        raise InputError(f"{name!r} is no name for a file: begin with a letter")
    if what == "agent":
        game = _checked(game)
    words = {
        "title": stem.replace("_", " ").capitalize(),
        "file": f"{stem}.py",
        "cls": "".join(part.capitalize() for part in stem.split("_")),
        "name": stem.replace("_", "-"),
        "game": game,
    }
    code, test = (GAME, GAME_TEST) if what == "game" else (AGENT, AGENT_TEST)
    files = {Path(f"{stem}.py"): code, Path(f"test_{stem}.py"): test}
    for path in files:
        if path.exists():
            raise InputError(f"{path} exists already; choose another name")
    for path, text in files.items():
        path.write_text(_fill(text, words), encoding="utf-8")
    if json:
        print_json({"files": [str(path) for path in files]})
        return
    first = f"check {stem}.py" if what == "game" else f"match {game} {stem}.py random"
    second = f"play {stem}.py" if what == "game" else f"play {game} --second {stem}.py"
    console.print(
        f"wrote {stem}.py and test_{stem}.py; next:\n"
        f"  plyground {first}\n  plyground {second}\n  pytest test_{stem}.py",
        highlight=False,
    )


def _checked(game: str) -> str:
    """The game as given, after a check that there is one."""
    from plyground.core.registry import find_game, game_name

    if not game:
        raise InputError("an agent plays a game: name it with --game, as in --game connect4")
    find_game(game_name(game))
    return game


def _fill(text: str, words: dict[str, str]) -> str:
    for key, value in words.items():
        text = text.replace("{" + key + "}", value)
    return text
