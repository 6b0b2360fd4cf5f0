"""Monte Carlo tree search with the tree in arrays.

A node is an index. Its children are a block of consecutive nodes, made when it is expanded. The
tree stores moves, not positions: each simulation replays the moves from the root. `totals` is the
sum of results for the player who moved *into* the node (1 a win, `draw_value` a draw, 0 a loss).

Arrays, one entry a node: `moves`, `parents`, `first_children`, `child_counts` (-1 = not expanded),
`visits`, `totals`, `proofs` (for the player who moved in: WON, LOST, DRAWN or UNKNOWN).
"""

from __future__ import annotations

import math

import numpy as np

from plyground.kernels import kernel
from plyground.kernels.random import random_below
from plyground.kernels.rows import row
from plyground.search.contract.game import legal_moves, mover, outcome, play
from plyground.search.contract.playout import play_out

ONGOING = np.int64(-(2**62))
UNKNOWN, WON, LOST, DRAWN = np.int8(0), np.int8(1), np.int8(2), np.int8(3)

# Places in `control`.
USED, EXPAND_AT, PLAYOUT_PLIES, SOLVE = range(4)
CONTROL_WORDS = 4

# Places in `settings`.
EXPLORATION, DRAW_VALUE = range(2)


@kernel(lean=True)
def clear_node(
    node: np.int64,
    move: np.int64,
    parent: np.int64,
    moves: np.ndarray,
    parents: np.ndarray,
    first_children: np.ndarray,
    child_counts: np.ndarray,
    visits: np.ndarray,
    totals: np.ndarray,
    proofs: np.ndarray,
) -> None:
    """Make a fresh node."""
    moves[node] = move
    parents[node] = parent
    first_children[node] = 0
    child_counts[node] = -1
    visits[node] = 0
    totals[node] = 0.0
    proofs[node] = UNKNOWN


@kernel
def result_for(result: np.int64, player: np.int64, draw_value: float) -> float:
    """A finished game as a number from 0 to 1 for a player."""
    if player == 1:
        result = -result
    if result > 0:
        return 1.0
    return draw_value if result == 0 else 0.0


@kernel(lean=True)
def select_child(
    node: np.int64,
    exploration: float,
    first_children: np.ndarray,
    child_counts: np.ndarray,
    visits: np.ndarray,
    totals: np.ndarray,
    proofs: np.ndarray,
) -> np.int64:
    """The child with the best upper confidence bound; unvisited ones first, lost ones last."""
    first = first_children[node]
    log_visits = math.log(visits[node] + 1.0)
    best = np.int64(first)
    best_bound = -1.0e30
    for child in range(first, first + child_counts[node]):
        proof = proofs[child]
        if proof == WON:
            return np.int64(child)
        if visits[child] == 0:
            bound = 1.0e20 - (child - first)
        else:
            count = np.float64(visits[child])
            mean = totals[child] / count
            bound = mean + exploration * math.sqrt(log_visits / count)
        if proof == LOST:
            bound -= 1.0e25
        if bound > best_bound:
            best = np.int64(child)
            best_bound = bound
    return best


@kernel
def expand(
    params: np.ndarray,
    node: np.int64,
    state: np.ndarray,
    buffer: np.ndarray,
    random: np.ndarray,
    moves: np.ndarray,
    parents: np.ndarray,
    first_children: np.ndarray,
    child_counts: np.ndarray,
    visits: np.ndarray,
    totals: np.ndarray,
    proofs: np.ndarray,
    control: np.ndarray,
) -> bool:
    """Give a node its children, in random order; False when the memory is full."""
    count = legal_moves(params, state, buffer)
    first = control[USED]
    if first + count > moves.shape[0]:
        return False
    control[USED] = first + count
    for index in range(count):
        swap = index + np.int64(random_below(random, np.uint64(count - index)))
        move = buffer[swap]
        buffer[swap] = buffer[index]
        clear_node(
            first + index,
            move,
            node,
            moves,
            parents,
            first_children,
            child_counts,
            visits,
            totals,
            proofs,
        )
    first_children[node] = first
    child_counts[node] = count
    return True


@kernel(lean=True)
def prove(
    node: np.int64,
    same_mover: bool,
    first_children: np.ndarray,
    child_counts: np.ndarray,
    proofs: np.ndarray,
) -> np.int8:
    """What the children prove about a node, for the player who moved into it.

    `same_mover`: whether that player also moves at the node (turns need not alternate).
    """
    win, loss = (WON, LOST) if same_mover else (LOST, WON)
    any_draw = False
    all_known = True
    first = first_children[node]
    for child in range(first, first + child_counts[node]):
        proof = proofs[child]
        if proof == WON:
            return win
        if proof == UNKNOWN:
            all_known = False
        elif proof == DRAWN:
            any_draw = True
    if not all_known:
        return UNKNOWN
    return DRAWN if any_draw else loss


@kernel
def run(
    params: np.ndarray,
    root_state: np.ndarray,
    simulations: np.int64,
    random: np.ndarray,
    buffer: np.ndarray,
    states: np.ndarray,
    path: np.ndarray,
    movers: np.ndarray,
    moves: np.ndarray,
    parents: np.ndarray,
    first_children: np.ndarray,
    child_counts: np.ndarray,
    visits: np.ndarray,
    totals: np.ndarray,
    proofs: np.ndarray,
    settings: np.ndarray,
    control: np.ndarray,
) -> np.int64:
    """Run simulations from the root (node 0); how many were run (fewer once the root is proven).

    `states` (3, words), `path` and `movers` (longest path + 2) and `buffer` are scratch space.
    """
    exploration = settings[EXPLORATION]
    draw_value = settings[DRAW_VALUE]
    longest = path.shape[0] - 2
    for done in range(simulations):
        if control[SOLVE] != 0 and proofs[0] != UNKNOWN:
            return np.int64(done)
        # Select: follow the best bounds down to a node without children.
        here, there = row(states, np.int64(0)), row(states, np.int64(1))
        here[:] = root_state
        node = np.int64(0)
        length = np.int64(0)
        path[0] = 0
        result = outcome(params, here)
        while result == ONGOING:
            if child_counts[node] < 0:
                # Expand: only nodes that were visited before get children.
                if visits[node] < control[EXPAND_AT] and node != 0:
                    break
                if not expand(
                    params,
                    node,
                    here,
                    buffer,
                    random,
                    moves,
                    parents,
                    first_children,
                    child_counts,
                    visits,
                    totals,
                    proofs,
                    control,
                ):
                    break
            if length >= longest:
                break
            movers[length] = mover(params, here)
            node = select_child(
                node, exploration, first_children, child_counts, visits, totals, proofs
            )
            play(params, here, moves[node], there)
            here, there = there, here
            length += 1
            path[length] = node
            result = outcome(params, here)
            if visits[node] == 0:
                break
        # Simulate: a random game, unless the tree already reached an end.
        if result == ONGOING:
            if control[SOLVE] != 0 and proofs[node] != UNKNOWN and length > 0:
                player = movers[length - 1]
                sign = np.int64(1) if player == 0 else np.int64(-1)
                if proofs[node] == WON:
                    result = sign
                elif proofs[node] == LOST:
                    result = -sign
                else:
                    result = np.int64(0)
            else:
                result = play_out(params, control[PLAYOUT_PLIES], random, buffer, here, there)
        elif control[SOLVE] != 0 and length > 0:
            value = result if movers[length - 1] == 0 else -result
            proofs[node] = WON if value > 0 else LOST if value < 0 else DRAWN
        # Back up, and carry proofs towards the root.
        proving = control[SOLVE] != 0 and proofs[node] != UNKNOWN
        for step in range(length, -1, -1):
            visited = path[step]
            visits[visited] += 1
            if step > 0:
                totals[visited] += result_for(result, movers[step - 1], draw_value)
            if proving and step < length:
                same = step == 0 or movers[step - 1] == movers[step]
                if proofs[visited] == UNKNOWN:
                    proofs[visited] = prove(visited, same, first_children, child_counts, proofs)
                proving = proofs[visited] != UNKNOWN
    return simulations


@kernel(lean=True)
def keep_subtree(
    root: np.int64,
    old_moves: np.ndarray,
    old_first_children: np.ndarray,
    old_child_counts: np.ndarray,
    old_visits: np.ndarray,
    old_totals: np.ndarray,
    old_proofs: np.ndarray,
    moves: np.ndarray,
    parents: np.ndarray,
    first_children: np.ndarray,
    child_counts: np.ndarray,
    visits: np.ndarray,
    totals: np.ndarray,
    proofs: np.ndarray,
    origins: np.ndarray,
) -> np.int64:
    """Copy the part of the tree below a node so that it becomes node 0; how many nodes it has."""
    origins[0] = root
    parents[0] = -1
    used = np.int64(1)
    node = np.int64(0)
    while node < used:
        origin = origins[node]
        moves[node] = old_moves[origin]
        visits[node] = old_visits[origin]
        totals[node] = old_totals[origin]
        proofs[node] = old_proofs[origin]
        child_counts[node] = old_child_counts[origin]
        first_children[node] = used
        for index in range(max(np.int64(0), np.int64(old_child_counts[origin]))):
            origins[used] = old_first_children[origin] + index
            parents[used] = node
            used += 1
        node += 1
    # The root's own proof speaks for the player who moved in; searches ask for the mover's.
    proofs[0] = UNKNOWN
    return used
