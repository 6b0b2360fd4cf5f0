"""Many games stepped in one call: the kernel behind the vector environments."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plyground.kernels import kernel
from plyground.kernels.rows import row
from plyground.kernels.words import ONGOING
from plyground.search.contract.game import legal_moves, mover, outcome, play

ILLEGAL = np.int64(2)
"""In `results`: the action was not legal and changed nothing."""


class Batch(NamedTuple):
    """Games side by side.

    `start` (words,) is the first position, `action_to_code` and `code_to_action` translate moves,
    `buffer` (most moves,) and `scratch` (words,) are scratch space. One row a game: `states`,
    `masks` of legal actions, `players` to move, `results` for the player who moved (1, 0, -1; 0
    while the game goes on), and whether the game `ended`.
    """

    start: np.ndarray
    action_to_code: np.ndarray
    code_to_action: np.ndarray
    buffer: np.ndarray
    scratch: np.ndarray
    states: np.ndarray
    masks: np.ndarray
    players: np.ndarray
    results: np.ndarray
    ended: np.ndarray


@kernel
def list_moves(params: np.ndarray, game: np.int64, batch: Batch) -> None:
    """Write the mask of legal actions of a game."""
    for index in range(batch.masks.shape[1]):
        batch.masks[game, index] = 0
    count = legal_moves(params, row(batch.states, game), batch.buffer)
    for index in range(count):
        batch.masks[game, batch.code_to_action[batch.buffer[index]]] = 1


@kernel
def restart(params: np.ndarray, batch: Batch) -> None:
    """Put every game back to its start."""
    for number in range(batch.states.shape[0]):
        game = np.int64(number)
        row(batch.states, game)[:] = batch.start
        batch.players[game] = mover(params, batch.start)
        list_moves(params, game, batch)


@kernel
def step(params: np.ndarray, actions: np.ndarray, batch: Batch) -> None:
    """Play one action in every game; a game that ends starts again."""
    scratch = batch.scratch
    for number in range(batch.states.shape[0]):
        game = np.int64(number)
        state = row(batch.states, game)
        action = actions[game]
        batch.results[game] = 0
        batch.ended[game] = False
        if action < 0 or action >= batch.masks.shape[1] or batch.masks[game, action] == 0:
            batch.results[game] = ILLEGAL
            continue
        before = mover(params, state)
        play(params, state, batch.action_to_code[action], scratch)
        value = outcome(params, scratch)
        if value == ONGOING:
            state[:] = scratch
        else:
            batch.results[game] = np.sign(value) if before == 0 else -np.sign(value)
            batch.ended[game] = True
            state[:] = batch.start
        batch.players[game] = mover(params, state)
        list_moves(params, game, batch)
