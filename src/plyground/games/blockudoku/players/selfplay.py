"""Many turns of play inside compiled code: for survival figures and for learning.

Besides counting deaths, a run adds up *risk*: before each deal, the share of sampled deals that
could not be placed. Its mean is the same death rate with less noise, since the luck of the deal
that was actually met drops out.
"""

from __future__ import annotations

import numpy as np

from plyground.games.blockudoku.board import ZERO, can_place_all, deal, occupied
from plyground.games.blockudoku.players.lookahead import MAX_CANDIDATES, MAX_DEALS, choose_turn
from plyground.games.blockudoku.players.turns import MAX_NODES, NODE_WORDS, WORST
from plyground.kernels.marker import kernel
from plyground.kernels.random import split_mix

PROBED_FROM = 22
"""Boards with fewer cells are taken to place every deal."""

COUNT_REACHED, FLOOR_REACHED, CEILING_REACHED, DIED = 0, 1, 2, 3
"""How a run ended."""

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


@kernel
def play_turns(
    seed: np.uint64,
    turn: np.int64,
    count: np.int64,
    deck: np.ndarray,
    weights: np.ndarray,
    counts: np.ndarray,
    scales: np.ndarray,
    probes: np.int64,
    floor: np.int64,
    ceiling: np.int64,
    placements: np.ndarray,
    covers: np.ndarray,
    board: np.ndarray,
    totals: np.ndarray,
) -> np.int64:
    """Play up to `count` turns from `board`; after a death the board is empty again.

    Ends early on a board with at most `floor` or at least `ceiling` cells; with a floor that a
    board can have, also after a death. Returns how it ended. `counts` and `scales` say how far to
    look ahead (see `lookahead`). `totals` grows by turns, deaths, risk, cells left after each
    turn, boards evaluated.
    """
    hand = np.empty(3, np.int64)
    nodes = np.empty((MAX_NODES, NODE_WORDS), np.uint64)
    values = np.empty(MAX_CANDIDATES, np.int64)
    boards = np.empty((MAX_CANDIDATES, 2), np.uint64)
    moves = np.empty((MAX_CANDIDATES, 3), np.uint64)
    active = np.zeros(MAX_CANDIDATES, np.bool_)
    chances = np.empty((MAX_CANDIDATES, MAX_DEALS), np.float64)
    evaluated = np.zeros(1, np.int64)
    low, high = board[0], board[1]
    ended = np.int64(COUNT_REACHED)
    for offset in range(count):
        deal(seed, turn + offset, deck, hand)
        chosen = choose_turn(
            low,
            high,
            hand,
            deck,
            weights,
            counts,
            scales,
            placements,
            covers,
            nodes,
            values,
            boards,
            moves,
            active,
            chances,
            evaluated,
        )
        if values[chosen] == WORST:
            totals[DEATHS] += 1
            low, high = ZERO, ZERO
            if floor >= 0:
                ended = np.int64(DIED)
                break
        else:
            totals[TURNS] += 1
            low, high = boards[chosen, 0], boards[chosen, 1]
        filled = occupied(low, high)
        totals[CELLS] += filled
        if probes > 0 and filled >= PROBED_FROM:
            totals[RISK] += sampled_risk(low, high, deck, probes, hand)
        if filled <= floor or filled >= ceiling:
            ended = np.int64(FLOOR_REACHED if filled <= floor else CEILING_REACHED)
            break
    totals[BOARDS] += evaluated[0]
    board[0], board[1] = low, high
    return ended
