"""What a proof search asks a game: the hooks behind "can the attacker force a win within n plies?".

The *attacker* is the player whose win is in question, the other one is the *defender*; they move in
turn. `attacking` is 1 where the attacker is to move, 0 where the defender is. A state is a row of
words as the hooks like it; it need not be the state of the game's rules.

A look at a position gives a verdict, packed into a word: see `search.proof_verdict`.
"""

from __future__ import annotations

import numpy as np

from plyground.kernels import kernel


@kernel(lean=True)
def list_moves(
    params: np.ndarray, state: np.ndarray, attacking: np.int64, moves: np.ndarray
) -> np.int64:
    """Write the moves to look at in an unfinished position that no move wins at once; their number.

    Moves that lose at once (the opponent has then won or wins with its next move) may be left out.
    """
    raise NotImplementedError


@kernel(lean=True)
def play(
    params: np.ndarray, state: np.ndarray, attacking: np.int64, move: np.int64, child: np.ndarray
) -> None:
    """Write the position after one of the listed moves."""
    raise NotImplementedError


@kernel(lean=True)
def judge(
    params: np.ndarray, state: np.ndarray, attacking: np.int64, plies: np.int64, scratch: np.ndarray
) -> np.uint64:
    """The verdict on a position after a listed move; nothing beyond `plies` needs to be seen.

    It must decide positions that are finished or without a listed move. `scratch` has room for the
    moves of two positions.
    """
    raise NotImplementedError


@kernel(lean=True)
def judge_root(
    params: np.ndarray, state: np.ndarray, attacking: np.int64, plies: np.int64, scratch: np.ndarray
) -> np.uint64:
    """The verdict on any unfinished position, where the player to move may win at once."""
    raise NotImplementedError


@kernel(lean=True)
def key(params: np.ndarray, state: np.ndarray) -> np.uint64:
    """The same number for positions of the same worth only, so that a proof is one.

    Who is to move need not be part of it.
    """
    raise NotImplementedError


@kernel(lean=True)
def normalise(params: np.ndarray, state: np.ndarray) -> None:
    """Turn a position into the one that stands for all positions of its key."""
    raise NotImplementedError
