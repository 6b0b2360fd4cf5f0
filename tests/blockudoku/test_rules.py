"""The rules against the naive implementation, over random games and boards."""

from __future__ import annotations

import random

import numpy as np
import pytest

from plyground import kernels
from plyground.core.errors import (
    GameOverError,
    IllegalMoveError,
    InvalidMoveError,
    OptionError,
    PositionError,
    RecordError,
)
from plyground.core.game import CHANCE
from plyground.core.record import GameRecord, MoveRecord
from plyground.games.blockudoku import Blockudoku, notation, rules
from plyground.games.blockudoku.pieces import CELLS
from plyground.testing import check_plain_python_agrees

from . import naive

CROWDED = "#.#.#.#.#" + ".#.#.#.#." + "#.#.#.#.#" + ".#.#.#.#." + "#.#.#.#.#" + ".#.#.#.#."
CROWDED += "#.#.#.#.#" + ".#.#.#.#." + "#.#.#.#.#"


def test_the_piece_lists_agree() -> None:
    assert [frozenset(cells) for cells in CELLS] == naive.PIECES


def test_an_empty_board_has_2656_placements() -> None:
    board = kernels.compiled("plyground.games.blockudoku.board")
    anchors = [board.fitting_anchors(np.uint64(0), np.uint64(0), np.int64(p)) for p in range(47)]
    assert sum(board.occupied(low, high) for low, high in anchors) == 2656


def naive_is_over(board: naive.Board, hand: list[int | None], end: str) -> bool:
    pieces = [piece for piece in hand if piece is not None]
    if not pieces:
        return False
    if end == "no_order" and len(pieces) == 3:
        return not naive.final_boards(board, tuple(pieces))
    return not any(naive.places(board, piece) for piece in pieces)


@pytest.mark.parametrize(
    ("end", "pieces", "seed"),
    [
        ("stuck", "0-46", 1),
        ("stuck", "32-46", 2),
        ("no_order", "32-46", 3),
        ("no_order", "24-46", 4),
    ],
)
def test_random_games_agree_with_the_naive_rules(end: str, pieces: str, seed: int) -> None:
    rng = random.Random(seed)
    game = Blockudoku({"end": end, "pieces": pieces})
    for number in range(6):
        position = game.start()
        board: naive.Board = frozenset()
        hand: list[int | None] = [None] * 3
        score = turns = 0
        streak = False
        while True:
            if position.turn == CHANCE:
                assert hand == [None] * 3
                event = game.chance_event(position, 1000 * seed + number)
                position = game.apply_chance(position, event)
                hand = [int(word) for word in event.split()]
            small = sum(len(naive.places(board, p)) for p in hand if p is not None) < 60
            if small or position.is_over:
                assert position.is_over == naive_is_over(board, hand, end)
            if position.is_over:
                break
            expected = [
                f"{slot + 1}@{row},{column}"
                for slot, piece in enumerate(hand)
                if piece is not None
                for row, column in naive.places(board, piece)
            ]
            assert position.legal_moves == expected
            move = rng.choice(expected)
            slot = int(move[0]) - 1
            piece = hand[slot]
            assert piece is not None
            row, column = (int(part) for part in move[2:].split(","))
            board, lines, stay = naive.place(board, piece, (row, column))
            score += naive.points(lines, stay, streak)
            streak = lines > 0
            hand[slot] = None
            turns += hand == [None] * 3
            position = position.play(move)
            assert naive.cells(int(position.state[0]), int(position.state[1])) == board
            assert int(position.state[rules.SCORE]) == score
            assert int(position.state[rules.TURNS]) == turns
        outcome = position.outcome
        assert outcome is not None
        assert outcome.scores == (float(score),)
        assert f"{turns} turns" in outcome.detail


@pytest.mark.parametrize(
    ("rows", "hand", "move", "points"),
    [
        (["######..."], "5 - -", "1@0,6", 18),
        (["......"], "13 - -", "1@0,0", 4),
        (["######..."], "45 - -", "1@0,6", 5),
        (["#######..", ".......#."], "42 - -", "1@0,0", None),
    ],
)
def test_scores_of_single_placements(
    rows: list[str], hand: str, move: str, points: int | None
) -> None:
    board = "".join(row.ljust(9, ".") for row in rows).ljust(81, ".")
    position = Blockudoku().parse_position(f"{board} {hand}")
    if points is None:
        with pytest.raises(IllegalMoveError, match="illegal move"):
            position.play(move)
    else:
        assert int(position.play(move).state[rules.SCORE]) == points


def test_scores_of_the_rules_examples() -> None:
    game = Blockudoku()
    row = "######...".ljust(81, ".")
    after_clear = game.parse_position(f"{row} 5 - - streak=1").play("1@0,6")
    assert int(after_clear.state[rules.SCORE]) == 27
    # Piece 42 has five cells; its three top cells complete row 0.
    partly = game.parse_position(f"{row} 42 - -").play("1@0,6")
    assert int(partly.state[rules.SCORE]) == 2 + 18


def test_a_cross_clears_row_column_and_box_at_once() -> None:
    cells = {(4, column) for column in range(9)} | {(row, 4) for row in range(9)}
    cells |= {(row, column) for row in (3, 4, 5) for column in (3, 4, 5)}
    board = "".join("#" if divmod(c, 9) in cells - {(4, 4)} else "." for c in range(81))
    after = Blockudoku().parse_position(f"{board} 0 - -").play("1@4,4")
    assert notation.board_text(*(int(word) for word in after.state[:2])) == "." * 81
    assert int(after.state[rules.SCORE]) == 3 * 36


def test_ends_differ_when_one_piece_fits_but_no_order_places_all() -> None:
    text = f"{CROWDED} 0 32 33"
    assert not Blockudoku({"end": "stuck"}).parse_position(text).is_over
    assert Blockudoku({"end": "no_order"}).parse_position(text).is_over


def test_deals_depend_on_seed_and_turn_only() -> None:
    game = Blockudoku()
    empty = game.start()
    later = game.parse_position("#" + "." * 80 + " - - - turns=7")
    same_turn = game.parse_position("." * 81 + " - - - turns=7 score=5")
    assert game.chance_event(later, 3) == game.chance_event(same_turn, 3)
    assert game.chance_event(later, 3) != game.chance_event(empty, 3)
    assert game.chance_event(later, 4) != game.chance_event(later, 3)


def test_deals_are_uniform() -> None:
    board = kernels.compiled("plyground.games.blockudoku.board")
    deck = np.arange(47, dtype=np.int64)
    hand = np.zeros(3, np.int64)
    counts = np.zeros((3, 47))
    turns = 20_000
    for turn in range(turns):
        board.deal(np.uint64(9), np.int64(turn), deck, hand)
        counts[np.arange(3), hand] += 1
    expected = turns / 47
    chi_square = ((counts - expected) ** 2 / expected).sum(axis=1)
    assert (chi_square < 46 + 4 * (2 * 46) ** 0.5).all()


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("." * 80 + " 1 2 3", PositionError),
        ("." * 81 + " 1 2 47", PositionError),
        ("." * 81 + " 1 2", PositionError),
        ("." * 81 + " 1 2 3 4", PositionError),
        ("." * 81 + " x 2 3", PositionError),
        ("#" * 9 + "." * 72 + " 1 2 3", PositionError),
        ("x" * 81 + " 1 2 3", PositionError),
        ("." * 81 + " 1 2 3 streak=2", PositionError),
        ("", PositionError),
    ],
)
def test_damaged_positions_are_refused(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        Blockudoku().parse_position(text)


@pytest.mark.parametrize(
    "move", ["", "4@0,0", "1@9,0", "1@0", "1-0,0", "a@b,c", "1@0,0 "[:-1] + "x"]
)
def test_text_that_is_no_placement_is_refused(move: str) -> None:
    with pytest.raises(InvalidMoveError):
        Blockudoku().parse_position("." * 81 + " 1 2 3").play(move)


def test_illegal_placements_change_nothing() -> None:
    position = Blockudoku().parse_position("#" + "." * 80 + " 1 2 -")
    before = position.text
    for move in ("1@0,0", "1@0,8", "3@4,4", "2@8,0"):
        with pytest.raises(IllegalMoveError):
            position.play(move)
    assert position.text == before


def test_a_finished_game_takes_no_move() -> None:
    with pytest.raises(GameOverError):
        Blockudoku().parse_position(f"{CROWDED} 32 32 32").play("1@0,0")


@pytest.mark.parametrize("event", ["1 2", "1 2 47", "a b c", "0 13 14"])
def test_bad_deals_are_refused(event: str) -> None:
    game = Blockudoku({"pieces": "13-46"})
    with pytest.raises(IllegalMoveError):
        game.apply_chance(game.start(), event)
    with pytest.raises(IllegalMoveError):
        dealt = game.apply_chance(game.start(), "13 14 15")
        game.apply_chance(dealt, "13 14 15")


@pytest.mark.parametrize("pieces", ["", "5-", "46-13", "0-47", "a", "1,,2"])
def test_bad_decks_are_refused(pieces: str) -> None:
    with pytest.raises(OptionError):
        Blockudoku({"pieces": pieces})


def test_positions_survive_their_text() -> None:
    game = Blockudoku()
    rng = random.Random(8)
    position = game.start()
    while not position.is_over:
        again = game.parse_position(position.text)
        assert again == position
        assert again.key == position.key
        if position.turn == CHANCE:
            position = game.apply_chance(position, game.chance_event(position, 8))
        else:
            position = position.play(rng.choice(position.legal_moves))


def test_the_views_show_board_and_hand() -> None:
    position = Blockudoku().parse_position("#" + "." * 80 + " 13 - 32 score=12")
    assert "0  # . . | . . ." in str(position)
    assert "1: # # # #" in str(position)
    assert "score 12" in str(position)
    filled = [shape for shape in position.view.shapes if shape.style == "filled"]
    assert len(filled) == 1 + 4 + 5
    assert position.view.svg().startswith("<svg")


def test_compiled_rules_equal_the_plain_ones() -> None:
    check_plain_python_agrees(Blockudoku({"end": "no_order"}), seed=2, most_plies=60)


@pytest.mark.parametrize(
    ("moves", "number"),
    [
        ([("0 0 0", CHANCE), ("1@0,0", 0), ("2@0,0", 0)], 3),
        ([("0 0 47", CHANCE)], 1),
        ([("0 0 0", CHANCE), ("1@0,0", 0), ("1@1,1", 0)], 3),
        ([("1@0,0", 0)], 1),
        ([("0 0 0", CHANCE), ("nonsense", 0)], 2),
    ],
)
def test_damaged_records_say_where(moves: list[tuple[str, int]], number: int) -> None:
    record = GameRecord(
        game="blockudoku", moves=tuple(MoveRecord(move, player) for move, player in moves)
    )
    with pytest.raises(RecordError, match=f"move {number} of the record"):
        list(record.positions(Blockudoku()))
