"""A leaf valued by pure Monte Carlo: the best move's average over random games.

The words after the game's own parameters are a seed and the number of games; the same position
with the same seed always gets the same value.
"""

from __future__ import annotations

import numpy as np

from plyground.games.connect4.playout import play_out
from plyground.games.connect4.rules import PARAM_WORDS, STATE_WORDS, key, legal_moves, play
from plyground.kernels import kernel
from plyground.kernels.random import seed_random

SEED, PLAYOUTS = PARAM_WORDS, PARAM_WORDS + 1
MOST_MOVES = 160
MOST_PLIES = np.int64(1 << 20)
WIN_POINTS = np.int64(1000)


@kernel
def evaluate(params: np.ndarray, state: np.ndarray) -> np.int64:
    """The average result of the best move for the player to move, in thousandths of a win."""
    random = np.empty(4, np.uint64)
    seed_random(random, key(params, state) ^ params[SEED])
    moves = np.empty(MOST_MOVES, np.int64)
    here = np.empty(STATE_WORDS, np.uint64)
    sign = np.int64(1) if state[2] & np.uint64(1) == np.uint64(0) else np.int64(-1)
    count = legal_moves(params, state, moves)
    games = max(np.int64(1), np.int64(params[PLAYOUTS]) // count)
    best = -WIN_POINTS
    for i in range(count):
        total = np.int64(0)
        for _ in range(games):
            play(params, state, moves[i], here)
            total += sign * play_out(params, MOST_PLIES, random, moves, here, here)
        best = max(best, total * WIN_POINTS // games)
    return best
