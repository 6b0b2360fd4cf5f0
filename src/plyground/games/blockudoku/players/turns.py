"""Every final board of a turn, each once or nearly so, and the best of them by `evaluate`.

Two neighbouring placements commute when neither clears, or when the second clears lines that owe
nothing to the first. Of two such orders only one is walked: the clearing placement first, else the
lower piece number, else the lower anchor. Rewriting any sequence by these rules ends in one that
is walked and reaches the same board, so no final board is lost.

A placement that clears is found from the lines that are short of few cells, not by trying all
placements; whole groups of quiet placements fall to a bound on what they can reach.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plyground.games.blockudoku.board import (
    FULL_HIGH,
    FULL_LOW,
    LEFT_HIGH,
    LEFT_LOW,
    Cells,
    fitting_anchors,
    full_lines,
    lowest_anchor,
    placed,
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
from plyground.kernels.words import ONE, ZERO

WORST = np.int64(2**62)
"""The bound before any board is known, and the value of unused places in the list of the best."""

NODE_WORDS = 5
MAX_NODES = 243

ALL_QUIET, NO_QUIET = -1, -2
"""Whether all quiet placements of a turn's last piece are tried, or none."""

_DOUBLE = np.uint64(2)
_NIBBLES = np.uint64(0x1111111111111111)
_TOPS = np.uint64(0x8888888888888888)
_NO_LINE_HIGH = np.uint64(0x0000088888888888)


class TurnSearch(NamedTuple):
    """What judging the boards of a turn works on.

    `weights` (19,) of the evaluation, `placements` (48 * 81, 4): the cells of a piece at an anchor
    in two words, and what it adds to the lines, `covers`: see `pieces.placement_tables`. `nodes`
    (MAX_NODES, NODE_WORDS) is scratch space for first placements.
    """

    weights: np.ndarray
    placements: np.ndarray
    covers: np.ndarray
    nodes: np.ndarray


class BestTurns(NamedTuple):
    """The best boards of a turn, cheapest first; a place that is not used has the value WORST.

    `values` (n,), `boards` (n, 2) in two words, `moves` (n, 3) placement indices in the order of
    play.
    """

    values: np.ndarray
    boards: np.ndarray
    moves: np.ndarray


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
def first_placements(board: Cells, hand: np.ndarray, search: TurnSearch) -> np.int64:
    """Write every first placement of a turn into `nodes`, most promising first; how many.

    A row is (placement index, 1 if it cleared, board in two words, promise: low is good).
    """
    low, high = board
    weights, placements, nodes = search.weights, search.placements, search.nodes
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
            next_low, next_high, quiet = placed(low, high, placements, index)
            promise = crowding_cost(next_low, next_high, weights)
            promise += transition_cost(next_low, next_high, weights[6], unaligned)
            place = count
            while place > 0 and nodes[place - 1, 4] > np.uint64(promise):
                for word in range(5):
                    nodes[place, word] = nodes[place - 1, word]
                place -= 1
            nodes[place, 0] = index
            nodes[place, 1] = ZERO if quiet else ONE
            nodes[place, 2] = next_low
            nodes[place, 3] = next_high
            nodes[place, 4] = np.uint64(promise)
            count += 1
    return count


@kernel(lean=True)
def _keep(
    value: np.int64,
    board: Cells,
    path: tuple[np.uint64, np.uint64, np.uint64],
    last_place: np.uint64,
    best: BestTurns,
) -> None:
    """Put a board into the sorted list of the best, unless it is there already."""
    values, boards, moves = best.values, best.boards, best.moves
    for known in range(last_place + ONE):
        if values[known] == value and boards[known, 0] == board[0] and boards[known, 1] == board[1]:
            return
    place = np.int64(last_place)
    while place > 0 and values[place - 1] > value:
        values[place] = values[place - 1]
        boards[place, 0], boards[place, 1] = boards[place - 1, 0], boards[place - 1, 1]
        for step in range(3):
            moves[place, step] = moves[place - 1, step]
        place -= 1
    values[place] = value
    boards[place, 0], boards[place, 1] = board
    moves[place, 0], moves[place, 1], moves[place, 2] = path


@kernel(inline=True, lean=True)
def _consider(
    low: np.uint64,
    high: np.uint64,
    path: tuple[np.uint64, np.uint64, np.uint64],
    last_place: np.uint64,
    search: TurnSearch,
    best: BestTurns,
) -> None:
    """Evaluate a final board and keep it if it is among the best.

    The stages of `evaluate` in line: most boards end with the first. A quiet last placement that
    clears after all is found among the clearing ones, or by another order.
    """
    weights = search.weights
    bound = best.values[last_place]
    value = crowding_cost(low, high, weights)
    value += transition_cost(low, high, weights[6], weights[6] + weights[7])
    if value < bound:
        full_low, full_high = full_lines(low, high)
        if full_low | full_high == ZERO:
            value = shape_cost((low, high), weights, value, bound)
            if value < bound:
                value = room_cost((low, high), weights, search.covers, value, bound)
            if value < bound:
                _keep(value, (low, high), path, last_place, best)


@kernel(lean=True)
def second_anchors(
    first: np.uint64,
    cleared: bool,
    board: Cells,
    counts: tuple[np.uint64, np.uint64],
    piece: np.int64,
    search: TurnSearch,
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Where the second piece of a turn may go: anchors that clear, and quiet ones, two words each.

    `board` is what the first placement left, `counts` its filled lines; the rules of order leave
    out what is reached by another order.
    """
    low, high = board
    fit_low, fit_high = fitting_anchors(low, high, piece)
    all_low, all_high = clearing_anchors(low, high, counts[0], counts[1], piece, search.covers)
    clear_low, clear_high = all_low & fit_low, all_high & fit_high
    quiet_low, quiet_high = fit_low & ~all_low, fit_high & ~all_high
    if not cleared:
        clear_low, clear_high = clearing_anchors(
            low,
            high,
            _touched(counts[0], search.placements[first, 2]),
            _touched(counts[1], search.placements[first, 3]),
            piece,
            search.covers,
        )
        clear_low &= fit_low
        clear_high &= fit_high
        first_piece = np.int64(first // np.uint64(81))
        if piece < first_piece:
            quiet_low, quiet_high = ZERO, ZERO
        elif piece == first_piece and piece != EMPTY_PIECE:
            quiet_low, quiet_high = _above(
                quiet_low, quiet_high, first - np.uint64(81 * first_piece)
            )
    return clear_low, clear_high, quiet_low, quiet_high


@kernel(inline=True, lean=True)
def _finish(
    board: Cells,
    near: tuple[np.uint64, np.uint64],
    path: tuple[np.uint64, np.uint64],
    piece: np.int64,
    quiet_above: np.int64,
    last_place: np.uint64,
    search: TurnSearch,
    best: BestTurns,
) -> np.int64:
    """Try all places of a turn's last piece; how many boards were evaluated.

    `near` are the counts of the lines that it may complete. Quiet placements are tried at anchors
    above `quiet_above`, ALL_QUIET or NO_QUIET.
    """
    low_2, high_2 = board
    weights, placements = search.weights, search.placements
    base = np.uint64(81 * piece)
    evaluated = np.int64(0)
    low, high = clearing_anchors(low_2, high_2, near[0], near[1], piece, search.covers)
    while low | high != ZERO:
        third = base + lowest_anchor(low, high)
        low, high = without_lowest(low, high)
        if (placements[third, 0] & low_2) | (placements[third, 1] & high_2) != ZERO:
            continue
        low_3 = low_2 | placements[third, 0]
        high_3 = high_2 | placements[third, 1]
        full_low, full_high = full_lines(low_3, high_3)
        evaluated += 1
        moves = path[0], path[1], third
        _consider(low_3 ^ full_low, high_3 ^ full_high, moves, last_place, search, best)
    if quiet_above == NO_QUIET:
        return evaluated
    # Quiet placements, unless even the best of them must be too dear.
    ends = 2 * SEGMENTS[np.uint64(piece)]
    added = SIZES[np.uint64(piece)] * min(weights[0], weights[1], weights[2]) + ends * weights[6]
    unaligned = weights[6] + weights[7]
    excess = crowding_cost(low_2, high_2, weights) + added - best.values[last_place]
    excess += transition_cost(low_2, high_2, weights[6], unaligned)
    contacts = -(-excess // max(np.int64(1), unaligned + weights[6]))
    if contacts > ends:
        return evaluated
    low, high = fitting_anchors(low_2, high_2, piece)
    if contacts > 0 and low | high != ZERO:
        snug_low, snug_high = snug_anchors(low_2, high_2, piece, contacts)
        low &= snug_low
        high &= snug_high
    if quiet_above != ALL_QUIET:
        low, high = _above(low, high, np.uint64(quiet_above))
    while low | high != ZERO:
        third = base + lowest_anchor(low, high)
        low, high = without_lowest(low, high)
        evaluated += 1
        moves = path[0], path[1], third
        low_3, high_3 = low_2 | placements[third, 0], high_2 | placements[third, 1]
        _consider(low_3, high_3, moves, last_place, search, best)
    return evaluated


@kernel(lean=True)
def best_boards(
    start: Cells, hand: np.ndarray, places: np.int64, search: TurnSearch, best: BestTurns
) -> np.int64:
    """The `places` cheapest final boards of a turn into `best`; how many boards were evaluated."""
    evaluated = np.int64(0)
    for place in range(places):
        best.values[place] = WORST
    last_place = np.uint64(places - 1)
    nodes, placements = search.nodes, search.placements
    for node in range(first_placements(start, hand, search)):
        row = np.uint64(node)
        first = nodes[row, 0]
        board = nodes[row, 2], nodes[row, 3]
        counts = line_counts(board[0], board[1])
        slot = 0
        while hand[slot] != np.int64(first // np.uint64(81)):
            slot += 1
        for order in range(2):
            piece = hand[(slot + 1 + order) % 3]
            last_piece = hand[(slot + 2 - order) % 3]
            if order == 1 and piece == last_piece:
                break
            anchors_low, anchors_high, quiet_low, quiet_high = second_anchors(
                first, nodes[row, 1] != ZERO, board, counts, piece, search
            )
            clears = True
            while True:
                if anchors_low | anchors_high == ZERO:
                    if not clears or quiet_low | quiet_high == ZERO:
                        break
                    clears = False
                    anchors_low, anchors_high = quiet_low, quiet_high
                anchor = lowest_anchor(anchors_low, anchors_high)
                anchors_low, anchors_high = without_lowest(anchors_low, anchors_high)
                second = np.uint64(81 * piece) + anchor
                low_2 = board[0] | placements[second, 0]
                high_2 = board[1] | placements[second, 1]
                quiet_above = np.int64(ALL_QUIET)
                if clears:
                    full_low, full_high = full_lines(low_2, high_2)
                    low_2 ^= full_low
                    high_2 ^= full_high
                    near = line_counts(low_2, high_2)
                else:
                    more_a, more_b = placements[second, 2], placements[second, 3]
                    near = (
                        _touched(counts[0] + more_a, more_a),
                        _touched(counts[1] + more_b, more_b),
                    )
                    if last_piece < piece:
                        quiet_above = np.int64(NO_QUIET)
                    elif last_piece == piece and piece != EMPTY_PIECE:
                        quiet_above = np.int64(anchor)
                evaluated += _finish(
                    (low_2, high_2), near, (first, second), last_piece, quiet_above, last_place,
                    search, best,
                )  # fmt: skip
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
