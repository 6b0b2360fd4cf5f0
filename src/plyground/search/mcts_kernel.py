"""Monte Carlo tree search with the tree in arrays: select, expand, simulate, back up.

A node is an index. Its children are a block of consecutive nodes, made when it is expanded. The
tree stores moves, not positions: each simulation replays the moves from the root (node 0).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from plyground.kernels import kernel
from plyground.kernels.random import random_below
from plyground.kernels.rows import row
from plyground.kernels.words import ONGOING
from plyground.search.contract.game import legal_moves, mover, outcome, play
from plyground.search.contract.playout import play_out

UNKNOWN, WON, LOST, DRAWN = np.int8(0), np.int8(1), np.int8(2), np.int8(3)

# Places in `control`.
USED, EXPAND_AT, PLAYOUT_PLIES, SOLVE = range(4)
CONTROL_WORDS = 4

# Places in `settings`.
EXPLORATION, DRAW_VALUE = range(2)


class Tree(NamedTuple):
    """A search tree: arrays with an entry a node."""

    moves: np.ndarray
    """int32: the move that leads to the node."""
    parents: np.ndarray
    """int64: -1 for the root."""
    first_children: np.ndarray
    """int64."""
    child_counts: np.ndarray
    """int32: -1 if the node was not expanded."""
    visits: np.ndarray
    """int32."""
    totals: np.ndarray
    """float64: the sum of results for the player who moved into the node: 1 a win, the setting
    DRAW_VALUE a draw, 0 a loss."""
    proofs: np.ndarray
    """int8: WON, LOST, DRAWN or UNKNOWN for the player who moved into the node."""

    def children(self, node: int) -> range:
        """The children of a node; none if it was never expanded."""
        first, count = int(self.first_children[node]), int(self.child_counts[node])
        return range(first, first + max(0, count))

    def mean(self, node: int) -> float:
        """The average result of a node for the player who moved into it."""
        visits = int(self.visits[node])
        return float(self.totals[node]) / visits if visits else 0.5


class Work(NamedTuple):
    """What a simulation works on beside the tree."""

    params: np.ndarray
    """The game's constants."""
    random: np.ndarray
    """(4): the generator's state."""
    states: np.ndarray
    """(3, words): the root, and two positions that take turns."""
    path: np.ndarray
    """(longest path + 2): the nodes from the root on."""
    movers: np.ndarray
    """(longest path + 2): the player to move at each."""
    buffer: np.ndarray
    """(most moves): scratch space."""
    settings: np.ndarray
    """(2), float64."""
    control: np.ndarray
    """(CONTROL_WORDS)."""


ROOT_STATE = np.int64(2)


@kernel(inline=True, lean=True)
def clear_node(tree: Tree, node: np.int64, move: np.int64, parent: np.int64) -> None:
    """Make a fresh node."""
    tree.moves[node] = move
    tree.parents[node] = parent
    tree.first_children[node] = 0
    tree.child_counts[node] = -1
    tree.visits[node] = 0
    tree.totals[node] = 0.0
    tree.proofs[node] = UNKNOWN


@kernel(lean=True)
def run(tree: Tree, work: Work, simulations: np.int64) -> np.int64:
    """Run simulations from the root; how many were run (fewer once the root is proven)."""
    for done in range(simulations):
        if work.control[SOLVE] != 0 and tree.proofs[0] != UNKNOWN:
            return np.int64(done)
        length = select(tree, work)
        result = simulate(tree, work, length)
        back_up(tree, work, length, result)
    return simulations


@kernel(inline=True, lean=True)
def select(tree: Tree, work: Work) -> np.int64:
    """Follow the best bounds from the root to a node without children, or to the end of a game.

    Nodes that were visited before are expanded on the way. Writes the path; its length in moves,
    whose parity says which of the states is the position reached.
    """
    params, path, states = work.params, work.path, work.states
    here, root = row(states, np.int64(0)), row(states, ROOT_STATE)
    for word in range(root.shape[0]):
        here[word] = root[word]
    longest = np.int64(path.shape[0]) - 2
    node = np.int64(0)
    length = np.int64(0)
    path[0] = 0
    while outcome(params, here) == ONGOING:
        if tree.child_counts[node] < 0:
            if tree.visits[node] < work.control[EXPAND_AT] and node != 0:
                break
            if not expand(tree, work, node, here):
                break
        if length >= longest:
            break
        work.movers[length] = mover(params, here)
        node = best_child(tree, node, work.settings[EXPLORATION])
        length += 1
        there = row(states, length & 1)
        play(params, here, np.int64(tree.moves[node]), there)
        here = there
        path[length] = node
        if tree.visits[node] == 0:
            break
    return length


@kernel(inline=True, lean=True)
def expand(tree: Tree, work: Work, node: np.int64, state: np.ndarray) -> bool:
    """Give a node its children, in random order; False when the memory is full."""
    buffer = work.buffer
    count = legal_moves(work.params, state, buffer)
    first = work.control[USED]
    if first + count > tree.moves.shape[0]:
        return False
    work.control[USED] = first + count
    for index in range(count):
        swap = index + np.int64(random_below(work.random, np.uint64(count - index)))
        move = buffer[swap]
        buffer[swap] = buffer[index]
        clear_node(tree, first + index, move, node)
    tree.first_children[node] = first
    tree.child_counts[node] = count
    return True


@kernel(inline=True, lean=True)
def best_child(tree: Tree, node: np.int64, exploration: float) -> np.int64:
    """The child with the best upper confidence bound; unvisited ones first, lost ones last."""
    first = tree.first_children[node]
    log_visits = math.log(tree.visits[node] + 1.0)
    best = np.int64(first)
    best_bound = -1.0e30
    for child in range(first, first + tree.child_counts[node]):
        proof = tree.proofs[child]
        if proof == WON:
            return np.int64(child)
        if tree.visits[child] == 0:
            bound = 1.0e20 - (child - first)
        else:
            count = np.float64(tree.visits[child])
            bound = tree.totals[child] / count + exploration * math.sqrt(log_visits / count)
        if proof == LOST:
            bound -= 1.0e25
        if bound > best_bound:
            best = np.int64(child)
            best_bound = bound
    return best


@kernel(inline=True, lean=True)
def simulate(tree: Tree, work: Work, length: np.int64) -> np.int64:
    """The result for the first player: of the game that ended, as proven, or of a random game."""
    node = work.path[length]
    solving = work.control[SOLVE] != 0 and length > 0
    sign = np.int64(1)
    if length > 0 and work.movers[length - 1] != 0:
        sign = np.int64(-1)
    here, there = row(work.states, length & 1), row(work.states, (length + 1) & 1)
    result = outcome(work.params, here)
    if result != ONGOING:
        if solving:
            value = result * sign
            tree.proofs[node] = WON if value > 0 else LOST if value < 0 else DRAWN
        return result
    if solving and tree.proofs[node] != UNKNOWN:
        if tree.proofs[node] == DRAWN:
            return np.int64(0)
        return sign if tree.proofs[node] == WON else -sign
    plies = work.control[PLAYOUT_PLIES]
    return play_out(work.params, plies, work.random, work.buffer, here, there)


@kernel(inline=True, lean=True)
def back_up(tree: Tree, work: Work, length: np.int64, result: np.int64) -> None:
    """Count a result in every node of the path, and carry proofs towards the root."""
    path, movers = work.path, work.movers
    proving = work.control[SOLVE] != 0 and tree.proofs[path[length]] != UNKNOWN
    for step in range(length, -1, -1):
        node = path[step]
        tree.visits[node] += 1
        if step > 0:
            value = -result if movers[step - 1] == 1 else result
            if value > 0:
                tree.totals[node] += 1.0
            elif value == 0:
                tree.totals[node] += work.settings[DRAW_VALUE]
        if proving and step < length:
            same = step == 0 or movers[step - 1] == movers[step]
            if tree.proofs[node] == UNKNOWN:
                tree.proofs[node] = prove(tree, node, same)
            proving = tree.proofs[node] != UNKNOWN


@kernel(inline=True, lean=True)
def prove(tree: Tree, node: np.int64, same_mover: bool) -> np.int8:
    """What the children prove about a node, for the player who moved into it.

    `same_mover`: whether that player also moves at the node (turns need not alternate).
    """
    win, loss = (WON, LOST) if same_mover else (LOST, WON)
    any_draw = False
    all_known = True
    first = tree.first_children[node]
    for child in range(first, first + tree.child_counts[node]):
        proof = tree.proofs[child]
        if proof == WON:
            return win
        if proof == UNKNOWN:
            all_known = False
        elif proof == DRAWN:
            any_draw = True
    if not all_known:
        return UNKNOWN
    return DRAWN if any_draw else loss


@kernel(lean=True)
def keep_subtree(old: Tree, root: np.int64, tree: Tree, origins: np.ndarray) -> np.int64:
    """Copy the part of a tree below a node so that it becomes node 0; how many nodes it has.

    `origins` (nodes) is scratch space.
    """
    origins[0] = root
    tree.parents[0] = -1
    used = np.int64(1)
    node = np.int64(0)
    while node < used:
        origin = origins[node]
        count = old.child_counts[origin]
        tree.moves[node] = old.moves[origin]
        tree.visits[node] = old.visits[origin]
        tree.totals[node] = old.totals[origin]
        tree.proofs[node] = old.proofs[origin]
        tree.child_counts[node] = count
        tree.first_children[node] = used
        for index in range(max(np.int64(0), np.int64(count))):
            origins[used] = old.first_children[origin] + index
            tree.parents[used] = node
            used += 1
        node += 1
    # The root's own proof speaks for the player who moved in; searches ask for the mover's.
    tree.proofs[0] = UNKNOWN
    return used
