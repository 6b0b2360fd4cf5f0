"""Retrograde analysis of small games against known results."""

from __future__ import annotations

from pathlib import Path

import plyground as pg
from plyground.search.reachable import solve_by_retrograde

GALLERY = Path(__file__).parents[2] / "examples" / "games"


def test_tictactoe_has_5478_positions_and_is_a_draw() -> None:
    game = pg.game(str(GALLERY / "tictactoe.py"))
    found = solve_by_retrograde(game.start(), lambda text: None)
    assert found is not None and found.nodes == 5478
    assert {move.score.value for move in found.moves if move.score} == {"draw"}
    won = solve_by_retrograde(game.play_line("a1 b1 a2 b2"), lambda text: None)
    assert won is not None and won.move == "a3" and str(won.score) == "win in 1"
    assert str(won.moves[-1].score) == "loss in 2"
