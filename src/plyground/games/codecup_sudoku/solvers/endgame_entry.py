"""What Python calls of the endgame search: load a set of solutions, begin at a position."""

from __future__ import annotations

import numpy as np

from plyground.games.codecup_sudoku.solvers.endgame import (
    OUT_OF_ROOM,
    make_child,
    open_frame,
    search,
)
from plyground.games.codecup_sudoku.solvers.frames import (
    COUNTS,
    IDS,
    MASKS,
    MOVE,
    ROOT_MOVES,
    STRIDE,
    WORD_BITS,
    WORDS,
    identify,
    make_root,
    room_needed,
)
from plyground.games.codecup_sudoku.solvers.lanes import xor_selected
from plyground.kernels import kernel

__all__ = ["begin", "identify", "load", "search"]

ZERO = np.uint64(0)
ONE = np.uint64(1)
TWO = np.uint64(2)


@kernel(lean=True)
def load(
    solutions: np.ndarray,
    zobrist: np.ndarray,
    ids: np.ndarray,
    arena: np.ndarray,
    frames: np.ndarray,
) -> None:
    """Frames 0 and 1 from all solutions of a grid, an array (k, 81) of digits 1 to 9."""
    identify(solutions, zobrist, ids)
    make_root(solutions, ids, arena, frames)


@kernel(lean=True)
def hash_after(arena: np.ndarray, frames: np.ndarray, move: np.uint64) -> np.uint64:
    """The hash of the position after a move in frame 1."""
    position = ZERO
    for word in range(frames[ONE, WORDS]):
        offset = np.uint64(word)
        mask = arena[frames[ONE, MASKS] + move + offset * frames[ONE, STRIDE]]
        position ^= xor_selected(arena, frames[ONE, IDS] + offset * WORD_BITS, mask)
    return position


@kernel(lean=True)
def begin(
    arena: np.ndarray,
    frames: np.ndarray,
    table: np.ndarray,
    control: np.ndarray,
    move: np.uint64,
) -> np.uint64:
    """Begin a search after a move in frame 1, or at frame 1 itself for move number 729."""
    if move == ROOT_MOVES:
        return open_frame(arena, frames, table, control, ONE)
    size = arena[frames[ONE, COUNTS] + move]
    frames[ONE, MOVE] = move
    if room_needed(frames, ONE, size) > np.uint64(arena.size):
        return OUT_OF_ROOM
    make_child(ONE, move, size, hash_after(arena, frames, move), arena, frames)
    return open_frame(arena, frames, table, control, TWO)
