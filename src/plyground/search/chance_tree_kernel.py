"""Monte Carlo tree search for games with random events, or for one player.

The tree has two kinds of nodes in turn: a *position* where a player chooses, whose children are its
*actions* (a block of consecutive nodes), and an action, whose children are the positions that
random events have led to so far (a chain, told apart by their keys). Events are drawn as the game
deals them, so that an action's average is an expectation. Node 0 is the position of the root.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from plyground.kernels import kernel
from plyground.kernels.random import random_below
from plyground.kernels.rows import row
from plyground.kernels.words import ONGOING
from plyground.search.contract.chance import HAS_CHANCE, happen
from plyground.search.contract.evaluation import evaluate
from plyground.search.contract.game import key, legal_moves, mover, outcome, play
from plyground.search.contract.playout import play_out

# Places in `control`.
USED, PLAYOUT_PLIES, COUNTS_POINTS, EVALUATES = range(4)

# Places in `settings`: the constant, and what is known of all results of this search.
EXPLORATION, RESULTS, RESULT_SUM, RESULT_SQUARES = range(4)

ROOT_STATE = np.int64(2)
LEAST_SPREAD = 1.0e-9
THOUSANDTHS = 1000.0


class ChanceTree(NamedTuple):
    """Arrays with an entry a node."""

    labels: np.ndarray
    """uint64: the move of an action, the key of a position."""
    next_positions: np.ndarray
    """int64: the next position of the same action; -1 for the last."""
    first_children: np.ndarray
    """int64: -1 if there is none yet."""
    child_counts: np.ndarray
    """int32: the actions of a position; -1 if it was not expanded."""
    visits: np.ndarray
    """int32."""
    totals: np.ndarray
    """float64: the sum of results for the first player, points or 1, 0, -1."""


class Work(NamedTuple):
    """What a simulation works on beside the tree."""

    params: np.ndarray
    """The game's constants."""
    random: np.ndarray
    """(4): the generator's state."""
    states: np.ndarray
    """(3, words): two positions that take turns, and the root."""
    path: np.ndarray
    """(longest path): the nodes from the root on."""
    buffer: np.ndarray
    """(most moves, or what events need): scratch space."""
    settings: np.ndarray
    """(4), float64."""
    control: np.ndarray
    """(4), int64."""


@kernel(lean=True)
def plant(tree: ChanceTree, work: Work) -> None:
    """Begin a tree that knows the root alone."""
    work.control[USED] = 0
    work.settings[RESULTS] = 0.0
    work.settings[RESULT_SUM] = 0.0
    work.settings[RESULT_SQUARES] = 0.0
    add_node(tree, work, np.uint64(0))


@kernel(inline=True, lean=True)
def add_node(tree: ChanceTree, work: Work, label: np.uint64) -> np.int64:
    """A fresh node; there must be room for it."""
    node = work.control[USED]
    work.control[USED] = node + 1
    tree.labels[node] = label
    tree.next_positions[node] = -1
    tree.first_children[node] = -1
    tree.child_counts[node] = -1
    tree.visits[node] = 0
    tree.totals[node] = 0.0
    return node


@kernel
def run(tree: ChanceTree, work: Work, simulations: np.int64) -> None:
    """Run simulations from the root: select, play a random game, count its result on the path."""
    for _ in range(simulations):
        length, place = select(tree, work)
        result = simulate(work, place)
        work.settings[RESULTS] += 1.0
        work.settings[RESULT_SUM] += result
        work.settings[RESULT_SQUARES] += result * result
        for step in range(length):
            tree.visits[work.path[step]] += 1
            tree.totals[work.path[step]] += result


@kernel
def select(tree: ChanceTree, work: Work) -> tuple[np.int64, np.int64]:
    """Follow actions and events to a position that is new, or to the end of a game.

    Writes the path; how many nodes it has, and the row of the state that was reached.
    """
    params, path, states = work.params, work.path, work.states
    root = row(states, ROOT_STATE)
    place = np.int64(0)
    for word in range(root.shape[0]):
        states[0, word] = root[word]
    node, length = np.int64(0), np.int64(1)
    path[0] = 0
    while outcome(params, row(states, place)) == ONGOING and length + 2 <= path.shape[0]:
        if tree.child_counts[node] < 0:
            if node != 0 and tree.visits[node] == 0:
                break
            if not expand(tree, work, node, row(states, place)):
                break
        player = mover(params, row(states, place))
        action = best_action(tree, work, node, -1.0 if player == 1 else 1.0)
        play(params, row(states, place), np.int64(tree.labels[action]), row(states, 1 - place))
        place = 1 - place
        path[length] = action
        length += 1
        if HAS_CHANCE:
            while (
                outcome(params, row(states, place)) == ONGOING
                and mover(params, row(states, place)) < 0
            ):
                here, there = row(states, place), row(states, 1 - place)
                happen(params, here, work.random, work.buffer, there)
                place = 1 - place
        node = position_after(tree, work, action, key(params, row(states, place)))
        if node < 0:
            break
        path[length] = node
        length += 1
    return length, place


@kernel
def expand(tree: ChanceTree, work: Work, node: np.int64, state: np.ndarray) -> bool:
    """Give a position its actions, in random order; False when the memory is full."""
    buffer = work.buffer
    count = legal_moves(work.params, state, buffer)
    first = work.control[USED]
    if first + count > tree.labels.shape[0]:
        return False
    for index in range(count):
        swap = index + np.int64(random_below(work.random, np.uint64(count - index)))
        move = buffer[swap]
        buffer[swap] = buffer[index]
        add_node(tree, work, np.uint64(move))
    tree.first_children[node] = first
    tree.child_counts[node] = count
    return True


@kernel
def position_after(tree: ChanceTree, work: Work, action: np.int64, label: np.uint64) -> np.int64:
    """The node of the position with this key after an action, made if it is new; -1: no room."""
    node = tree.first_children[action]
    while node >= 0:
        if tree.labels[node] == label:
            return node
        node = tree.next_positions[node]
    if work.control[USED] >= tree.labels.shape[0]:
        return np.int64(-1)
    made = add_node(tree, work, label)
    tree.next_positions[made] = tree.first_children[action]
    tree.first_children[action] = made
    return made


@kernel
def best_action(tree: ChanceTree, work: Work, node: np.int64, sign: float) -> np.int64:
    """The action with the best upper confidence bound for its player; untried ones first.

    The bound counts in spreads (standard deviations of the results so far), so that one constant
    serves games of every scale.
    """
    settings = work.settings
    spread = LEAST_SPREAD
    if settings[RESULTS] > 0.0:
        mean = settings[RESULT_SUM] / settings[RESULTS]
        variance = settings[RESULT_SQUARES] / settings[RESULTS] - mean * mean
        spread = max(LEAST_SPREAD, math.sqrt(max(0.0, variance)))
    weight = settings[EXPLORATION] * spread
    log_visits = math.log(tree.visits[node] + 1.0)
    first = tree.first_children[node]
    best, best_bound = np.int64(first), -math.inf
    for action in range(first, first + tree.child_counts[node]):
        count = np.float64(tree.visits[action])
        if count == 0.0:
            return np.int64(action)
        bound = sign * tree.totals[action] / count + weight * math.sqrt(log_visits / count)
        if bound > best_bound:
            best, best_bound = np.int64(action), bound
    return best


@kernel
def simulate(work: Work, place: np.int64) -> float:
    """The result for the first player of the state in a row: as it ended, or as far as is known.

    That is the game's own evaluation, if it has one, or the result of a random game.
    """
    here, there = row(work.states, place), row(work.states, 1 - place)
    plies = work.control[PLAYOUT_PLIES]
    result = outcome(work.params, here)
    if result == ONGOING and work.control[EVALUATES] != 0:
        worth = np.float64(evaluate(work.params, here)) / THOUSANDTHS
        return -worth if mover(work.params, here) == 1 else worth
    if result == ONGOING:
        result = play_out(work.params, plies, work.random, work.buffer, here, there)
    if work.control[COUNTS_POINTS] != 0:
        return np.float64(result)
    return 1.0 if result > 0 else -1.0 if result < 0 else 0.0
