"""Counting move sequences: the number that shows whether a move generator is right."""

from __future__ import annotations

import numpy as np

from plyground.kernels import kernel
from plyground.kernels.rows import row
from plyground.kernels.words import ONGOING
from plyground.search.contract.game import legal_moves, mover, outcome, play


@kernel
def perft(
    params: np.ndarray,
    depth: np.int64,
    states: np.ndarray,
    moves: np.ndarray,
    counts: np.ndarray,
    cursors: np.ndarray,
) -> np.int64:
    """Sequences of exactly `depth` plies from `states[0]`; a game that ends earlier has none.

    -1 if a random event comes before that depth.

    `states` (depth+1, words), `moves` (depth+1, max moves), `counts` and `cursors` (depth+1) are
    the stack.
    """
    if outcome(params, states[0]) != ONGOING:
        return np.int64(0)
    total = np.int64(0)
    ply = np.int64(0)
    counts[0] = legal_moves(params, states[0], moves[0])
    cursors[0] = 0
    if depth == 1:
        return counts[0]
    while ply >= 0:
        if cursors[ply] == counts[ply]:
            ply -= 1
            continue
        move = moves[ply, cursors[ply]]
        cursors[ply] += 1
        child = row(states, ply + 1)
        play(params, row(states, ply), move, child)
        if outcome(params, child) != ONGOING:
            continue
        if mover(params, child) < 0:
            return np.int64(-1)
        count = legal_moves(params, child, row(moves, ply + 1))
        if ply + 2 == depth:
            total += count
        else:
            ply += 1
            counts[ply] = count
            cursors[ply] = 0
    return total
