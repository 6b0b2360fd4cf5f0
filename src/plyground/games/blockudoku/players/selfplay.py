"""Many turns of play inside compiled code: for survival figures and for learning.

Besides counting deaths, a run adds up *risk*: before each deal, the share of sampled deals that
could not be placed. Its mean is the same death rate with less noise, since the luck of the deal
that was actually met drops out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plyground.games.blockudoku.board import can_place_all, deal, occupied
from plyground.games.blockudoku.players.lookahead import Planning, choose_turn
from plyground.games.blockudoku.players.turns import WORST
from plyground.kernels.marker import kernel
from plyground.kernels.random import split_mix
from plyground.kernels.words import ZERO

PROBED_FROM = 22
"""Boards with fewer cells are taken to place every deal."""

COUNT_REACHED, FLOOR_REACHED, CEILING_REACHED, DIED = 0, 1, 2, 3
"""How a run ended."""

TURNS, DEATHS, RISK, CELLS, BOARDS = 0, 1, 2, 3, 4
TOTAL_COUNT = 5

NO_CEILING = 82
"""More cells than a board has."""


class Stops(NamedTuple):
    """When a run ends, and how many deals are probed for its risk.

    It ends early on a board with at most `floor` or at least `ceiling` cells; with a floor that a
    board can have, also after a death. `hand` (3,) is scratch space.
    """

    floor: np.int64
    ceiling: np.int64
    probes: np.int64
    hand: np.ndarray


@kernel(lean=True)
def sampled_risk(
    low: np.uint64,
    high: np.uint64,
    deck: np.ndarray,
    probes: np.int64,
    hand: np.ndarray,
) -> np.float64:
    """The share of `probes` random deals that cannot be placed; the same board, the same deals."""
    seed = split_mix(low ^ split_mix(high))
    failures = np.int64(0)
    for probe in range(probes):
        deal(seed, np.int64(probe), deck, hand)
        if not can_place_all(low, high, hand):
            failures += 1
    return failures / probes


@kernel(lean=True)
def play_turns(
    seed: np.uint64,
    turn: np.int64,
    count: np.int64,
    stops: Stops,
    plan: Planning,
    board: np.ndarray,
    totals: np.ndarray,
) -> np.int64:
    """Play up to `count` turns from `board`; after a death the board is empty again.

    Returns how it ended. `totals` grows by turns, deaths, risk, cells left after each turn, boards
    evaluated.
    """
    before = plan.evaluated[0]
    low, high = board[0], board[1]
    ended = np.int64(COUNT_REACHED)
    for offset in range(count):
        deal(seed, turn + offset, plan.deck, stops.hand)
        chosen = choose_turn(low, high, stops.hand, plan)
        if plan.best.values[chosen] == WORST:
            totals[DEATHS] += 1
            low, high = ZERO, ZERO
            if stops.floor >= 0:
                ended = np.int64(DIED)
                break
        else:
            totals[TURNS] += 1
            low, high = plan.best.boards[chosen, 0], plan.best.boards[chosen, 1]
        filled = occupied(low, high)
        totals[CELLS] += filled
        if stops.probes > 0 and filled >= PROBED_FROM:
            totals[RISK] += sampled_risk(low, high, plan.deck, stops.probes, stops.hand)
        if filled <= stops.floor or filled >= stops.ceiling:
            ended = np.int64(FLOOR_REACHED if filled <= stops.floor else CEILING_REACHED)
            break
    totals[BOARDS] += plan.evaluated[0] - before
    board[0], board[1] = low, high
    return ended
