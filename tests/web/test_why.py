"""A review says why a move was a mistake, in the words of its game."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from plyground.arena.history import History
from plyground.core.game import Game
from plyground.core.record import MoveRecord
from plyground.core.registry import make_game
from plyground.core.search import Score
from plyground.engines.engine import Answer
from plyground.web.analysis import explain, hurried, review


def why(game: Game, position: str, played: str, better: str) -> str:
    """What the game says of a move in a position."""
    assert game.page.why is not None
    return game.page.why(game.parse_position(position), played, better)


def test_connect4_names_the_missed_four_and_the_one_it_allows() -> None:
    game = make_game("connect4", {"mean": "none"})
    assert why(game, "414243", "7", "4") == "Column 4 made four in a line at once."
    threatened = why(game, "41424", "7", "4")
    assert threatened == "The opponent then makes four in a line by column 4."
    assert why(game, "", "1", "4") == ""


def test_connect4_sees_a_double_threat_that_was_missed_or_allowed() -> None:
    game = make_game("connect4", {"mean": "none"})
    missed = why(game, "3747", "1", "5")
    assert missed == "Column 5 made more threats than one move can meet."
    allowed = why(game, "374", "7", "5")
    assert "more threats than one move can meet, by column" in allowed


def test_connect4_knows_a_mean_move_that_helps_the_opponent() -> None:
    game = make_game("connect4")
    position = "......./......./......./......./o....../xooo.xx o 9"
    assert "mean move" in why(game, position, "5", "1-7") or "at once" in why(
        game, position, "7", "5"
    )


def test_competitive_sudoku_counts_points_given_and_left() -> None:
    game = make_game("competitive-sudoku", {"board": "2x2 1234/341./2.4./..21 first 0-0"})
    start = game.start()
    assert game.page.why is not None
    moves = {move.replace(" ", ""): move for move in start.legal_moves}
    taking = moves["(1,3)->2"]
    other = next(move for key, move in moves.items() if key.startswith("(3,0)"))
    assert game.page.why(start, other, taking).startswith("It left")


def test_codecup_speaks_of_solutions() -> None:
    game = make_game("codecup-sudoku")
    nearly = "1...35869...1....3...9.85715......4887.35.19.41.8..35.....83.1.3..5..982.8...1.35"
    position = game.parse_position(nearly)
    claim = next(move for move in position.legal_moves if move.endswith("!") and len(move) > 1)
    quiet = next(move for move in position.legal_moves if move[:2] != claim[:2])
    assert "claimed at once" in why(game, nearly, quiet, claim)
    assert "solutions" in why(game, nearly, quiet, "") or "claims it" in why(
        game, nearly, quiet, ""
    )


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (Score(0, "win", 5), Score(0, "loss", 8), "It turned a win in 5 into a loss in 8."),
        (
            Score(0, points=3.0),
            Score(0, points=0.0),
            "a clear advantage (+3) into an even game (+0)",
        ),
        (Score(0, probability=0.7), Score(0, "draw"), "70 % to win into a draw"),
        (
            Score(0, points=7.8),
            Score(0, points=1.5),
            "It turned a clear advantage of +7.8 into one of +1.5.",
        ),
    ],
)
def test_values_are_said_in_words(before: Score, after: Score, said: str) -> None:
    assert said in explain(before, after)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (Score(1, "loss", 28, at_most=True), Score(1, "loss", 3), "a loss within 28 to one in 4."),
        (Score(0, "win", 3), Score(0, "win", 20), "It put off a win in 3 to one in 21."),
        (Score(0, "win", 9), Score(0, "win", 2), ""),
        (Score(0, "loss", 3), Score(0, "loss", 20), ""),
        (Score(0, "loss", 20), Score(0, "loss", 17), ""),
        (Score(0, "win", 3), Score(0, "win", 20, at_most=True), ""),
        (Score(0, "win", 3), Score(0, "loss", 20), ""),
    ],
)
def test_a_loss_made_shorter_and_a_win_put_off_are_remarked_on(
    before: Score, after: Score, said: str
) -> None:
    assert hurried(before, after).endswith(said) and bool(hurried(before, after)) == bool(said)


class Optimist:
    """A search that likes whoever is to move, and nothing else."""

    async def search(self, job: Any) -> Answer:
        score = Score(job.position.turn, points=8.0)
        return Answer(moves=(job.position.legal_moves[0],), elapsed=0.0, score=score)

    def forget(self, key: str) -> None:
        """There is nothing to forget."""


def test_a_search_that_favours_who_is_to_move_makes_no_mistakes_up() -> None:
    game = make_game("connect4")
    history = History(game)
    history.extend(MoveRecord(move, player % 2) for player, move in enumerate(("4", "4", "5")))
    told: list[Any] = []
    played: Any = type("Game", (), {"id": "one", "history": history, "set_review": told.extend})
    desk: Any = Optimist()
    asyncio.run(review(desk, played, "alphabeta", 0.1, lambda update: None))
    assert [entry.best for entry in told[:3]] == ["1", "1", "1"]
    assert not any(entry.mark or entry.loss for entry in told)
