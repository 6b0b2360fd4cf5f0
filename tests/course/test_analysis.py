"""What a student's page says of a game is true, and blames no move for what others did."""

from __future__ import annotations

import pytest

from plyground.core.outcome import Outcome, Termination
from plyground.core.record import GameRecord, MoveRecord
from plyground.course.analysis import StudentGame, look_at, suggest

OPEN_ROW = "2x2 ..34/3412/..../.... first 0-0"
TAKEN_BEFORE = "2x2 1.34/3412/..../.... first 0-0"
SCORED_MEANWHILE = "2x2 1..4/34.2/..../.... first 0-0"


def lost_game(board: str, *moves: str, drawn: int = 0, **outcome: object) -> StudentGame:
    """A game that the first player lost, as it sees it."""
    record = GameRecord(
        game="competitive-sudoku",
        options={"board": board},
        moves=tuple(MoveRecord(move, k % 2, time=0.01) for k, move in enumerate(moves)),
        outcome=Outcome(winner=1, scores=(0.0, 3.0), **outcome),  # type: ignore[arg-type]
        tags={"opening": str(drawn)} if drawn else {},
    )
    return look_at("g1", ("ann", "bob"), 0, record, 1.0)


def test_a_move_that_opens_a_region_is_the_one_that_turned_the_game():
    game = lost_game(OPEN_ROW, "0,0=1", "0,1=2", "2,1=1")
    assert [turn.gave for turn in game.turns] == [3, 0, 0]
    assert game.turning_point is not None
    turn, words = game.turning_point
    assert (turn.number, words) == (1, "opened 3 for the opponent while a harmless square was free")
    (text, _) = suggest([game], {})
    assert "1 move did, and the opponent took 3 points in reply. In game g1, move 1, 0,0=1" in text


@pytest.mark.parametrize(
    ("board", "moves", "cost"),
    [
        (TAKEN_BEFORE, ("2,0=2", "0,1=2"), 3),  # the reply's regions were open before
        (SCORED_MEANWHILE, ("1,2=1", "0,2=3"), 0),  # squares that open nothing are worth less
        (OPEN_ROW, ("0,0=1", "2,1=1"), 0),  # nobody took what was opened
        (OPEN_ROW, ("2,1=1", "0,0=1"), 0),  # the opponent opened it
    ],
)
def test_a_move_is_not_blamed_for_points_that_it_did_not_give(board, moves, cost):
    game = lost_game(board, *moves)
    assert game.turns[0].gave == 0 and game.turns[0].cost == cost


def test_points_that_lay_open_are_named_with_their_square():
    game = lost_game(TAKEN_BEFORE, "2,0=2", "0,1=2")
    assert game.turning_point is not None
    assert game.turning_point[1] == "earned 0 where (0,1) was worth 3"
    assert "(0,1) was worth 3, 2,0=2 earned 0" in suggest([game], {})[0]


def test_opening_moves_that_were_drawn_are_nobodys_fault():
    game = lost_game(OPEN_ROW, "0,0=1", "0,1=2", drawn=2)
    assert game.turning_point is None and game.own_turns == [] and suggest([game], {}) == []
    assert game.margin("opening") == -3


def test_a_game_lost_by_a_failure_blames_no_square():
    game = lost_game(OPEN_ROW, "0,0=1", "0,1=2", termination=Termination.CRASH)
    assert game.failed and game.reason == "crash" and game.turning_point is None
    assert suggest([game], {"crash": "mend it"}) == [
        "1 game was lost by crash (for example g1): mend it."
    ]
