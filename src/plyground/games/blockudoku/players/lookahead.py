"""Sampling the next deal: which of the best boards of a turn leads to the least danger?

The danger of a board is the exact chance that the next deal cannot be placed, and the mean danger
of the boards that the other deals lead to. For that mean each candidate board meets the same
sampled deals and answers each with its best turn; the value found is turned into a chance of
death. Candidates that are clearly worse drop out; the first candidate, best by evaluation alone,
is only overruled by a difference that stands out of the noise of the sample. The more dangerous
the board, the more deals are sampled.

"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from plyground.games.blockudoku.players.danger import deal_risk
from plyground.games.blockudoku.players.turns import WORST, BestTurns, TurnSearch, best_boards
from plyground.kernels.marker import kernel
from plyground.kernels.random import split_mix

CANDIDATES, DEALS, MOST_DEALS, ROUND = 0, 1, 2, 3
CENTRE, SCALE, DOUBT, ALARM, GROWTH = 0, 1, 2, 3, 4
MAX_CANDIDATES = 16
MAX_DEALS = 4096
_SPREAD = np.array([0.8191725133961645, 0.6710436067037893, 0.5497004779019703])
"""Steps that spread points evenly in a cube (powers of the root of x**4 = x + 1)."""


class Planning(NamedTuple):
    """What planning a turn works on.

    `deck` are the pieces that are dealt. `counts` (4,) is candidates, deals where looking ahead
    begins, deals at most, deals a round; `scales` (5,) the value at which death is as likely as
    not, the difference of value that changes the odds by a factor e, how many standard errors make
    a difference clear, the value from which to look ahead, and the difference of value that
    changes the number of deals by a factor e. `best` holds the candidates, `reply` the answer to a
    sampled deal, `active` (MAX_CANDIDATES,) which candidates are still compared, `risks`
    (MAX_CANDIDATES,) the exact risks of the next deal, `lasts` room for `deal_risk`, `chances`
    (MAX_CANDIDATES, MAX_DEALS) the chances of death. `evaluated` (1,) counts boards. `hand` (3,)
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
    risks: np.ndarray
    lasts: np.ndarray
    chances: np.ndarray
    evaluated: np.ndarray
    hand: np.ndarray


@kernel(lean=True)
def death_chance(value: np.int64, scales: np.ndarray) -> float:
    """The chance of dying soon from a board of this value."""
    return 1.0 / (1.0 + math.exp((scales[CENTRE] - np.float64(value)) / scales[SCALE]))


@kernel(lean=True)
def spread_deal(seed: np.uint64, number: np.int64, deck: np.ndarray, hand: np.ndarray) -> None:
    """Write a sampled deal into `hand`; those of one seed are spread evenly over all deals."""
    for slot in range(3):
        word = split_mix(seed + np.uint64(slot))
        share = np.float64(word >> np.uint64(11)) / 9007199254740992.0
        share += (number + 1) * _SPREAD[slot]
        hand[slot] = deck[np.int64((share - math.floor(share)) * deck.shape[0])]


@kernel(lean=True)
def weigh_candidates(plan: Planning) -> None:
    """Write the exact risks of the active candidates."""
    for candidate in range(plan.active.shape[0]):
        if plan.active[candidate]:
            low, high = plan.best.boards[candidate, 0], plan.best.boards[candidate, 1]
            plan.risks[candidate] = deal_risk(low, high, plan.deck, plan.lasts)


@kernel(lean=True)
def sample_deals(seed: np.uint64, first: np.int64, last: np.int64, plan: Planning) -> np.int64:
    """Fill `chances[candidate, deal]` for the active candidates and deals first .. last-1.

    Returns how many boards were evaluated. A deal that cannot be placed adds nothing here: it is
    in the candidate's risk.
    """
    evaluated = np.int64(0)
    one = np.int64(1)
    for number in range(first, last):
        spread_deal(seed, np.int64(number), plan.deck, plan.sampled_hand)
        for candidate in range(plan.active.shape[0]):
            if plan.active[candidate]:
                board = plan.best.boards[candidate, 0], plan.best.boards[candidate, 1]
                evaluated += best_boards(board, plan.sampled_hand, one, plan.search, plan.reply)
                chance = plan.risks[candidate]
                if plan.reply.values[0] != WORST:
                    chance += death_chance(plan.reply.values[0], plan.scales)
                plan.chances[candidate, number] = chance
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
def deals_for(value: np.int64, counts: np.ndarray, scales: np.ndarray) -> np.int64:
    """How many deals at most a best board of this value is worth; 0 where there is no danger."""
    excess = np.float64(value) - scales[ALARM]
    if value == WORST or excess < 0.0:
        return np.int64(0)
    deals = np.float64(counts[DEALS]) * math.exp(min(10.0, excess / scales[GROWTH]))
    return min(counts[MOST_DEALS], np.int64(deals))


@kernel(lean=True)
def choose_turn(low: np.uint64, high: np.uint64, hand: np.ndarray, plan: Planning) -> np.int64:
    """The place in `plan.best` of the turn to play; WORST there means death.

    The sampled deals are a function of the board and the hand, never of the game's seed.
    """
    counts, scales, best, active = plan.counts, plan.scales, plan.best, plan.active
    plan.evaluated[0] += best_boards((low, high), hand, np.int64(1), plan.search, best)
    deals = deals_for(best.values[0], counts, scales)
    if counts[CANDIDATES] < 2 or deals == 0:
        return np.int64(0)
    found = counts[CANDIDATES]
    plan.evaluated[0] += best_boards((low, high), hand, found, plan.search, best)
    left = np.int64(0)
    for candidate in range(active.shape[0]):
        active[candidate] = candidate < found and best.values[candidate] != WORST
        left += active[candidate]
    weigh_candidates(plan)
    seed = split_mix(split_mix(low ^ split_mix(high)) + np.uint64(hand[0] * 4096 + hand[1] * 64))
    seed ^= np.uint64(hand[2])
    chosen = np.int64(0)
    done = np.int64(0)
    while done < deals and left > 1:
        upto = min(deals, done + counts[ROUND])
        plan.evaluated[0] += sample_deals(seed, done, upto, plan)
        done = upto
        chosen = compare_candidates(plan.chances, done, scales[DOUBT], active)
        left = np.int64(0)
        for candidate in range(active.shape[0]):
            left += active[candidate]
    return chosen
