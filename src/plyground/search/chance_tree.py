"""Monte Carlo tree search where random events come between moves, or for one player."""

from __future__ import annotations

import numpy as np

from plyground import kernels
from plyground.core.agent import Report, Stop, no_report, no_stop
from plyground.core.game import Game, Position
from plyground.core.limits import Limit
from plyground.core.search import MoveValue, Score, SearchInfo, SearchResult
from plyground.search import chance_tree_kernel as layout
from plyground.search.alphabeta import EVALUATION_HOOKS
from plyground.search.mcts import MOST_PLAYOUT_PLIES, PLAYOUT_HOOKS, REPORT_SECONDS
from plyground.search.montecarlo import CHANCE_HOOKS
from plyground.search.pages import TREE_BYTES, claim_pages
from plyground.search.perft import RULES_HOOKS
from plyground.search.sampling import SamplingSearch
from plyground.search.timing import Stopwatch

TEMPLATE = "plyground.search.chance_tree_kernel"
LONGEST_PATH = 2048
BYTES_PER_NODE = 8 * 4 + 4 * 2


class ChanceTreeSearch(SamplingSearch):
    """A searcher for one game: UCT whose tree follows the random events.

    New positions are valued by the game's evaluation (for one player: the points that it expects
    at the end, in thousandths), or without one by a random game.

    `exploration` is the constant C in mean + C * spread * sqrt(ln N / n), where the spread is the
    standard deviation of the results of this search. One player's results are points; between two
    players a win counts 1, a draw 0, a loss -1. Every search begins with an empty tree.
    """

    def __init__(self, game: Game, exploration: float = 1.0, megabytes: float = 128) -> None:
        self.game = game
        self.alone = game.info.players == 1
        self.module = kernels.compiled(
            TEMPLATE,
            {
                RULES_HOOKS: game.rules_module,
                CHANCE_HOOKS: game.chance_module,
                PLAYOUT_HOOKS: game.playout_module,
                EVALUATION_HOOKS: game.evaluation_module,
            },
        )
        evaluates = game.evaluation_module != Game.evaluation_module
        capacity = max(int(megabytes * 2**20 / BYTES_PER_NODE), game.max_moves + 2)
        self.tree = layout.ChanceTree(
            labels=np.zeros(capacity, np.uint64),
            next_positions=np.zeros(capacity, np.int64),
            first_children=np.zeros(capacity, np.int64),
            child_counts=np.zeros(capacity, np.int32),
            visits=np.zeros(capacity, np.int32),
            totals=np.zeros(capacity, np.float64),
        )
        self.work = layout.Work(
            params=game.params,
            random=np.zeros(4, np.uint64),
            states=np.zeros((3, game.state_words), np.uint64),
            path=np.zeros(LONGEST_PATH, np.int64),
            buffer=np.zeros(game.playout_room, np.int64),
            settings=np.array([exploration, 0.0, 0.0, 0.0], np.float64),
            control=np.array([0, MOST_PLAYOUT_PLIES, self.alone, evaluates], np.int64),
        )
        self.start(0)

    def warm_up(self) -> None:
        """Load or compile the search, and have the memory that a tree begins in."""
        super().warm_up()
        claim_pages(self.tree, TREE_BYTES)

    def search(
        self, position: Position, limit: Limit, report: Report = no_report, stop: Stop = no_stop
    ) -> SearchResult:
        """Simulate until the limit. A node is a simulation."""
        watch = Stopwatch(limit, stop, most=self.game.slice_nodes)
        self.module.plant(self.tree, self.work)
        self.work.states[layout.ROOT_STATE] = position.state
        report(SearchInfo(move=position.legal_moves[0]))
        next_report = REPORT_SECONDS
        while (budget := watch.next_slice()) > 0:
            self.module.run(self.tree, self.work, np.int64(budget))
            watch.spent(budget)
            if watch.elapsed >= next_report:
                next_report = watch.elapsed + REPORT_SECONDS
                report(self._result(position, watch).as_info())
        result = self._result(position, watch)
        report(result.as_info())
        return result

    def _result(self, position: Position, watch: Stopwatch) -> SearchResult:
        first, count = int(self.tree.first_children[0]), int(self.tree.child_counts[0])
        actions = sorted(
            (action for action in range(first, first + count) if self.tree.visits[action]),
            key=lambda action: -int(self.tree.visits[action]),
        )
        if not actions:
            return SearchResult(position.legal_moves[0], nodes=watch.nodes, elapsed=watch.elapsed)
        values = tuple(
            MoveValue(
                position.format_move(int(self.tree.labels[action])),
                self._score(position.turn, action),
                int(self.tree.visits[action]),
            )
            for action in actions
        )
        best = values[0]
        return SearchResult(
            best.move, best.score, (best.move,), values, watch.nodes, 1, watch.elapsed
        )

    def _score(self, player: int, action: int) -> Score:
        mean = float(self.tree.totals[action]) / int(self.tree.visits[action])
        if self.alone:
            return Score(player, points=mean)
        return Score(player, probability=0.5 + (mean if player == 0 else -mean) / 2)
