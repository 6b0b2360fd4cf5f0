"""The evaluation graph of a game and the move that turned it; losses come first."""

from __future__ import annotations

from plyground.core.outcome import Outcome
from plyground.core.record import GameRecord, MoveRecord
from plyground.core.search import Score
from plyground.report.evaluation import evaluations, graph, turning_move
from plyground.report.games import gather_games
from plyground.report.replays import choose_games, losses_first, make_replay
from plyground.store import StoredGame


def record(values: list[float | None], winner: int | None, opening: int = 0) -> GameRecord:
    """A game in which the mover says these expectations for the first player, move by move."""
    moves = [
        MoveRecord(
            str(ply % 7 + 1),
            ply % 2,
            score=None
            if value is None
            else Score(ply % 2, probability=0.5 + (0.5 if ply % 2 == 0 else -0.5) * value),
        )
        for ply, value in enumerate(values)
    ]
    return GameRecord(
        game="connect4",
        players=("mine", "theirs"),
        moves=tuple(moves),
        outcome=Outcome(winner),
        tags={"opening": str(opening), "stderr 0": "hmm <b>", "protocol 0": "> go"},
    )


def test_scores_are_seen_by_the_first_player_and_openings_have_none():
    said = evaluations(record([0.9, None, 0.2, -0.4], 1, opening=1))
    assert [(one.number, one.player, round(one.value, 6)) for one in said] == [
        (3, 0, 0.2),
        (4, 1, -0.4),
    ]


def test_the_move_of_the_loser_before_the_fall_turned_the_game():
    assert turning_move(record([0.1, 0.1, 0.2, 0.1, 0.0, -0.8, -0.9], 1)) == 5
    assert turning_move(record([0.1, 0.0, 0.1, 0.7, 0.9], 0)) == 3  # nobody else moved between
    assert turning_move(record([0.1, 0.0, -0.1, -0.2], 1)) is None
    assert turning_move(record([0.0, 0.9], None)) is None


def test_the_graph_marks_the_turn_and_is_left_out_without_scores():
    drawn = graph(record([0.0, 0.0, 0.0, -0.9], 1, opening=1))
    assert drawn.count("<polyline") == 2 and 'class="turn"' in drawn and "<rect" in drawn
    assert graph(record([None, None], 0)) == ""


def test_losses_come_first_and_replays_carry_what_was_said():
    records = [record([0.1] * 4, winner, opening=1) for winner in (0, None, 1)]
    stored = [
        StoredGame(f"0-1/{n}a", f"0-1/{n}", 0, 1, played) for n, played in enumerate(records, 1)
    ]
    games = gather_games(stored, ("mine", "theirs"), {})
    assert [row.winner for row in losses_first(games, "mine")] == ["theirs", "", "mine"]
    assert choose_games(games, 2, "mine")[0].winner == "theirs"
    replay = make_replay(games[0])
    assert replay.logs == (("standard error of mine", "hmm <b>"), ("protocol of mine", "> go"))
    assert "arena for mine" in replay.captions[1] and "arena" not in replay.captions[2]
