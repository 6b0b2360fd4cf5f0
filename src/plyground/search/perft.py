"""Counting move sequences from a position."""

from __future__ import annotations

import numpy as np

from plyground import kernels
from plyground.core.errors import InputError
from plyground.core.game import CHANCE, Position

TEMPLATE = "plyground.search.perft_kernel"
RULES_HOOKS = "plyground.search.contract.game"


def perft(position: Position, depth: int) -> int:
    """Move sequences of exactly `depth` plies; a game that ends earlier counts for none.

    InputError where random events come between the moves.
    """
    if depth < 0:
        raise InputError(f"depth must be at least 0, not {depth}")
    if depth == 0:
        return 1
    game = position.game
    if game.info.chance and position.turn == CHANCE:
        raise InputError(
            "perft needs a position where a player is to move: here a random event comes next"
        )
    module = kernels.compiled(TEMPLATE, {RULES_HOOKS: game.rules_module})
    states = np.zeros((depth + 1, game.state_words), np.uint64)
    states[0] = position.state
    with kernels.compilation(module):
        total = module.perft(
            game.params,
            np.int64(depth),
            states,
            np.zeros((depth + 1, game.max_moves), np.int64),
            np.zeros(depth + 1, np.int64),
            np.zeros(depth + 1, np.int64),
        )
    if total < 0:
        raise InputError(
            f"perft counts moves, and random events come between them here: depth {depth} has no "
            "number; a smaller depth may have one"
        )
    return int(total)
