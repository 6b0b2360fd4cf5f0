"""The search of whole 4x4 games agrees with plain Python and with the rules played to the end."""

from __future__ import annotations

import json
import random

import pytest

from plyground.cli import run
from plyground.core.game import Position
from plyground.core.registry import make_game
from plyground.games.competitive_sudoku.position_data import PositionData
from plyground.games.competitive_sudoku.solvers.four_by_four import FourByFour
from plyground.games.competitive_sudoku.solvers.parity import GRIDS
from plyground.games.competitive_sudoku.solvers.small_board import value_of

MODES = ("classic", "rows", "border", "random")


def played_out(position: Position, seen: dict[bytes, int]) -> int:
    """The first player's margin at the end with best play of both, by the game's own rules."""
    if position.is_over:
        first, second = position.data.scores
        return first - second
    key = position.state.tobytes()
    if key not in seen:
        results = [played_out(position.play(code), seen) for code in position.move_codes]
        seen[key] = max(results) if position.turn == 0 else min(results)
    return seen[key]


@pytest.fixture(scope="module")
def solvers() -> dict[bool, FourByFour]:
    return {restricted: FourByFour(restricted, 4.0) for restricted in (False, True)}


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("mode", MODES)
def test_random_games_have_the_value_that_the_rules_give(
    solvers: dict[bool, FourByFour], mode: str, seed: int
) -> None:
    chance = random.Random(f"{mode} {seed}")
    game = make_game("competitive-sudoku", {"board": "empty-2x2", "mode": mode, "seed": seed})
    position = game.start()
    while not position.is_over and position.data.cells.count(0) > 6:
        position = position.play(chance.choice(position.legal_moves))
    if position.is_over:
        return
    data = position.data
    ahead = solvers[data.allowed is not None].margin(data)
    assert ahead is not None
    first, second = data.scores
    expected = first - second + (ahead if position.turn == 0 else -ahead)
    assert played_out(position, {}) == expected


@pytest.mark.parametrize("seed", range(6))
def test_classic_boards_have_the_value_of_the_plain_program(
    solvers: dict[bool, FourByFour], seed: int
) -> None:
    chance = random.Random(seed)
    cells = [int(digit) for digit in chance.choice(GRIDS)]
    for cell in chance.sample(range(16), 8):
        cells[cell] = 0
    assert solvers[False].margin(PositionData(2, 2, tuple(cells))) == value_of(bytes(cells))


def test_a_table_that_is_too_small_changes_no_value(solvers: dict[bool, FourByFour]) -> None:
    game = make_game("competitive-sudoku", {"board": "empty-2x2", "mode": "border"})
    position = game.start()
    for move in ("0,0=1", "3,3=2", "0,1=2", "3,2=1", "0,2=3", "3,1=3"):
        position = position.play(move)
    tiny = FourByFour(True, 0.0)
    assert tiny.margin(position.data) == solvers[True].margin(position.data)
    assert tiny.forgotten > 0


def test_a_search_can_be_ended(solvers: dict[bool, FourByFour]) -> None:
    game = make_game("competitive-sudoku", {"board": "empty-2x2", "mode": "border"})
    assert solvers[True].margin(game.start().data, lambda positions: False) is None


def test_solve_gives_every_move_its_margin(capsys: pytest.CaptureFixture[str]) -> None:
    text = "2x2 1234/3412/21../.... first 0-3"
    assert run(["solve", "competitive-sudoku", "--position", text, "--json", "--quiet"]) == 0
    answer = json.loads(capsys.readouterr().out)
    position = make_game("competitive-sudoku").parse_position(text)
    points = {entry["move"]: entry["score"] for entry in answer["moves"]}
    expected = {move: played_out(position.play(move), {}) for move in position.legal_moves}
    assert points == expected
    assert answer["score"] == max(expected.values())
    assert run(["solve", "competitive-sudoku", "--position", text, "--quiet"]) == 0
    shown = capsys.readouterr().out
    rows = [line.split("│") for line in shown.splitlines() if line.count("│") == 4]
    assert {row[1].strip(): float(row[3]) for row in rows} == expected
