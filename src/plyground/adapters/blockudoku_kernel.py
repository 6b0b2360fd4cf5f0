"""Many games of Blockudoku stepped in one call, observations included."""

from __future__ import annotations

import numpy as np

from plyground.games.blockudoku.board import deal
from plyground.games.blockudoku.rules import (
    EMPTY_HAND,
    HAND,
    HIGH,
    LOW,
    SCORE,
    STREAK,
    TURNS,
    legal_moves,
    outcome,
    piece_in_slot,
    play,
)
from plyground.kernels import kernel
from plyground.kernels.rows import row

ONGOING = np.int64(-(2**62))
ONE = np.uint64(1)
BYTE = np.uint64(8)


@kernel(lean=True)
def deal_hand(seed: np.uint64, deck: np.ndarray, hand: np.ndarray, state: np.ndarray) -> None:
    """Give an empty hand its next three pieces."""
    deal(seed, np.int64(state[TURNS]), deck, hand)
    word = np.uint64(0)
    for slot in range(3):
        word |= np.uint64(hand[slot]) << (BYTE * np.uint64(slot))
    state[HAND] = word


@kernel
def start_game(
    game: np.int64, deck: np.ndarray, hand: np.ndarray, seeds: np.ndarray, states: np.ndarray
) -> None:
    """An empty board with its first deal."""
    state = row(states, game)
    state[LOW] = 0
    state[HIGH] = 0
    state[HAND] = EMPTY_HAND
    state[SCORE] = 0
    state[TURNS] = 0
    state[STREAK] = 0
    deal_hand(seeds[game], deck, hand, state)


@kernel
def observe_game(
    params: np.ndarray,
    game: np.int64,
    pieces: np.ndarray,
    buffer: np.ndarray,
    states: np.ndarray,
    boards: np.ndarray,
    hands: np.ndarray,
    masks: np.ndarray,
) -> None:
    """Write a game's board (9, 9), hand (3, 5, 5) and mask of legal actions (243)."""
    state = row(states, game)
    for cell in range(81):
        word = state[LOW] >> np.uint64(cell)
        if cell >= 54:
            word = state[HIGH] >> np.uint64(cell - 54)
        boards[game, cell] = np.int8(word & ONE)
    for slot in range(3):
        piece = piece_in_slot(state[HAND], np.int64(slot))
        for cell in range(25):
            hands[game, 25 * slot + cell] = pieces[piece, cell]
    for action in range(243):
        masks[game, action] = 0
    if outcome(params, state) == ONGOING:
        count = legal_moves(params, state, buffer)
        for index in range(count):
            masks[game, buffer[index]] = 1


@kernel
def step(
    params: np.ndarray,
    actions: np.ndarray,
    deck: np.ndarray,
    pieces: np.ndarray,
    hand: np.ndarray,
    buffer: np.ndarray,
    scratch: np.ndarray,
    seeds: np.ndarray,
    states: np.ndarray,
    boards: np.ndarray,
    hands: np.ndarray,
    masks: np.ndarray,
    rewards: np.ndarray,
    ended: np.ndarray,
) -> None:
    """Place one piece in every game. A game that had ended starts again instead (with a new seed).

    `rewards` are the points scored; an action that is not legal changes nothing and costs 1.
    """
    for index in range(states.shape[0]):
        game = np.int64(index)
        state = row(states, game)
        if ended[game]:
            ended[game] = False
            rewards[game] = 0.0
            seeds[game] += ONE
            start_game(game, deck, hand, seeds, states)
        elif actions[game] < 0 or actions[game] >= 243 or masks[game, actions[game]] == 0:
            rewards[game] = -1.0
            continue
        else:
            play(params, state, actions[game], scratch)
            rewards[game] = np.float64(scratch[SCORE] - state[SCORE])
            state[:] = scratch
            if state[HAND] == EMPTY_HAND:
                deal_hand(seeds[game], deck, hand, state)
            ended[game] = outcome(params, state) != ONGOING
        observe_game(params, game, pieces, buffer, states, boards, hands, masks)
