"""All positions that can be reached from one, and the moves between them, by breadth-first search.

Positions are compared word by word, so that two of them never share a place.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plyground.kernels import kernel
from plyground.kernels.rows import row
from plyground.kernels.words import ONGOING
from plyground.search.contract.game import key, legal_moves, mover, outcome, play

# Places in `control`.
COUNT, CURSOR, EDGES = range(3)
CONTROL_WORDS = 3
DONE, MORE, FULL = range(3)


class Graph(NamedTuple):
    """Positions and moves; `n` is the room for positions, `e` for moves."""

    params: np.ndarray
    states: np.ndarray
    """(n, words)."""
    slots: np.ndarray
    """(power of two): a hash table of positions, their index + 1."""
    movers: np.ndarray
    """(n), int8."""
    outcomes: np.ndarray
    """(n), int64: ONGOING where the game goes on."""
    starts: np.ndarray
    """(n + 1), int64: where the moves of a position begin in `children`."""
    children: np.ndarray
    """(e), int32: the positions that moves lead to."""
    moves: np.ndarray
    """(most moves): scratch space."""
    control: np.ndarray
    """(CONTROL_WORDS), int64."""


@kernel(lean=True)
def place(graph: Graph, index: np.int64) -> np.int64:
    """The index of the position that was written to row `index`: an older one if it was known."""
    state = row(graph.states, index)
    mask = np.uint64(graph.slots.shape[0] - 1)
    slot = key(graph.params, state) & mask
    while graph.slots[slot] != 0:
        known = np.int64(graph.slots[slot]) - 1
        other = row(graph.states, known)
        same = True
        for word in range(state.shape[0]):
            if state[word] != other[word]:
                same = False
                break
        if same:
            return known
        slot = (slot + np.uint64(1)) & mask
    graph.slots[slot] = index + 1
    return index


@kernel(lean=True)
def explore(graph: Graph, budget: np.int64) -> np.int64:
    """Look at up to `budget` more positions: DONE when there are no others, FULL without room."""
    control = graph.control
    for _ in range(budget):
        here = control[CURSOR]
        if here == control[COUNT]:
            return np.int64(DONE)
        state = row(graph.states, here)
        result = outcome(graph.params, state)
        graph.outcomes[here] = result
        if result == ONGOING:
            graph.movers[here] = mover(graph.params, state)
            count = legal_moves(graph.params, state, graph.moves)
            if control[EDGES] + count > graph.children.shape[0]:
                return np.int64(FULL)
            for index in range(count):
                if control[COUNT] >= graph.states.shape[0]:
                    return np.int64(FULL)
                play(graph.params, state, graph.moves[index], row(graph.states, control[COUNT]))
                child = place(graph, control[COUNT])
                if child == control[COUNT]:
                    control[COUNT] += 1
                graph.children[control[EDGES] + index] = child
            control[EDGES] += count
        control[CURSOR] += 1
        graph.starts[here + 1] = control[EDGES]
    return np.int64(MORE)
