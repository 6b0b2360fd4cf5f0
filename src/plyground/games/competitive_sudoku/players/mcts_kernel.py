"""Monte Carlo tree search of the documents over moves that fit, win/loss playouts."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from plyground.games.competitive_sudoku.players.board_kernel import (
    Board,
    copy_board,
    may_use,
    next_player,
    place,
    taken_values,
)
from plyground.kernels.marker import kernel
from plyground.kernels.random import random_below
from plyground.kernels.words import ONE, ZERO

# Places in a node: a move is cell * 32 + value.
MOVE, BY, FIRST, COUNT, VISITS, WINS = range(6)
NODE = 6
CODE_CELL = np.int64(32)
CELL_SHIFT, VALUE_MASK = np.int64(5), np.int64(31)

# Places in `bounds`.
MEAN, SPREAD = range(2)

RETRIES = 40
MOST_GROWTH = np.int64(30_000)
"""Nodes that may be added in one call: a few milliseconds."""


class Tree(NamedTuple):
    """A tree of at most T nodes; node 0 is the root."""

    nodes: np.ndarray
    """(T, NODE) int32: the move that leads to a node, the player who made it, its first child, the
    number of its children, its visits, and how often the player who made the move won."""
    bounds: np.ndarray
    """(2, T) float64: the mean of each node and one over the root of its visits, so that the choice
    of a child needs no root and no division."""
    used: np.ndarray
    """(1,) int64: the number of nodes."""


class Search(NamedTuple):
    """A tree search on a board of N x N squares."""

    tree: Tree
    root: Board
    """The position of the root."""
    board: Board
    """The position on the way; both share `taboo`."""
    path: np.ndarray
    """(N*N + 2,) int64: the nodes from the root to the current one."""
    root_moves: np.ndarray
    """(N*N*N + 1,) int32: all that may ever fit."""
    moves: np.ndarray
    """(N*N*N + 1,) int32: the moves of a node or playout."""
    random: np.ndarray
    """The state of `kernels.random`."""


@kernel(lean=True)
def list_fitting(board: Board, moves: np.ndarray) -> np.int64:
    """All moves that fit and are not taboo, whoever may play them."""
    count = np.int64(0)
    size = board.used.shape[0] // 3
    for cell in range(board.filled.shape[0]):
        if board.filled[cell]:
            continue
        taken = taken_values(board, np.uint64(cell)) | board.taboo[cell]
        for value in range(1, size + 1):
            if (taken >> np.uint64(value - 1)) & ONE == ZERO:
                moves[count] = cell * CODE_CELL + value
                count += 1
    return count


@kernel(lean=True)
def fits(board: Board, code: np.int64) -> bool:
    """Whether a move of the list still fits."""
    cell = np.uint64(code >> CELL_SHIFT)
    if board.filled[cell]:
        return False
    return (taken_values(board, cell) >> np.uint64((code & VALUE_MASK) - 1)) & ONE == ZERO


@kernel(lean=True)
def has_move(board: Board, player: np.int64, moves: np.ndarray, count: np.int64) -> bool:
    """Whether one of the first `count` moves fits and is open to the player."""
    for index in range(count):
        code = np.int64(moves[index])
        if may_use(board, player, np.uint64(code >> CELL_SHIFT)) and fits(board, code):
            return True
    return False


@kernel(lean=True)
def playout(search: Search, player: np.int64, count: np.int64) -> None:
    """Random moves, uniform over those that fit, until none is left.

    The first `count` of `moves` are all that may fit.
    """
    board, moves = search.board, search.moves
    misses = 0
    idle = 0
    while count > 0 and idle < 2:
        pick = random_below(search.random, np.uint64(count))
        code = np.int64(moves[pick])
        if not fits(board, code):
            count -= 1
            moves[pick] = moves[count]
            continue
        cell = code >> CELL_SHIFT
        if not may_use(board, player, np.uint64(cell)):
            misses += 1
            if misses > RETRIES:
                misses = 0
                if not has_move(board, player, moves, count):
                    player = 1 - player
                    idle += 1
            continue
        place(board, cell, ONE << np.uint64((code & VALUE_MASK) - 1), player)
        player = 1 - player
        misses = 0
        idle = 0
        count -= 1
        moves[pick] = moves[count]


@kernel(lean=True)
def best_by_bound(tree: Tree, parent: np.int64, exploration: float) -> np.int64:
    """The child with the highest upper confidence bound; unvisited ones come first."""
    first = np.int64(tree.nodes[parent, FIRST])
    factor = exploration * math.sqrt(math.log(tree.nodes[parent, VISITS]))
    best = first
    highest = -1.0
    for child in range(first, first + tree.nodes[parent, COUNT]):
        bound = tree.bounds[MEAN, child] + factor * tree.bounds[SPREAD, child]
        if bound > highest:
            highest = bound
            best = np.int64(child)
    return best


@kernel(lean=True)
def select(search: Search, exploration: float) -> np.int64:
    """Go down to a node that was not visited yet, expanding one at its second visit.

    Plays the moves on the board and notes the path; its length.
    """
    tree, board, path = search.tree, search.board, search.path
    node = np.int64(0)
    path[0] = 0
    length = np.int64(1)
    while True:
        if tree.nodes[node, COUNT] > 0:
            node = best_by_bound(tree, node, exploration)
        elif tree.nodes[node, VISITS] > 0:
            grown = expand(search, node)
            if grown == 0:
                return length
            node = np.int64(tree.nodes[node, FIRST])
            node += np.int64(random_below(search.random, np.uint64(grown)))
        else:
            return length
        path[length] = node
        length += 1
        code = np.int64(tree.nodes[node, MOVE])
        bit = ONE << np.uint64((code & VALUE_MASK) - 1)
        place(board, code >> CELL_SHIFT, bit, np.int64(tree.nodes[node, BY]))
        if tree.nodes[node, VISITS] == 0:
            return length


@kernel(lean=True)
def back_up(search: Search, length: np.int64) -> None:
    """Take the result on the board into all nodes of the path."""
    tree, scores = search.tree, search.board.scores
    winner = np.int64(-1)
    if scores[0] != scores[1]:
        winner = np.int64(scores[1] > scores[0])
    for step in range(length):
        passed = search.path[step]
        tree.nodes[passed, VISITS] += 1
        if tree.nodes[passed, BY] == winner:
            tree.nodes[passed, WINS] += 1
        visits = float(tree.nodes[passed, VISITS])
        tree.bounds[MEAN, passed] = tree.nodes[passed, WINS] / visits
        tree.bounds[SPREAD, passed] = 1.0 / math.sqrt(visits)


@kernel(lean=True)
def iterate(search: Search, exploration: float, playouts: np.int64) -> np.int64:
    """So many times: select, expand at the second visit, play out, back up.

    Ends earlier when many nodes were added, which takes longer than playouts do; how many times.
    """
    tree = search.tree
    growth = tree.used[0] + MOST_GROWTH
    done = np.int64(0)
    count = list_fitting(search.root, search.root_moves)
    while done < playouts and tree.used[0] < growth:
        done += 1
        copy_board(search.root, search.board)
        length = select(search, exploration)
        for index in range(count):
            search.moves[index] = search.root_moves[index]
        last = tree.nodes[search.path[length - 1], BY]
        playout(search, next_player(search.board, np.int64(last)), count)
        back_up(search, length)
    return done


@kernel(lean=True)
def expand(search: Search, node: np.int64) -> np.int64:
    """Add all children of a node, if there is room for them; how many."""
    tree, board, moves = search.tree, search.board, search.moves
    mover = next_player(board, np.int64(tree.nodes[node, BY]))
    count = list_fitting(board, moves)
    first = tree.used[0]
    if first + count > tree.nodes.shape[0]:
        return np.int64(0)
    grown = np.int64(0)
    for index in range(count):
        if not may_use(board, mover, np.uint64(moves[index] >> CELL_SHIFT)):
            continue
        tree.bounds[MEAN, first + grown] = 0.0
        tree.bounds[SPREAD, first + grown] = np.inf
        child = tree.nodes[first + grown]
        child[MOVE] = moves[index]
        child[BY] = mover
        child[FIRST] = 0
        child[COUNT] = 0
        child[VISITS] = 0
        child[WINS] = 0
        grown += 1
    tree.nodes[node, FIRST] = first
    tree.nodes[node, COUNT] = grown
    tree.used[0] = first + grown
    return grown


@kernel(lean=True)
def best_by_mean(tree: Tree) -> np.int64:
    """The root's child with the highest mean, or -1; unvisited children have mean 0."""
    nodes = tree.nodes
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
def keep_subtree(tree: Tree, root: np.int64, kept: Tree) -> None:
    """Copy the tree below `root` to `kept`, where its root becomes node 0."""
    copy_node(tree, root, kept, np.int64(0))
    filled = np.int64(1)
    node = np.int64(0)
    while node < filled:
        first = np.int64(kept.nodes[node, FIRST])
        count = np.int64(kept.nodes[node, COUNT])
        kept.nodes[node, FIRST] = filled
        for index in range(count):
            copy_node(tree, first + index, kept, filled + index)
        filled += count
        node += 1
    kept.used[0] = filled


@kernel(lean=True)
def copy_node(tree: Tree, source: np.int64, kept: Tree, target: np.int64) -> None:
    """Copy one node."""
    for part in range(NODE):
        kept.nodes[target, part] = tree.nodes[source, part]
    for part in range(2):
        kept.bounds[part, target] = tree.bounds[part, source]
