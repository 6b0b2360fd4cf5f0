"""Proof-number search of any game, against brute force."""

from __future__ import annotations

from pathlib import Path

import pytest

import plyground as pg
from plyground.core.game import Position
from plyground.core.limits import Limit
from plyground.search.proving import solve_by_proof

GALLERY = Path(__file__).parents[2] / "examples" / "games"
CASES = {
    "hex": ({"size": 3}, ["", "a1", "b2", "a1 b2", "c1 a3"]),
    "tictactoe": ({}, ["", "a1 b1", "a1 b2", "a1 b1 a2", "b2 a1 c1"]),
    "dots_and_boxes": ({"rows": 1, "columns": 2}, [""]),
}


def brute(position: Position, known: dict[bytes, tuple[int, int]]) -> tuple[int, int]:
    """Value for the first player (1, 0, -1) and plies to a win or loss by best play."""
    label = position.state.tobytes()
    if label not in known:
        if position.outcome is not None:
            winner = position.outcome.winner
            known[label] = (0 if winner is None else 1 - 2 * winner, 0)
        else:
            sign = 1 - 2 * position.turn
            found = [brute(position.play(code), known) for code in position.move_codes]
            best = max(sign * value for value, _ in found) * sign
            plies = [plies for value, plies in found if value == best]
            known[label] = best, 1 + (min(plies) if best == sign else max(plies))
    return known[label]


@pytest.mark.parametrize("name", sorted(CASES))
def test_the_same_as_brute_force(name: str) -> None:
    options, lines = CASES[name]
    game = pg.game(str(GALLERY / f"{name}.py"), **options)
    known: dict[bytes, tuple[int, int]] = {}
    for line in lines:
        position = game.play_line(line)
        value, plies = brute(position, known)
        result = solve_by_proof(position, Limit(time=60.0), lambda words: None)
        assert result.score is not None
        wanted = {0: "draw", 1: "win", -1: "loss"}[value * (1 - 2 * position.turn)]
        assert result.score.value == wanted, line
        if value and name != "dots_and_boxes":
            assert result.score.distance == plies, line
        won = {m for m in position.legal_moves if brute(position.play(m), known)[0] == value}
        if wanted == "win":
            assert {found.move for found in result.moves} == won


def test_without_time_nothing_is_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plyground.search.proof.SLICE", 20)
    game = pg.game(str(GALLERY / "hex.py"), size=3)
    result = solve_by_proof(game.start(), Limit(nodes=1), lambda words: None)
    assert result.score is None and "not proven" in result.note
