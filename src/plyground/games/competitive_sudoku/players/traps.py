"""What to play in a lost position: the move after which the opponent errs most likely.

The opponent is taken for a player who looks a few plies ahead for points and does not know which
values leave the board solvable: it chooses among all that fits, better looking squares more often.
What each choice really leads to is searched exactly.
"""

from __future__ import annotations

from math import exp

import numpy as np

from plyground.games.competitive_sudoku.solvers.many_solutions import ManySolutionsSearch
from plyground.games.competitive_sudoku.solvers.one_solution import OneSolutionSearch
from plyground.games.competitive_sudoku.solvers.root_search import RootMove
from plyground.search.timing import Stopwatch
from plyground.search.transposition import new_table

DEEPEST = 200
NAIVE_DEPTH = 3
NAIVE_SPREAD = 0.8
"""Points by which a square must look better to be chosen e times as often."""
WIDEST_LOSS = 14.0
LOSS_SCALE = 4.0
LOSS_WORTH = 0.2

NAIVE_MEGABYTES = 0.25

Search = ManySolutionsSearch | OneSolutionSearch


class TrapFinder:
    """Looks for the best practical chance at the root of a search that proved the loss."""

    def __init__(self, search: Search, gap: float, watch: Stopwatch) -> None:
        self.search, self.gap, self.watch = search, gap, watch

    def best(self) -> RootMove | None:
        """The most promising move, as far as the time went; None if there was not enough."""
        target = -self.gap
        finished = self._separate_values(DEEPEST, target - WIDEST_LOSS, target + 0.5)
        moves = sorted(self.search.tried if finished else [], key=lambda m: -(m.points or 0.0))
        chosen, highest = None, -1.0
        for move in moves:
            chance = self._chance(move)
            if chance is None:
                break
            if chance > highest:
                chosen, highest = move, chance
        return chosen

    def _separate_values(self, depth: int, alpha: float, beta: float) -> bool:
        self.search.begin(depth, alpha, beta, separate=True)
        while True:
            budget = self.watch.next_slice()
            if budget <= 0:
                return False
            before = self.search.nodes
            finished = self.search.run(budget)
            self.watch.spent(self.search.nodes - before)
            if finished:
                return True

    def _chance(self, move: RootMove) -> float | None:
        """How likely the opponent errs after a move; None if the time ran out."""
        search = self.search
        player = search.mover
        gap = self.gap + search.reward(move)
        search.play(move)
        try:
            if search.is_over or search.mover == player:
                return _worth((move.points or 0.0) + self.gap)
            looks = self._naive_looks()
            if looks is None or not self._separate_values(DEEPEST, gap - 0.5, gap + WIDEST_LOSS):
                return None
            replies = search.tried
        finally:
            search.back()
        total = chance = 0.0
        best_look = max(looks.values())
        for reply in replies:
            weight = exp((looks[reply.cell] - best_look) / NAIVE_SPREAD)
            total += weight
            chance += weight * _worth(gap - (reply.points or 0.0))
        return chance / total

    def _naive_looks(self) -> dict[int, float] | None:
        """Each square of the opponent with the points it seems to bring in a few plies."""
        search = self.search
        # Without weights a position seems worth what is gained on the way.
        work, positions = search.work, search.positions
        search.work = work._replace(table=new_table(NAIVE_MEGABYTES))
        search.positions = positions._replace(weights=np.zeros_like(positions.weights))
        try:
            finished = self._separate_values(NAIVE_DEPTH, -300, 300)
            tried = search.tried
        finally:
            search.work, search.positions = work, positions
        if not finished:
            return None
        return {move.cell: move.points or 0.0 for move in tried if not move.is_pass}


def _worth(margin: float) -> float:
    """The worth of a final margin: a win 1, a draw a half, a narrow loss a little."""
    if margin > 0:
        return 1.0
    if margin == 0:
        return 0.5
    return LOSS_WORTH * exp(margin / LOSS_SCALE)
