"""Competitive Sudoku on 4x4 boards in every mode, searched to the end by alpha-beta.

A position is the values on the board, the passes that are used up and still fit, and the squares
that each player may use. What the mover wins by from here on depends on nothing else, so positions
that are alike by moving squares and renaming values share one entry of the table, for either
player. The table is exact: an entry holds the whole position.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plyground.games.competitive_sudoku.rewards import REWARDS
from plyground.kernels import kernel
from plyground.kernels.bits import trailing_zeros
from plyground.kernels.rows import row
from plyground.kernels.words import MIX, ONE, THREE, TWO, ZERO

SIZE, CELLS = 4, 16
WORDS = 5
"""Words of a set of the 288 grids."""
MOST_MOVES = 64
MOST_PLIES = 120
KEY_WORDS = 3
BYTE, ALL_SQUARES, OTHER_SHIFT = np.uint64(255), np.uint64(0xFFFF), np.uint64(16)
INFINITE = np.int64(100)
PROBES = 8

# Columns of `frames`.
CURSOR, COUNT, ALPHA, BETA, BEST, FIRST_ALPHA, MOVER, MADE, REWARD = range(9)
FRAME_WORDS = 9

# Places in `control`.
PLY, NODES, VALUE, DONE, CLASSIC, EMPTY, STORED, FULL = range(8)
CONTROL_WORDS = 8


class Workspace(NamedTuple):
    """What the search works on; a move is 4 * square + value, values from 0.

    grids     (64, WORDS)      the grids that have a value on a square, as bits
    maps      (s, 16)          squares of the board by squares of each image of it
    units     (16, 3)          row, column and block of a square
    near      (16,)            what a square opens to the player who fills it
    cells     (16,)            values, -1 for an empty square
    values    (12,)            the values of each unit, as bits
    room      (12,)            its empty squares
    alive     (p, WORDS)       grids that agree with the board, a row a ply
    used      (p,)             used passes that still fit, as bits
    allowed   (p, 2)           squares of each player, filled ones left out
    keys      (p, KEY_WORDS)
    moves     (p, MOST_MOVES)
    promises  (MOST_MOVES,)
    frames    (p, FRAME_WORDS)
    table     (n, KEY_WORDS + 1)  keys, and bounds: used | lower | upper
    control   (CONTROL_WORDS,)
    """

    grids: np.ndarray
    maps: np.ndarray
    units: np.ndarray
    near: np.ndarray
    cells: np.ndarray
    values: np.ndarray
    room: np.ndarray
    alive: np.ndarray
    used: np.ndarray
    allowed: np.ndarray
    keys: np.ndarray
    moves: np.ndarray
    promises: np.ndarray
    frames: np.ndarray
    table: np.ndarray
    control: np.ndarray


@kernel(lean=True)
def taken(work: Workspace, cell: np.uint64) -> np.uint64:
    """The values in the row, column and block of a square."""
    values, units = work.values, row(work.units, np.int64(cell))
    return values[units[0]] | values[units[1]] | values[units[2]]


@kernel(lean=True)
def solvable(work: Workspace, ply: np.int64, move: np.uint64) -> bool:
    """Whether some grid agrees with the board of a ply and a move."""
    alive, grids = row(work.alive, ply), row(work.grids, np.int64(move))
    found = ZERO
    for word in range(WORDS):
        found |= alive[word] & grids[word]
    return found != ZERO


@kernel(lean=True)
def still_fitting(work: Workspace, passes: np.uint64) -> np.uint64:
    """Those of the passes that conflict with nothing on the board."""
    left = ZERO
    rest = passes
    while rest != ZERO:
        move = np.uint64(trailing_zeros(rest))
        bit = rest & (~rest + ONE)
        rest ^= bit
        cell = move >> TWO
        if work.cells[cell] < 0 and taken(work, cell) >> (move & THREE) & ONE == ZERO:
            left |= bit
    return left


@kernel(lean=True)
def find_key(work: Workspace, ply: np.int64) -> None:
    """The least image of the position at a ply, into `keys`."""
    cells, key = work.cells, row(work.keys, ply)
    used = work.used[ply]
    mover = work.frames[ply, MOVER]
    mine, other = work.allowed[ply, mover], work.allowed[ply, 1 - mover]
    key[0] = ~ZERO
    for image in range(work.maps.shape[0]):
        places = row(work.maps, np.int64(image))
        board = ZERO
        names, named = ZERO, ZERO
        for place in range(CELLS):
            value = cells[np.uint64(places[place])]
            board <<= THREE
            if value >= 0:
                at = np.uint64(8 * value)
                if names >> at & BYTE == ZERO:
                    named += ONE
                    names |= named << at
                board |= names >> at & BYTE
        if board > key[0]:
            continue
        passes, first, second = ZERO, ZERO, ZERO
        for place in range(CELLS):
            cell = np.uint64(places[place])
            first |= (mine >> cell & ONE) << np.uint64(place)
            second |= (other >> cell & ONE) << np.uint64(place)
            rest = used >> (cell << TWO) & np.uint64(15)
            value = np.uint64(0)
            while rest != ZERO:
                if rest & ONE != ZERO:
                    at = value << THREE
                    if names >> at & BYTE == ZERO:
                        named += ONE
                        names |= named << at
                    name = (names >> at & BYTE) - ONE
                    passes |= ONE << (np.uint64(4 * place) + name)
                rest >>= ONE
                value += ONE
        squares = first | second << OTHER_SHIFT
        if board < key[0] or passes < key[1] or (passes == key[1] and squares < key[2]):
            key[0], key[1], key[2] = board, passes, squares


@kernel(lean=True)
def place_of(work: Workspace, ply: np.int64) -> np.int64:
    """The entry of the position at a ply, or the one that it should take; -1 if all are taken."""
    key, table = row(work.keys, ply), work.table
    mixed = ((key[0] * MIX) ^ (key[1] + (key[2] << np.uint64(20)))) * MIX
    mixed ^= mixed >> np.uint64(29)
    mixed *= MIX
    start = mixed >> np.uint64(20)
    for step in range(PROBES):
        place = np.int64((start + np.uint64(step)) & np.uint64(table.shape[0] - 1))
        entry = row(table, place)
        if entry[3] == ZERO or (entry[0] == key[0] and entry[1] == key[1] and entry[2] == key[2]):
            return place
    return np.int64(-1)


@kernel(lean=True)
def put(work: Workspace, move: np.uint64) -> np.int64:
    """Fill a square; the points it brings."""
    cell, value = move >> TWO, move & THREE
    work.cells[cell] = np.int64(value)
    done = np.uint64(0)
    units = row(work.units, np.int64(cell))
    for number in range(3):
        unit = units[number]
        work.values[unit] |= ONE << value
        work.room[unit] -= 1
        done += np.uint64(work.room[unit] == 0)
    work.control[EMPTY] -= 1
    return REWARDS[done]


@kernel(lean=True)
def take(work: Workspace, move: np.uint64) -> None:
    """Empty a square again."""
    cell, value = move >> TWO, move & THREE
    work.cells[cell] = -1
    units = row(work.units, np.int64(cell))
    for number in range(3):
        unit = units[number]
        work.values[unit] &= ~(ONE << value)
        work.room[unit] += 1
    work.control[EMPTY] += 1


@kernel(lean=True)
def even_passes(work: Workspace, ply: np.int64) -> bool:
    """Whether the number of passes left at a ply is even, whoever may use them."""
    count = ZERO
    used = work.used[ply]
    for place in range(CELLS):
        cell = np.uint64(place)
        if work.cells[cell] >= 0:
            continue
        free = ~taken(work, cell)
        for value in range(SIZE):
            move = np.uint64(SIZE * place + value)
            if free >> np.uint64(value) & ONE and not solvable(work, ply, move):
                count += ~(used >> move) & ONE
    return count & ONE == ZERO


@kernel(lean=True)
def follow(work: Workspace, ply: np.int64, move: np.uint64) -> np.int64:
    """Make a move from a ply to the next; the points it brings. The next mover is set as well."""
    frame, child = row(work.frames, ply), row(work.frames, ply + 1)
    mover = frame[MOVER]
    grids, alive, following = (
        row(work.grids, np.int64(move)),
        row(work.alive, ply),
        row(work.alive, ply + 1),
    )
    work.allowed[ply + 1, 0] = work.allowed[ply, 0]
    work.allowed[ply + 1, 1] = work.allowed[ply, 1]
    reward = np.int64(0)
    frame[MADE] = np.int64(move)
    if not solvable(work, ply, move):
        frame[MADE] = -1
        work.used[ply + 1] = work.used[ply] | ONE << move
        for word in range(WORDS):
            following[word] = alive[word]
    else:
        cell = move >> TWO
        reward = put(work, move)
        for word in range(WORDS):
            following[word] = alive[word] & grids[word]
        work.used[ply + 1] = still_fitting(work, work.used[ply])
        work.allowed[ply + 1, mover] |= work.near[cell]
        filled = ZERO
        for place in range(CELLS):
            filled |= np.uint64(work.cells[place] >= 0) << np.uint64(place)
        work.allowed[ply + 1, 0] &= ~filled
        work.allowed[ply + 1, 1] &= ~filled
    child[MOVER] = 1 - mover if work.allowed[ply + 1, 1 - mover] != ZERO else mover
    frame[REWARD] = reward
    return reward


@kernel(lean=True)
def undo(work: Workspace, ply: np.int64) -> None:
    """Take back the move made at a ply."""
    made = work.frames[ply, MADE]
    if made >= 0:
        take(work, np.uint64(made))


@kernel(lean=True)
def list_moves(work: Workspace, ply: np.int64) -> None:
    """The moves of a ply: those that give points first, then those that the parity law likes."""
    frame, moves, promises = row(work.frames, ply), row(work.moves, ply), work.promises
    squares = work.allowed[ply, frame[MOVER]]
    used = work.used[ply]
    count = np.int64(0)
    for place in range(CELLS):
        cell = np.uint64(place)
        if squares >> cell & ONE == ZERO:
            continue
        free = ~taken(work, cell)
        for value in range(SIZE):
            move = np.uint64(SIZE * place + value)
            if free >> np.uint64(value) & ONE == ZERO or used >> move & ONE != ZERO:
                continue
            promise = 2 * follow(work, ply, move)
            if work.control[EMPTY] & 1 == 0 and even_passes(work, ply + 1):
                promise += 1
            undo(work, ply)
            at = count
            while at > 0 and promises[np.uint64(at - 1)] < promise:
                promises[np.uint64(at)] = promises[np.uint64(at - 1)]
                moves[np.uint64(at)] = moves[np.uint64(at - 1)]
                at -= 1
            promises[np.uint64(at)] = promise
            moves[np.uint64(at)] = np.int64(move)
            count += 1
    frame[COUNT] = count


@kernel(lean=True)
def open_node(work: Workspace, ply: np.int64) -> bool:
    """Look a position up and list its moves; True if its value is known well enough, in `best`."""
    frame = row(work.frames, ply)
    frame[CURSOR] = 0
    frame[COUNT] = 0
    frame[FIRST_ALPHA] = frame[ALPHA]
    frame[BEST] = -INFINITE
    if work.allowed[ply, frame[MOVER]] == ZERO:
        frame[BEST] = 0
        return True
    find_key(work, ply)
    place = place_of(work, ply)
    if place >= 0 and work.table[place, 3] != ZERO:
        bounds = work.table[place, 3]
        lower = np.int64(bounds & BYTE) - INFINITE
        upper = np.int64(bounds >> np.uint64(8) & BYTE) - INFINITE
        if lower >= frame[BETA] or lower == upper:
            frame[BEST] = lower
            return True
        if upper <= frame[ALPHA]:
            frame[BEST] = upper
            return True
    work.control[NODES] += 1
    list_moves(work, ply)
    return False


@kernel(lean=True)
def keep(work: Workspace, ply: np.int64) -> None:
    """Join what was found about the position at a ply with what the table says."""
    frame = row(work.frames, ply)
    place = place_of(work, ply)
    if place < 0:
        work.control[FULL] += 1
        return
    entry, key = row(work.table, place), row(work.keys, ply)
    lower, upper = -INFINITE, INFINITE
    if entry[3] != ZERO:
        lower = np.int64(entry[3] & BYTE) - INFINITE
        upper = np.int64(entry[3] >> np.uint64(8) & BYTE) - INFINITE
    else:
        work.control[STORED] += 1
        entry[0], entry[1], entry[2] = key[0], key[1], key[2]
    if frame[BEST] > frame[FIRST_ALPHA]:
        lower = max(lower, frame[BEST])
    if frame[BEST] < frame[BETA]:
        upper = min(upper, frame[BEST])
    used = ONE << np.uint64(16)
    entry[3] = used | np.uint64(lower + INFINITE) | np.uint64(upper + INFINITE) << np.uint64(8)


@kernel
def begin(work: Workspace, alpha: np.int64, beta: np.int64) -> None:
    """Set up a search of the position at ply 0, whose rows are filled in."""
    frame = row(work.frames, np.int64(0))
    frame[ALPHA], frame[BETA] = alpha, beta
    frame[CURSOR] = -1
    work.control[PLY] = 0
    work.control[DONE] = 0


@kernel
def run(work: Workspace, budget: np.int64) -> np.int64:
    """Search on for about `budget` positions; 1 when done, with the value in `control`."""
    control = work.control
    until = control[NODES] + budget
    ply = control[PLY]
    while control[NODES] < until:
        frame = row(work.frames, ply)
        known = False
        if frame[CURSOR] < 0:
            known = open_node(work, ply)
        if not known and frame[CURSOR] < frame[COUNT] and frame[ALPHA] < frame[BETA]:
            move = np.uint64(work.moves[ply, np.uint64(frame[CURSOR])])
            frame[CURSOR] += 1
            reward = follow(work, ply, move)
            child = row(work.frames, ply + 1)
            if child[MOVER] == frame[MOVER]:
                child[ALPHA], child[BETA] = frame[ALPHA] - reward, frame[BETA] - reward
            else:
                child[ALPHA], child[BETA] = reward - frame[BETA], reward - frame[ALPHA]
            child[CURSOR] = -1
            ply += 1
            continue
        if not known:
            keep(work, ply)
        if ply == 0:
            control[VALUE] = frame[BEST]
            control[DONE] = 1
            control[PLY] = 0
            return np.int64(1)
        parent = row(work.frames, ply - 1)
        value = frame[BEST] if parent[MOVER] == frame[MOVER] else -frame[BEST]
        value += parent[REWARD]
        ply -= 1
        undo(work, ply)
        parent[BEST] = max(parent[BEST], value)
        parent[ALPHA] = max(parent[ALPHA], value)
    control[PLY] = ply
    return np.int64(0)
