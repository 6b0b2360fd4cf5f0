"""Agents of Connect 4: those of the source document."""

from __future__ import annotations

import copy

import numpy as np

from plyground.core.game import Game
from plyground.core.registry import register_agent
from plyground.search.alphabeta import AlphaBeta
from plyground.search.players import SearcherAgent

NO_EVALUATION = "plyground.search.contract.evaluation"
PLAYOUT_VALUE = "plyground.games.connect4.players.playout_value"
ORDERS = {
    order: f"plyground.games.connect4.players.order_{order}"
    for order in ("left", "right", "centre", "history")
}


class FixedDepthAgent(SearcherAgent):
    """Alpha-beta with a table to a fixed depth; subclasses choose evaluation and order.

    A depth of 0 means as deep as the limit allows.
    """

    evaluation = NO_EVALUATION
    orders: tuple[str, ...] = ()

    def __init__(self, order: str, depth: int) -> None:
        if order not in self.orders:
            raise ValueError(f"order must be one of {', '.join(self.orders)}, not {order!r}")
        if depth < 0:
            raise ValueError(f"depth must be 0 or more, not {depth}")
        self.order, self.depth = order, depth

    def search_game(self, game: Game, seed: int) -> Game:
        """The game as the search sees it; may carry more parameters for the evaluation."""
        return game

    def make_searcher(self, game: Game) -> AlphaBeta:
        strict = self.order != "history"
        return AlphaBeta(game, self.evaluation, ORDERS[self.order], strict_order=strict)

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        self.searcher.game = self.search_game(game, seed)


@register_agent("connect4")
class MinimaxAgent(FixedDepthAgent):
    """The document's minimax with alpha-beta: sees wins within its depth and nothing else."""

    name = "minimax"
    summary = "alpha-beta to a depth, no evaluation; order=left|right|centre"
    orders = ("left", "right", "centre")

    def __init__(self, order: str = "left", depth: int = 4) -> None:
        super().__init__(order, depth)


@register_agent("connect4")
class HeuristicAgent(FixedDepthAgent):
    """The document's heuristic search: three in a row is worth 0.2 of a win."""

    name = "heuristic"
    summary = "alpha-beta to a depth, three in a row = 0.2; order=history|centre"
    evaluation = "plyground.games.connect4.evaluation"
    orders = ("history", "centre")

    def __init__(self, order: str = "history", depth: int = 4) -> None:
        super().__init__(order, depth)


@register_agent("connect4")
class HybridAgent(FixedDepthAgent):
    """The document's hybrid: alpha-beta whose leaves are valued by pure Monte Carlo."""

    name = "hybrid"
    summary = "alpha-beta to a depth, leaves valued by random games shared over the moves"
    evaluation = PLAYOUT_VALUE
    orders = ("centre",)

    def __init__(self, depth: int = 4, playouts: int = 100) -> None:
        if playouts < 1:
            raise ValueError(f"playouts must be at least 1, not {playouts}")
        super().__init__("centre", depth)
        self.playouts = playouts

    def search_game(self, game: Game, seed: int) -> Game:
        seen = copy.copy(game)
        seen.params = np.append(game.params, np.array([seed % 2**64, self.playouts], np.uint64))
        return seen
