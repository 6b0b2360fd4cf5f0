"""Exact values for any two-player game without chance, by alpha-beta to the end of the tree.

The search deepens as usual, with an evaluation that raises a flag wherever the depth ran out. A
depth that was searched without the flag has seen every line to its end: its values are proven,
draws and points as well. Wins and losses are proven as soon as they are found, with the shortest
distance.
"""

from __future__ import annotations

import copy
from collections.abc import Callable

import msgspec
import numpy as np

from plyground.core.errors import UnsupportedError
from plyground.core.game import Game, Position, Scoring
from plyground.core.limits import Limit
from plyground.core.search import Score, SearchInfo, SearchResult, Value
from plyground.search.alphabeta import AlphaBeta

EVALUATION = "plyground.search.horizon"


class Horizon:
    """Watches a search: whether the last complete depth had to guess anywhere."""

    def __init__(self, game: Game, note: Callable[[str], None]) -> None:
        self.game = copy.copy(game)
        self.game.params = np.append(game.params, np.uint64(0))
        self._note = note
        self.complete = False
        self.again = False
        """Whether this is the second look at the last depth."""

    def report(self, info: SearchInfo) -> None:
        """Called after each depth."""
        if not info.depth:
            return
        self.complete = self.game.params[-1] == 0
        self.game.params[-1] = 0
        if not self.again:
            self._note(f"depth {info.depth}: {info.score}, {info.nodes:,} positions")

    def stop(self) -> bool:
        """Nothing is left to find out."""
        return self.complete


def solve(
    game: Game, position: Position, limit: Limit, note: Callable[[str], None]
) -> SearchResult:
    """The proven value of a position and of its moves, or how far the search came.

    A result without `value` (and a note) is not proven: its points are a guess.
    """
    if not game.info.for_two_without_chance:
        raise UnsupportedError(
            f"{game.info.title} cannot be solved: only two-player games without chance can"
        )
    horizon = Horizon(game, note)
    searcher = AlphaBeta(horizon.game, evaluation=EVALUATION, exact_root=True, table_megabytes=256)
    searcher.warm_up()
    horizon.game.params[-1] = 0
    result = searcher.search(position, limit, horizon.report, horizon.stop)
    if horizon.complete:
        # Once more without what earlier depths left in the table: they had guessed.
        searcher.clear()
        horizon.complete, horizon.again = False, True
        depth = Limit(depth=result.depth)
        result = searcher.search(position, depth, horizon.report)
    return _proven(result, game) if horizon.complete else _bounded(result)


def _proven(result: SearchResult, game: Game) -> SearchResult:
    """Every value is exact: what is no win or loss is a draw, or the points."""
    points = game.info.scoring is Scoring.POINTS

    def settle(score: Score | None) -> Score | None:
        if score is None or score.value is not None:
            return score
        margin = score.points or 0.0
        if not points:
            return Score(score.player, "draw")
        value: Value = "win" if margin > 0 else "loss" if margin < 0 else "draw"
        return Score(score.player, value, points=margin)

    return msgspec.structs.replace(
        result,
        score=settle(result.score),
        moves=tuple(msgspec.structs.replace(m, score=settle(m.score)) for m in result.moves),
        note=f"proven at depth {result.depth}",
    )


def _bounded(result: SearchResult) -> SearchResult:
    """Only wins and losses are proven: other moves have no value, only a bound."""
    moves = tuple(
        move
        if move.score is None or move.score.value is not None
        else msgspec.structs.replace(move, score=None)
        for move in result.moves
    )
    if result.score is not None and result.score.value is not None:
        note = "proven"
        if any(move.score is None for move in moves):
            note += f"; moves without a value are undecided within {result.depth} plies"
        return msgspec.structs.replace(result, moves=moves, note=note)
    return msgspec.structs.replace(
        result,
        score=None,
        moves=moves,
        note=f"not proven: neither side can force a win within {result.depth} plies",
    )
