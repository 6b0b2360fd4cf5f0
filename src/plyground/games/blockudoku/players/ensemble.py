"""Deaths per turn of any player that can be asked for a turn, by an ensemble of weighted games.

Deaths of a strong player are too rare to count. An ensemble plays many games at once, one turn a
step. Each game has a weight, and the weights add up to 1. Games are sorted into levels by how
dangerous their boards are, and after each step every level is filled up or thinned out to the same
number of games: a game of a level is picked in proportion to its weight, and those picked share
the weight of the level. So dangerous boards, which are rare, are played on many times with little
weight, and whatever is added up by weight has the mean that it has in a single game played for
ever.

What is added up is the exact risk of the next deal (`danger.deal_risk`): the luck of that deal
drops out. The pieces that the games of one level meet in a step are spread evenly over the deck.
Seed, step, level and place in the level say what is dealt, whoever plays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from plyground import kernels
from plyground.games.blockudoku.players.danger import new_lasts
from plyground.games.blockudoku.players.planning import make_search
from plyground.games.blockudoku.players.settings import learned_weights

Boards = npt.NDArray[np.uint64]
"""(n, 2): boards in two words."""
Hands = npt.NDArray[np.int64]
"""(n, 3): the pieces to place on each."""

LEVELS = (300_000, 370_000, 430_000, 500_000, 600_000, 800_000)
"""Costs of a board, by the champion's evaluation, from which it belongs to the next level."""
SHARES = (0.8, 2.4, 1.2, 1.0, 1.0, 0.6, 0.4)
"""Games of each of these levels, in proportion: many where turns are cheap and much weight moves,
few at the top, where turns are dear and the risk of the next deal says nearly all."""
WARM_UP = 30
"""Steps without levels before all else: from an empty board to what is usual."""
WARM_UP_GAMES = 16
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


class Ensemble:
    """Weighted games of one player."""

    def __init__(self, player: TurnPlayer, deck: npt.NDArray[np.int64], seed: int):
        self.player, self.deck, self.seed = player, deck, seed
        self._module = kernels.compiled("plyground.games.blockudoku.players.danger")
        self._search, self._lasts = make_search(learned_weights()), new_lasts()
        self.boards: Boards = np.zeros((1, 2), np.uint64)
        self.weights = np.ones(1)
        self.levels = np.zeros(1, np.int64)
        self.steps = 0

    def step(self, games: list[int], levels: tuple[int, ...]) -> dict[str, float]:
        """One turn in every game, then so many games of each level.

        Returns what was met, by weight, and how many turns were played.
        """
        sums = dict.fromkeys(("risk", "deaths", "cells", "seconds"), 0.0)
        after = np.zeros_like(self.boards)
        sources = {}
        for level in np.unique(self.levels):
            rows = np.flatnonzero(self.levels == level)
            source = sources[level] = np.random.default_rng([self.seed, self.steps, level])
            started = self.player.seconds()
            boards, alive = self.player.turns(self.boards[rows], self._hands(source, len(rows)))
            mean_weight = float(self.weights[rows].mean())
            sums["seconds"] += mean_weight * (self.player.seconds() - started)
            sums["deaths"] += float(self.weights[rows] @ ~alive)
            after[rows] = np.where(alive[:, None], boards, np.uint64(0))
        costs, risks = np.zeros(len(after), np.int64), np.zeros(len(after))
        self._module.judge_each(after, self.deck, self._search, self._lasts, costs, risks)
        sums["risk"] += float(self.weights @ risks)
        sums["cells"] += float(self.weights @ np.bitwise_count(after).sum(1))
        sums["turns"] = len(after)
        self._regroup(after, np.searchsorted(levels, costs, "right"), games)
        self.steps += 1
        return sums

    def _hands(self, source: np.random.Generator, count: int) -> Hands:
        """Deals for the games of a level: each uniform, together spread over the deck."""
        places = source.permuted(np.tile(np.arange(count), (3, 1)), axis=1).T
        shares = (places + source.random((count, 3))) / count
        return self.deck[(shares * len(self.deck)).astype(np.int64)]

    def _regroup(self, boards: Boards, levels: npt.NDArray[np.int64], sizes: list[int]) -> None:
        chosen, weights, groups = [], [], []
        for level in np.unique(levels):
            games = sizes[level]
            rows = np.flatnonzero(levels == level)
            upto = np.cumsum(self.weights[rows])
            source = np.random.default_rng([self.seed, self.steps, level, 1])
            points = (np.arange(games) + source.random()) / games * upto[-1]
            chosen.append(rows[np.minimum(np.searchsorted(upto, points, "right"), len(rows) - 1)])
            weights.append(np.full(games, upto[-1] / games))
            groups.append(np.full(games, level, np.int64))
        self.boards = boards[np.concatenate(chosen)]
        self.weights = np.concatenate(weights)
        self.levels = np.concatenate(groups)


def measure(
    player: TurnPlayer, deck: npt.NDArray[np.int64], plan: Plan, seed: int
) -> dict[str, Any]:
    """One independent run: risk, deaths, cells and seconds a turn, as a single game has them."""
    ensemble = Ensemble(player, deck, seed)
    started = player.seconds()
    for _ in range(WARM_UP):
        ensemble.step([WARM_UP_GAMES], ())
    for _ in range(CLIMB):
        ensemble.step(plan.sizes(), plan.levels)
    found = [ensemble.step(plan.sizes(), plan.levels) for _ in range(plan.steps)]
    means = {name: sum(one[name] for one in found) / plan.steps for name in found[0]}
    return {
        **means,
        "turns": int(sum(one["turns"] for one in found)),
        "cpu": player.seconds() - started,
    }
