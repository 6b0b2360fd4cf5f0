"""The positions from the root to the current ply, as alpha-beta asks about them.

`positions` is a NamedTuple of the game's own making with room for one position a ply; it is passed
whole. This default serves every game through its rules, evaluation and ordering; a game that knows
a faster way gives a module of its own with these names.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plyground.kernels import kernel
from plyground.kernels.rows import row
from plyground.kernels.words import ONGOING
from plyground.search.contract.evaluation import evaluate as evaluate_state
from plyground.search.contract.game import legal_moves, outcome
from plyground.search.contract.game import mover as mover_of_state
from plyground.search.contract.game import play as play_move
from plyground.search.contract.ordering import promise
from plyground.search.contract.symmetry import table_key
from plyground.search.values import POINT, UNKNOWN, WIN

LEAVES_IN_PLACE = True
"""Value the children of a node of depth 1 without entering them; they cannot be extended then."""

LEAVES_IN_TABLE = False
"""Look up nodes of depth 0 in the table before they are evaluated."""

PROMISING_FIRST = False
"""Leaves in place: those with a promise above 0 first. Without it, in the order of the list."""

LISTED_BITS = np.int64(20)
"""Below the promise: the place in the list, so that equally promising moves keep their order."""


class Positions(NamedTuple):
    """The default: every position is a row of words."""

    params: np.ndarray
    """The game's constants, as its rules want them."""
    states: np.ndarray
    """(plies, words): `states[0]` is the root."""
    counts_points: np.ndarray
    """(1,): 1 if a finished game is worth its margin, 0 if it is won, drawn or lost."""


@kernel(lean=True)
def mover(positions: Positions, ply: np.int64) -> np.int64:
    """The player to move, 0 or 1."""
    return mover_of_state(positions.params, row(positions.states, ply))


@kernel(lean=True)
def known_value(positions: Positions, ply: np.int64, player: np.int64) -> np.int64:
    """The value for a player if it is plain to see, as in a finished game; else UNKNOWN."""
    result = outcome(positions.params, row(positions.states, ply))
    if result == ONGOING:
        return UNKNOWN
    if player == 1:
        result = -result
    if positions.counts_points[0] != 0:
        return result * POINT
    if result > 0:
        return WIN - ply
    if result < 0:
        return ply - WIN
    return np.int64(0)


@kernel(lean=True)
def evaluate(positions: Positions, ply: np.int64) -> np.int64:
    """What an unfinished position seems to be worth to its mover."""
    return evaluate_state(positions.params, row(positions.states, ply))


@kernel(lean=True)
def key(positions: Positions, ply: np.int64) -> np.uint64:
    """A hash of everything that the rest of the game depends on."""
    return table_key(positions.params, row(positions.states, ply))


@kernel(lean=True)
def list_moves(
    positions: Positions, ply: np.int64, ordered: bool, moves: np.ndarray, promises: np.ndarray
) -> np.int64:
    """Write the moves and, if `ordered`, how early to try each; how many there are.

    A negative number says that some moves were left out, so that the value is not certain.
    """
    state = row(positions.states, ply)
    count = legal_moves(positions.params, state, moves)
    if ordered:
        for index in range(count):
            early = promise(positions.params, state, moves[index])
            promises[index] = (early << LISTED_BITS) - index
    return count


@kernel(lean=True)
def play(positions: Positions, ply: np.int64, move: np.int64) -> np.int64:
    """Write the position after a move to the next ply; what the move itself is worth to its mover.

    Games that count points on the way give them here; values then are those of the plies to come.
    """
    states = positions.states
    play_move(positions.params, row(states, ply), move, row(states, ply + 1))
    return np.int64(0)


@kernel(lean=True)
def settle(positions: Positions, ply: np.int64, move: np.int64, player: np.int64) -> np.int64:
    """The value for a player after the move that led to this ply, if that ended the game.

    Unlike `known_value` it is asked before the position counts as a node.
    """
    return UNKNOWN


@kernel(lean=True)
def undo(positions: Positions, ply: np.int64, move: np.int64) -> None:
    """Take back the move made at this ply, for games that do not keep a position a ply."""
