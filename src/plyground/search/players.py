"""Players of every game: whatever is registered, from whatever package, can be played by them."""

from __future__ import annotations

import random
from typing import Protocol

from plyground import kernels
from plyground.core.agent import Agent, Report, Stop, no_report, no_stop
from plyground.core.game import Game, GameInfo, Position
from plyground.core.limits import Limit
from plyground.core.registry import register_agent
from plyground.core.search import SearchResult
from plyground.search.alphabeta import AlphaBeta
from plyground.search.chance_tree import ChanceTreeSearch
from plyground.search.mcts import MonteCarloTreeSearch
from plyground.search.montecarlo import MonteCarlo
from plyground.search.pages import claim_pages


@register_agent("*")
class RandomAgent(Agent):
    """Plays a uniformly random legal move."""

    name = "random"
    summary = "a random legal move"

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        self.random = random.Random(seed)

    def warm_up(self) -> None:
        with kernels.compilation(self.game.rules):
            position = self.game.first_decision()
            position.play(position.move_codes[0])

    def choose(self, position: Position, limit: Limit) -> str:
        return position.format_move(self.random.choice(position.move_codes))


class Searcher(Protocol):
    """What a `SearcherAgent` leaves its thinking to."""

    game: Game

    def start(self, seed: int) -> None:
        """Forget everything and set the random numbers."""

    def warm_up(self) -> None:
        """Load or compile the search."""

    def search(
        self, position: Position, limit: Limit, report: Report = no_report, stop: Stop = no_stop
    ) -> SearchResult:
        """Think within the limit."""


class SearcherAgent(Agent):
    """A player that leaves its thinking to a searcher, which it keeps for its next games."""

    depth = 0
    """The most plies to look ahead; 0 leaves it to the limit."""

    def make_searcher(self, game: Game) -> Searcher:
        """The searcher for a game."""
        raise NotImplementedError

    def new_game(self, game: Game, seed: int) -> None:
        if not hasattr(self, "searcher") or self.game != game:
            self.searcher = self.make_searcher(game)
        super().new_game(game, seed)
        self.searcher.start(seed)

    def warm_up(self) -> None:
        self.searcher.warm_up()
        self.searcher.start(self.seed)

    def search(
        self, position: Position, limit: Limit, report: Report = no_report, stop: Stop = no_stop
    ) -> SearchResult:
        return self.searcher.search(position, limit.at_most(depth=self.depth), report, stop)


@register_agent("*")
class AlphaBetaAgent(SearcherAgent):
    """Iterative-deepening alpha-beta with the game's own evaluation and move order."""

    name = "alphabeta"
    summary = "iterative deepening alpha-beta, the game's simple evaluation"

    def __init__(
        self, depth: int = 0, table: bool = True, order: bool = True, megabytes: float = 64.0
    ) -> None:
        self.depth, self.table, self.order, self.megabytes = depth, table, order, megabytes

    @classmethod
    def plays(cls, info: GameInfo) -> bool:
        return info.for_two_without_chance

    def make_searcher(self, game: Game) -> AlphaBeta:
        return AlphaBeta(
            game, table_megabytes=self.megabytes, use_table=self.table, use_order=self.order
        )

    def analyse(
        self, position: Position, limit: Limit, report: Report = no_report, stop: Stop = no_stop
    ) -> SearchResult:
        analyst = AlphaBeta(self.game, table_megabytes=self.megabytes, exact_root=True)
        claim_pages([analyst.work.table])
        return analyst.search(position, limit, report, stop)


@register_agent("*")
class MctsAgent(SearcherAgent):
    """Monte Carlo tree search with random playouts; with events or one player a tree of those.

    There the tree is a new one every turn and proves nothing: only `c` and `megabytes` count.
    """

    name = "mcts"
    summary = "Monte Carlo tree search, tree kept between turns"
    searcher: MonteCarloTreeSearch | ChanceTreeSearch

    def __init__(
        self,
        c: float = 1.0,
        reuse: bool = True,
        solve: bool = True,
        expand: int = 1,
        megabytes: float = 128.0,
    ) -> None:
        self.c, self.reuse, self.solve = c, reuse, solve
        self.expand, self.megabytes = expand, megabytes

    def make_searcher(self, game: Game) -> MonteCarloTreeSearch | ChanceTreeSearch:
        if not game.info.for_two_without_chance:
            return ChanceTreeSearch(game, exploration=self.c, megabytes=self.megabytes)
        return MonteCarloTreeSearch(
            game,
            exploration=self.c,
            expand_at=self.expand,
            solve=self.solve,
            megabytes=self.megabytes,
        )

    def observe(self, position: Position, move: str) -> None:
        if isinstance(self.searcher, ChanceTreeSearch):
            return
        if self.reuse:
            self.searcher.advance(position)
        else:
            self.searcher.forget()


@register_agent("*")
class MonteCarloAgent(SearcherAgent):
    """Pure Monte Carlo: random games shared over the moves."""

    name = "montecarlo"
    summary = "pure Monte Carlo, random games shared over the moves"

    def __init__(self, playouts: int = 1000) -> None:
        self.playouts = playouts

    def make_searcher(self, game: Game) -> MonteCarlo:
        return MonteCarlo(game, self.playouts)
