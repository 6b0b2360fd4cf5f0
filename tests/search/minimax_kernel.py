"""Brute force for comparison: plain minimax, no pruning, no table, no ordering."""

from __future__ import annotations

import numpy as np

from plyground.kernels import kernel
from plyground.kernels.words import ONGOING
from plyground.search.contract.game import legal_moves, mover, outcome, play


@kernel
def minimax(params, depth, states, moves, counts, cursors, best):
    """Value for the mover at states[0]: 100 - n for a win after n plies, its negative, or 0."""
    ply = np.int64(0)
    counts[0] = -1
    while True:
        value = np.int64(-1000)
        result = outcome(params, states[ply]) if counts[ply] < 0 else ONGOING
        if result != ONGOING:
            value = result * (100 - ply)
            if mover(params, states[ply]) == 1:
                value = -value
        elif counts[ply] < 0 and ply == depth:
            value = np.int64(0)
        elif counts[ply] < 0:
            counts[ply] = legal_moves(params, states[ply], moves[ply])
            cursors[ply] = 0
            best[ply] = -1000
        if value == -1000 and cursors[ply] < counts[ply]:
            play(params, states[ply], moves[ply, cursors[ply]], states[ply + 1])
            cursors[ply] += 1
            ply += 1
            counts[ply] = -1
            continue
        if value == -1000:
            value = best[ply]
        if ply == 0:
            return value
        if mover(params, states[ply]) != mover(params, states[ply - 1]):
            value = -value
        ply -= 1
        best[ply] = max(best[ply], value)
