"""The rules against a slow second implementation, published counts, and the conformance suite."""

from __future__ import annotations

import random

import pytest

from plyground import testing
from plyground.core.errors import (
    IllegalMoveError,
    InvalidMoveError,
    OptionError,
    PositionError,
    UnknownNameError,
)
from plyground.core.registry import make_game
from plyground.search.perft import perft

from .naive import Naive

OPTION_SETS = [
    {"mean": mean, "simultaneous": simultaneous, "width": width, "height": height}
    for mean, simultaneous, width, height in (
        ("both", "mover", 7, 6),
        ("none", "mover", 7, 6),
        ("first", "first", 5, 4),
        ("second", "draw", 4, 5),
        ("both", "first", 4, 4),
        ("both", "draw", 4, 15),
        ("both", "mover", 12, 4),
        ("both", "draw", 5, 5),
    )
]


@pytest.mark.parametrize("options", OPTION_SETS, ids=str)
def test_random_games_agree_with_the_slow_implementation(options):
    game = make_game("connect4", {**options, "ply_limit": 60})
    for seed in range(12):
        source = random.Random(seed)
        naive, position = Naive.start(**options, ply_limit=60), game.start()
        while not naive.over:
            assert set(position.legal_moves) == naive.moves()
            assert position.turn == naive.turn
            move = source.choice(sorted(naive.moves()))
            naive, position = naive.play(move), position.play(move)
            assert position.is_over == naive.over
        assert position.outcome.winner == naive.winner


def test_both_get_four_at_once():
    # x moves o's disc from column 5 away: x's and o's rows above it drop into place together.
    board = "......./......./......./....o../xxx.x../ooo.o.. x 20"
    for rule, winner in (("mover", 0), ("first", 0), ("draw", None)):
        game = make_game("connect4", {"simultaneous": rule})
        naive = Naive.start(simultaneous=rule)
        position = game.parse_position(board)
        naive = Naive(
            simultaneous=rule, columns=("ox", "ox", "ox", "", "oxo", "", ""), turn=0, plies=20
        )
        for move in position.legal_moves:
            child, expected = position.play(move), naive.play(move)
            assert child.is_over == expected.over
            if child.is_over:
                assert child.outcome.winner == expected.winner
        assert winner in (0, None)


@pytest.mark.parametrize(
    ("rule", "winner", "said"),
    [
        ("mover", 0, "both players got one at once, and the mover's counts"),
        ("first", 0, "both players got one at once, and the first player's counts"),
        ("draw", None, "both players got four in a line at once"),
    ],
)
def test_the_outcome_says_that_both_got_four(rule: str, winner: int | None, said: str) -> None:
    game = make_game("connect4", {"simultaneous": rule})
    position = game.parse_position("......./......./......./...o.../..oxo../xxxoo.. x 24")
    outcome = position.play("4-2").outcome
    assert (outcome.winner, outcome.detail) == (winner, said)


def test_the_outcome_says_whose_move_made_the_four() -> None:
    position = make_game("connect4").parse_position(
        "......./......./......./.x...../.xo.x../xxx.oxo o 15"
    )
    assert position.play("1-2").outcome.detail == "made by the other player's own mean move"
    assert position.play("7").play("4").outcome.detail == ""


def test_published_counts():
    assert [perft(make_game("connect4").start(), d) for d in (1, 2, 3, 4)] == [7, 91, 889, 14581]
    plain = make_game("connect4", {"mean": "none"}).start()
    counts = [perft(plain, d) for d in range(1, 8)]
    assert counts == [7, 49, 343, 2401, 16807, 117649, 823536]


@pytest.mark.parametrize("options", OPTION_SETS, ids=str)
def test_counts_agree_with_the_slow_implementation(options):
    position, naive = make_game("connect4", options).start(), Naive.start(**options)
    depth = 3 if options["width"] > 7 else 4
    assert perft(position, depth) == naive.perft(depth)


def test_games_that_end_early_count_for_none():
    game = make_game("connect4", {"mean": "none", "width": 4, "height": 4})
    naive = Naive.start(mean="none", width=4, height=4)
    line = "1212123"
    for move in line[:-1]:
        naive = naive.play(move)
    position = game.parse_position("121212")
    assert [perft(position, d) for d in (1, 2, 3)] == [naive.perft(d) for d in (1, 2, 3)]
    assert perft(game.parse_position("1212121"), 1) == 0


def test_the_ply_limit_is_a_draw_but_a_win_on_the_last_ply_counts():
    game = make_game("connect4", {"ply_limit": 7})
    assert game.parse_position("1212121").outcome.winner == 0
    drawn = game.parse_position("1213243").outcome
    assert drawn.winner is None and drawn.termination == "ply limit"


@pytest.mark.parametrize("options", OPTION_SETS, ids=str)
def test_conformance(options):
    testing.check_game(make_game("connect4", options), seeds=2)


def test_golden_playthrough():
    from pathlib import Path

    golden = Path(__file__).with_name("playthrough.txt")
    assert testing.playthrough(make_game("connect4"), seed=7) == golden.read_text()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("......./......./......./......./..x..../....... x 1", "floats"),
        ("......./......./......./......./....... x 0", "5 rows"),
        ("......./......./......./......./......./......x. x 1", "8 cells"),
        ("......./......./......./......./......./...z... x 1", "'z'"),
        ("......./......./......./......./......./....... y 0", "side to move"),
        ("......./......./......./......./......./....... x -1", "plies"),
        ("......./......./......./......./......./.......", "ROWS SIDE PLIES"),
        ("44444441", "move 7"),
        ("4 9", "no column 9"),
        ("4 x", "not a move"),
    ],
)
def test_bad_positions_are_refused_with_the_reason(text, reason):
    with pytest.raises(PositionError, match=reason):
        make_game("connect4").parse_position(text)


def test_two_winners_are_refused_where_no_game_reaches_them():
    text = "......./......./......./......./xxxx.../oooo... x 8"
    with pytest.raises(PositionError, match="both players"):
        make_game("connect4", {"mean": "none"}).parse_position(text)
    assert make_game("connect4").parse_position(text).is_over, "a mean move may complete both"


WRONG_COUNTS = [
    ("......./......./......./......./......./xx..... x 2", "2 discs x and 0 discs o"),
    ("......./......./......./......./......./xo..... o 2", "second player to move"),
    ("......./......./......./......./......./xo..... x 4", "4 plies played"),
]


@pytest.mark.parametrize(("text", "reason"), WRONG_COUNTS)
def test_disc_counts_matter_without_mean_moves(text, reason):
    with pytest.raises(PositionError, match=reason):
        make_game("connect4", {"mean": "none"}).parse_position(text)
    assert make_game("connect4").parse_position(text).text == text


def test_moves_have_separate_errors():
    position = make_game("connect4").start()
    with pytest.raises(InvalidMoveError, match="not a move"):
        position.play("four")
    with pytest.raises(InvalidMoveError, match="no column 8"):
        position.play("8")
    with pytest.raises(IllegalMoveError, match="legal moves are 1 2 3"):
        position.play("1-2")


def test_options_are_checked():
    with pytest.raises(OptionError, match="does not fit"):
        make_game("connect4", {"width": 9, "height": 7})
    with pytest.raises(OptionError, match="at least 4"):
        make_game("connect4", {"width": 3})
    with pytest.raises(OptionError, match="whole number"):
        make_game("connect4", {"width": "wide"})
    with pytest.raises(OptionError, match="one of none, first"):
        make_game("connect4", {"mean": "sometimes"})
    with pytest.raises(UnknownNameError, match="did you mean 'width'"):
        make_game("connect4", {"widht": 7})


def test_keys_differ_where_the_plies_left_matter():
    game = make_game("connect4", {"ply_limit": 20})
    rows = "......./......./......./......./......./xo....."
    assert game.parse_position(f"{rows} x 2").key != game.parse_position(f"{rows} x 4").key
    roomy = make_game("connect4", {"ply_limit": 200})
    assert roomy.parse_position(f"{rows} x 2").key == roomy.parse_position(f"{rows} x 4").key
    assert roomy.parse_position(f"{rows} x 2").key != roomy.parse_position(f"{rows} o 2").key
