"""Proven values of whole games: against brute force, and never a claim that is not proven."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import plyground as pg
from plyground.core.game import Position
from plyground.core.limits import Limit
from plyground.search.solving import solve

GALLERY = Path(__file__).parents[2] / "examples" / "games"


def quietly(text: str) -> None:
    """No progress in tests."""


@cache
def margin_by_brute_force(lines: int, mine: bool, boxes: tuple[int, ...]) -> int:
    """Boxes of the side to move minus the other's from here on; `lines` are those drawn."""
    free = [n for n in range(12) if not lines >> n & 1]
    best = -99
    for line in free:
        drawn = lines | 1 << line
        won = sum(1 for box in boxes if box >> line & 1 and drawn & box == box)
        rest = margin_by_brute_force(drawn, mine, boxes)
        best = max(best, won + rest if won else -rest)
    return best if free else 0


def test_points_of_dots_and_boxes_agree_with_brute_force() -> None:
    game = pg.game(str(GALLERY / "dots_and_boxes.py"), rows=2, columns=2)
    # Lines 0-5 lie flat, row by row; 6-11 upright, row by row of boxes.
    boxes = tuple(
        1 << 2 * row + col
        | 1 << 2 * row + col + 2
        | 1 << 6 + 3 * row + col
        | 1 << 7 + 3 * row + col
        for row in range(2)
        for col in range(2)
    )
    result = solve(game, game.start(), Limit(), quietly)
    assert result.score is not None
    assert result.score.points == margin_by_brute_force(0, True, boxes)


def test_a_draw_is_proven_only_when_every_line_was_searched() -> None:
    game = pg.game(str(GALLERY / "tictactoe.py"))
    start = game.start()
    shallow = solve(game, start, Limit(depth=6), quietly)
    assert shallow.score is None and "not proven" in shallow.note
    whole = solve(game, start, Limit(), quietly)
    assert whole.score is not None and whole.score.value == "draw"
    assert {move.score.value for move in whole.moves if move.score} == {"draw"}


def minimax(position: Position) -> tuple[int, int]:
    """Value for the side to move (1, 0, -1) and the distance under best play."""
    if position.outcome is not None:
        return (0 if position.outcome.winner is None else -1), 0
    found = [
        (-value, 1 + plies)
        for value, plies in map(minimax, map(position.play, position.move_codes))
    ]
    value = max(value for value, _ in found)
    plies = [distance for one, distance in found if one == value]
    return value, min(plies) if value > 0 else max(plies)


def test_distances_are_the_shortest() -> None:
    game = pg.game(str(GALLERY / "tictactoe.py"))
    position = game.play_line("a3 b3 b2")
    value, distance = minimax(position)
    score = solve(game, position, Limit(), quietly).score
    assert score is not None
    assert (score.value, score.distance) == ({1: "win", -1: "loss"}[value], distance)
