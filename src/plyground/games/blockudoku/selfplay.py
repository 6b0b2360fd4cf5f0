"""Many turns of play inside compiled code: for survival figures and for learning.

Besides counting deaths, a run adds up *risk*: before each deal, the share of sampled deals that
could not be placed. Its mean is the same death rate with less noise, since the luck of the deal
that was actually met drops out.
"""

from __future__ import annotations

import numpy as np

from plyground.games.blockudoku.board import ZERO, can_place_all, deal, occupied
from plyground.games.blockudoku.turns import WORST, best_boards
from plyground.kernels.marker import kernel
from plyground.kernels.random import split_mix

PROBED_FROM = 22
"""Boards with fewer cells are taken to place every deal."""

TURNS, DEATHS, RISK, CELLS, BOARDS = 0, 1, 2, 3, 4
TOTAL_COUNT = 5


@kernel
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


@kernel
def play_turns(
    seed: np.uint64,
    turn: np.int64,
    count: np.int64,
    deck: np.ndarray,
    weights: np.ndarray,
    probes: np.int64,
    placements: np.ndarray,
    covers: np.ndarray,
    nodes: np.ndarray,
    board: np.ndarray,
    totals: np.ndarray,
) -> None:
    """Play `count` turns from `board` by evaluation alone; after a death the board is empty again.

    `totals` grows by turns, deaths, risk, cells left after each turn, boards evaluated.
    """
    hand = np.empty(3, np.int64)
    values = np.empty(1, np.int64)
    boards = np.empty((1, 2), np.uint64)
    moves = np.empty((1, 3), np.uint64)
    low, high = board[0], board[1]
    for offset in range(count):
        deal(seed, turn + offset, deck, hand)
        totals[BOARDS] += best_boards(
            low, high, hand, weights, placements, covers, nodes, values, boards, moves
        )
        if values[0] == WORST:
            totals[DEATHS] += 1
            low, high = ZERO, ZERO
        else:
            totals[TURNS] += 1
            low, high = boards[0, 0], boards[0, 1]
        filled = occupied(low, high)
        totals[CELLS] += filled
        if probes > 0 and filled >= PROBED_FROM:
            totals[RISK] += sampled_risk(low, high, deck, probes, hand)
    board[0], board[1] = low, high
