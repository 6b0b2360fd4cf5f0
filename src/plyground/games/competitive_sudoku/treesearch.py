"""Monte Carlo tree search of the documents over moves that fit, win/loss playouts.

The tree is arrays: for each node the move that leads to it (cell * 32 + value), the player who
made it, first child, number of children, visits, and wins of the player who made the move. Beside
it, `bounds` has the mean of each node and one over the root of its visits, so that the choice of a
child needs no root and no division.
"""

from __future__ import annotations

import math

import numpy as np

from plyground.games.competitive_sudoku.fastboard import (
    EMPTY,
    RESTRICTED,
    has_square,
    place,
)
from plyground.kernels.bits import ONE, ZERO
from plyground.kernels.marker import kernel
from plyground.kernels.random import random_below

MOVE, BY, FIRST, COUNT, VISITS, WINS = range(6)
NODE = 6
CODE_CELL = np.int64(32)
CELL_SHIFT, VALUE_MASK = np.int64(5), np.int64(31)
MEAN, SPREAD = range(2)
RETRIES = 40
MOST_GROWTH = np.int64(30_000)
"""Nodes that may be added in one call: a few milliseconds."""


@kernel(lean=True)
def list_fitting(
    unit_of: np.ndarray,
    filled: np.ndarray,
    used: np.ndarray,
    taboo: np.ndarray,
    moves: np.ndarray,
) -> np.int64:
    """All moves that fit and are not taboo, whoever may play them."""
    count = np.int64(0)
    size = used.shape[0] // 3
    for cell in range(filled.shape[0]):
        if filled[cell]:
            continue
        taken = used[unit_of[cell, 0]] | used[unit_of[cell, 1]] | used[unit_of[cell, 2]]
        taken |= taboo[cell]
        for value in range(1, size + 1):
            if (taken >> np.uint64(value - 1)) & ONE == ZERO:
                moves[count] = cell * CODE_CELL + value
                count += 1
    return count


@kernel(lean=True)
def playout(
    player: np.int64,
    random: np.ndarray,
    moves: np.ndarray,
    count: np.int64,
    unit_of: np.ndarray,
    around: np.ndarray,
    filled: np.ndarray,
    used: np.ndarray,
    room: np.ndarray,
    near: np.ndarray,
    scores: np.ndarray,
    totals: np.ndarray,
) -> np.int64:
    """Random moves, uniform over those that fit, until none is left; the number of moves.

    The first `count` of `moves` are all that may fit.
    """
    played = np.int64(0)
    misses = 0
    idle = 0
    while count > 0 and idle < 2:
        pick = random_below(random, np.uint64(count))
        code = np.int64(moves[pick])
        cell = code >> CELL_SHIFT
        bit = ONE << np.uint64((code & VALUE_MASK) - 1)
        taken = used[unit_of[cell, 0]] | used[unit_of[cell, 1]] | used[unit_of[cell, 2]]
        if filled[cell] or taken & bit:
            count -= 1
            moves[pick] = moves[count]
            continue
        if totals[RESTRICTED] and near[player, cell] <= 0:
            misses += 1
            if misses > RETRIES:
                misses = 0
                usable = np.int64(0)
                for index in range(count):
                    other = np.int64(moves[index]) >> CELL_SHIFT
                    held = used[unit_of[other, 0]] | used[unit_of[other, 1]]
                    held |= used[unit_of[other, 2]]
                    fits = (held >> np.uint64((moves[index] & VALUE_MASK) - 1)) & ONE == ZERO
                    if filled[other] == 0 and fits and near[player, other] > 0:
                        usable += 1
                        break
                if usable == 0:
                    player = 1 - player
                    idle += 1
            continue
        place(cell, bit, player, unit_of, around, filled, used, room, near, scores, totals)
        played += 1
        player = 1 - player
        misses = 0
        idle = 0
        count -= 1
        moves[pick] = moves[count]
    return played


@kernel(lean=True)
def best_by_bound(
    nodes: np.ndarray, bounds: np.ndarray, parent: np.int64, exploration: float
) -> np.int64:
    """The child with the highest upper confidence bound; unvisited ones come first."""
    first = np.int64(nodes[parent, FIRST])
    factor = exploration * math.sqrt(math.log(nodes[parent, VISITS]))
    best = first
    highest = -1.0
    for child in range(first, first + nodes[parent, COUNT]):
        bound = bounds[MEAN, child] + factor * bounds[SPREAD, child]
        if bound > highest:
            highest = bound
            best = np.int64(child)
    return best


@kernel(lean=True)
def iterate(
    nodes: np.ndarray,
    bounds: np.ndarray,
    used_nodes: np.ndarray,
    path: np.ndarray,
    exploration: float,
    random: np.ndarray,
    root_moves: np.ndarray,
    moves: np.ndarray,
    taboo: np.ndarray,
    unit_of: np.ndarray,
    around: np.ndarray,
    root_filled: np.ndarray,
    root_used: np.ndarray,
    root_room: np.ndarray,
    root_near: np.ndarray,
    root_scores: np.ndarray,
    totals: np.ndarray,
    filled: np.ndarray,
    used: np.ndarray,
    room: np.ndarray,
    near: np.ndarray,
    scores: np.ndarray,
    playouts: np.int64,
) -> np.int64:
    """So many times: select, expand at the second visit, play out, back up. Node 0 is the root.

    Ends earlier when many nodes were added, which takes longer than playouts do; how many times.
    """
    root_empty = totals[EMPTY]
    growth = used_nodes[0] + MOST_GROWTH
    done = np.int64(0)
    root_count = list_fitting(unit_of, root_filled, root_used, taboo, root_moves)
    while done < playouts and used_nodes[0] < growth:
        done += 1
        for index in range(root_filled.shape[0]):
            filled[index] = root_filled[index]
        for index in range(root_used.shape[0]):
            used[index] = root_used[index]
            room[index] = root_room[index]
        for index in range(2):
            scores[index] = root_scores[index]
        if totals[RESTRICTED]:
            for index in range(2):
                for cell in range(root_filled.shape[0]):
                    near[index, cell] = root_near[index, cell]
        totals[EMPTY] = root_empty
        node = np.int64(0)
        path[0] = 0
        length = np.int64(1)
        while True:
            if nodes[node, COUNT] > 0:
                node = best_by_bound(nodes, bounds, node, exploration)
            elif nodes[node, VISITS] > 0 and nodes[node, COUNT] == 0:
                mover = next_player(np.int64(nodes[node, BY]), filled, near, totals)
                grown = expand(
                    nodes,
                    bounds,
                    used_nodes,
                    node,
                    mover,
                    moves,
                    taboo,
                    unit_of,
                    filled,
                    used,
                    near,
                    totals,
                )
                if grown == 0:
                    break
                node = np.int64(nodes[node, FIRST])
                node += np.int64(random_below(random, np.uint64(grown)))
            else:
                break
            path[length] = node
            length += 1
            code = np.int64(nodes[node, MOVE])
            bit = ONE << np.uint64((code & VALUE_MASK) - 1)
            place(
                code >> CELL_SHIFT,
                bit,
                np.int64(nodes[node, BY]),
                unit_of,
                around,
                filled,
                used,
                room,
                near,
                scores,
                totals,
            )
            if nodes[node, VISITS] == 0:
                break
        for index in range(root_count):
            moves[index] = root_moves[index]
        mover = next_player(np.int64(nodes[node, BY]), filled, near, totals)
        playout(
            mover,
            random,
            moves,
            root_count,
            unit_of,
            around,
            filled,
            used,
            room,
            near,
            scores,
            totals,
        )
        winner = np.int64(-1)
        if scores[0] != scores[1]:
            winner = np.int64(scores[1] > scores[0])
        for step in range(length):
            passed = path[step]
            nodes[passed, VISITS] += 1
            if nodes[passed, BY] == winner:
                nodes[passed, WINS] += 1
            visits = float(nodes[passed, VISITS])
            bounds[MEAN, passed] = nodes[passed, WINS] / visits
            bounds[SPREAD, passed] = 1.0 / math.sqrt(visits)
    totals[EMPTY] = root_empty
    return done


@kernel(lean=True)
def next_player(
    last: np.int64, filled: np.ndarray, near: np.ndarray, totals: np.ndarray
) -> np.int64:
    """Who moves after `last`: the other player, unless that one is stuck."""
    following = 1 - last
    if totals[RESTRICTED] and not has_square(following, filled, near, totals):
        return last
    return following


@kernel(lean=True)
def expand(
    nodes: np.ndarray,
    bounds: np.ndarray,
    used_nodes: np.ndarray,
    node: np.int64,
    mover: np.int64,
    moves: np.ndarray,
    taboo: np.ndarray,
    unit_of: np.ndarray,
    filled: np.ndarray,
    used: np.ndarray,
    near: np.ndarray,
    totals: np.ndarray,
) -> np.int64:
    """Add all children of a node, if there is room for them; how many."""
    count = list_fitting(unit_of, filled, used, taboo, moves)
    first = used_nodes[0]
    if first + count > nodes.shape[0]:
        return np.int64(0)
    grown = np.int64(0)
    for index in range(count):
        cell = np.int64(moves[index]) >> CELL_SHIFT
        if totals[RESTRICTED] and near[mover, cell] <= 0:
            continue
        bounds[MEAN, first + grown] = 0.0
        bounds[SPREAD, first + grown] = np.inf
        child = nodes[first + grown]
        child[MOVE] = moves[index]
        child[BY] = mover
        child[FIRST] = 0
        child[COUNT] = 0
        child[VISITS] = 0
        child[WINS] = 0
        grown += 1
    nodes[node, FIRST] = first
    nodes[node, COUNT] = grown
    used_nodes[0] = first + grown
    return grown


@kernel(lean=True)
def best_by_mean(nodes: np.ndarray) -> np.int64:
    """The root's child with the highest mean, or -1; unvisited children have mean 0."""
    best = np.int64(-1)
    highest = -1.0
    first = nodes[0, FIRST]
    for child in range(first, first + nodes[0, COUNT]):
        visits = nodes[child, VISITS]
        mean = nodes[child, WINS] / visits if visits > 0 else 0.0
        if mean > highest:
            highest = mean
            best = np.int64(child)
    return best


@kernel(lean=True)
def keep_subtree(
    nodes: np.ndarray,
    bounds: np.ndarray,
    used_nodes: np.ndarray,
    root: np.int64,
    kept: np.ndarray,
    kept_bounds: np.ndarray,
) -> None:
    """Copy the tree below `root` to `kept`, where its root becomes node 0."""
    copy_node(nodes, bounds, root, kept, kept_bounds, np.int64(0))
    filled = np.int64(1)
    node = np.int64(0)
    while node < filled:
        first = np.int64(kept[node, FIRST])
        count = np.int64(kept[node, COUNT])
        kept[node, FIRST] = filled
        for index in range(count):
            copy_node(nodes, bounds, first + index, kept, kept_bounds, filled + index)
        filled += count
        node += 1
    used_nodes[0] = filled


@kernel(lean=True)
def copy_node(
    nodes: np.ndarray,
    bounds: np.ndarray,
    source: np.int64,
    kept: np.ndarray,
    kept_bounds: np.ndarray,
    target: np.int64,
) -> None:
    """Copy one node."""
    for part in range(NODE):
        kept[target, part] = nodes[source, part]
    for part in range(2):
        kept_bounds[part, target] = bounds[part, source]
