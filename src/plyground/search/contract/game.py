"""The rules of a game as kernels: what a game's `rules.py` must define, with these names.

`params` is the game's row of constants, `state` a position as a row of words. Nothing here
allocates, keeps anything, or checks its input: callers only pass what is legal.
"""

from __future__ import annotations

import numpy as np

from plyground.kernels import kernel

Words = np.ndarray
Codes = np.ndarray


@kernel(lean=True)
def legal_moves(params: Words, state: Words, moves: Codes) -> np.int64:
    """Write the codes of all legal moves of an ongoing position; how many there are.

    Codes are numbers from 0 below 2**22. The order is fixed by the position.
    """
    raise NotImplementedError


@kernel(lean=True)
def play(params: Words, state: Words, move: np.int64, child: Words) -> None:
    """Write the position after a legal move. `child` is another row than `state`."""
    raise NotImplementedError


@kernel(lean=True)
def mover(params: Words, state: Words) -> np.int64:
    """The player to move, 0 or 1; -1 where a random event comes next."""
    raise NotImplementedError


@kernel(lean=True)
def outcome(params: Words, state: Words) -> np.int64:
    """ONGOING (-(2**62)) or the result for the first player: its margin, or 1, 0, -1."""
    raise NotImplementedError


@kernel(lean=True)
def key(params: Words, state: Words) -> np.uint64:
    """A hash of everything that the rest of the game depends on."""
    raise NotImplementedError
