"""From a finished proof to the strategy behind it: one move for every position of the attacker.

Positions are taken in layers. A position of the attacker gets a move after which every reply leads
to a position that is won sooner; what the search has forgotten since is asked for again.
"""

from __future__ import annotations

import numpy as np

from plyground.kernels import kernel
from plyground.kernels.rows import row
from plyground.search.contract.proof import (
    judge,
    judge_root,
    key,
    list_moves,
    normalise,
    play,
)
from plyground.search.proof_kernel import ROOT, Workspace, look_up
from plyground.search.proof_table import SIX_BITS, mix
from plyground.search.proof_verdict import NOT_PROVEN

NEXT = np.int64(1)
UNKNOWN = -1
"""As the move of a position: the search has to prove again that it is won."""


@kernel
def won_within(
    work: Workspace, state: np.ndarray, attacking: np.int64, plies: np.int64
) -> np.uint64:
    """The least plies of a win that table or a look at the position gives, or NOT_PROVEN."""
    won = look_up(work, mix(key(work.params, state)), attacking) & SIX_BITS
    if won == NOT_PROVEN:
        won = judge(work.params, state, attacking, plies, work.scratch) & SIX_BITS
    return won


@kernel
def choose_moves(
    work: Workspace, states: np.ndarray, bounds: np.ndarray, chosen: np.ndarray
) -> np.int64:
    """A winning move for each of these positions of the attacker, won within `bounds` plies.

    Of several moves the one that wins soonest. `chosen[i]` is the move, or UNKNOWN where no child
    is known to be won soon enough. Returns how many are UNKNOWN.
    """
    moves = row(work.moves, ROOT)
    child = row(work.states, NEXT)
    unknown = np.int64(0)
    for n in range(states.shape[0]):
        state = row(states, np.int64(n))
        limit = np.uint64(bounds[n]) - np.uint64(1)
        best = NOT_PROVEN
        chosen[n] = UNKNOWN
        for i in range(list_moves(work.params, state, np.int64(1), moves)):
            play(work.params, state, np.int64(1), moves[i], child)
            won = won_within(work, child, np.int64(0), np.int64(limit))
            if won <= limit and won < best:
                best = won
                chosen[n] = moves[i]
        if chosen[n] == UNKNOWN:
            unknown += 1
    return unknown


@kernel
def list_replies(
    work: Workspace, states: np.ndarray, chosen: np.ndarray, replies: np.ndarray, owners: np.ndarray
) -> np.int64:
    """All positions after the chosen moves and the defender's listed replies to them.

    `replies` gets them in the form that stands for their key, `owners` the number of the position
    each came from; there must be room. Returns how many there are.
    """
    moves = row(work.moves, ROOT)
    child = row(work.states, NEXT)
    count = np.int64(0)
    for n in range(states.shape[0]):
        play(work.params, row(states, np.int64(n)), np.int64(1), chosen[n], child)
        listed = list_moves(work.params, child, np.int64(0), moves)
        for i in range(listed):
            reply = row(replies, count)
            play(work.params, child, np.int64(0), moves[i], reply)
            normalise(work.params, reply)
            owners[count] = n
            count += 1
    return count


@kernel
def describe(work: Workspace, states: np.ndarray, bounds: np.ndarray, plies: np.ndarray) -> None:
    """Within how many plies positions of the attacker are won; NOT_PROVEN if that is forgotten."""
    for n in range(states.shape[0]):
        plies[n] = won_within(work, row(states, np.int64(n)), np.int64(1), bounds[n])


@kernel
def list_keys(work: Workspace, states: np.ndarray, keys: np.ndarray) -> None:
    """The keys of positions."""
    for n in range(states.shape[0]):
        keys[n] = key(work.params, row(states, np.int64(n)))


@kernel
def prepare_roots(work: Workspace, states: np.ndarray, open_ones: np.ndarray) -> None:
    """Normalise positions of the attacker and say which of them are not won at once."""
    for n in range(states.shape[0]):
        state = row(states, np.int64(n))
        normalise(work.params, state)
        verdict = judge_root(work.params, state, NEXT, NEXT, work.scratch)
        open_ones[n] = verdict & SIX_BITS > np.uint64(1)
