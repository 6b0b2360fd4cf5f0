"""Frames of the endgame search: a set of solutions and its moves as bitsets over the solutions.

All frames live in one array of words, the *arena*, and end where the next one begins. A bitset of
`WORDS` words has its words `STRIDE` apart, so that the same word of eight moves is one vector.
Frame 0 holds all 729 (cell, digit) pairs and the full set; frame 1 is the position itself with its
distinct moves; deeper frames are positions of the search.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plyground.kernels import kernel
from plyground.kernels.bits import extract_bits, popcount, trailing_zeros
from plyground.kernels.random import split_mix
from plyground.kernels.words import FOUR, MIX, ONE, TWO, ZERO

FIELDS = 15

# Columns of `frames`.
(
    SIZE,  # number of solutions
    WORDS,
    MOVES,  # number of distinct moves; a move keeps at least one solution and drops at least one
    STRIDE,
    MASKS,  # where the bitsets of the moves are
    COUNTS,  # where the numbers of solutions that the moves keep are
    IDS,  # where the identifiers of the solutions are; frames of equal width share them
    MAP,  # where the parent's moves are mapped to this frame's: index + 1, or 0 for no move here
    HASH,  # the xor of the identifiers of the set
    LIST,  # where the moves to search are: pairs of (solutions kept << 16 | move) and hash
    LENGTH,
    CURSOR,
    MOVE,  # the move whose child is being searched
    TOP,  # the first word of the arena that the frame does not use
    BORN,  # the node counter when the frame was made
) = (np.uint64(column) for column in range(FIELDS))


class Stack(NamedTuple):
    """The frames of a search, and where their bitsets are."""

    arena: np.ndarray
    """(at least ARENA_START,) uint64: slots, refuters, then the bitsets of all frames."""
    frames: np.ndarray
    """(plies, FIELDS) uint64: the frames on the stack, their fields as named above."""


class Bitsets(NamedTuple):
    """Where the bitsets of a frame are in the arena: word by word, a row for all moves."""

    masks: np.uint64
    stride: np.uint64
    words: np.uint64


SEVEN = np.uint64(7)
WORD_BITS = np.uint64(64)
WORD_SHIFT = np.uint64(6)
LAST_BIT = np.uint64(63)

SLOTS = np.uint64(2048)
"""The arena begins with this many slots of a hash table that helps to find equal moves."""
FEWEST_SLOTS = np.uint64(64)
"""A wide frame uses as many as it needs to leave half of them empty, but not fewer than these."""
REFUTER_COUNT = np.uint64(2048)
REFUTERS = np.uint64(2049)
MAX_REFUTERS = np.uint64(46)
ARENA_START = np.uint64(2096)
NARROW_SLOT_SHIFT = np.uint64(56)
WIDE_SLOT_SHIFT = np.uint64(53)
HALF = np.uint64(32)

CELLS = 81
ROOT_MOVES = np.uint64(729)
ROOT_STRIDE = np.uint64(736)


@kernel(lean=True)
def padded(count: np.uint64) -> np.uint64:
    """The next multiple of eight."""
    return (count + SEVEN) & ~SEVEN


@kernel(lean=True)
def identify(solutions: np.ndarray, zobrist: np.ndarray, ids: np.ndarray) -> None:
    """A 64-bit identifier for each solution that depends on its digits alone.

    The mix at the end matters: without it the xor over four solutions that are the combinations of
    two independent choices would be zero.
    """
    for index in range(solutions.shape[0]):
        word = ZERO
        for cell in range(CELLS):
            word ^= zobrist[cell, solutions[index, cell]]
        ids[index] = split_mix(word)


@kernel(lean=True)
def make_root(stack: Stack, solutions: np.ndarray, ids: np.ndarray) -> None:
    """Frames 0 and 1 from an array of complete grids (k, 81) with digits 1 to 9."""
    arena, frames = stack.arena, stack.frames
    size = np.uint64(solutions.shape[0])
    words = (size + LAST_BIT) >> WORD_SHIFT
    masks = ARENA_START + words * WORD_BITS
    for index in range(words * ROOT_STRIDE):
        arena[masks + np.uint64(index)] = ZERO
    total = ZERO
    for solution in range(size):
        number = np.uint64(solution)
        bit = ONE << (number & LAST_BIT)
        row = masks + (number >> WORD_SHIFT) * ROOT_STRIDE
        for cell in range(CELLS):
            pair = np.uint64(cell * 9 - 1) + np.uint64(solutions[number, cell])
            arena[row + pair] |= bit
        arena[row + ROOT_MOVES] |= bit
        arena[ARENA_START + number] = ids[number]
        total ^= ids[number]
    frames[ZERO, SIZE] = size
    frames[ZERO, WORDS] = words
    frames[ZERO, MOVES] = ROOT_MOVES
    frames[ZERO, STRIDE] = ROOT_STRIDE
    frames[ZERO, MASKS] = masks
    frames[ZERO, IDS] = ARENA_START
    frames[ZERO, HASH] = total
    frames[ZERO, TOP] = masks + words * ROOT_STRIDE
    make_wide_child(stack, ZERO, ROOT_MOVES, size, total)


@kernel(lean=True)
def has_room(stack: Stack, ply: np.uint64, size: np.uint64) -> bool:
    """Whether the arena can take a child of this many solutions and its move list."""
    frames = stack.frames
    words = (size + LAST_BIT) >> WORD_SHIFT
    stride = frames[ply, STRIDE]
    end = frames[ply, TOP] + words * (stride + WORD_BITS) + stride * np.uint64(8) + WORD_BITS
    return end <= np.uint64(stack.arena.size)


@kernel(lean=True)
def make_narrow_child(
    stack: Stack, ply: np.uint64, move: np.uint64, size: np.uint64, position: np.uint64
) -> None:
    """The frame below one of at most 64 solutions, over the same 64 bits.

    A few equal moves may stay: slots are not cleared and not searched further, because that would
    cost more than the double.
    """
    arena, frames = stack.arena, stack.frames
    masks = frames[ply, MASKS]
    stride = frames[ply, STRIDE]
    new_masks = frames[ply, TOP]
    new_counts = new_masks + stride
    chosen = arena[masks + move]
    kept = ZERO
    for index in range(frames[ply, MOVES]):
        common = arena[masks + np.uint64(index)] & chosen
        count = np.uint64(popcount(common))
        if count == ZERO or count == size:  # noqa: SIM109
            continue
        slot = (common * MIX) >> NARROW_SLOT_SHIFT
        seen = arena[slot]
        if seen < kept and arena[new_masks + seen] == common:
            continue
        arena[slot] = kept
        arena[new_masks + kept] = common
        arena[new_counts + kept] = count
        kept += ONE
    new_stride = padded(kept)
    for index in range(kept, new_stride):
        arena[new_masks + np.uint64(index)] = ZERO
    child = ply + ONE
    frames[child, SIZE] = size
    frames[child, WORDS] = ONE
    frames[child, MOVES] = kept
    frames[child, STRIDE] = new_stride
    frames[child, MASKS] = new_masks
    frames[child, COUNTS] = new_counts
    frames[child, IDS] = frames[ply, IDS]
    frames[child, HASH] = position
    frames[child, TOP] = new_counts + new_stride


@kernel(lean=True)
def make_wide_child(
    stack: Stack, ply: np.uint64, move: np.uint64, size: np.uint64, position: np.uint64
) -> None:
    """The frame below one of any size; its bitsets are packed when they fit fewer words."""
    arena, frames = stack.arena, stack.frames
    words = frames[ply, WORDS]
    stride = frames[ply, STRIDE]
    masks = frames[ply, MASKS]
    chosen = masks + move
    new_words = (size + LAST_BIT) >> WORD_SHIFT
    new_map = frames[ply, TOP]
    new_counts = new_map + stride
    new_ids = new_counts + stride
    new_masks = new_ids
    if new_words != words:
        new_masks += new_words * WORD_BITS
    totals = new_masks + new_words * stride
    mixes = totals + stride
    origins = mixes + stride

    sets = Bitsets(masks, stride, words)
    count_common(arena, sets, chosen, totals, mixes)
    moves = frames[ply, MOVES]
    slots, slot_shift = clear_slots(arena, moves)
    kept = ZERO
    for index in range(moves):
        move_index = np.uint64(index)
        count = arena[totals + move_index]
        arena[new_map + move_index] = ZERO
        if count == ZERO or count == size:  # noqa: SIM109
            continue
        mix = arena[mixes + move_index]
        slot = mix >> slot_shift
        seen = arena[slot]
        while seen != ZERO:
            other = arena[origins + seen - ONE]
            if arena[mixes + other] == mix and same_common(
                arena, sets, masks + move_index, masks + other, chosen
            ):
                break
            slot = (slot + ONE) & (slots - ONE)
            seen = arena[slot]
        if seen != ZERO:
            arena[new_map + move_index] = seen
            continue
        arena[origins + kept] = move_index
        arena[new_counts + kept] = count
        kept += ONE
        arena[slot] = kept
        arena[new_map + move_index] = kept

    new_stride = padded(kept)
    for index in range(new_words * new_stride):
        arena[new_masks + np.uint64(index)] = ZERO
    child = ply + ONE
    if new_words == words:
        for word in range(words):
            row = masks + np.uint64(word) * stride
            new_row = new_masks + np.uint64(word) * new_stride
            query = arena[row + move]
            for index in range(kept):
                slot = np.uint64(index)
                arena[new_row + slot] = arena[row + arena[origins + slot]] & query
        frames[child, IDS] = frames[ply, IDS]
    else:
        pack(arena, sets, chosen, origins, kept, Bitsets(new_masks, new_stride, new_words))
        pack_ids(arena, sets, chosen, frames[ply, IDS], new_ids)
        frames[child, IDS] = new_ids
    frames[child, SIZE] = size
    frames[child, WORDS] = new_words
    frames[child, MOVES] = kept
    frames[child, STRIDE] = new_stride
    frames[child, MASKS] = new_masks
    frames[child, COUNTS] = new_counts
    frames[child, MAP] = new_map
    frames[child, HASH] = position
    frames[child, TOP] = new_masks + new_words * new_stride


@kernel(inline=True, lean=True)
def clear_slots(arena: np.ndarray, moves: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Empty the slots for so many moves: how many, and by what a hash is shifted to get one."""
    slots, slot_shift = SLOTS, WIDE_SLOT_SHIFT
    while slots > FEWEST_SLOTS and slots >= FOUR * moves:
        slots >>= ONE
        slot_shift += ONE
    for index in range(slots):
        arena[np.uint64(index)] = ZERO
    return slots, slot_shift


@kernel(lean=True)
def count_common(
    arena: np.ndarray, sets: Bitsets, chosen: np.uint64, totals: np.uint64, mixes: np.uint64
) -> None:
    """For each move the number of solutions in common with the chosen one, and a hash of them."""
    masks, stride, words = sets
    for index in range(stride):
        arena[totals + np.uint64(index)] = ZERO
        arena[mixes + np.uint64(index)] = ZERO
    factor = MIX
    offset = ZERO
    for _ in range(words):
        query = arena[chosen + offset]
        if query != ZERO:
            for index in range(stride):
                lane = np.uint64(index)
                common = arena[masks + offset + lane] & query
                arena[totals + lane] += np.uint64(popcount(common))
                arena[mixes + lane] += (common ^ (common >> HALF)) * factor
        factor = factor * MIX + TWO
        offset += stride


@kernel(lean=True)
def same_common(
    arena: np.ndarray, sets: Bitsets, first: np.uint64, second: np.uint64, chosen: np.uint64
) -> bool:
    """Whether two moves keep the same solutions of the chosen set."""
    offset = ZERO
    for _ in range(sets.words):
        if (arena[first + offset] ^ arena[second + offset]) & arena[chosen + offset] != ZERO:
            return False
        offset += sets.stride
    return True


@kernel(lean=True)
def pack(
    arena: np.ndarray,
    sets: Bitsets,
    chosen: np.uint64,
    origins: np.uint64,
    kept: np.uint64,
    target: Bitsets,
) -> None:
    """Write the kept moves over the chosen solutions only; the target is zero on entry.

    `origins` says where the numbers of the moves that are kept are.
    """
    filled = ZERO
    for word in range(sets.words):
        row = sets.masks + np.uint64(word) * sets.stride
        query = arena[chosen + np.uint64(word) * sets.stride]
        added = np.uint64(popcount(query))
        if added == ZERO:
            continue
        shift = filled & LAST_BIT
        new_row = target.masks + (filled >> WORD_SHIFT) * target.stride
        spills = shift + added > WORD_BITS
        for index in range(kept):
            slot = np.uint64(index)
            bits = extract_bits(arena[row + arena[origins + slot]], query)
            arena[new_row + slot] |= bits << shift
            if spills:
                arena[new_row + target.stride + slot] |= bits >> (WORD_BITS - shift)
        filled += added


@kernel(lean=True)
def pack_ids(
    arena: np.ndarray, sets: Bitsets, chosen: np.uint64, ids: np.uint64, target: np.uint64
) -> None:
    """Copy the identifiers of the chosen solutions."""
    for word in range(sets.words):
        query = arena[chosen + np.uint64(word) * sets.stride]
        source = ids + np.uint64(word) * WORD_BITS
        while query != ZERO:
            arena[target] = arena[source + np.uint64(trailing_zeros(query))]
            target += ONE
            query &= query - ONE
