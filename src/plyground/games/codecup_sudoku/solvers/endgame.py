"""The endgame search: who wins a set of solutions when both play well.

A position is a set of solutions, a move keeps a proper part of it. Who leaves one solution wins.
The search goes depth first through the positions, with these rules (tested one by one):

- *Singleton reply.* If two moves have exactly one solution in common, each is answered by the
  other: both lose.
- *Two, three and five.* A set of 2, 3 or 5 solutions always has a move that leaves one, so who
  leaves such a set loses. (For 5: see the proof in the documentation of the game.)
- *Four.* A set of four solutions without a singleton move can only be split into two and two: it
  is lost for the player to move.
- *Known positions.* All children are looked up before one is searched.
- *Strike.* If move A loses to a reply that keeps X of its solutions, then every move B that has
  just X in common with A loses to A in turn, unless B is X itself.
- *Smallest first.* Children with fewer solutions are searched first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plyground.games.codecup_sudoku.solvers.bitset_stack import (
    BORN,
    COUNTS,
    CURSOR,
    HASH,
    IDS,
    LENGTH,
    LIST,
    MAP,
    MASKS,
    MAX_REFUTERS,
    MOVE,
    MOVES,
    REFUTER_COUNT,
    REFUTERS,
    SEVEN,
    SIZE,
    STRIDE,
    TOP,
    WORD_BITS,
    WORDS,
    Bitsets,
    Stack,
    has_room,
    make_narrow_child,
    make_wide_child,
)
from plyground.games.codecup_sudoku.solvers.eight_words import (
    common_lanes,
    common_lanes_wide,
    xor_selected,
)
from plyground.games.codecup_sudoku.solvers.solved_positions import (
    LOSS,
    UNKNOWN,
    WIN,
    prefetch_bucket,
    probe,
    store,
)
from plyground.kernels import kernel
from plyground.kernels.bits import trailing_zeros
from plyground.kernels.words import EIGHT, FOUR, ONE, THREE, TWO, ZERO

FIVE = np.uint64(5)
SIX = np.uint64(6)
MOVE_BITS = np.uint64(16)
MOVE_MASK = np.uint64(0xFFFF)
STRUCK = np.uint64(1) << np.uint64(63)

BASE = np.uint64(0)
"""Index into the control words: the ply of the frame whose value is asked for."""
PLY = np.uint64(1)
NODES = np.uint64(2)
"""Positions that were expanded."""
COST = np.uint64(3)
"""Work done, one unit for about a fifth of a microsecond."""

OUT_OF_ROOM = np.uint64(3)
"""The arena is too small for the next child; run again with a larger copy."""


class Workspace(NamedTuple):
    """What an endgame search works in."""

    stack: Stack
    table: np.ndarray
    """(8 * 2**k,) uint64: solved positions, shared by many searches; see `solved_positions`."""
    control: np.ndarray
    """(4,) uint64: where the search stands, its words as named above."""


@kernel(lean=True)
def has_singleton(arena: np.ndarray, masks: np.uint64, groups: np.uint64, query: np.uint64) -> bool:
    """Whether some move of a narrow frame keeps exactly one solution of the query."""
    for group in range(groups):
        if common_lanes(arena, masks + EIGHT * np.uint64(group), query, ONE) != ZERO:
            return True
    return False


@kernel(lean=True)
def has_singleton_wide(arena: np.ndarray, sets: Bitsets, query_at: np.uint64) -> bool:
    """The same in a wide frame, with the words of the query side by side."""
    for group in range(sets.stride >> THREE):
        at = sets.masks + EIGHT * np.uint64(group)
        if common_lanes_wide(arena, at, sets.stride, query_at, ONE, sets.words, ONE) != ZERO:
            return True
    return False


@kernel(inline=True, lean=True)
def mark_dead(arena: np.ndarray, counts: np.uint64, dead: np.uint64, reply: np.uint64) -> None:
    """Leave a reply out, for it would be answered by the move; a set of four itself would win."""
    if arena[counts + reply] != FOUR:
        arena[dead + (reply >> THREE)] |= ONE << (reply & SEVEN)


@kernel(lean=True)
def survives_narrow(
    arena: np.ndarray, sets: Bitsets, counts: np.uint64, move: np.uint64, dead: np.uint64
) -> bool:
    """Whether no reply refutes a move at once, by leaving one solution or four that are lost.

    A reply that does is marked dead too, for it would be answered by this move, unless it is the
    lost set of four itself: then it wins.
    """
    masks, groups = sets.masks, sets.stride >> THREE
    query = arena[masks + move]
    for group in range(groups):
        partners = common_lanes(arena, masks + EIGHT * np.uint64(group), query, ONE)
        if partners != ZERO:
            arena[dead + np.uint64(group)] |= partners
            return False
    if arena[counts + move] == FOUR:
        return True
    for group in range(groups):
        at = masks + EIGHT * np.uint64(group)
        partners = common_lanes(arena, at, query, FOUR)
        while partners != ZERO:
            lane = np.uint64(trailing_zeros(partners))
            if not has_singleton(arena, masks, groups, arena[at + lane] & query):
                mark_dead(arena, counts, dead, EIGHT * np.uint64(group) + lane)
                return False
            partners &= partners - ONE
    return True


@kernel(lean=True)
def survives_wide(
    arena: np.ndarray,
    sets: Bitsets,
    counts: np.uint64,
    move: np.uint64,
    dead: np.uint64,
    scratch: np.uint64,
) -> bool:
    """The same for bitsets of several words; sets of four are not looked for in very wide ones."""
    masks, stride, words = sets
    groups = stride >> THREE
    query = masks + move
    for group in range(groups):
        at = masks + EIGHT * np.uint64(group)
        partners = common_lanes_wide(arena, at, stride, query, stride, words, ONE)
        if partners != ZERO:
            arena[dead + np.uint64(group)] |= partners
            return False
    if words > EIGHT or arena[counts + move] == FOUR:
        return True
    for group in range(groups):
        at = masks + EIGHT * np.uint64(group)
        partners = common_lanes_wide(arena, at, stride, query, stride, words, FOUR)
        while partners != ZERO:
            lane = np.uint64(trailing_zeros(partners))
            for word in range(words):
                offset = np.uint64(word) * stride
                arena[scratch + np.uint64(word)] = arena[at + lane + offset] & arena[query + offset]
            if not has_singleton_wide(arena, sets, scratch):
                mark_dead(arena, counts, dead, EIGHT * np.uint64(group) + lane)
                return False
            partners &= partners - ONE
    return True


@kernel(lean=True)
def live_moves(stack: Stack, ply: np.uint64) -> np.uint64:
    """List the moves that no reply refutes at once; 1 + a move that wins at once, or 0.

    The list is unordered and has hashes. Its space begins at the frame's top.
    """
    arena, frames = stack.arena, stack.frames
    words = frames[ply, WORDS]
    stride = frames[ply, STRIDE]
    masks = frames[ply, MASKS]
    counts = frames[ply, COUNTS]
    ids = frames[ply, IDS]
    sets = Bitsets(masks, stride, words)
    groups = stride >> THREE
    dead = frames[ply, TOP]
    scratch = dead + groups
    entry = scratch + EIGHT
    frames[ply, LIST] = entry
    for group in range(groups):
        arena[dead + np.uint64(group)] = ZERO
    for index in range(frames[ply, MOVES]):
        move = np.uint64(index)
        count = arena[counts + move]
        if count < FOUR or count == FIVE:
            continue
        if (arena[dead + (move >> THREE)] >> (move & SEVEN)) & ONE != ZERO:
            continue
        if words == ONE:
            if not survives_narrow(arena, sets, counts, move, dead):
                continue
        elif not survives_wide(arena, sets, counts, move, dead, scratch):
            continue
        if count == FOUR:
            return move + ONE
        position = ZERO
        for word in range(words):
            offset = np.uint64(word)
            position ^= xor_selected(
                arena, ids + offset * WORD_BITS, arena[masks + move + offset * stride]
            )
        arena[entry] = (count << MOVE_BITS) | move
        arena[entry + ONE] = position
        entry += TWO
    frames[ply, LENGTH] = (entry - frames[ply, LIST]) >> ONE
    return ZERO


@kernel(lean=True)
def enter(stack: Stack, table: np.ndarray, ply: np.uint64) -> np.uint64:
    """Judge a new frame without searching: WIN with its refuters, LOSS, or UNKNOWN with a list."""
    arena, frames = stack.arena, stack.frames
    winner = live_moves(stack, ply)
    if winner != ZERO:
        arena[REFUTER_COUNT] = ONE
        arena[REFUTERS] = winner - ONE
        return WIN
    first = frames[ply, LIST]
    length = frames[ply, LENGTH]
    for index in range(length):
        prefetch_bucket(table, arena[first + TWO * np.uint64(index) + ONE])
    refuters = ZERO
    open_moves = ZERO
    for index in range(length):
        entry = first + TWO * np.uint64(index)
        key = arena[entry]
        position = arena[entry + ONE]
        known = probe(table, position)
        if known == LOSS:
            if refuters < MAX_REFUTERS:
                arena[REFUTERS + refuters] = key & MOVE_MASK
                refuters += ONE
        elif known == UNKNOWN:
            place = first + TWO * open_moves
            while place > first and arena[place - TWO] > key:
                arena[place] = arena[place - TWO]
                arena[place + ONE] = arena[place - ONE]
                place -= TWO
            arena[place] = key
            arena[place + ONE] = position
            open_moves += ONE
    if refuters != ZERO:
        arena[REFUTER_COUNT] = refuters
        return WIN
    if open_moves == ZERO:
        return LOSS
    frames[ply, LENGTH] = open_moves
    frames[ply, CURSOR] = ZERO
    frames[ply, TOP] = first + TWO * open_moves
    return UNKNOWN


@kernel(lean=True)
def strike(stack: Stack, table: np.ndarray, ply: np.uint64) -> None:
    """After the child of the current move turned out won: strike the moves that lose to it."""
    arena, frames = stack.arena, stack.frames
    child = ply + ONE
    masks = frames[ply, MASKS]
    counts = frames[ply, COUNTS]
    narrow = frames[ply, WORDS] == ONE
    chosen = arena[masks + frames[ply, MOVE]]
    child_masks = frames[child, MASKS]
    child_counts = frames[child, COUNTS]
    child_map = frames[child, MAP]
    refuters = arena[REFUTER_COUNT]
    for index in range(frames[ply, CURSOR], frames[ply, LENGTH]):
        entry = frames[ply, LIST] + TWO * np.uint64(index)
        key = arena[entry]
        if key & STRUCK != ZERO:
            continue
        move = key & MOVE_MASK
        for number in range(refuters):
            refuter = arena[REFUTERS + np.uint64(number)]
            if narrow:
                same = arena[masks + move] & chosen == arena[child_masks + refuter]
            else:
                same = arena[child_map + move] == refuter + ONE
            if same and arena[counts + move] != arena[child_counts + refuter]:
                arena[entry] = key | STRUCK
                store(table, arena[entry + ONE], WIN, ONE)
                break


@kernel(lean=True)
def make_child(
    stack: Stack, ply: np.uint64, move: np.uint64, size: np.uint64, position: np.uint64
) -> None:
    """The frame after a move."""
    if stack.frames[ply, WORDS] == ONE:
        make_narrow_child(stack, ply, move, size, position)
    else:
        make_wide_child(stack, ply, move, size, position)


@kernel(lean=True)
def search(work: Workspace, budget: np.uint64) -> np.uint64:
    """Go on with a search until it is decided or `budget` units of work are done.

    The value is for the player to move in the base frame; UNKNOWN means that the budget is used.
    """
    stack, table, control = work.stack, work.table, work.control
    arena, frames = stack.arena, stack.frames
    ply = control[PLY]
    base = control[BASE]
    nodes = control[NODES]
    cost = control[COST]
    limit = cost + budget
    value = UNKNOWN
    while cost < limit:
        index = frames[ply, CURSOR]
        value = UNKNOWN
        cost += ONE
        if index == frames[ply, LENGTH]:
            value = LOSS
        else:
            entry = frames[ply, LIST] + TWO * index
            key = arena[entry]
            position = arena[entry + ONE]
            frames[ply, CURSOR] = index + ONE
            if key & STRUCK != ZERO:
                continue
            known = probe(table, position)
            if known == WIN:
                continue
            move = key & MOVE_MASK
            frames[ply, MOVE] = move
            if known == LOSS:
                value = WIN
                arena[REFUTER_COUNT] = ONE
                arena[REFUTERS] = move
            else:
                size = key >> MOVE_BITS
                if not has_room(stack, ply, size):
                    frames[ply, CURSOR] = index
                    value = OUT_OF_ROOM
                    break
                make_child(stack, ply, move, size, position)
                ply += ONE
                frames[ply, BORN] = nodes
                nodes += ONE
                cost += (frames[ply, WORDS] * frames[ply, MOVES]) >> SIX
                value = enter(stack, table, ply)
        while value != UNKNOWN:
            store(table, frames[ply, HASH], value, nodes - frames[ply, BORN])
            if ply == base:
                break
            ply -= ONE
            if value == LOSS:
                value = WIN
                arena[REFUTER_COUNT] = ONE
                arena[REFUTERS] = frames[ply, MOVE]
            else:
                strike(stack, table, ply)
                value = UNKNOWN
        if value != UNKNOWN:
            break
    control[PLY] = ply
    control[NODES] = nodes
    control[COST] = cost
    return value


@kernel(lean=True)
def open_frame(work: Workspace, ply: np.uint64) -> np.uint64:
    """Begin a search at a frame; its value if no search is needed, else UNKNOWN.

    A won frame's winning moves are among the refuters; there are none when the table knew it.
    """
    stack, table, control = work.stack, work.table, work.control
    arena, frames = stack.arena, stack.frames
    arena[REFUTER_COUNT] = ZERO
    control[BASE] = ply
    control[PLY] = ply
    frames[ply, BORN] = control[NODES]
    if frames[ply, SIZE] == ONE:
        return LOSS
    counts = frames[ply, COUNTS]
    for index in range(frames[ply, MOVES]):
        if arena[counts + np.uint64(index)] == ONE:
            arena[REFUTER_COUNT] = ONE
            arena[REFUTERS] = np.uint64(index)
            return WIN
    known = probe(table, frames[ply, HASH])
    if known != UNKNOWN:
        return known
    control[NODES] += ONE
    value = enter(stack, table, ply)
    if value != UNKNOWN:
        store(table, frames[ply, HASH], value, ONE)
    return value
