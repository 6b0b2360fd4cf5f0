"""Sampling the next deal: which of the best boards of a turn leads to the least danger?

Each candidate board meets the same sampled deals and answers each with its best turn. The value
found is turned into a chance of death, and the candidates are compared by its mean. Candidates
that are clearly worse drop out; the first candidate, best by evaluation alone, is only overruled
by a difference that stands out of the noise of the sample.

"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from plyground.games.blockudoku.board import deal, occupied
from plyground.games.blockudoku.players.turns import WORST, BestTurns, TurnSearch, best_boards
from plyground.kernels.marker import kernel
from plyground.kernels.random import split_mix

CANDIDATES, DEALS, ROUND, CROWDED_FROM = 0, 1, 2, 3
CENTRE, SCALE, DOUBT = 0, 1, 2
MAX_CANDIDATES = 16
MAX_DEALS = 4096


class Planning(NamedTuple):
    """What planning a turn works on.

    `deck` are the pieces that are dealt. `counts` (4,) is candidates, deals at most, deals a round,
    cells from which a board counts as crowded; `scales` (3,) the value at which death is as likely
    as not, the difference of value that changes the odds by a factor e, and how many standard
    errors make a difference clear. `best` holds the candidates, `reply` the answer to a sampled
    deal, `active` (MAX_CANDIDATES,) which candidates are still compared, `chances`
    (MAX_CANDIDATES, MAX_DEALS) their chances of death. `evaluated` (1,) counts boards. `hand` (3,)
    is room for the hand to play.
    """

    deck: np.ndarray
    counts: np.ndarray
    scales: np.ndarray
    search: TurnSearch
    best: BestTurns
    reply: BestTurns
    sampled_hand: np.ndarray
    active: np.ndarray
    chances: np.ndarray
    evaluated: np.ndarray
    hand: np.ndarray


@kernel(lean=True)
def death_chance(value: np.int64, scales: np.ndarray) -> float:
    """The chance of dying soon from a board of this value; 1 where no turn was possible."""
    if value == WORST:
        return 1.0
    return 1.0 / (1.0 + math.exp((scales[CENTRE] - np.float64(value)) / scales[SCALE]))


@kernel(lean=True)
def sample_deals(seed: np.uint64, first: np.int64, last: np.int64, plan: Planning) -> np.int64:
    """Fill `chances[candidate, deal]` for the active candidates and deals first .. last-1.

    Returns how many boards were evaluated.
    """
    evaluated = np.int64(0)
    one = np.int64(1)
    for number in range(first, last):
        deal(seed, np.int64(number), plan.deck, plan.sampled_hand)
        for candidate in range(plan.active.shape[0]):
            if plan.active[candidate]:
                board = plan.best.boards[candidate, 0], plan.best.boards[candidate, 1]
                evaluated += best_boards(board, plan.sampled_hand, one, plan.search, plan.reply)
                plan.chances[candidate, number] = death_chance(plan.reply.values[0], plan.scales)
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


@kernel(lean=True)
def choose_turn(low: np.uint64, high: np.uint64, hand: np.ndarray, plan: Planning) -> np.int64:
    """The place in `plan.best` of the turn to play; WORST there means death.

    The sampled deals are a function of the board and the hand, never of the game's seed.
    """
    counts, best, active = plan.counts, plan.best, plan.active
    plan.evaluated[0] += best_boards((low, high), hand, np.int64(1), plan.search, best)
    if counts[CANDIDATES] < 2 or best.values[0] == WORST:
        return np.int64(0)
    if occupied(best.boards[0, 0], best.boards[0, 1]) < counts[CROWDED_FROM]:
        return np.int64(0)
    found = counts[CANDIDATES]
    plan.evaluated[0] += best_boards((low, high), hand, found, plan.search, best)
    left = np.int64(0)
    for candidate in range(active.shape[0]):
        active[candidate] = candidate < found and best.values[candidate] != WORST
        left += active[candidate]
    seed = split_mix(split_mix(low ^ split_mix(high)) + np.uint64(hand[0] * 4096 + hand[1] * 64))
    seed ^= np.uint64(hand[2])
    chosen = np.int64(0)
    done = np.int64(0)
    while done < counts[DEALS] and left > 1:
        upto = min(counts[DEALS], done + counts[ROUND])
        plan.evaluated[0] += sample_deals(seed, done, upto, plan)
        done = upto
        chosen = compare_candidates(plan.chances, done, plan.scales[DOUBT], active)
        left = np.int64(0)
        for candidate in range(active.shape[0]):
            left += active[candidate]
    return chosen
