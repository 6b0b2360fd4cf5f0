"""Pure Monte Carlo search: the move whose random games end best."""

from __future__ import annotations

import numpy as np

from plyground import kernels
from plyground.core.agent import Report, Stop, no_report, no_stop
from plyground.core.game import Game, Position
from plyground.core.limits import Limit
from plyground.core.search import MoveValue, Score, SearchInfo, SearchResult
from plyground.search.mcts import PLAYOUT_HOOKS
from plyground.search.montecarlo_kernel import Playouts
from plyground.search.perft import RULES_HOOKS
from plyground.search.sampling import SamplingSearch
from plyground.search.timing import Stopwatch

TEMPLATE = "plyground.search.montecarlo_kernel"
CHANCE_HOOKS = "plyground.search.contract.chance"


class MonteCarlo(SamplingSearch):
    """Plays random games after each move and compares the averages.

    Between two players a draw counts one half; one player's outcomes are averaged as they are.
    `playouts` is the total number of games a search, shared evenly over the moves; 0 means as many
    as the limit allows.
    """

    def __init__(
        self, game: Game, playouts: int = 0, playout: str = "", playout_plies: int = 10_000
    ) -> None:
        if playouts < 0:
            raise ValueError(f"playouts must be 0 or more, not {playouts}")
        self.game = game
        self.playouts = playouts
        self.module = kernels.compiled(
            TEMPLATE,
            {
                RULES_HOOKS: game.rules_module,
                CHANCE_HOOKS: game.chance_module,
                PLAYOUT_HOOKS: playout or game.playout_module,
            },
        )
        self.work = Playouts(
            np.zeros(4, np.uint64),
            np.zeros(game.playout_room, np.int64),
            np.zeros((2, game.state_words), np.uint64),
            np.array([playout_plies], np.int64),
        )
        self.start(0)

    def sample(self, position: Position, move: int, playouts: int) -> np.ndarray:
        """Wins of the first player, draws and losses in random games after a move."""
        counts = np.zeros(4, np.int64)
        self._play(position, move, playouts, counts)
        return counts[:3]

    def _play(self, position: Position, move: int, playouts: int, counts: np.ndarray) -> None:
        self.module.run(
            self.game.params,
            position.state,
            np.int64(move),
            np.int64(playouts),
            self.work,
            counts,
        )

    def search(
        self, position: Position, limit: Limit, report: Report = no_report, stop: Stop = no_stop
    ) -> SearchResult:
        """Play games round by round over all moves until the limit. A node is a random game."""
        watch = Stopwatch(limit.at_most(nodes=self.playouts), stop, most=self.game.slice_nodes)
        codes = position.move_codes
        counts = np.zeros((len(codes), 4), np.int64)
        report(SearchInfo(move=position.legal_moves[0]))
        share = self.playouts // len(codes) if self.playouts else 0
        while (budget := watch.next_slice()) > 0:
            games = max(1, budget // len(codes))
            if share:
                games = min(games, share - int(counts[0, :3].sum()))
                if games <= 0:
                    break
            played = 0
            for index, code in enumerate(codes):
                self._play(position, code, games, counts[index])
                played += games
                if watch.is_over:  # a round may take longer than there is time
                    break
            watch.spent(played)
        return self._result(position, codes, counts, watch, report)

    def _result(
        self,
        position: Position,
        codes: list[int],
        counts: np.ndarray,
        watch: Stopwatch,
        report: Report,
    ) -> SearchResult:
        player = position.turn
        games = np.maximum(counts[:, :3].sum(axis=1), 1)
        alone = self.game.info.players == 1
        wins = counts[:, 0 if player == 0 else 2] + 0.5 * counts[:, 1]
        means = (counts[:, 3] if alone else wins) / games
        played = [index for index in range(len(codes)) if counts[index, :3].any()]
        order = sorted(played or [0], key=lambda index: -means[index])
        values = tuple(
            MoveValue(
                position.format_move(codes[index]),
                Score(player, points=float(means[index]))
                if alone
                else Score(player, probability=float(means[index])),
                int(games[index]),
            )
            for index in order
        )
        best = values[0]
        report(SearchInfo(best.move, best.score, 1, watch.nodes, watch.elapsed, (best.move,)))
        return SearchResult(
            best.move, best.score, (best.move,), values, watch.nodes, 1, watch.elapsed
        )
