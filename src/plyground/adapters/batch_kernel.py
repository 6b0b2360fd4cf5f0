"""Many games stepped in one call: the kernel behind the vector environments."""

from __future__ import annotations

import numpy as np

from plyground.kernels import kernel
from plyground.kernels.rows import row
from plyground.search.contract.game import legal_moves, mover, outcome, play

ONGOING = np.int64(-(2**62))
ILLEGAL = np.int64(2)
"""In `results`: the action was not legal and changed nothing."""


@kernel
def list_moves(
    params: np.ndarray,
    states: np.ndarray,
    buffer: np.ndarray,
    code_to_action: np.ndarray,
    masks: np.ndarray,
) -> None:
    """Write the mask of legal actions of every game."""
    masks[:] = 0
    for index in range(states.shape[0]):
        game = np.int64(index)
        count = legal_moves(params, row(states, game), buffer)
        for place in range(count):
            masks[game, code_to_action[buffer[place]]] = 1


@kernel
def step(
    params: np.ndarray,
    start: np.ndarray,
    actions: np.ndarray,
    action_to_code: np.ndarray,
    code_to_action: np.ndarray,
    buffer: np.ndarray,
    scratch: np.ndarray,
    states: np.ndarray,
    masks: np.ndarray,
    results: np.ndarray,
    ended: np.ndarray,
    players: np.ndarray,
) -> None:
    """Play one action in every game; a game that ends starts again.

    `results` gets the outcome for the player who moved (1, 0, -1; 0 while the game goes on),
    `ended` whether the game ended, `players` who is to move next, `masks` what may be played next.
    """
    for number in range(states.shape[0]):
        game = np.int64(number)
        state = row(states, game)
        action = actions[game]
        results[game] = 0
        ended[game] = False
        if action < 0 or action >= masks.shape[1] or masks[game, action] == 0:
            results[game] = ILLEGAL
            continue
        before = mover(params, state)
        play(params, state, action_to_code[action], scratch)
        value = outcome(params, scratch)
        if value == ONGOING:
            state[:] = scratch
        else:
            results[game] = np.sign(value) if before == 0 else -np.sign(value)
            ended[game] = True
            state[:] = start
        players[game] = mover(params, state)
        for index in range(masks.shape[1]):
            masks[game, index] = 0
        count = legal_moves(params, state, buffer)
        for index in range(count):
            masks[game, code_to_action[buffer[index]]] = 1
