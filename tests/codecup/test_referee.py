"""The contest's verdicts, against an independent referee on games with every kind of fault."""

from __future__ import annotations

import random

import numpy as np
import pytest

from plyground.core.errors import IllegalMoveError, InvalidMoveError, PositionError
from plyground.core.outcome import Termination
from plyground.core.registry import make_game
from plyground.search.perft import perft
from plyground.sudoku import count

ROWS, COLUMNS = "ABCDEFGHI", "abcdefghi"


@pytest.fixture(scope="module")
def game():
    return make_game("codecup-sudoku")


def units(cell: int) -> list[int]:
    row, column = divmod(cell, 9)
    box = [(row // 3 * 3 + i) * 9 + column // 3 * 3 + j for i in range(3) for j in range(3)]
    return [row * 9 + i for i in range(9)] + [i * 9 + column for i in range(9)] + box


def naive_verdict(grid: list[int], text: str) -> tuple[str, int | None]:
    """(what happens, loser's points) by counting the solutions of whole grids."""
    move, claim = (text[:-1], True) if text.endswith("!") else (text, False)
    before = count(grid, 3)
    if text == "!":
        return ("claim", 1) if before == 1 else ("false claim", 0)
    wellformed = (
        len(move) == 3 and move[0] in ROWS and move[1] in COLUMNS and move[2] in "123456789"
    )
    if not wellformed:
        return "unparsable", 0
    cell, digit = ROWS.index(move[0]) * 9 + COLUMNS.index(move[1]), int(move[2])
    if grid[cell]:
        return "occupied", 0
    if any(grid[peer] == digit for peer in units(cell)):
        return "conflict", 0
    after = [*grid]
    after[cell] = digit
    left = count(after, 2)
    if left == 0:
        return "unsolvable", 1
    others = [d for d in range(1, 10) if d != digit]
    if all(count([*grid[:cell], d, *grid[cell + 1 :]], 1) == 0 for d in others):
        return "not reducing", 1
    if claim:
        return ("claim", 1) if left == 1 else ("false claim", 0)
    return "goes on", None


WORDS = {
    "unparsable": (Termination.ILLEGAL_MOVE, "not a move"),
    "occupied": (Termination.ILLEGAL_MOVE, "occupied"),
    "conflict": (Termination.ILLEGAL_MOVE, "already in the row"),
    "unsolvable": (Termination.ILLEGAL_MOVE, "no solution"),
    "not reducing": (Termination.ILLEGAL_MOVE, "not reduce"),
    "false claim": (Termination.FALSE_CLAIM, "more than one"),
}


def random_text(source: random.Random, legal: list[str]) -> str:
    kind = source.random()
    if kind < 0.55:
        text = source.choice(legal)
        return text.rstrip("!") if source.random() < 0.3 and len(text) > 1 else text
    if kind < 0.9:
        cell = source.randrange(81)
        move = ROWS[cell // 9] + COLUMNS[cell % 9] + str(source.randint(1, 9))
        return move + source.choice(["", "!"])
    return source.choice(["!", "", "Aa", "aA1", "Aa0", "Aj1", "Aa1!!", "Start", "Aa1 x", "\x00"])


def test_verdicts_agree_with_an_independent_referee(game) -> None:
    seen: dict[str, int] = {}
    for seed in range(16):
        source = random.Random(seed)
        position = game.start()
        for _ in range(15 if seed % 2 else 21):
            position = position.play(source.choice(position.legal_moves).rstrip("!"))
            if position.legal_moves == ["!"]:
                break
        legal = position.legal_moves
        for _ in range(16):
            text = random_text(source, legal)
            expected, points = naive_verdict(position.digits.tolist(), text.strip())
            verdict = game.judge(position, text)
            seen[expected] = seen.get(expected, 0) + 1
            if expected == "goes on":
                assert verdict.outcome is None
                assert verdict.position.turn == 1 - position.turn
                position = verdict.position
                legal = position.legal_moves
            elif expected == "claim":
                assert verdict.position.outcome.winner == position.turn
                shares = verdict.position.outcome.points
                assert (shares[position.turn], shares[1 - position.turn]) == (2, points)
            else:
                termination, words = WORDS[expected]
                assert verdict.outcome.winner == 1 - position.turn
                assert verdict.outcome.termination is termination
                assert words in verdict.outcome.detail
                shares = verdict.outcome.points
                assert (shares[1 - position.turn], shares[position.turn]) == (2, points)
    assert set(seen) == {*WORDS, "goes on", "claim"}, seen


def test_time_outs_give_one_point_and_crashes_none(game) -> None:
    start = game.start()
    assert game.forfeit(start, 0, Termination.TIMEOUT).points == (1, 2)
    assert game.forfeit(start, 1, Termination.CRASH).points == (2, 0)
    assert game.forfeit(start, 1, Termination.NO_MOVE).points == (2, 0)


def test_legal_moves_by_counting(game) -> None:
    for seed in range(4):
        source = random.Random(seed)
        position = game.start()
        for _ in range(22):
            moves = position.legal_moves
            if moves == ["!"] or position.is_over:
                break
            position = position.play(source.choice(moves).rstrip("!"))
        grid = position.digits.tolist()
        expected = []
        for cell in range(81):
            for digit in range(1, 10):
                text = f"{ROWS[cell // 9]}{COLUMNS[cell % 9]}{digit}"
                if naive_verdict(grid, text)[0] == "goes on":
                    unique = naive_verdict(grid, text + "!")[0] == "claim"
                    expected.append(text + "!" * unique)
        assert position.legal_moves == (expected or ["!"])


def test_perft_of_the_empty_grid(game) -> None:
    assert perft(game.start(), 1) == 729
    # A second digit: 80 cells with 9 digits each, but for the same digit in the 20 peers.
    assert perft(game.start().play("Dg7"), 1) == 80 * 9 - 20


def test_a_unique_grid_can_only_be_claimed(game) -> None:
    position = game.start()
    source = random.Random(3)
    while position.legal_moves != ["!"]:
        position = position.play(source.choice(position.legal_moves).rstrip("!"))
    assert not position.is_over
    won = position.play("!")
    assert won.outcome.winner == position.turn
    assert game.parse_position(won.text) == won


def test_positions_read_back(game) -> None:
    source = random.Random(7)
    position = game.start()
    line = []
    while not position.is_over:
        assert game.parse_position(position.text) == position
        line.append(source.choice(position.legal_moves))
        position = position.play(line[-1])
    assert game.parse_position(position.text) == position
    assert game.parse_position(" ".join(line)) == position


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1" * 81, "twice"),
        ("12", "2 characters|move 1"),
        ("x" + "." * 80, "character 1"),
        ("." * 80, "80 characters"),
        ("." * 81 + "!", "more than one solution"),
        ("12345678" + "." * 9 + "9" + "." * 63, "no solution"),
        ("Aa1 Aa2", "move 2.*occupied"),
    ],
)
def test_bad_positions_are_refused(game, text: str, words: str) -> None:
    with pytest.raises(PositionError, match=words):
        game.parse_position(text)


def test_play_refuses_bad_moves(game) -> None:
    start = game.start()
    with pytest.raises(InvalidMoveError):
        start.play("dg7")
    with pytest.raises(IllegalMoveError, match="more than one"):
        start.play("Dg7!")
    assert np.count_nonzero(start.play("Dg7").digits) == 1


def test_the_picture_shows_every_digit(game) -> None:
    position = game.parse_position("Dg7 Aa1")
    assert "D  . . . | . . . | 7 . ." in str(position)
    assert position.view.svg().count(">7<") == 1
