"""Every final board of a turn, each once or nearly so, and the best of them by `evaluate`.

Two neighbouring placements commute when neither clears, or when the second clears lines that owe
nothing to the first. Of two such orders only one is walked: the clearing placement first, else the
lower piece number, else the lower anchor. Rewriting any sequence by these rules ends in one that
is walked and reaches the same board, so no final board is lost.

A placement that clears is found from the lines that are short of few cells, not by trying all
placements; whole groups of quiet placements fall to a bound on what they can reach.
"""

from __future__ import annotations

import numpy as np

from plyground.games.blockudoku.board import (
    FULL_HIGH,
    FULL_LOW,
    LEFT_HIGH,
    LEFT_LOW,
    ONE,
    ZERO,
    fitting_anchors,
    full_lines,
    lowest_anchor,
    without_lowest,
)
from plyground.games.blockudoku.pieces import (
    EMPTY_PIECE,
    END_OFFSETS,
    END_SIDES,
    LEFT_END,
    LINES,
    RIGHT_END,
    SEGMENTS,
    SIZES,
    UPPER_END,
)
from plyground.games.blockudoku.players.evaluation import (
    covering_anchors,
    crowding_cost,
    room_cost,
    shape_cost,
    transition_cost,
)
from plyground.kernels.bits import popcount, trailing_zeros
from plyground.kernels.marker import kernel

WORST = np.int64(2**62)
"""The bound before any board is known, and the value of unused places in the list of the best."""

NODE_WORDS = 5
MAX_NODES = 243

_DOUBLE = np.uint64(2)
_NIBBLES = np.uint64(0x1111111111111111)
_TOPS = np.uint64(0x8888888888888888)
_NO_LINE_HIGH = np.uint64(0x0000088888888888)


@kernel
def line_counts(low: np.uint64, high: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The filled cells of every line, four bits a line: lines 0-15, lines 16-26."""
    first, second = ZERO, ZERO
    for line in range(27):
        index = np.uint64(line)
        filled = np.uint64(popcount(low & LINES[index, 0]) + popcount(high & LINES[index, 1]))
        if line < 16:
            first |= filled << np.uint64(4 * line)
        else:
            second |= filled << np.uint64(4 * (line - 16))
    return first, second


@kernel(lean=True)
def clearing_anchors(
    low: np.uint64,
    high: np.uint64,
    counts_first: np.uint64,
    counts_second: np.uint64,
    piece: np.int64,
    covers: np.ndarray,
) -> tuple[np.uint64, np.uint64]:
    """Anchors at which a piece completes one of the lines counted (a count of 0 leaves it out).

    Only lines short of no more cells than the piece has can be completed. Whether the rest of the
    piece fits is not looked at.
    """
    anchors_low, anchors_high = ZERO, ZERO
    if SIZES[np.uint64(piece)] == 0:
        return anchors_low, anchors_high
    bias = _NIBBLES * np.uint64(SIZES[np.uint64(piece)] - 1)
    near = (counts_first + bias) & _TOPS
    while near != ZERO:
        line = np.uint64(trailing_zeros(near)) >> np.uint64(2)
        near &= near - ONE
        more_low, more_high = covering_anchors(
            LINES[line, 0] & ~low, LINES[line, 1] & ~high, piece, covers
        )
        anchors_low |= more_low
        anchors_high |= more_high
    near = (counts_second + bias) & _NO_LINE_HIGH
    while near != ZERO:
        line = np.uint64(16) + (np.uint64(trailing_zeros(near)) >> np.uint64(2))
        near &= near - ONE
        more_low, more_high = covering_anchors(
            LINES[line, 0] & ~low, LINES[line, 1] & ~high, piece, covers
        )
        anchors_low |= more_low
        anchors_high |= more_high
    return anchors_low, anchors_high


@kernel
def _touched(counts: np.uint64, added: np.uint64) -> np.uint64:
    """The counts of the lines to which a placement added cells, 0 for the others."""
    tops = ((added + (_TOPS - _NIBBLES)) & _TOPS) >> np.uint64(3)
    return counts & (tops * np.uint64(15))


@kernel(lean=True)
def first_placements(
    low: np.uint64,
    high: np.uint64,
    hand: np.ndarray,
    weights: np.ndarray,
    placements: np.ndarray,
    nodes: np.ndarray,
) -> np.int64:
    """Write every first placement of a turn into `nodes`, most promising first; how many.

    A row is (placement index, 1 if it cleared, board in two words, promise: low is good).
    """
    count = np.int64(0)
    unaligned = weights[6] + weights[7]
    for slot in range(3):
        piece = hand[slot]
        repeated = False
        for other in range(slot):
            repeated |= hand[other] == piece
        if repeated:
            continue
        left_low, left_high = fitting_anchors(low, high, piece)
        while left_low | left_high != ZERO:
            index = np.uint64(81 * piece) + lowest_anchor(left_low, left_high)
            left_low, left_high = without_lowest(left_low, left_high)
            next_low = low | placements[index, 0]
            next_high = high | placements[index, 1]
            clear_low, clear_high = full_lines(next_low, next_high)
            next_low ^= clear_low
            next_high ^= clear_high
            promise = crowding_cost(next_low, next_high, weights)
            promise += transition_cost(next_low, next_high, weights[6], unaligned)
            place = count
            while place > 0 and nodes[place - 1, 4] > np.uint64(promise):
                for word in range(5):
                    nodes[place, word] = nodes[place - 1, word]
                place -= 1
            nodes[place, 0] = index
            nodes[place, 1] = ONE if clear_low | clear_high != ZERO else ZERO
            nodes[place, 2] = next_low
            nodes[place, 3] = next_high
            nodes[place, 4] = np.uint64(promise)
            count += 1
    return count


@kernel(lean=True)
def _keep(
    value: np.int64,
    low: np.uint64,
    high: np.uint64,
    first: np.uint64,
    second: np.uint64,
    third: np.uint64,
    values: np.ndarray,
    boards: np.ndarray,
    moves: np.ndarray,
) -> None:
    """Put a board into the sorted list of the best, unless it is there already."""
    for place in range(values.shape[0]):
        if values[place] == value and boards[place, 0] == low and boards[place, 1] == high:
            return
    place = values.shape[0] - 1
    while place > 0 and values[place - 1] > value:
        values[place] = values[place - 1]
        boards[place, 0], boards[place, 1] = boards[place - 1, 0], boards[place - 1, 1]
        for step in range(3):
            moves[place, step] = moves[place - 1, step]
        place -= 1
    values[place] = value
    boards[place, 0], boards[place, 1] = low, high
    moves[place, 0], moves[place, 1], moves[place, 2] = first, second, third


@kernel
def best_boards(
    low: np.uint64,
    high: np.uint64,
    hand: np.ndarray,
    weights: np.ndarray,
    placements: np.ndarray,
    covers: np.ndarray,
    nodes: np.ndarray,
    values: np.ndarray,
    boards: np.ndarray,
    moves: np.ndarray,
) -> np.int64:
    """The cheapest final boards of a turn, best first; returns how many boards were evaluated.

    As many as `values` has places; a place that is not used keeps the value WORST. `moves` holds
    placement indices in the order of play.
    """
    evaluated = np.int64(0)
    last_place = np.uint64(values.shape[0] - 1)
    values[:] = WORST
    unaligned = weights[6] + weights[7]
    cheapest_cell = min(weights[0], weights[1], weights[2])
    node_count = first_placements(low, high, hand, weights, placements, nodes)
    for node in range(node_count):
        row = np.uint64(node)
        first = nodes[row, 0]
        first_cleared = nodes[row, 1] != ZERO
        low_1, high_1 = nodes[row, 2], nodes[row, 3]
        first_piece = np.int64(first // np.uint64(81))
        slot = 0
        while hand[slot] != first_piece:
            slot += 1
        counts_1a, counts_1b = line_counts(low_1, high_1)
        for order in range(2):
            y_piece = hand[(slot + 1 + order) % 3]
            z_piece = hand[(slot + 2 - order) % 3]
            if order == 1 and y_piece == z_piece:
                break
            # the second placements: quiet ones where the order rule allows, and clearing ones
            fit_low, fit_high = fitting_anchors(low_1, high_1, y_piece)
            all_low, all_high = clearing_anchors(
                low_1, high_1, counts_1a, counts_1b, y_piece, covers
            )
            clear_low, clear_high = all_low & fit_low, all_high & fit_high
            quiet_low, quiet_high = fit_low & ~all_low, fit_high & ~all_high
            if not first_cleared:
                clear_low, clear_high = clearing_anchors(
                    low_1,
                    high_1,
                    _touched(counts_1a, placements[first, 2]),
                    _touched(counts_1b, placements[first, 3]),
                    y_piece,
                    covers,
                )
                clear_low &= fit_low
                clear_high &= fit_high
                if y_piece < first_piece:
                    quiet_low, quiet_high = ZERO, ZERO
                elif y_piece == first_piece and y_piece != EMPTY_PIECE:
                    quiet_low, quiet_high = _above(
                        quiet_low, quiet_high, first - np.uint64(81 * first_piece)
                    )
            z_size = SIZES[np.uint64(z_piece)]
            z_base = np.uint64(81 * z_piece)
            z_ends = 2 * SEGMENTS[np.uint64(z_piece)]
            added = z_size * cheapest_cell + z_ends * weights[6]
            second_cleared = True
            while True:
                if clear_low | clear_high == ZERO:
                    if not second_cleared or quiet_low | quiet_high == ZERO:
                        break
                    second_cleared = False
                    clear_low, clear_high = quiet_low, quiet_high
                anchor = lowest_anchor(clear_low, clear_high)
                clear_low, clear_high = without_lowest(clear_low, clear_high)
                second = np.uint64(81 * y_piece) + anchor
                low_2 = low_1 | placements[second, 0]
                high_2 = high_1 | placements[second, 1]
                quiet_allowed = True
                if second_cleared:
                    full_low, full_high = full_lines(low_2, high_2)
                    low_2 ^= full_low
                    high_2 ^= full_high
                    counts_2a, counts_2b = line_counts(low_2, high_2)
                    near_a, near_b = counts_2a, counts_2b
                else:
                    counts_2a = counts_1a + placements[second, 2]
                    counts_2b = counts_1b + placements[second, 3]
                    near_a = _touched(counts_2a, placements[second, 2])
                    near_b = _touched(counts_2b, placements[second, 3])
                    quiet_allowed = z_piece >= y_piece
                # clearing third placements
                last_low, last_high = clearing_anchors(
                    low_2, high_2, near_a, near_b, z_piece, covers
                )
                while last_low | last_high != ZERO:
                    third = z_base + lowest_anchor(last_low, last_high)
                    last_low, last_high = without_lowest(last_low, last_high)
                    if (placements[third, 0] & low_2) | (placements[third, 1] & high_2) != ZERO:
                        continue
                    low_3 = low_2 | placements[third, 0]
                    high_3 = high_2 | placements[third, 1]
                    full_low, full_high = full_lines(low_3, high_3)
                    low_3 ^= full_low
                    high_3 ^= full_high
                    evaluated += 1
                    # The stages of `evaluate` in line: most boards end with the first.
                    bound = values[last_place]
                    value = crowding_cost(low_3, high_3, weights)
                    value += transition_cost(low_3, high_3, weights[6], unaligned)
                    if value < bound:
                        value = shape_cost(low_3, high_3, weights, value, bound)
                    if value < bound:
                        value = room_cost(low_3, high_3, weights, covers, value, bound)
                    if value < bound:
                        _keep(value, low_3, high_3, first, second, third, values, boards, moves)
                if not quiet_allowed:
                    continue
                # quiet third placements, unless even the best of them must be too dear
                excess = crowding_cost(low_2, high_2, weights) + added - values[last_place]
                excess += transition_cost(low_2, high_2, weights[6], unaligned)
                contacts = -(-excess // max(np.int64(1), unaligned + weights[6]))
                if contacts > z_ends:
                    continue
                last_low, last_high = fitting_anchors(low_2, high_2, z_piece)
                if contacts > 0 and last_low | last_high != ZERO:
                    snug_low, snug_high = snug_anchors(low_2, high_2, z_piece, contacts)
                    last_low &= snug_low
                    last_high &= snug_high
                if not second_cleared and y_piece == z_piece and z_piece != EMPTY_PIECE:
                    last_low, last_high = _above(last_low, last_high, anchor)
                while last_low | last_high != ZERO:
                    third = z_base + lowest_anchor(last_low, last_high)
                    last_low, last_high = without_lowest(last_low, last_high)
                    low_3 = low_2 | placements[third, 0]
                    high_3 = high_2 | placements[third, 1]
                    evaluated += 1
                    bound = values[last_place]
                    value = crowding_cost(low_3, high_3, weights)
                    value += transition_cost(low_3, high_3, weights[6], unaligned)
                    if value >= bound:
                        continue
                    # One that clears after all is found above, or by another order.
                    full_low, full_high = full_lines(low_3, high_3)
                    if full_low | full_high != ZERO:
                        continue
                    value = shape_cost(low_3, high_3, weights, value, bound)
                    if value < bound:
                        value = room_cost(low_3, high_3, weights, covers, value, bound)
                    if value < bound:
                        _keep(value, low_3, high_3, first, second, third, values, boards, moves)
    return evaluated


@kernel
def snug_anchors(
    low: np.uint64, high: np.uint64, piece: np.int64, contacts: np.int64
) -> tuple[np.uint64, np.uint64]:
    """Anchors at which at least so many ends of a piece's runs meet a filled cell or the edge.

    Counts for all anchors at once, one bit of the count in each of four pairs of words. Whether
    the piece fits is not looked at.
    """
    left_low, left_high = (low << ONE) | LEFT_LOW, (high << ONE) | LEFT_HIGH
    right_low = (low >> ONE) | (LEFT_LOW << np.uint64(8))
    right_high = (high >> ONE) | (LEFT_HIGH << np.uint64(8))
    upper_low = (low << np.uint64(9)) | np.uint64(0x1FF)
    upper_high = (high << np.uint64(9)) | (low >> np.uint64(45))
    lower_low = (low >> np.uint64(9)) | (high << np.uint64(45))
    lower_high = (high >> np.uint64(9)) | np.uint64(0x1FF << 18)
    low_1 = low_2 = low_4 = low_8 = ZERO
    high_1 = high_2 = high_4 = high_8 = ZERO
    row = np.uint64(piece)
    for end in range(2 * SEGMENTS[row]):
        side = END_SIDES[row, np.uint64(end)]
        shift = END_OFFSETS[row, np.uint64(end)]
        if side == LEFT_END:
            met_low, met_high = left_low, left_high
        elif side == RIGHT_END:
            met_low, met_high = right_low, right_high
        elif side == UPPER_END:
            met_low, met_high = upper_low, upper_high
        else:
            met_low, met_high = lower_low, lower_high
        met_high &= FULL_HIGH
        met_low = ((met_low & FULL_LOW) >> shift) | (met_high << (np.uint64(54) - shift))
        met_high >>= shift
        carry_low, carry_high = low_1 & met_low, high_1 & met_high
        low_1 ^= met_low
        high_1 ^= met_high
        met_low, met_high = low_2 & carry_low, high_2 & carry_high
        low_2 ^= carry_low
        high_2 ^= carry_high
        carry_low, carry_high = low_4 & met_low, high_4 & met_high
        low_4 ^= met_low
        high_4 ^= met_high
        low_8 |= carry_low
        high_8 |= carry_high
    snug_low, snug_high = FULL_LOW, FULL_HIGH
    if contacts & 1:
        snug_low, snug_high = low_1, high_1
    if contacts & 2:
        snug_low, snug_high = snug_low & low_2, snug_high & high_2
    else:
        snug_low, snug_high = snug_low | low_2, snug_high | high_2
    if contacts & 4:
        snug_low, snug_high = snug_low & low_4, snug_high & high_4
    else:
        snug_low, snug_high = snug_low | low_4, snug_high | high_4
    if contacts & 8:
        return snug_low & low_8, snug_high & high_8
    return snug_low | low_8, snug_high | high_8


@kernel
def _above(low: np.uint64, high: np.uint64, cell: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The cells of a set that come after a cell."""
    if cell < np.uint64(54):
        return low & ~((_DOUBLE << cell) - ONE), high
    return ZERO, high & ~((_DOUBLE << (cell - np.uint64(54))) - ONE)
