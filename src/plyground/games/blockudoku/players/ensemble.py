"""Deaths per turn of any player that can be asked for a turn, by an ensemble of weighted games.

Deaths of a strong player are too rare to count. An ensemble plays many games at once, one turn a
step. Each game has a weight, and the weights add up to 1. Before a step every game is dealt many
hands, which share its weight, and each is sorted into a level by the cost of the board that the
champion's evaluation alone would leave, which takes a fraction of a millisecond. Of every level
the same number is then picked, in proportion to weight, and those picked share the weight of the
level; they alone are played. So bad deals and dangerous boards, which are rare, are played often
with little weight, and whatever is added up by weight has the mean that it has in a single game
played for ever, however good the sorting is.

What is added up is the exact risk of the next deal (`danger.deal_risk`): the luck of that deal
drops out. The hands that the games of one level are dealt in a step are spread evenly over the
deck. Seed, step, level and place in the level say what is dealt, whoever plays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from plyground import kernels
from plyground.games.blockudoku.players.danger import new_lasts
from plyground.games.blockudoku.players.planning import make_planning
from plyground.games.blockudoku.players.settings import EFFORTS, learned_weights
from plyground.games.blockudoku.players.turns import WORST

Boards = npt.NDArray[np.uint64]
"""(n, 2): boards in two words."""
Hands = npt.NDArray[np.int64]
"""(n, 3): the pieces to place on each."""

LEVELS = (300_000, 370_000, 430_000, 500_000, 600_000, 800_000)
"""Costs of a board, by the champion's evaluation, from which it belongs to the next level."""
SHARES = (0.8, 2.7, 1.6, 1.0, 0.5, 0.3, 0.2)
"""Games of each of these levels, in proportion: many where turns are cheap and much weight moves,
few at the top, where turns are dear and the risk of the next deal says nearly all."""
DEALS = (4, 8, 24, 32, 32, 32, 32)
"""Hands that a game of each of these levels is dealt before some of them are played."""
WARM_UP = 30
"""Steps without levels before all else: from an empty board to what is usual."""
WARM_UP_GAMES = 64
CLIMB = 12
"""Steps with levels before anything is added up: from what is usual to what is dangerous."""


class TurnPlayer(Protocol):
    """Whoever can be asked for a turn."""

    def turns(self, boards: Boards, hands: Hands) -> tuple[Boards, npt.NDArray[np.bool_]]:
        """The boards after a turn on each, and whether there was one; a lost board is any board."""

    def seconds(self) -> float:
        """Processor time used so far."""


@dataclass(frozen=True)
class Plan:
    """How an ensemble is played; `games` a level on average, `levels` as costs of boards."""

    steps: int
    games: int
    levels: tuple[int, ...] = LEVELS

    def sizes(self) -> list[int]:
        """Games of each level."""
        shares = SHARES if self.levels == LEVELS else (1.0,) * (len(self.levels) + 1)
        return [max(1, round(share * self.games)) for share in shares]

    def deals(self) -> list[int]:
        """Hands that a game of each level is dealt; without levels there is nothing to pick."""
        if self.levels == LEVELS:
            return list(DEALS)
        return [8] * (len(self.levels) + 1) if self.levels else [1]


class Ensemble:
    """Weighted games of one player."""

    def __init__(self, player: TurnPlayer, deck: npt.NDArray[np.int64], seed: int):
        self.player, self.deck, self.seed = player, deck, seed
        self._danger = kernels.compiled("plyground.games.blockudoku.players.danger")
        self._play = kernels.compiled("plyground.games.blockudoku.players.selfplay")
        self._lasts = new_lasts()
        self._plan = make_planning(deck, learned_weights(), EFFORTS["static"])
        self.boards: Boards = np.zeros((WARM_UP_GAMES, 2), np.uint64)
        self.weights = np.full(WARM_UP_GAMES, 1 / WARM_UP_GAMES)
        self.levels = np.zeros(WARM_UP_GAMES, np.int64)
        self.steps = 0

    def step(self, games: list[int], levels: tuple[int, ...], deals: list[int]) -> dict[str, float]:
        """A turn in so many games of each level, picked from so many hands of each game.

        Returns what was met, by weight, and how many turns were played.
        """
        hands = self._pick(games, levels, deals)
        sums = dict.fromkeys(("risk", "deaths", "cells", "seconds"), 0.0)
        after = np.zeros_like(self.boards)
        for level in np.unique(self.levels):
            rows = np.flatnonzero(self.levels == level)
            started = self.player.seconds()
            boards, alive = self.player.turns(self.boards[rows], hands[rows])
            mean_weight = float(self.weights[rows].mean())
            sums["seconds"] += mean_weight * (self.player.seconds() - started)
            sums["deaths"] += float(self.weights[rows] @ ~alive)
            after[rows] = np.where(alive[:, None], boards, np.uint64(0))
        risks = np.zeros(len(after))
        self._danger.risk_each(after, self.deck, self._lasts, risks)
        sums["risk"] += float(self.weights @ risks)
        sums["cells"] += float(self.weights @ np.bitwise_count(after).sum(1))
        sums["turns"] = len(after)
        self.boards = after
        self.steps += 1
        return sums

    def deals(self, counts: list[int]) -> tuple[npt.NDArray[np.int64], Hands]:
        """So many hands for each game of each level, and whose they are; the next step's."""
        rows = np.repeat(np.arange(len(self.boards)), np.array([*counts, 1])[self.levels])
        hands = np.zeros((len(rows), 3), np.int64)
        for level in np.unique(self.levels):
            places = np.flatnonzero(self.levels[rows] == level)
            source = np.random.default_rng([self.seed, self.steps, level])
            hands[places] = self._hands(source, len(places))
        return rows, hands

    def _pick(self, games: list[int], levels: tuple[int, ...], deals: list[int]) -> Hands:
        """Go on with the games, one a hand, that are to be played; the hands."""
        rows, hands = self.deals(deals)
        shares = (self.weights / np.bincount(rows))[rows]
        costs = np.zeros(len(rows), np.int64)
        self._play.foresee_each(self.boards[rows], hands, self._plan, costs)
        reached = np.searchsorted((*levels, int(WORST)), costs, "right")
        chosen, weights, groups = [], [], []
        for level in np.unique(reached):
            count = games[level] if level < len(games) else 1
            places = np.flatnonzero(reached == level)
            upto = np.cumsum(shares[places])
            source = np.random.default_rng([self.seed, self.steps, level, 1])
            points = (np.arange(count) + source.random()) / count * upto[-1]
            picked = np.minimum(np.searchsorted(upto, points, "right"), len(places) - 1)
            chosen.append(places[picked])
            weights.append(np.full(count, upto[-1] / count))
            groups.append(np.full(count, level, np.int64))
        self.boards = self.boards[rows[np.concatenate(chosen)]]
        self.weights, self.levels = np.concatenate(weights), np.concatenate(groups)
        return hands[np.concatenate(chosen)]

    def _hands(self, source: np.random.Generator, count: int) -> Hands:
        """Hands for the games of a level: each uniform, together spread over the deck."""
        places = source.permuted(np.tile(np.arange(count), (3, 1)), axis=1).T
        shares = (places + source.random((count, 3))) / count
        return self.deck[(shares * len(self.deck)).astype(np.int64)]


def measure(
    player: TurnPlayer, deck: npt.NDArray[np.int64], plan: Plan, seed: int
) -> dict[str, Any]:
    """One independent run: risk, deaths, cells and seconds a turn, as a single game has them."""
    ensemble = Ensemble(player, deck, seed)
    started = player.seconds()
    for _ in range(WARM_UP):
        ensemble.step([WARM_UP_GAMES], (), [1])
    for _ in range(CLIMB):
        ensemble.step(plan.sizes(), plan.levels, plan.deals())
    found = [ensemble.step(plan.sizes(), plan.levels, plan.deals()) for _ in range(plan.steps)]
    means = {name: sum(one[name] for one in found) / plan.steps for name in found[0]}
    return {
        **means,
        "turns": int(sum(one["turns"] for one in found)),
        "cpu": player.seconds() - started,
    }
