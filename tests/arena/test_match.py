"""The referee: clocks, verdicts, adjudication, records, one-player games."""

from __future__ import annotations

import pytest
from puppets import Puppet, make_task, say

from plyground.arena.adjudication import Adjudication
from plyground.arena.events import GameEnded, GameStarted, InfoReceived, MovePlayed
from plyground.arena.match import Match
from plyground.arena.task import MatchRules
from plyground.core.game import CHANCE
from plyground.core.limits import Clock, Limit
from plyground.core.outcome import Termination
from plyground.core.record import GameRecord
from plyground.core.registry import make_game
from plyground.core.search import Score, SearchInfo
from plyground.engines.engine import Answer
from plyground.engines.failure import EngineError

GAME = make_game("connect4", {"mean": "none"})


def play(first, second, task=None, emit=None):
    match = Match(task or make_task(), GAME, (first, second), emit or (lambda event: None))
    return match.play()


def test_a_normal_game_is_recorded_with_all_that_was_said():
    first = Puppet([say(m, 0.25, nodes=7, depth=3, score=Score(0, points=1.5)) for m in "1111"])
    second = Puppet([say(m) for m in "222"])
    first.script[2:] = [say("1"), say("1")]
    result = play(first, second)
    record = result.record
    assert record.outcome.winner == 0
    assert record.outcome.termination is Termination.NORMAL
    assert [entry.move for entry in record.moves] == list("1212121")
    opening = record.moves[0]
    assert (opening.time, opening.nodes, opening.depth) == (0.25, 7, 3)
    assert opening.score == Score(0, points=1.5)
    assert GameRecord.from_json(record.to_json()) == record
    assert [position.text for position in record.positions(GAME)][-1]


def test_everybody_hears_every_move_and_the_result():
    first, second = Puppet([say(m) for m in "1111"]), Puppet([say(m) for m in "222"])
    play(first, second)
    assert first.heard == second.heard
    assert first.heard[:3] == [("1", 0), ("2", 1), ("1", 0)]
    assert first.outcome.winner == second.outcome.winner == 0


def test_opening_moves_are_told_and_recorded_but_not_played_by_anyone():
    first, second = Puppet(), Puppet()
    task = make_task(opening=("4", "4", "3"))
    record = play(first, second, task).record
    assert [entry.move for entry in record.moves[:3]] == ["4", "4", "3"]
    assert [entry.player for entry in record.moves[:4]] == [0, 1, 0, 1]
    assert record.moves[0].time is None
    assert first.setups[0].opening == ("4", "4", "3")
    assert first.setups[0].position.turn == 1
    assert len(second.limits) >= len(first.limits)


def test_game_clock_runs_down_and_gets_its_increment():
    first = Puppet([say("1", 3.0), say("1", 2.5), say("1"), say("1")])
    play(first, Puppet([say("2")] * 3), make_task(Limit(clock=Clock(10.0, 1.0))))
    remaining = [limit.clock.remaining for limit in first.limits]
    assert remaining[:3] == pytest.approx([10.0, 8.0, 6.5])


@pytest.mark.parametrize(
    ("limit", "elapsed", "lost"),
    [
        (Limit(time=1.0), 1.05, False),
        (Limit(time=1.0), 1.15, True),
        (Limit(clock=Clock(2.0)), 2.05, False),
        (Limit(clock=Clock(2.0)), 2.15, True),
        (Limit(nodes=100), 50.0, False),
    ],
)
def test_overrun_beyond_the_margin_loses(limit, elapsed, lost):
    outcome = play(Puppet([say("1", elapsed)]), Puppet(), make_task(limit)).record.outcome
    assert (outcome.termination is Termination.TIMEOUT) == lost
    if lost:
        assert outcome.winner == 1


def test_illegal_move_failure_and_resignation_lose():
    illegal = play(Puppet(), Puppet([say("9")])).record.outcome
    assert (illegal.winner, illegal.termination) == (0, Termination.ILLEGAL_MOVE)
    crash = EngineError(Termination.CRASH, "fell over")
    broken = play(Puppet([crash]), Puppet()).record.outcome
    assert (broken.winner, broken.termination) == (1, Termination.CRASH)
    assert broken.detail == "a fell over"
    resigned = play(Puppet([Answer(moves=(), elapsed=0.1)]), Puppet())
    assert resigned.record.outcome.termination is Termination.RESIGN


def test_adjudication_needs_both_players_to_agree():
    won = Score(0, value="win", distance=9)
    lost = Score(1, value="loss", distance=8)
    agreed = [Puppet([say("1", score=won)]), Puppet([say("2", score=lost)])]
    rules = MatchRules(adjudication=Adjudication(proven=True))
    outcome = play(*agreed, make_task(rules=rules)).record.outcome
    assert (outcome.winner, outcome.termination) == (0, Termination.ADJUDICATED)
    alone = [Puppet([say("1", score=won)]), Puppet([say("2")])]
    assert play(*alone, make_task(rules=rules)).record.outcome.termination is Termination.NORMAL
    agreed = [Puppet([say("1", score=won)]), Puppet([say("2", score=lost)])]
    assert play(*agreed).record.outcome.termination is Termination.NORMAL


def test_scores_beyond_a_threshold_end_a_game_when_both_players_keep_saying_so():
    rules = MatchRules(adjudication=Adjudication(resign=0.8))
    hopeless = [say(m, score=Score(0, points=-9.0)) for m in "1122"]
    winning = [say(m, score=Score(1, probability=0.95)) for m in "3344"]
    outcome = play(Puppet(hopeless), Puppet(winning), make_task(rules=rules)).record.outcome
    assert (outcome.winner, outcome.termination) == (1, Termination.ADJUDICATED)
    doubtful = [*winning[:2], say("4", score=Score(1, points=0.1)), *winning[3:]]
    hopeless = [say(m, score=Score(0, points=-9.0)) for m in "1122"]
    record = play(Puppet(hopeless), Puppet(doubtful), make_task(rules=rules)).record
    assert len(record.moves) > 6


def test_even_scores_end_a_game_as_drawn():
    rules = MatchRules(adjudication=Adjudication(draw=0.05))
    calm = [say(m, score=Score(0, points=0.01)) for m in "1214356"]
    also = [say(m, score=Score(1, points=0.0)) for m in "2135467"]
    record = play(Puppet(calm), Puppet(also), make_task(rules=rules)).record
    assert record.outcome.winner is None
    assert record.outcome.termination is Termination.ADJUDICATED and len(record.moves) == 12


def test_events_tell_the_whole_story():
    events = []
    first = Puppet([say(m) for m in "1111"])
    first.infos = [SearchInfo(move="1", nodes=5)]
    play(first, Puppet([say(m) for m in "222"]), emit=events.append)
    assert isinstance(events[0], GameStarted)
    assert isinstance(events[-1], GameEnded)
    assert [event.move.move for event in events if isinstance(event, MovePlayed)] == list("1212121")
    infos = [event for event in events if isinstance(event, InfoReceived)]
    assert len(infos) == 4
    assert infos[0].seat == 0


def test_a_refused_player_loses_without_being_started():
    match = Match(
        make_task(),
        GAME,
        (Puppet(), Puppet()),
        refused={1: EngineError(Termination.CRASH, "not tried again")},
    )
    assert match.play().record.outcome.winner == 0


class TestOnePlayerGame:
    game = make_game("blockudoku", {"end": "no_order"})

    def task(self, seed, turns=None):
        return make_task(
            game="blockudoku",
            players=("a",),
            labels=("a",),
            seats=(0,),
            limits=(Limit(nodes=1),),
            engine_seeds=(1,),
            seed=seed,
            rules=MatchRules(turns=turns),
        )

    def play(self, seed, turns=None, player=None):
        player = player or Puppet()
        return player, Match(self.task(seed, turns), self.game, (player,)).play().record

    def test_players_meet_the_same_deals(self):
        one, first = self.play(5, turns=3)
        other, _ = self.play(5, turns=3)
        strange, _ = self.play(6, turns=3)
        assert one.deals == other.deals != strange.deals
        dealt = [entry.move for entry in first.moves if entry.player == CHANCE]
        assert dealt == one.deals

    def test_a_cap_ends_the_game(self):
        _, record = self.play(5, turns=2)
        assert record.outcome.termination is Termination.PLY_LIMIT
        assert sum(entry.player == CHANCE for entry in record.moves) == 2
        assert sum(entry.player == 0 for entry in record.moves) == 6

    def test_a_sequence_of_placements_is_one_answer(self):
        class Planner(Puppet):
            def think(self, position, limit, listener):
                moves = []
                while position.turn == 0 and not position.is_over:
                    moves.append(position.legal_moves[0])
                    position = position.play(moves[-1])
                return Answer(moves=tuple(moves), elapsed=0.1)

        _, record = self.play(5, turns=2, player=Planner())
        assert sum(entry.player == 0 for entry in record.moves) == 6
        assert sum(entry.time is not None for entry in record.moves) == 2

    def test_a_game_runs_to_its_end(self):
        _, record = self.play(5)
        assert record.outcome.termination is Termination.NORMAL
        assert list(record.positions(self.game))[-1].is_over
