"""Many games of Blockudoku stepped in one call, observations included."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plyground.games.blockudoku.board import deal, fitting_anchors
from plyground.games.blockudoku.pieces import EMPTY_PIECE
from plyground.games.blockudoku.rules import (
    EMPTY_HAND,
    END_NO_ORDER,
    END_RULE,
    HAND,
    HIGH,
    LOW,
    SCORE,
    STATE_WORDS,
    STREAK,
    TURNS,
    outcome,
    piece_in_slot,
    play,
)
from plyground.kernels import kernel
from plyground.kernels.rows import row
from plyground.kernels.words import ONE, ONGOING, ZERO

BYTE = np.uint64(8)
LOW_BYTE = np.uint64(0xFF)
CUT, REST = np.uint64(54), np.uint64(10)
"""The 81 cells in two words of 64 and 17: `low | high << CUT` and `high >> REST`."""

BOARD_WORD, MASK_WORD, HAND_WORD, SHOWN_WORDS = 0, 11, 42, 52
MASK_WORDS = HAND_WORD - MASK_WORD
"""A game shows bytes of 0 and 1, eight in a word: 81 of its board, 243 of the mask of legal
actions, 75 of its hand (three squares of 5 x 5), each from the start of a word."""

SPREAD = np.array(
    [sum((byte >> bit & 1) << (8 * bit) for bit in range(8)) for byte in range(256)], np.uint64
)
"""The bits of a byte as bytes of a word."""


@kernel(lean=True)
def deal_hand(seed: np.uint64, deck: np.ndarray, hand: np.ndarray, state: np.ndarray) -> None:
    """Give an empty hand its next three pieces."""
    deal(seed, np.int64(state[TURNS]), deck, hand)
    word = np.uint64(0)
    for slot in range(3):
        word |= np.uint64(hand[slot]) << (BYTE * np.uint64(slot))
    state[HAND] = word


class Games(NamedTuple):
    """Games side by side.

    `deck` is what is dealt, `pieces` their pictures, `hand` (3,) and `scratch` (STATE_WORDS,) are
    scratch space. One row a game: `seeds` of the deals, `states`, what it has `shown`, the bytes of
    the `masks` in it, `rewards` (the points scored; an action that is not legal changes nothing and
    costs 1), and whether it `ended`.
    """

    deck: np.ndarray
    pieces: np.ndarray
    hand: np.ndarray
    scratch: np.ndarray
    seeds: np.ndarray
    states: np.ndarray
    shown: np.ndarray
    masks: np.ndarray
    rewards: np.ndarray
    ended: np.ndarray


@kernel
def start_game(game: np.int64, games: Games) -> None:
    """An empty board with its first deal."""
    state = row(games.states, game)
    state[LOW] = 0
    state[HIGH] = 0
    state[HAND] = EMPTY_HAND
    state[SCORE] = 0
    state[TURNS] = 0
    state[STREAK] = 0
    deal_hand(games.seeds[game], games.deck, games.hand, state)


@kernel
def spread(bits: np.uint64, count: np.int64, first: np.int64, words: np.ndarray) -> None:
    """Write the bits of `count` bytes as bytes of 0 and 1, eight in a word, from a place on."""
    for byte in range(count):
        word = SPREAD[(bits >> np.uint64(8 * byte)) & LOW_BYTE]
        words[np.uint64(first + byte)] = word


@kernel
def observe_game(params: np.ndarray, game: np.int64, games: Games) -> bool:
    """Write what a game shows (see BOARD_WORD and the others); whether the game is over."""
    state = row(games.states, game)
    words = row(games.shown, game)
    pieces = games.pieces
    low, high = state[LOW], state[HIGH]
    spread(low | high << CUT, np.int64(8), np.int64(BOARD_WORD), words)
    spread(high >> REST, np.int64(3), np.int64(BOARD_WORD + 8), words)
    first = pieces[piece_in_slot(state[HAND], np.int64(0))]
    second = pieces[piece_in_slot(state[HAND], np.int64(1))]
    third = pieces[piece_in_slot(state[HAND], np.int64(2))]
    together = first | second << np.uint64(25) | third << np.uint64(50)
    spread(together, np.int64(8), np.int64(HAND_WORD), words)
    spread(third >> np.uint64(14), np.int64(2), np.int64(HAND_WORD + 8), words)
    low_0, high_0 = anchors_of(state, np.int64(0))
    low_1, high_1 = anchors_of(state, np.int64(1))
    low_2, high_2 = anchors_of(state, np.int64(2))
    over = low_0 | high_0 | low_1 | high_1 | low_2 | high_2 == ZERO
    if not over and params[END_RULE] == END_NO_ORDER:
        over = outcome(params, state) != ONGOING
    if over:
        for word in range(MASK_WORD, MASK_WORD + MASK_WORDS):
            words[word] = ZERO
        return True
    # The three sets of 81 cells in a row: bits 0, 81 and 162 of four words.
    begin_1, begin_2 = low_1 | high_1 << CUT, low_2 | high_2 << CUT
    spread(low_0 | high_0 << CUT, np.int64(8), np.int64(MASK_WORD), words)
    spread(high_0 >> REST | begin_1 << np.uint64(17), np.int64(8), np.int64(MASK_WORD + 8), words)
    spread(
        begin_1 >> np.uint64(47) | (high_1 >> REST) << np.uint64(17) | begin_2 << np.uint64(34),
        np.int64(8),
        np.int64(MASK_WORD + 16),
        words,
    )
    spread(
        begin_2 >> np.uint64(30) | (high_2 >> REST) << np.uint64(34),
        np.int64(7),
        np.int64(MASK_WORD + 24),
        words,
    )
    return False


@kernel
def anchors_of(state: np.ndarray, slot: np.int64) -> tuple[np.uint64, np.uint64]:
    """Where the piece in a slot fits; nowhere if it is placed."""
    piece = piece_in_slot(state[HAND], slot)
    if piece == EMPTY_PIECE:
        return ZERO, ZERO
    return fitting_anchors(state[LOW], state[HIGH], piece)


@kernel
def step(params: np.ndarray, actions: np.ndarray, games: Games) -> None:
    """Place one piece in every game; one that had ended starts again instead, with a new seed."""
    scratch = games.scratch
    for index in range(games.states.shape[0]):
        game = np.int64(index)
        state = row(games.states, game)
        action = actions[game]
        if games.ended[game]:
            games.rewards[game] = 0.0
            games.seeds[game] += ONE
            start_game(game, games)
        elif action < 0 or action >= 243 or games.masks[game, action] == 0:
            games.rewards[game] = -1.0
            continue
        else:
            play(params, state, action, scratch)
            games.rewards[game] = np.float64(scratch[SCORE] - state[SCORE])
            for word in range(STATE_WORDS):
                state[word] = scratch[word]
            if state[HAND] == EMPTY_HAND:
                deal_hand(games.seeds[game], games.deck, games.hand, state)
        games.ended[game] = observe_game(params, game, games)
