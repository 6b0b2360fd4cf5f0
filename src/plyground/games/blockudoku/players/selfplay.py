"""Many turns of play inside compiled code: for survival figures and for learning.

Besides counting deaths, a run adds up *risk*: before each deal, the share of sampled deals that
could not be placed. Its mean is the same death rate with less noise, since the luck of the deal
that was actually met drops out.
"""

from __future__ import annotations

import numpy as np

from plyground.games.blockudoku.board import can_place_all, deal, occupied
from plyground.games.blockudoku.players.lookahead import Planning, choose_turn
from plyground.games.blockudoku.players.turns import WORST, best_boards
from plyground.kernels.marker import kernel
from plyground.kernels.random import split_mix
from plyground.kernels.words import ZERO

PROBED_FROM = 22
"""Boards with fewer cells are taken to place every deal."""

TURNS, DEATHS, RISK, CELLS, BOARDS = 0, 1, 2, 3, 4
TOTAL_COUNT = 5


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
    probes: np.int64,
    plan: Planning,
    board: np.ndarray,
    totals: np.ndarray,
) -> None:
    """Play `count` turns from `board`; after a death the board is empty again.

    `totals` grows by turns, deaths, risk from so many probes, cells left after each turn, boards
    evaluated.
    """
    before = plan.evaluated[0]
    low, high = board[0], board[1]
    hand = plan.hand
    for offset in range(count):
        deal(seed, turn + offset, plan.deck, hand)
        chosen = choose_turn(low, high, hand, plan)
        if plan.best.values[chosen] == WORST:
            totals[DEATHS] += 1
            low, high = ZERO, ZERO
        else:
            totals[TURNS] += 1
            low, high = plan.best.boards[chosen, 0], plan.best.boards[chosen, 1]
        filled = occupied(low, high)
        totals[CELLS] += filled
        if probes > 0 and filled >= PROBED_FROM:
            totals[RISK] += sampled_risk(low, high, plan.deck, probes, hand)
    totals[BOARDS] += plan.evaluated[0] - before
    board[0], board[1] = low, high


@kernel(lean=True)
def play_each(
    boards: np.ndarray, hands: np.ndarray, plan: Planning, after: np.ndarray, alive: np.ndarray
) -> None:
    """One turn on each of the boards (n, 2) with its own hand (n, 3).

    `after` (n, 2) becomes the boards, `alive` (n,) whether the hand could be placed.
    """
    for row in range(boards.shape[0]):
        for slot in range(3):
            plan.hand[slot] = hands[row, slot]
        chosen = choose_turn(boards[row, 0], boards[row, 1], plan.hand, plan)
        alive[row] = plan.best.values[chosen] != WORST
        after[row, 0], after[row, 1] = plan.best.boards[chosen, 0], plan.best.boards[chosen, 1]


@kernel(lean=True)
def foresee_each(boards: np.ndarray, hands: np.ndarray, plan: Planning, costs: np.ndarray) -> None:
    """The cost that the evaluation alone would leave on each of the boards (n, 2) with its hand.

    WORST in `costs` (n,) where a hand cannot be placed.
    """
    for row in range(boards.shape[0]):
        for slot in range(3):
            plan.hand[slot] = hands[row, slot]
        board = boards[row, 0], boards[row, 1]
        best_boards(board, plan.hand, np.int64(1), plan.search, plan.best)
        costs[row] = plan.best.values[0]
