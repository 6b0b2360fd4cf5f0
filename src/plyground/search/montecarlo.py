"""Pure Monte Carlo search: the move whose random games end best."""

from __future__ import annotations

import numpy as np

from plyground import kernels
from plyground.core.agent import Report, Stop, ignore_info, never_stop
from plyground.core.errors import UnsupportedError
from plyground.core.game import Game, Position
from plyground.core.limits import Limit
from plyground.core.search import MoveValue, Score, SearchInfo, SearchResult
from plyground.search.mcts import PLAYOUT_SLOT
from plyground.search.perft import RULES_SLOT
from plyground.search.timing import Stopwatch

TEMPLATE = "plyground.search.montecarlo_kernel"


class MonteCarlo:
    """Plays random games after each move and compares the averages (a draw counts one half).

    `playouts` is the total number of games a search, shared evenly over the moves; 0 means as many
    as the limit allows.
    """

    def __init__(
        self, game: Game, playouts: int = 0, playout: str = "", playout_plies: int = 10_000
    ) -> None:
        if game.info.players != 2 or game.info.chance:
            raise UnsupportedError(
                f"Monte Carlo needs a two-player game without chance, not {game.info.name}"
            )
        if playouts < 0:
            raise ValueError(f"playouts must be 0 or more, not {playouts}")
        self.game = game
        self.playouts = playouts
        self.playout_plies = playout_plies
        self.module = kernels.compiled(
            TEMPLATE,
            {RULES_SLOT: game.rules_module, PLAYOUT_SLOT: playout or game.playout_module},
        )
        self.random = np.zeros(4, np.uint64)
        self.buffer = np.zeros(game.max_moves, np.int64)
        self.states = np.zeros((3, game.state_words), np.uint64)
        self.seed(0)

    def seed(self, seed: int) -> None:
        """Set the random numbers."""
        generator = kernels.compiled("plyground.kernels.random")
        generator.seed_random(self.random, np.uint64(seed % 2**64))

    def warm_up(self) -> None:
        """Load or compile the search."""
        with kernels.compilation(self.module):
            self.search(self.game.start(), Limit(nodes=10))

    def sample(self, position: Position, move: int, playouts: int) -> np.ndarray:
        """Wins of the first player, draws and losses in random games after a move."""
        counts = np.zeros(3, np.int64)
        self._play(position, move, playouts, counts)
        return counts

    def _play(self, position: Position, move: int, playouts: int, counts: np.ndarray) -> None:
        self.module.run(
            self.game.params,
            position.state,
            np.int64(move),
            np.int64(playouts),
            np.int64(self.playout_plies),
            self.random,
            self.buffer,
            self.states,
            counts,
        )

    def search(
        self,
        position: Position,
        limit: Limit,
        report: Report = ignore_info,
        stop: Stop = never_stop,
        watch: Stopwatch | None = None,
    ) -> SearchResult:
        """Play games round by round over all moves until the limit. A node is a random game."""
        watch = watch or Stopwatch(limit.at_most(nodes=self.playouts), stop)
        codes = position.move_codes
        counts = np.zeros((len(codes), 3), np.int64)
        report(SearchInfo(move=position.legal_moves[0]))
        share = self.playouts // len(codes) if self.playouts else 0
        while (budget := watch.next_slice()) > 0:
            games = max(1, budget // len(codes))
            if share:
                games = min(games, share - int(counts[0].sum()))
                if games <= 0:
                    break
            for index, code in enumerate(codes):
                self._play(position, code, games, counts[index])
            watch.spent(games * len(codes))
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
        wins = counts[:, 0 if player == 0 else 2] + 0.5 * counts[:, 1]
        games = np.maximum(counts.sum(axis=1), 1)
        means = wins / games
        order = sorted(range(len(codes)), key=lambda index: -means[index])
        values = tuple(
            MoveValue(
                position.format_move(codes[index]),
                Score(player, probability=float(means[index])),
                int(games[index]),
            )
            for index in order
        )
        best = values[0]
        report(SearchInfo(best.move, best.score, 1, watch.nodes, watch.elapsed, (best.move,)))
        return SearchResult(
            best.move, best.score, (best.move,), values, watch.nodes, 1, watch.elapsed
        )
