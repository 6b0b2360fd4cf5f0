"""Exact values: boards of 2x2 blocks from any position, larger ones as far as a search comes."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from plyground.core.errors import GameOverError
from plyground.core.limits import Limit
from plyground.core.search import MoveValue, Score, SearchResult, Value
from plyground.games.competitive_sudoku import CompetitiveSudoku, SudokuPosition
from plyground.games.competitive_sudoku.solvers.four_by_four import FourByFour
from plyground.search.question import Question
from plyground.search.solving import solve as search_to_the_end
from plyground.search.timing import Stopwatch

MEGABYTES = 512.0
SECONDS = 60.0
"""For boards that are not solved by rote, unless a limit is given."""


def solve(question: Question) -> tuple[SudokuPosition, SearchResult]:
    """The position and the values of its moves: result and margin of the whole game."""
    game, text, limit = question.game, question.text, question.limit
    assert isinstance(game, CompetitiveSudoku)
    position = game.start() if text is None else game.parse_position(text)
    assert isinstance(position, SudokuPosition)
    if position.is_over:
        raise GameOverError("the game is over in this position")
    data = position.data
    if (data.rows, data.columns) != (2, 2):
        if limit == Limit():
            limit = Limit(time=SECONDS)
        return position, search_to_the_end(position.game, position, limit, question.note)
    return position, _solve_small(position, limit, question.note)


def _solve_small(
    position: SudokuPosition, limit: Limit, note: Callable[[str], None]
) -> SearchResult:
    """Every move with the margin that best play leads to; those that time left out have none."""
    solver = FourByFour(position.data.allowed is not None, MEGABYTES)
    watch = Stopwatch(limit)
    turn = position.turn

    def keep_on(positions: int) -> bool:
        watch.spent(positions - watch.nodes)
        return watch.next_slice() > 0

    found: list[MoveValue] = []
    for code in position.move_codes:
        child = position.play(code)
        assert isinstance(child, SudokuPosition)
        margin = child.data.scores[turn] - child.data.scores[1 - turn]
        ahead = 0 if child.is_over else solver.margin(child.data, keep_on)
        score = None
        if ahead is not None:
            margin += ahead if child.is_over or child.turn == turn else -ahead
            value: Value = "win" if margin > 0 else "loss" if margin < 0 else "draw"
            score = Score(turn, value, points=float(margin))
        found.append(MoveValue(position.format_move(code), score))
        note(f"{len(found)} moves, {solver.positions:,} different positions")
    found.sort(key=lambda move: -(move.score.points or 0.0) if move.score else 1e9)
    best = found[0]
    points = best.score.points if best.score and best.score.points else 0.0
    result = SearchResult(
        best.move,
        best.score,
        (best.move,),
        tuple(found),
        nodes=solver.searched,
        elapsed=watch.elapsed,
        note=f"exact: best play ends with {points:+g} points for the player to move",
    )
    if all(move.score is not None for move in found):
        return result
    return msgspec.structs.replace(result, score=None, note="not finished")
