"""What a student's page says of a game is true, and blames no move for what others did."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from plyground.core.limits import Limit
from plyground.core.outcome import Outcome, Termination
from plyground.core.record import GameRecord, MoveRecord
from plyground.core.registry import make_game
from plyground.course.analysis import StudentGame, look_at, suggest
from plyground.games.competitive_sudoku.solvers.exact import solve
from plyground.search.question import Question

OPEN_ROW = "2x2 ..34/3412/..../.... first 0-0"
TAKEN_BEFORE = "2x2 1.34/3412/..../.... first 0-0"
SCORED_MEANWHILE = "2x2 1..4/34.2/..../.... first 0-0"


def lost_game(board: str, *moves: str, drawn: int = 0, **outcome: object) -> StudentGame:
    """A game that the first player lost, as it sees it, without what is known of its end."""
    record = GameRecord(
        game="competitive-sudoku",
        options={"board": board},
        moves=tuple(MoveRecord(move, k % 2, time=0.01) for k, move in enumerate(moves)),
        outcome=Outcome(winner=1, scores=(0.0, 3.0), **outcome),  # type: ignore[arg-type]
        tags={"opening": str(drawn)} if drawn else {},
    )
    return replace(look_at("g1", ("ann", "bob"), 0, record, 1.0), ending=None)


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


def random_game(mode: str, seed: int) -> GameRecord:
    """A whole game of random moves on a board that can be solved exactly from every position."""
    chance = random.Random(seed)
    options = {"board": "random-2x2", "mode": mode, "seed": seed}
    position = make_game("competitive-sudoku", options).start()
    moves = []
    while not position.is_over:
        move = chance.choice(position.legal_moves)
        moves.append(MoveRecord(move, position.turn))
        position = position.play(move)
    return GameRecord(
        game="competitive-sudoku", options=options, moves=tuple(moves), outcome=position.outcome
    )


@pytest.mark.parametrize("mode", ["classic", "rows"])
def test_the_move_that_decided_a_game_is_the_last_that_could_be_held(mode):
    """Beside the exact solver of small boards, which is another program."""
    decided = 0
    for record in (random_game(mode, seed) for seed in range(12)):
        outcome = record.outcome
        if outcome is None or outcome.winner is None:
            continue
        loser = 1 - outcome.winner
        game = look_at("g", ("ann", "bob"), loser, record, None)
        positions = list(record.positions(make_game(record.game, record.options)))
        own = [k for k, entry in enumerate(record.moves) if entry.player == loser]
        values = {}
        for k in own:
            _, found = solve(Question(positions[k].game, positions[k].text, Limit(), print))
            values[k + 1] = {each.move: each.score.value for each in found.moves if each.score}
        held = [number for number, moves in values.items() if set(moves.values()) != {"loss"}]
        ending = game.ending
        assert ending is not None and ending.decided == max(held, default=0)
        later = (number for number in values if number > ending.decided)
        assert ending.lost_from == min(later, default=len(record.moves) + 1)
        if ending.decided:
            decided += 1
            order = ("loss", "draw", "win")
            best = max(values[ending.decided].values(), key=order.index)
            assert ending.value == values[ending.decided][ending.best] == best
            assert game.turning_point is not None
            assert game.turning_point[0].number == ending.decided
            assert any(ending.words in text for text in suggest([game], {}))
        else:
            assert game.hopeless == bool(values)  # nothing that it did was to blame
            assert game.turning_point is None
    assert decided > 2
