"""Monte Carlo tree search of the documents over moves that fit, win/loss playouts.

The tree is arrays: for each node the move that leads to it (cell * 32 + value), the player who
made it, first child, number of children, visits, and wins of the player who made the move.
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
RETRIES = 40


@kernel
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


@kernel
def playout(
    player: np.int64,
    random: np.ndarray,
    moves: np.ndarray,
    taboo: np.ndarray,
    unit_of: np.ndarray,
    around: np.ndarray,
    filled: np.ndarray,
    used: np.ndarray,
    room: np.ndarray,
    near: np.ndarray,
    scores: np.ndarray,
    totals: np.ndarray,
) -> np.int64:
    """Random moves, uniform over those that fit, until none is left; the number of moves."""
    count = list_fitting(unit_of, filled, used, taboo, moves)
    played = np.int64(0)
    misses = 0
    idle = 0
    while count > 0 and idle < 2:
        pick = random_below(random, np.uint64(count))
        code = moves[pick]
        cell = code // CODE_CELL
        bit = ONE << np.uint64(code % CODE_CELL - 1)
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
                    other = moves[index] // CODE_CELL
                    held = used[unit_of[other, 0]] | used[unit_of[other, 1]]
                    held |= used[unit_of[other, 2]]
                    fits = (held >> np.uint64(moves[index] % CODE_CELL - 1)) & ONE == ZERO
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


@kernel
def best_by_bound(nodes: np.ndarray, parent: np.int64, exploration: float) -> np.int64:
    """The child with the highest upper confidence bound; unvisited ones come first."""
    first = nodes[parent, FIRST]
    log_visits = math.log(nodes[parent, VISITS])
    best = first
    highest = -1.0
    for child in range(first, first + nodes[parent, COUNT]):
        visits = nodes[child, VISITS]
        if visits == 0:
            return np.int64(child)
        bound = nodes[child, WINS] / visits + exploration * math.sqrt(log_visits / visits)
        if bound > highest:
            highest = bound
            best = np.int64(child)
    return best


@kernel
def iterate(
    nodes: np.ndarray,
    used_nodes: np.ndarray,
    path: np.ndarray,
    exploration: float,
    random: np.ndarray,
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
) -> None:
    """So many times: select, expand at the second visit, play out, back up. Node 0 is the root."""
    root_empty = totals[EMPTY]
    for _ in range(playouts):
        filled[:] = root_filled
        used[:] = root_used
        room[:] = root_room
        scores[:] = root_scores
        if totals[RESTRICTED]:
            near[:] = root_near
        totals[EMPTY] = root_empty
        node = np.int64(0)
        path[0] = 0
        length = np.int64(1)
        while True:
            if nodes[node, COUNT] > 0:
                node = best_by_bound(nodes, node, exploration)
            elif nodes[node, VISITS] > 0 and nodes[node, COUNT] == 0:
                mover = next_player(nodes[node, BY], filled, near, totals)
                grown = expand(
                    nodes,
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
                node = nodes[node, FIRST] + np.int64(random_below(random, np.uint64(grown)))
            else:
                break
            path[length] = node
            length += 1
            code = nodes[node, MOVE]
            bit = ONE << np.uint64(code % CODE_CELL - 1)
            place(
                code // CODE_CELL,
                bit,
                nodes[node, BY],
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
        mover = next_player(nodes[node, BY], filled, near, totals)
        playout(
            mover,
            random,
            moves,
            taboo,
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
            nodes[path[step], VISITS] += 1
            if nodes[path[step], BY] == winner:
                nodes[path[step], WINS] += 1
    totals[EMPTY] = root_empty


@kernel
def next_player(
    last: np.int64, filled: np.ndarray, near: np.ndarray, totals: np.ndarray
) -> np.int64:
    """Who moves after `last`: the other player, unless that one is stuck."""
    following = 1 - last
    if totals[RESTRICTED] and not has_square(following, filled, near, totals):
        return last
    return following


@kernel
def expand(
    nodes: np.ndarray,
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
        cell = moves[index] // CODE_CELL
        if totals[RESTRICTED] and near[mover, cell] <= 0:
            continue
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


@kernel
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


@kernel
def keep_subtree(
    nodes: np.ndarray, used_nodes: np.ndarray, root: np.int64, kept: np.ndarray
) -> None:
    """Copy the tree below `root` to `kept`, where its root becomes node 0."""
    kept[0] = nodes[root]
    filled = np.int64(1)
    node = np.int64(0)
    while node < filled:
        first = kept[node, FIRST]
        count = kept[node, COUNT]
        kept[node, FIRST] = filled
        for index in range(count):
            kept[filled + index] = nodes[first + index]
        filled += count
        node += 1
    used_nodes[0] = filled
