"""Depth-bounded df-pn: can the attacker force a win within a number of plies?

Every node counts how much is at least left to do: `phi` for the player to move to reach its goal,
`delta` for the opponent to refute it. The goal of the attacker is a win within the plies left, the
goal of the defender is to hold out. A node is worked on until one of the two passes its limit; then
its parent chooses again. The search is on an explicit stack; `run` goes on where it stopped.

Each question carries its plies, so a line never repeats a question and cycles of the game need no
care. What is proven for n plies holds for more, what is refuted holds for fewer: one table serves
all depths. A search that begins anew with an old table finds its way back by that table alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plyground.kernels import kernel
from plyground.kernels.rows import row
from plyground.kernels.words import ONE
from plyground.search.contract.proof import judge, judge_root, key, list_moves, play
from plyground.search.proof_table import (
    BUCKET_WORDS,
    HALF,
    HALF_SHIFT,
    INFINITE,
    SIX_BITS,
    held,
    identity,
    mix,
    probe,
    size_class,
    store,
    won_in,
)
from plyground.search.proof_verdict import FOREVER, NOT_PROVEN

MOST_PLIES = 61
ROOT = np.int64(0)
CEILING = np.int64(1 << 30)
"""Sums stop here, below INFINITE, so that a large sum is never taken for a decision."""

# Columns of `frames`.
PHI_LIMIT, DELTA_LIMIT, COUNT, CHOSEN, PLIES, WORK = range(6)
FRAME_WORDS = 6

# Places in `control`.
DEPTH, EVALUATIONS, VISITS, ROOT_PHI, ROOT_DELTA, ROOT_ATTACKING, ANSWER = range(7)
CONTROL_WORDS = 7
OPEN, PROVEN, REFUTED = range(3)

VERDICT_EIGHT = np.uint64(8)
VERDICT_NUMBERS = np.uint64(16)
VERDICT_SECOND = np.uint64(40)
VERDICT_MASK = np.uint64(0xFFFFFF)


class Workspace(NamedTuple):
    """What the search works on. `d` is the depth of the stack, `m` the most moves of a position.

    params   what the hooks need to know about the game
    states   (d, words)         positions on the stack
    moves    (d, m)             their listed moves
    keys     (d, m)             mixed keys of the positions after them
    facts    (d, m)             what is known about those: won_in | held << 8
    phis     (d, m)             their numbers, seen by the player to move there
    deltas   (d, m)
    frames   (d, FRAME_WORDS)
    scratch  (2 m,)             room for the hooks
    table    (buckets, 8)       see `proof_table`
    control  (CONTROL_WORDS,)
    """

    params: np.ndarray
    states: np.ndarray
    moves: np.ndarray
    keys: np.ndarray
    facts: np.ndarray
    phis: np.ndarray
    deltas: np.ndarray
    frames: np.ndarray
    scratch: np.ndarray
    table: np.ndarray
    control: np.ndarray


@kernel(lean=True)
def bits_of(buckets: np.int64) -> np.uint64:
    """The logarithm of a power of two."""
    return size_class(buckets) - ONE


@kernel(lean=True)
def decide(facts: np.uint64, plies: np.int64) -> np.int64:
    """What facts (won_in | held << 8) say about a win within so many plies."""
    if facts & SIX_BITS <= np.uint64(plies):
        return np.int64(PROVEN)
    if (facts >> VERDICT_EIGHT) & SIX_BITS > np.uint64(plies):
        return np.int64(REFUTED)
    return np.int64(OPEN)


@kernel
def begin(work: Workspace, attacking: np.int64, plies: np.int64) -> np.int64:
    """Set up the question for the unfinished position in `states[0]`; its answer if in sight."""
    control = work.control
    verdict = judge_root(work.params, row(work.states, ROOT), attacking, plies, work.scratch)
    control[DEPTH] = 0
    control[ROOT_ATTACKING] = attacking
    control[ROOT_PHI] = 1
    control[ROOT_DELTA] = 1
    control[ANSWER] = decide(verdict, plies)
    frame = row(work.frames, ROOT)
    frame[PHI_LIMIT] = INFINITE
    frame[DELTA_LIMIT] = INFINITE
    frame[COUNT] = -1
    frame[PLIES] = plies
    frame[WORK] = 0
    return control[ANSWER]


@kernel
def look_up(work: Workspace, mixed: np.uint64, attacking: np.int64) -> np.uint64:
    """The facts of a position (won_in | held << 8); those of nothing known if it has no entry."""
    table = work.table
    bucket = mixed & np.uint64(table.shape[0] - 1)
    place = probe(table, bucket, identity(bits_of(table.shape[0]), mixed, attacking))
    if place == np.uint64(BUCKET_WORDS):
        return NOT_PROVEN
    facts = table[bucket, place]
    return won_in(facts) | (held(facts) << VERDICT_EIGHT)


@kernel
def open_node(work: Workspace, depth: np.int64) -> np.int64:
    """List the moves of the position at a depth of the stack and value what they lead to.

    Returns the number of positions that had to be judged.
    """
    frame = row(work.frames, depth)
    state = row(work.states, depth)
    child = row(work.states, depth + 1)
    moves, keys = row(work.moves, depth), row(work.keys, depth)
    known, phis, deltas = row(work.facts, depth), row(work.phis, depth), row(work.deltas, depth)
    attacking = work.control[ROOT_ATTACKING] ^ (depth & 1)
    other = attacking ^ 1
    plies = frame[PLIES] - 1
    table = work.table
    bits = bits_of(table.shape[0])
    index_mask = np.uint64(table.shape[0] - 1)
    count = list_moves(work.params, state, attacking, moves)
    judged = np.int64(0)
    for place in range(np.uint64(count)):
        i = np.uint64(place)
        play(work.params, state, attacking, moves[i], child)
        mixed = mix(key(work.params, child))
        keys[i] = mixed
        bucket = mixed & index_mask
        entry = probe(table, bucket, identity(bits, mixed, other))
        if entry != np.uint64(BUCKET_WORDS):
            facts = table[bucket, entry]
            facts = won_in(facts) | (held(facts) << VERDICT_EIGHT)
            numbers = table[bucket, entry | ONE]
            phi, delta = np.int64(numbers & HALF), np.int64(numbers >> HALF_SHIFT)
        else:
            judged += 1
            verdict = judge(work.params, child, other, plies, work.scratch)
            facts = verdict & np.uint64(0xFFFF)
            phi = np.int64((verdict >> VERDICT_NUMBERS) & VERDICT_MASK)
            delta = np.int64(verdict >> VERDICT_SECOND)
            # Kept at once, to be forgotten first: a node is opened many times.
            numbers = np.uint64(phi) | (np.uint64(delta) << HALF_SHIFT)
            store(table, bucket, identity(bits, mixed, other), facts, numbers, ONE)
        answer = decide(facts, plies)
        if answer != OPEN:
            wanted = (answer == PROVEN) == (other == 1)
            phi = np.int64(0) if wanted else INFINITE
            delta = INFINITE if wanted else np.int64(0)
        known[i] = facts
        phis[i] = phi
        deltas[i] = delta
    frame[COUNT] = count
    return judged


@kernel
def join_facts(work: Workspace, depth: np.int64) -> np.uint64:
    """What the children say about a node: won_in | held << 8."""
    attacking = work.control[ROOT_ATTACKING] ^ (depth & 1)
    known = row(work.facts, depth)
    least_won, most_won = NOT_PROVEN, np.uint64(0)
    least_held, most_held = FOREVER, np.uint64(0)
    for place in range(np.uint64(work.frames[depth, COUNT])):
        facts = known[np.uint64(place)]
        won, kept = facts & SIX_BITS, (facts >> VERDICT_EIGHT) & SIX_BITS
        least_won, most_won = min(least_won, won), max(most_won, won)
        least_held, most_held = min(least_held, kept), max(most_held, kept)
    won = least_won if attacking == 1 else most_won
    kept = least_held if attacking == 1 else most_held
    if won < NOT_PROVEN - ONE:
        won += ONE
    else:
        won = NOT_PROVEN
    if kept < FOREVER:
        kept = min(kept + ONE, FOREVER - ONE)
    return won | (kept << VERDICT_EIGHT)


@kernel
def close_node(work: Workspace, depth: np.int64, phi: np.int64, delta: np.int64) -> None:
    """Keep what was found about a node in the table and tell its parent."""
    facts = join_facts(work, depth)
    former_phi = former_delta = np.int64(1)
    if depth == 0:
        work.control[ROOT_PHI] = phi
        work.control[ROOT_DELTA] = delta
        work.control[ANSWER] = decide(facts, work.frames[0, PLIES])
        mixed = mix(key(work.params, row(work.states, ROOT)))
    else:
        place = work.frames[depth - 1, CHOSEN]
        mixed = work.keys[depth - 1, place]
        former_phi = work.phis[depth - 1, place]
        former_delta = work.deltas[depth - 1, place]
        work.facts[depth - 1, place] = facts
        work.phis[depth - 1, place] = phi
        work.deltas[depth - 1, place] = delta
    attacking = work.control[ROOT_ATTACKING] ^ (depth & 1)
    table = work.table
    spent = work.control[EVALUATIONS] - work.frames[depth, WORK]
    if phi == 0 or delta == 0:
        # For another depth what was left to do before the decision is the better guess.
        phi, delta = former_phi, former_delta
    store(
        table,
        mixed & np.uint64(table.shape[0] - 1),
        identity(bits_of(table.shape[0]), mixed, attacking),
        facts,
        np.uint64(phi) | (np.uint64(delta) << HALF_SHIFT),
        size_class(spent),
    )


@kernel
def descend(
    work: Workspace, depth: np.int64, phi: np.int64, second: np.int64, delta: np.int64
) -> None:
    """Go on with the chosen child, up to where another child or another parent is preferred."""
    frame = row(work.frames, depth)
    below = row(work.frames, depth + 1)
    chosen = frame[CHOSEN]
    if frame[DELTA_LIMIT] >= INFINITE:
        below[PHI_LIMIT] = INFINITE
    else:
        below[PHI_LIMIT] = frame[DELTA_LIMIT] - delta + work.phis[depth, chosen]
    # A little more than the second best, so that the search does not leap between the two.
    below[DELTA_LIMIT] = min(frame[PHI_LIMIT], second + (second >> np.int64(2)) + 1)
    below[COUNT] = -1
    below[PLIES] = frame[PLIES] - 1
    below[WORK] = work.control[EVALUATIONS]
    attacking = work.control[ROOT_ATTACKING] ^ (depth & 1)
    play(
        work.params,
        row(work.states, depth),
        attacking,
        work.moves[depth, chosen],
        row(work.states, depth + 1),
    )


@kernel
def run(work: Workspace, budget: np.int64) -> np.int64:
    """Search on for about `budget` judged positions: PROVEN, REFUTED, or OPEN if more is needed."""
    control = work.control
    if control[ANSWER] != OPEN:
        return control[ANSWER]
    until = control[EVALUATIONS] + budget
    depth = control[DEPTH]
    while True:
        frame = row(work.frames, depth)
        if frame[COUNT] < 0:
            if control[EVALUATIONS] >= until:
                break
            control[VISITS] += 1
            control[EVALUATIONS] += open_node(work, depth)
        phis, deltas = row(work.phis, depth), row(work.deltas, depth)
        phi, second, delta = INFINITE, INFINITE, np.int64(0)
        chosen = np.uint64(0)
        for place in range(np.uint64(frame[COUNT])):
            i = np.uint64(place)
            left = deltas[i]
            if left < phi:
                second = phi
                phi = left
                chosen = i
            elif left < second:
                second = left
            delta += phis[i]
        delta = INFINITE if phi == 0 else min(delta, CEILING)
        if phi >= frame[PHI_LIMIT] or delta >= frame[DELTA_LIMIT] or delta == 0:
            close_node(work, depth, phi, delta)
            if depth == 0:
                control[DEPTH] = 0
                return control[ANSWER]
            depth -= 1
        else:
            if depth == 0:
                control[ROOT_PHI] = phi
                control[ROOT_DELTA] = delta
            frame[CHOSEN] = np.int64(chosen)
            descend(work, depth, phi, second, delta)
            depth += 1
    control[DEPTH] = depth
    return np.int64(OPEN)
