"""The hooks of a proof search over the rules of any two-player game without chance.

The last word of `params` is the attacker (0 or 1), the words before the last two are the game's.
Where the same player moves twice the other one makes a move between that changes nothing; the last
word but one becomes 1 when that happens, for then plies are not those of the game.
"""

from __future__ import annotations

import numpy as np

from plyground.kernels import kernel
from plyground.kernels.words import ONE, ONGOING, ZERO
from plyground.search.contract.game import key as key_of
from plyground.search.contract.game import legal_moves, mover, outcome
from plyground.search.contract.game import play as apply
from plyground.search.proof_verdict import FOREVER, NOT_PROVEN, pack_verdict

NOTHING = np.int64(-1)
"""The move that changes nothing."""


@kernel
def waits(params: np.ndarray, state: np.ndarray, attacking: np.int64) -> bool:
    """Whether it is the other player's move."""
    attacker = np.int64(params[params.shape[0] - 1])
    found = (mover(params, state) == attacker) != (attacking == 1)
    if found:
        params[params.shape[0] - 2] = ONE
    return found


@kernel
def list_moves(
    params: np.ndarray, state: np.ndarray, attacking: np.int64, moves: np.ndarray
) -> np.int64:
    """See `contract.proof`: all legal moves."""
    if waits(params, state, attacking):
        moves[0] = NOTHING
        return np.int64(1)
    return np.int64(legal_moves(params, state, moves))


@kernel
def play(
    params: np.ndarray, state: np.ndarray, attacking: np.int64, move: np.int64, child: np.ndarray
) -> None:
    """See `contract.proof`."""
    if move == NOTHING:
        child[:] = state
    else:
        apply(params, state, move, child)


@kernel
def judge(
    params: np.ndarray, state: np.ndarray, attacking: np.int64, plies: np.int64, scratch: np.ndarray
) -> np.uint64:
    """Finished games are decided, everything else is open."""
    result = outcome(params, state)
    if result == ONGOING:
        return pack_verdict(NOT_PROVEN, ONE, ONE, ONE)
    first = params[params.shape[0] - 1] == ZERO
    if (result > 0 and first) or (result < 0 and not first):
        return pack_verdict(ZERO, ZERO, ONE, ONE)
    return pack_verdict(NOT_PROVEN, FOREVER, ONE, ONE)


@kernel
def judge_root(
    params: np.ndarray, state: np.ndarray, attacking: np.int64, plies: np.int64, scratch: np.ndarray
) -> np.uint64:
    """See `judge`."""
    return judge(params, state, attacking, plies, scratch)


@kernel
def key(params: np.ndarray, state: np.ndarray) -> np.uint64:
    """The game's own key."""
    return key_of(params, state)


@kernel
def normalise(params: np.ndarray, state: np.ndarray) -> None:
    """Every position stands for itself."""
