"""Brute-force values of positions of any game, by the kernel beside this file."""

from __future__ import annotations

import numpy as np

from plyground import kernels


def brute_force(position, depth: int) -> int:
    """Minimax value for the side to move: 100 - n for a win after n plies, its negative, or 0."""
    game = position.game
    module = kernels.compiled(
        "tests.search.minimax_kernel", {"plyground.search.contract.game": game.rules_module}
    )
    states = np.zeros((depth + 2, game.state_words), np.uint64)
    states[0] = position.state
    stack = [np.zeros(depth + 2, np.int64) for _ in range(3)]
    moves = np.zeros((depth + 2, game.max_moves), np.int64)
    return int(module.minimax(game.params, np.int64(depth), states, moves, *stack))


def as_number(score) -> int:
    """A score in the numbers of `brute_force`."""
    if score.value == "win":
        return 100 - score.distance
    if score.value == "loss":
        return score.distance - 100
    return 0
