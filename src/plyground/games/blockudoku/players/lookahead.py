"""Sampling the next deal: which of the best boards of a turn leads to the least danger?

Each candidate board meets the same sampled deals and answers each with its best turn. The value
found is turned into a chance of death, and the candidates are compared by its mean. Candidates
that are clearly worse drop out; the first candidate, best by evaluation alone, is only overruled
by a difference that stands out of the noise of the sample.

`counts` (int64) is candidates, deals at most, deals a round, cells from which a board counts as
crowded; `scales` (float64) is the value at which death is as likely as not, the difference of
value that changes the odds by a factor e, and how many standard errors make a difference clear.
"""

from __future__ import annotations

import math

import numpy as np

from plyground.games.blockudoku.board import deal, occupied
from plyground.games.blockudoku.players.turns import WORST, best_boards
from plyground.kernels.marker import kernel
from plyground.kernels.random import split_mix

CANDIDATES, DEALS, ROUND, CROWDED_FROM = 0, 1, 2, 3
CENTRE, SCALE, DOUBT = 0, 1, 2
MAX_CANDIDATES = 16
MAX_DEALS = 4096


@kernel(lean=True)
def death_chance(value: np.int64, scales: np.ndarray) -> float:
    """The chance of dying soon from a board of this value; 1 where no turn was possible."""
    if value == WORST:
        return 1.0
    return 1.0 / (1.0 + math.exp((scales[CENTRE] - np.float64(value)) / scales[SCALE]))


@kernel
def sample_deals(
    boards: np.ndarray,
    active: np.ndarray,
    seed: np.uint64,
    first: np.int64,
    last: np.int64,
    deck: np.ndarray,
    weights: np.ndarray,
    scales: np.ndarray,
    placements: np.ndarray,
    covers: np.ndarray,
    nodes: np.ndarray,
    chances: np.ndarray,
) -> np.int64:
    """Fill `chances[candidate, deal]` for the active candidates and deals first .. last-1.

    Returns how many boards were evaluated.
    """
    evaluated = np.int64(0)
    hand = np.empty(3, np.int64)
    values = np.empty(1, np.int64)
    best = np.empty((1, 2), np.uint64)
    moves = np.empty((1, 3), np.uint64)
    for number in range(first, last):
        deal(seed, np.int64(number), deck, hand)
        for candidate in range(active.shape[0]):
            if active[candidate]:
                evaluated += best_boards(
                    boards[candidate, 0],
                    boards[candidate, 1],
                    hand,
                    weights,
                    placements,
                    covers,
                    nodes,
                    values,
                    best,
                    moves,
                )
                chances[candidate, number] = death_chance(values[0], scales)
    return evaluated


@kernel(lean=True)
def is_clearly_less(
    chances: np.ndarray, better: np.int64, worse: np.int64, deals: np.int64, doubt: float
) -> bool:
    """Whether one candidate's mean chance is lower by more than `doubt` standard errors."""
    total = 0.0
    squares = 0.0
    for number in range(deals):
        difference = chances[worse, number] - chances[better, number]
        total += difference
        squares += difference * difference
    mean = total / deals
    variance = max(0.0, squares / deals - mean * mean) / max(np.int64(1), deals - 1)
    return bool(mean > 0.0 and mean > doubt * math.sqrt(variance))


@kernel(lean=True)
def compare_candidates(
    chances: np.ndarray, deals: np.int64, doubt: float, active: np.ndarray
) -> np.int64:
    """Drop candidates that are clearly worse than the leader; the candidate to play now."""
    leader = np.int64(0)
    lowest = np.float64(2.0 * deals)
    for candidate in range(active.shape[0]):
        if active[candidate]:
            total = np.float64(0.0)
            for number in range(deals):
                total += chances[candidate, number]
            if total < lowest:
                leader, lowest = np.int64(candidate), total
    for candidate in range(active.shape[0]):
        if active[candidate] and candidate != leader:
            active[candidate] = not is_clearly_less(
                chances, leader, np.int64(candidate), deals, doubt
            )
    return np.int64(0) if active[0] else leader


@kernel
def choose_turn(
    low: np.uint64,
    high: np.uint64,
    hand: np.ndarray,
    deck: np.ndarray,
    weights: np.ndarray,
    counts: np.ndarray,
    scales: np.ndarray,
    placements: np.ndarray,
    covers: np.ndarray,
    nodes: np.ndarray,
    values: np.ndarray,
    boards: np.ndarray,
    moves: np.ndarray,
    active: np.ndarray,
    chances: np.ndarray,
    evaluated: np.ndarray,
) -> np.int64:
    """The place in `values`, `boards` and `moves` of the turn to play; WORST there means death.

    The sampled deals are a function of the board and the hand, never of the game's seed.
    """
    evaluated[0] += best_boards(
        low, high, hand, weights, placements, covers, nodes, values[:1], boards, moves
    )
    if counts[CANDIDATES] < 2 or values[0] == WORST:
        return np.int64(0)
    if occupied(boards[0, 0], boards[0, 1]) < counts[CROWDED_FROM]:
        return np.int64(0)
    found = counts[CANDIDATES]
    evaluated[0] += best_boards(
        low, high, hand, weights, placements, covers, nodes, values[:found], boards, moves
    )
    for candidate in range(active.shape[0]):
        active[candidate] = candidate < found and values[candidate] != WORST
    seed = split_mix(split_mix(low ^ split_mix(high)) + np.uint64(hand[0] * 4096 + hand[1] * 64))
    seed ^= np.uint64(hand[2])
    chosen = np.int64(0)
    done = np.int64(0)
    while done < counts[DEALS] and active.sum() > 1:
        upto = min(counts[DEALS], done + counts[ROUND])
        evaluated[0] += sample_deals(
            boards,
            active,
            seed,
            done,
            upto,
            deck,
            weights,
            scales,
            placements,
            covers,
            nodes,
            chances,
        )
        done = upto
        chosen = compare_candidates(chances, done, scales[DOUBT], active)
    return chosen
