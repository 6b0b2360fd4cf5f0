"""What people see of an analysis: a valued move at once, then every move, the best one first."""

from __future__ import annotations

import pytest

from plyground.core.game import Position
from plyground.core.limits import Limit
from plyground.core.registry import make_agent, make_game
from plyground.core.search import SearchInfo, SearchResult

GAMES = {
    "connect4": {},
    "competitive-sudoku": {"board": "random-2x2", "seed": 3},
    "codecup-sudoku": {},
    "blockudoku": {},
}


def analysed(position: Position, seconds: float = 0.4) -> tuple[list[SearchInfo], SearchResult]:
    """Everything the champion reports of a position, and its result."""
    agent = make_agent(position.game.info.name, "champion")
    agent.new_game(position.game, 0)
    agent.warm_up()
    told: list[SearchInfo] = []
    result = agent.analyse(position, Limit(time=seconds), told.append)
    return told, result


@pytest.mark.parametrize("name", GAMES)
def test_an_analysis_values_moves_before_it_is_done(name: str) -> None:
    told, result = analysed(make_game(name, GAMES[name]).first_decision())
    valued = [info for info in told if info.score is not None and info.moves]
    assert valued, "nobody looks at an empty board for seconds"
    assert result.score is not None and result.moves
    assert result.moves[0].move.startswith(result.move)


@pytest.mark.parametrize(("board", "seed"), [("random-2x2", 3), ("random-2x3", 5)])
def test_no_move_stands_above_the_value_of_the_position(board: str, seed: int) -> None:
    position = make_game("competitive-sudoku", {"board": board, "seed": seed}).first_decision()
    _, result = analysed(position)
    assert result.score is not None
    for one in result.moves:
        assert one.score is not None
        assert one.score.value == "loss" or one.score.expectation <= result.score.expectation
    assert {one.move for one in result.moves} <= set(position.legal_moves)


def test_the_chance_of_a_blockudoku_turn_tells_a_deadly_one_from_a_good_one() -> None:
    # One free box: with the large pieces in hand hardly anything survives.
    crowded = "##.##.##.#.##.##.#.##.##.##" * 3
    game = make_game("blockudoku")
    _, deadly = analysed(game.parse_position(f"{crowded} 0 1 2"))
    _, calm = analysed(game.parse_position("." * 81 + " 0 1 2"))
    assert deadly.score is not None and calm.score is not None
    assert calm.score.probability == 1.0
    assert deadly.score.probability is not None and deadly.score.probability < 0.9
    chances = [one.score.probability or 0.0 for one in deadly.moves if one.score]
    assert chances == sorted(chances, reverse=True)


def test_codecup_endings_are_exact_and_openings_even() -> None:
    game = make_game("codecup-sudoku")
    nearly = "1...35869...1....3...9.85715......4887.35.19.41.8..35.....83.1.3..5..982.8...1.35"
    told, result = analysed(game.parse_position(nearly))
    assert result.score is not None and result.score.value == "win"
    assert result.move.endswith("!") and result.moves[0].visits == 1
    told, opening = analysed(game.start())
    assert len(opening.moves) == 729
    assert opening.score is not None and opening.score.probability == 0.5
    assert {one.move for one in told[0].moves} == {one.move for one in opening.moves}
    assert all(one.kept == pytest.approx(1 / 9, abs=0.06) for one in opening.moves)
    assert "solutions" in opening.note


def test_the_value_of_the_best_move_is_that_of_its_row_wherever_a_search_is_stopped() -> None:
    game = make_game("connect4", {"mean": "none"})
    agent = make_agent("connect4", "alphabeta")
    agent.new_game(game, 0)
    for moves in ("4 4 3", "1 2", "4"):
        position = game.play_line(moves)
        for nodes in range(20, 3000, 37):
            result = agent.analyse(position, Limit(nodes=nodes))
            rows = {one.move: one.score for one in result.moves}
            if not rows:
                continue
            assert rows[result.move] == result.score
            assert result.score is not None
            assert all(
                score is None or score.expectation <= result.score.expectation
                for score in rows.values()
            )
