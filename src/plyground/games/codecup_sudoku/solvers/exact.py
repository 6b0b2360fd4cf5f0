"""Exact values of positions whose solutions can all be listed."""

from __future__ import annotations

from collections.abc import Mapping

from plyground.core.agent import Report, no_report
from plyground.core.errors import GameOverError, PositionError, UnsupportedError
from plyground.core.search import MoveValue, Score, SearchResult
from plyground.games.codecup_sudoku import CodeCupSudoku, GridPosition
from plyground.games.codecup_sudoku.notation import format_move
from plyground.games.codecup_sudoku.rules import CLAIMED
from plyground.games.codecup_sudoku.solvers.budget import Budget
from plyground.games.codecup_sudoku.solvers.endgame_solver import (
    LOSS,
    WIN,
    EndgameSolver,
    Table,
    new_table,
)
from plyground.games.codecup_sudoku.solvers.solutions import Finder, SolutionSet
from plyground.search.question import Question

MOST_SOLUTIONS = 500_000
TABLE_MEGABYTES = 512
REPORT_SECONDS = 0.2


def solve(question: Question) -> tuple[GridPosition, SearchResult]:
    """The position and the values of all its moves. Without a limit the answer is complete."""
    assert isinstance(question.game, CodeCupSudoku)
    if question.text is None:
        raise PositionError("solve codecup-sudoku needs --position: 81 characters, or the moves")
    position = question.game.parse_position(question.text)
    if position.is_over:
        raise GameOverError("the game is over in this position: its last turn was a correct claim")
    found = Finder().solutions(position.digits, MOST_SOLUTIONS)
    if not found.complete:
        raise UnsupportedError(
            f"this position has more than {MOST_SOLUTIONS} solutions; "
            "exact values need all of them: add digits"
        )
    question.note(f"{len(found)} solutions")
    budget = Budget(question.limit)
    return position, values(position, found, budget, new_table(TABLE_MEGABYTES))


def values(
    position: GridPosition,
    found: SolutionSet,
    budget: Budget,
    table: Table,
    report: Report = no_report,
) -> SearchResult:
    """Every move with the solutions it leaves (as visits) and its value as far as time allows.

    Reports what is known so far, a few times a second.
    """
    won = Score(position.turn, "win", 1)
    if len(found) == 1:
        claim = MoveValue("!", won, 1)
        return SearchResult("!", won, ("!",), (claim,), elapsed=budget.elapsed)
    solver = EndgameSolver(found.grids, table)
    share = budget.share(1.0)
    known: dict[int, int | None] = {}
    told = budget.elapsed
    report(_result(position, found, solver, known, budget).as_info())
    for move in sorted(solver.moves, key=lambda move: move.count):
        before = solver.nodes
        known[move.index] = solver.value_after(move, share)
        budget.nodes += solver.nodes - before
        if budget.elapsed - told > REPORT_SECONDS:
            told = budget.elapsed
            report(_result(position, found, solver, known, budget).as_info())
    return _result(position, found, solver, known, budget)


def _result(
    position: GridPosition,
    found: SolutionSet,
    solver: EndgameSolver,
    known: Mapping[int, int | None],
    budget: Budget,
) -> SearchResult:
    """All moves by what is known of them: won ones with fewest solutions first, lost ones last."""
    entries: list[tuple[int, int, MoveValue]] = []
    for move in solver.moves:
        value = known.get(move.index)
        score = None
        if value is not None:
            distance = 1 if move.count == 1 else None
            score = Score(position.turn, "win" if value == LOSS else "loss", distance)
        rank = {LOSS: 0, None: 1, WIN: 2}[value]
        for cell, digit in move.pairs:
            code = 9 * cell + digit - 1 + (CLAIMED if move.count == 1 else 0)
            entries.append((rank, move.count, MoveValue(format_move(code), score, move.count)))
    entries.sort(key=lambda entry: (entry[0], entry[1] if entry[0] == 0 else -entry[1]))
    moves = tuple(entry[2] for entry in entries)
    return SearchResult(
        moves[0].move,
        moves[0].score,
        (moves[0].move,),
        moves,
        nodes=solver.nodes,
        elapsed=budget.elapsed,
        note=f"{len(found)} solutions; visits are the solutions that a move leaves",
    )
