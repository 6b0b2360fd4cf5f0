"""The referee alone: answers in, rulings and records out, whatever the answers are."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.arena.history import History
from plyground.arena.referee import Referee
from plyground.arena.task import MatchRules
from plyground.core.errors import MoveError
from plyground.core.game import CHANCE
from plyground.core.limits import MOST_SECONDS, Clock, Limit
from plyground.core.outcome import Termination
from plyground.core.record import GameRecord, MoveRecord
from plyground.core.registry import game_name, games, make_game
from plyground.engines.engine import Answer
from plyground.engines.failure import EngineError

CONNECT4 = make_game("connect4", {"mean": "none"})
BLOCKUDOKU = make_game("blockudoku")


def say(*moves: str, elapsed: float = 0.01, **more) -> Answer:
    return Answer(moves=moves, elapsed=elapsed, **more)


def begun(game, **more) -> Referee:
    """A referee at the first turn of a player."""
    referee = Referee(game, **more)
    while referee.turn == CHANCE:
        referee.accept(referee.draw_event())
    return referee


def test_a_ruling_changes_nothing_until_it_is_accepted():
    referee = Referee(CONNECT4, limits=(Limit(clock=Clock(10.0)),) * 2)
    ruling = referee.judge_answer(say("4", elapsed=3.0))
    assert referee.position == CONNECT4.start()
    assert referee.limit(0).clock == Clock(10.0)
    referee.accept(ruling)
    assert [entry.move for entry in referee.history.entries] == ["4"]
    assert referee.limit(0).clock == Clock(7.0)
    assert referee.turn == 1


STRANGE = [
    "",
    "9" * 5000,
    "9" * 900,
    "-" + "9" * 900,
    "²",
    "1@0,²",
    "1@" + "9" * 800 + ",0",
    "1@" + "9" * 5000 + ",0",
    "9@99999999999999999999,0",
    "\x00",
    "\x1b[2J",
    "4\n4",
    "(0,0) -> " + "7" * 600,
    "(²,0) -> 1",
    "Aa²",
    "Aa" + "9" * 700,
    "!" * 400,
    "\U0001f600",
    "nan",
    "1e400",
    "٣",
]


@pytest.mark.parametrize("name", sorted(games()))
@pytest.mark.parametrize("text", STRANGE, ids=ascii)
def test_a_strange_move_is_judged_by_the_rules_or_else_lost(name, text):
    referee = begun(make_game(name))
    ruling = referee.judge_answer(say(text))
    if ruling.outcome is not None:
        assert ruling.fault == "", "the rules themselves should refuse it"
        assert ruling.outcome.termination is not Termination.NORMAL
        assert len(ruling.outcome.detail) <= 500
        assert ruling.outcome.detail.isprintable()


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(sorted(games())), st.lists(st.text(max_size=40), min_size=1, max_size=3))
def test_no_text_at_all_raises(name, texts):
    referee = begun(make_game(name))
    ruling = referee.judge_answer(say(*texts))
    assert ruling.fault == ""
    referee.accept(ruling)
    referee.record()


def test_an_error_inside_the_rules_costs_the_player_the_game_and_is_kept(monkeypatch):
    referee = Referee(CONNECT4, labels=("a", "b"))

    def broken(position, text):
        raise ZeroDivisionError("in the rules")

    monkeypatch.setattr(CONNECT4, "judge", broken, raising=False)
    ruling = referee.judge_answer(say("4"))
    referee.accept(ruling)
    assert referee.outcome.winner == 1
    assert referee.outcome.termination is Termination.ILLEGAL_MOVE
    assert "a sent a move that cannot be judged (ZeroDivisionError)" in referee.outcome.detail
    assert "in the rules" in referee.record().tags["fault 0"]


def test_of_a_sequence_the_moves_before_the_bad_one_stand():
    referee = begun(BLOCKUDOKU, seed=5)
    first = referee.position.legal_moves[0]
    ruling = referee.judge_answer(say(first, "nonsense"))
    referee.accept(ruling)
    assert [entry.move for entry in referee.history.entries][1:] == [first]
    assert referee.outcome.termination is Termination.ILLEGAL_MOVE


def test_moves_after_the_end_of_a_turn_are_not_played():
    referee = Referee(CONNECT4)
    referee.accept(referee.judge_answer(say("1", "2", "3")))
    assert len(referee.history) == 1


def test_a_person_may_try_again():
    referee = Referee(CONNECT4)
    with pytest.raises(MoveError):
        referee.play_move("9")
    referee.accept(referee.play_move("4", 1.5))
    assert referee.history.entries[0].time == 1.5


def test_moves_can_be_taken_back():
    referee = Referee(CONNECT4)
    for move in "1212121":
        referee.accept(referee.judge_answer(say(move)))
    assert referee.outcome.winner == 0
    referee.take_back(5)
    assert referee.outcome is None
    assert referee.turn == 1
    assert len(referee.history) == 5


def test_a_game_goes_on_from_where_its_history_stands():
    for moves in ([], ["3"]):
        history = History(CONNECT4, "44")
        history.extend(MoveRecord(move, 0) for move in moves)
        referee = Referee(CONNECT4, history=history)
        assert referee.position == CONNECT4.play_line(["4", "4", *moves])


def test_resignation_and_failure_end_the_game():
    referee = Referee(CONNECT4, labels=("a", "b"))
    assert referee.resign(1).outcome.winner == 0
    failure = referee.judge_failure(0, EngineError(Termination.CRASH, "fell\x1b[2J over" * 900))
    assert failure.outcome.winner == 1
    assert failure.outcome.detail.isprintable()
    assert len(failure.outcome.detail) <= 500


@pytest.mark.parametrize("name", sorted(games()))
def test_a_game_of_random_answers_is_a_record_that_replays(name):
    game = make_game(name)
    generator = random.Random(7)
    referee = Referee(game, seed=3, rules=MatchRules(turns=5))
    while referee.outcome is None:
        if referee.turn == CHANCE:
            referee.accept(referee.draw_event())
        else:
            referee.accept(
                referee.judge_answer(say(generator.choice(referee.position.legal_moves)))
            )
    record = GameRecord.from_json(referee.record("2026-01-01").to_json())
    assert record == referee.record("2026-01-01")
    assert list(record.positions(game))[-1] == referee.position


WALK = """
from plyground.board import BoardGame

class Walk(BoardGame):
    shape = 5

    def setup(self):
        self.cells[2] = 1

    def moves(self):
        yield 0
        yield 1

    def play(self, right):
        at = [cell for cell in range(5) if self.cells[cell]][0]
        self.cells[at] = 0
        self.cells[at + (1 if right else -1)] = 1

    def result(self):
        return 1 if self.cells[0] else 2 if self.cells[4] else None
"""


def test_players_who_go_round_in_circles_draw(tmp_path):
    file = tmp_path / "walk.py"
    file.write_text(WALK)
    referee = Referee(make_game(game_name(str(file))))
    for move in ("b", "a", "b", "a"):
        assert referee.outcome is None
        referee.accept(referee.judge_answer(say(move)))
    assert referee.outcome.winner is None
    assert referee.outcome.termination is Termination.ADJUDICATED
    assert "third" in referee.outcome.detail


def test_a_clock_that_grows_beyond_all_limits_ends_nothing():
    """Base and increment are allowed, their sum was not: the run ended by its own limit."""
    referee = Referee(CONNECT4, limits=(Limit(clock=Clock(5.0, MOST_SECONDS)),) * 2)
    for move in "1234":
        referee.accept(referee.judge_answer(say(move, elapsed=0.1)))
        assert referee.outcome is None
    assert referee.limit(0).clock == Clock(MOST_SECONDS, MOST_SECONDS)
