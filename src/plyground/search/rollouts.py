"""A player for games with chance or for one player: the move whose random games end best."""

from __future__ import annotations

import numpy as np

from plyground import kernels
from plyground.core.agent import Agent, Report, Stop, no_report, no_stop
from plyground.core.game import CHANCE, Game, Position
from plyground.core.limits import Limit
from plyground.core.search import MoveValue, Score, SearchInfo, SearchResult
from plyground.search.mcts import PLAYOUT_SLOT
from plyground.search.perft import RULES_SLOT
from plyground.search.timing import Stopwatch

TEMPLATE = "plyground.search.rollouts_kernel"
PLAYOUT_PLIES = 20_000


class RolloutsAgent(Agent):
    """Plays random games after each move, round by round, and takes the best average.

    For games whose playout deals the random events, as those of board games by description do.
    """

    name = "rollouts"
    summary = "the move whose random games end best, events dealt at random"

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        slots = {RULES_SLOT: game.rules_module, PLAYOUT_SLOT: game.playout_module}
        self.module = kernels.compiled(TEMPLATE, slots)
        self.random = np.zeros(4, np.uint64)
        generator = kernels.compiled("plyground.kernels.random")
        generator.seed_random(self.random, np.uint64(seed % 2**64))
        self.buffer = np.zeros(game.playout_room, np.int64)
        self.states = np.zeros((2, game.state_words), np.uint64)

    def warm_up(self) -> None:
        position = self.game.start()
        while position.turn == CHANCE:
            event = self.game.chance_event(position, 0)
            position = self.game.apply_chance(position, event)
        with kernels.compilation(self.module):
            self._play(position, position.move_codes[0], 1)
        self.new_game(self.game, self.seed)

    def _play(self, position: Position, code: int, playouts: int) -> float:
        return float(
            self.module.run(
                self.game.params,
                position.state,
                np.int64(code),
                np.int64(playouts),
                np.int64(PLAYOUT_PLIES),
                self.random,
                self.buffer,
                self.states,
            )
        )

    def search(
        self, position: Position, limit: Limit, report: Report = no_report, stop: Stop = no_stop
    ) -> SearchResult:
        """Play games round by round over all moves until the limit. A node is a random game."""
        watch = Stopwatch(limit, stop)
        codes = position.move_codes
        report(SearchInfo(move=position.legal_moves[0]))
        totals, games = np.zeros(len(codes)), 0
        while (budget := watch.next_slice()) > 0:
            share = max(1, budget // len(codes))
            for index, code in enumerate(codes):
                totals[index] += self._play(position, code, share)
            games += share
            watch.spent(share * len(codes))
        return self._result(position, codes, totals / max(games, 1), games, watch)

    def _result(
        self,
        position: Position,
        codes: list[int],
        means: np.ndarray,
        games: int,
        watch: Stopwatch,
    ) -> SearchResult:
        player = position.turn
        sign = -1.0 if player == 1 else 1.0
        order = sorted(range(len(codes)), key=lambda index: -sign * means[index])
        values = tuple(
            MoveValue(
                position.format_move(codes[index]),
                Score(player, points=float(sign * means[index])),
                games,
            )
            for index in order
        )
        best = values[0]
        return SearchResult(
            best.move, best.score, (best.move,), values, watch.nodes, 1, watch.elapsed
        )
