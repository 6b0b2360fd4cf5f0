"""Who analyses a game on the page, if nobody is asked for by name."""

from __future__ import annotations

from pathlib import Path

import pytest

import plyground as pg
from plyground.web.analysis import analyst

GAMES = Path(__file__).parents[2] / "examples" / "games"


@pytest.mark.parametrize(
    ("game", "agent"),
    [("nim.py", "mcts"), ("twenty48.py", "mcts"), ("connect4", "champion")],
)
def test_a_game_that_cannot_value_positions_is_analysed_by_playing_it_out(
    game: str, agent: str
) -> None:
    name = pg.game(str(GAMES / game) if game.endswith(".py") else game).info.name
    assert analyst(name) == agent


def test_a_game_that_can_is_searched_by_depth(tmp_path: Path) -> None:
    source = (GAMES / "nim.py").read_text(encoding="utf-8")
    file = tmp_path / "nim.py"
    file.write_text(f"{source}\n    def evaluate(self):\n        return 0\n", encoding="utf-8")
    game = pg.game(str(file))
    assert type(game).evaluates() and analyst(game.info.name) == "alphabeta"


def test_a_game_that_ends_for_want_of_a_move_says_so() -> None:
    assert pg.game(str(GAMES / "clobber.py")).page.won_by == "the other player had no move"
    assert not pg.game(str(GAMES / "tictactoe.py")).page.won_by
