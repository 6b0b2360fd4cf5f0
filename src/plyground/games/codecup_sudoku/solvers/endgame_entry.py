"""What Python calls of the endgame search: load a set of solutions, begin at a position."""

from __future__ import annotations

import numpy as np

from plyground.games.codecup_sudoku.solvers.bitset_stack import (
    COUNTS,
    IDS,
    MASKS,
    MOVE,
    ROOT_MOVES,
    STRIDE,
    WORD_BITS,
    WORDS,
    Stack,
    has_room,
    identify,
    make_root,
)
from plyground.games.codecup_sudoku.solvers.eight_words import xor_selected
from plyground.games.codecup_sudoku.solvers.endgame import (
    OUT_OF_ROOM,
    Workspace,
    make_child,
    open_frame,
    search,
)
from plyground.kernels import kernel
from plyground.kernels.words import ONE, TWO, ZERO

__all__ = ["begin", "identify", "load", "search"]


@kernel(lean=True)
def load(work: Workspace, solutions: np.ndarray, zobrist: np.ndarray, ids: np.ndarray) -> None:
    """Frames 0 and 1 from all solutions of a grid, an array (k, 81) of digits 1 to 9."""
    identify(solutions, zobrist, ids)
    make_root(work.stack, solutions, ids)


@kernel(lean=True)
def hash_after(stack: Stack, move: np.uint64) -> np.uint64:
    """The hash of the position after a move in frame 1."""
    arena, frames = stack.arena, stack.frames
    position = ZERO
    for word in range(frames[ONE, WORDS]):
        offset = np.uint64(word)
        mask = arena[frames[ONE, MASKS] + move + offset * frames[ONE, STRIDE]]
        position ^= xor_selected(arena, frames[ONE, IDS] + offset * WORD_BITS, mask)
    return position


@kernel(lean=True)
def begin(work: Workspace, move: np.uint64) -> np.uint64:
    """Begin a search after a move in frame 1, or at frame 1 itself for move number 729."""
    if move == ROOT_MOVES:
        return open_frame(work, ONE)
    stack = work.stack
    size = stack.arena[stack.frames[ONE, COUNTS] + move]
    stack.frames[ONE, MOVE] = move
    if not has_room(stack, ONE, size):
        return OUT_OF_ROOM
    make_child(stack, ONE, move, size, hash_after(stack, move))
    return open_frame(work, TWO)
