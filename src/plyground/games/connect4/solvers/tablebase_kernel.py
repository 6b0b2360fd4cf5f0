"""Backward induction over all placements of a small board, a whole column of placements per word.

A column of n discs is the number 2^n + discs, where bit r of `discs` tells that the disc in row r
belongs to the first player; it fits H+1 bits. A *row* fixes the numbers of all columns but one,
the inner column; the 2^(H+1) placements of a row are the bits of its one, two or four words. One
word operation so moves 64 placements at once: playing in an outer column leads to another row,
playing in the inner column permutes the bits of a word.

For each side to move there is an array `replies[row]`: first the words of the placements that this
side has lost, then the words of those it has not won, as far as known.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plyground.games.connect4.solvers.perfect_kernel import has_four, winning_squares
from plyground.kernels import kernel
from plyground.kernels.bits import deposit_bits, popcount, trailing_zeros
from plyground.kernels.words import ONE, ZERO

ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
LOW_HALF = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
EVEN_BITS = np.uint64(0x5555555555555555)
MAX_OUTER = 16

# Who gets a position in which both players have four: an entry of `simultaneous`.
MOVER, FIRST, DRAW = range(3)

# Rows of the `columns` table: number of the column after an action, minus the number before it;
# NOWHERE where the action is not possible.
DROP_SECOND, DROP_FIRST, TAKE_SECOND, TAKE_FIRST = range(4)
NOWHERE = np.int64(-(2**60))


class Board(NamedTuple):
    """A board and what its columns can be; a column is a code of `height` + 1 bits.

    `columns` (4, codes): what a drop or a taking adds to a code, NOWHERE if it cannot be;
    `swapped_column` (codes,) exchanges the colours. Sets of codes are bits of words:
    `holders[player, r]` those with the player's disc in row r, `fours[player]` those that contain
    four in themselves, `valid` all that there are, `full_inner` the full ones. `inner` is the
    column that the bits of a word stand for; the others, the outer ones, are a row.
    """

    width: np.int64
    height: np.int64
    inner: np.int64
    columns: np.ndarray
    swapped_column: np.ndarray
    holders: np.ndarray
    fours: np.ndarray
    valid: np.ndarray
    full_inner: np.ndarray


class Question(NamedTuple):
    """Whose layer is decided, whether that side has mean moves, and what to look for."""

    side: np.int64
    mean: bool
    wins: bool
    losses: bool


class Layering(NamedTuple):
    """Scratch space of `decide_rows`: sets of inner columns, in so many `words` each.

    `found`, `direct`, `dropped`, `put_inner`, `taken_inner` have four words each, `steps` is
    (3, MAX_OUTER).
    """

    words: np.int64
    found: np.ndarray
    direct: np.ndarray
    dropped: np.ndarray
    put_inner: np.ndarray
    taken_inner: np.ndarray
    steps: np.ndarray


@kernel(lean=True)
def drop_origins(
    word0: np.uint64,
    word1: np.uint64,
    word2: np.uint64,
    word3: np.uint64,
    colour: np.int64,
    height: np.int64,
    out: np.ndarray,
) -> None:
    """Bits whose placement gets into the given set by a drop of `colour` on the inner column."""
    found = ZERO
    for level in range(min(np.int64(height), np.int64(5))):
        size = ONE << np.uint64(level)
        found |= (word0 >> (size << np.uint64(colour))) & (((ONE << size) - ONE) << size)
    out[0] = found
    if height >= 6:
        out[0] |= (word1 >> (HALF * np.uint64(colour))) << HALF
    if height >= 7:
        out[1] = word3 if colour == 1 else word2


@kernel(lean=True)
def take_origins(
    word0: np.uint64,
    word1: np.uint64,
    colour: np.int64,
    height: np.int64,
    out: np.ndarray,
) -> None:
    """The bits whose placement gets into the given set when its bottom disc, a `colour`, goes."""
    places = EVEN_BITS << np.uint64(colour)
    if height < 5:
        places &= (ONE << (ONE << np.uint64(height + 1))) - ONE
    out[0] = deposit_bits(word0 & LOW_HALF, places)
    if height >= 6:
        out[1] = deposit_bits(word0 >> HALF, places)
    if height >= 7:
        out[2] = deposit_bits(word1 & LOW_HALF, places)
        out[3] = deposit_bits(word1 >> HALF, places)


@kernel
def reversed_bits(word: np.uint64) -> np.uint64:
    """The word read from the other end."""
    shift = ONE
    places = EVEN_BITS
    word = ((word >> shift) & places) | ((word & places) << shift)
    shift, places = np.uint64(2), np.uint64(0x3333333333333333)
    word = ((word >> shift) & places) | ((word & places) << shift)
    shift, places = np.uint64(4), np.uint64(0x0F0F0F0F0F0F0F0F)
    word = ((word >> shift) & places) | ((word & places) << shift)
    shift, places = np.uint64(8), np.uint64(0x00FF00FF00FF00FF)
    word = ((word >> shift) & places) | ((word & places) << shift)
    shift, places = np.uint64(16), np.uint64(0x0000FFFF0000FFFF)
    word = ((word >> shift) & places) | ((word & places) << shift)
    return (word >> HALF) | (word << HALF)


@kernel(lean=True)
def swap_colours(
    words: np.ndarray,
    height: np.int64,
    out: np.ndarray,
) -> None:
    """The same placements of the inner column with the two players' discs exchanged."""
    backward = reversed_bits(words[0])
    found = ZERO
    for level in range(min(np.int64(height + 1), np.int64(6))):
        size = ONE << np.uint64(level)
        moved = (
            backward << HALF if level == 5 else backward >> (np.uint64(64) - size - (size << ONE))
        )
        found |= moved & (((ONE << size) - ONE) << size)
    out[0] = found
    if height >= 6:
        out[1] = reversed_bits(words[1])
    if height >= 7:
        out[2] = reversed_bits(words[3])
        out[3] = reversed_bits(words[2])


@kernel
def mirror_row(row: np.int64, outer: np.int64, bits: np.int64) -> np.int64:
    """The row with its columns in reverse order."""
    result = np.int64(0)
    column = (np.int64(1) << bits) - 1
    for _ in range(outer):
        result = (result << bits) | (row & column)
        row >>= bits
    return result


@kernel(lean=True)
def swap_row(
    row: np.int64, outer: np.int64, bits: np.int64, swapped_column: np.ndarray
) -> np.int64:
    """The row with the two players' discs exchanged."""
    result = np.int64(0)
    column = (np.int64(1) << bits) - 1
    for k in range(outer):
        result |= np.int64(swapped_column[(row >> (k * bits)) & column]) << (k * bits)
    return result


@kernel(lean=True)
def find_fours(row: np.int64, board: Board, words: np.ndarray) -> bool:
    """Which placements of a row have four: for the first player in `words[0]`, second `words[1]`.

    Returns whether all outer columns are full.
    """
    width, height, inner = board.width, board.height, board.inner
    holders, fours = board.holders, board.fours
    bits = np.int64(height + 1)
    column_mask = (ONE << np.uint64(bits)) - ONE
    first, occupied = ZERO, ZERO
    full = True
    for k in range(width - 1):
        code = (np.uint64(row) >> np.uint64(k * bits)) & column_mask
        top = np.uint64(0)
        while code >> (top + ONE) != ZERO:
            top += ONE
        place = np.uint64((k if k < inner else k + 1) * bits)
        first |= (code ^ (ONE << top)) << place
        occupied |= ((ONE << top) - ONE) << place
        full &= np.int64(top) == height
    step = np.uint64(bits)
    count = words.shape[1]
    inside = ((ONE << np.uint64(height)) - ONE) << np.uint64(inner * bits)
    for player in range(2):
        discs = first if player == 0 else occupied ^ first
        if has_four(discs, step):
            for w in range(count):
                words[player, w] = ALL
            continue
        for w in range(count):
            words[player, w] = fours[player, w]
        squares = winning_squares(discs, inside, step) >> np.uint64(inner * bits)
        while squares != ZERO:
            r = trailing_zeros(squares)
            squares &= squares - ONE
            for w in range(count):
                words[player, w] |= holders[player, r, w]
    return full


@kernel(lean=True)
def start_rows(
    rows: np.ndarray,
    simultaneous: np.int64,
    board: Board,
    words: np.ndarray,
    replies_first: np.ndarray,
    replies_second: np.ndarray,
    live: np.ndarray,
) -> None:
    """Enter the finished games of these rows into the replies; the unfinished go to `live[i]`.

    `replies_first` belongs to the first player to move and may be empty, if nobody asks for it.
    """
    valid, full_inner = board.valid, board.full_inner
    count = words.shape[1]
    for i in range(rows.shape[0]):
        row = rows[i]
        full = find_fours(row, board, words)
        for w in range(count):
            one = words[0, w] & ~words[1, w]
            two = words[1, w] & ~words[0, w]
            both = words[0, w] & words[1, w]
            lost0, won0, lost1, won1 = two, one, one, two
            if simultaneous == MOVER:
                lost0 |= both
                lost1 |= both
            elif simultaneous == FIRST:
                won0 |= both
                lost1 |= both
            if replies_first.shape[0] > 0:
                replies_first[row, w] = lost0 & valid[w]
                replies_first[row, count + w] = valid[w] & ~won0
            replies_second[row, w] = lost1 & valid[w]
            replies_second[row, count + w] = valid[w] & ~won1
            live[i, w] = valid[w] & ~(words[0, w] | words[1, w])
            if full:
                live[i, w] &= ~full_inner[w]


@kernel(lean=True)
def find_steps(line: np.int64, side: np.int64, board: Board, steps: np.ndarray) -> None:
    """What each outer column of a row adds to it: by a drop of `side` (`steps[0]`), by a mean move
    that puts the other player's disc there (1) or takes one away (2); 0 where that cannot be.
    """
    bits = np.int64(board.height + 1)
    column_mask = (np.int64(1) << bits) - 1
    drop = DROP_FIRST if side == 0 else DROP_SECOND
    put = DROP_SECOND if side == 0 else DROP_FIRST
    take = TAKE_SECOND if side == 0 else TAKE_FIRST
    for k in range(board.width - 1):
        code = (line >> (k * bits)) & column_mask
        for kind in range(3):
            change = board.columns[drop if kind == 0 else put if kind == 1 else take, code]
            steps[kind, k] = change << (k * bits) if change != NOWHERE else 0


@kernel(lean=True)
def gather_mean_moves(
    line: np.int64, base: np.int64, outer: np.int64, answers: np.ndarray, work: Layering
) -> None:
    """Add what mean moves reach: between outer columns, from the inner one, and into it."""
    steps = work.steps
    for a in range(outer):
        if steps[2, a] == 0:
            continue
        after = line + steps[2, a]
        for w in range(work.words):
            work.put_inner[w] |= answers[after, base + w]
        for b in range(outer):
            if b != a and steps[1, b] != 0:
                target = after + steps[1, b]
                for w in range(work.words):
                    work.direct[w] |= answers[target, base + w]
    for b in range(outer):
        if steps[1, b] != 0:
            target = line + steps[1, b]
            for w in range(work.words):
                work.taken_inner[w] |= answers[target, base + w]


@kernel(lean=True)
def gather_inner_moves(side: np.int64, mean: bool, height: np.int64, work: Layering) -> None:
    """Add what moves in the inner column reach, found backwards from the words gathered."""
    own = np.int64(1) if side == 0 else np.int64(0)
    other = np.int64(1) - own
    found, dropped, put, taken = work.found, work.dropped, work.put_inner, work.taken_inner
    drop_origins(dropped[0], dropped[1], dropped[2], dropped[3], own, height, found)
    for w in range(work.words):
        work.direct[w] |= found[w]
    if mean:
        drop_origins(put[0], put[1], put[2], put[3], other, height, found)
        for w in range(work.words):
            work.direct[w] |= found[w]
        take_origins(taken[0], taken[1], other, height, found)
        for w in range(work.words):
            work.direct[w] |= found[w]
    for w in range(4):
        found[w] = ZERO


@kernel(lean=True)
def decide_rows(
    rows: np.ndarray,
    live: np.ndarray,
    question: Question,
    board: Board,
    answers: np.ndarray,
    work: Layering,
    new_wins: np.ndarray,
    new_losses: np.ndarray,
) -> tuple[np.int64, np.int64]:
    """One layer for these rows: placements that a side to move wins or loses by the last layer.

    `answers` are the replies of the other side. Returns the number of wins and of losses found.
    """
    count = work.words
    outer = np.int64(board.width - 1)
    direct = work.direct
    total_wins, total_losses = np.int64(0), np.int64(0)
    for i in range(rows.shape[0]):
        line = rows[i]
        open_words = ZERO
        for w in range(count):
            open_words |= live[i, w]
            new_wins[i, w] = ZERO
            new_losses[i, w] = ZERO
        if open_words == ZERO:
            continue
        find_steps(line, question.side, board, work.steps)
        for phase in range(2):
            if not (question.wins if phase == 0 else question.losses):
                continue
            # Phase 0 looks where a lost position of the opponent can be reached, phase 1 where
            # any position can be reached that the opponent has not won.
            base = np.int64(phase * count)
            for w in range(count):
                direct[w] = ZERO
                work.put_inner[w] = ZERO
                work.taken_inner[w] = ZERO
                work.dropped[w] = answers[line, base + w]
            for k in range(outer):
                if work.steps[0, k] != 0:
                    target = line + work.steps[0, k]
                    for w in range(count):
                        direct[w] |= answers[target, base + w]
            if phase == 1:
                missing = ZERO
                for w in range(count):
                    missing |= live[i, w] & ~new_wins[i, w] & ~direct[w]
                if missing == ZERO:
                    continue
            if question.mean:
                gather_mean_moves(line, base, outer, answers, work)
            gather_inner_moves(question.side, question.mean, board.height, work)
            for w in range(count):
                if phase == 0:
                    new_wins[i, w] = live[i, w] & direct[w]
                    total_wins += popcount(new_wins[i, w])
                else:
                    new_losses[i, w] = live[i, w] & ~new_wins[i, w] & ~direct[w]
                    total_losses += popcount(new_losses[i, w])
    return total_wins, total_losses


@kernel(lean=True)
def record_rows(
    rows: np.ndarray,
    homes: np.ndarray,
    live: np.ndarray,
    new_wins: np.ndarray,
    new_losses: np.ndarray,
    win_mark: np.int64,
    loss_mark: np.int64,
    distances: np.ndarray,
) -> None:
    """Take the decided placements out of `live` and write their marks into `distances[home]`."""
    for i in range(rows.shape[0]):
        home = homes[i]
        for w in range(live.shape[1]):
            won = new_wins[i, w]
            lost = new_losses[i, w]
            live[i, w] &= ~(won | lost)
            while won != ZERO:
                distances[home, w * 64 + trailing_zeros(won)] = win_mark
                won &= won - ONE
            while lost != ZERO:
                distances[home, w * 64 + trailing_zeros(lost)] = loss_mark
                lost &= lost - ONE


@kernel(lean=True)
def publish_rows(
    rows: np.ndarray,
    new_wins: np.ndarray,
    new_losses: np.ndarray,
    board: Board,
    mirrored: bool,
    swapped: bool,
    scratch: np.ndarray,
    replies: np.ndarray,
) -> None:
    """Enter a layer into the replies of the side that it belongs to.

    With `mirrored` each row stands for its mirror image too; with `swapped` the layer is entered
    for the other player, with the colours of the discs exchanged.
    """
    width, height = np.int64(board.width), board.height
    bits = np.int64(height + 1)
    count = new_wins.shape[1]
    won, lost = scratch[0], scratch[1]
    for i in range(rows.shape[0]):
        anything = ZERO
        for w in range(count):
            anything |= new_wins[i, w] | new_losses[i, w]
        # Older losses may stay in the replies: everything that could reach them is decided.
        if anything == ZERO:
            continue
        row = rows[i]
        for w in range(count):
            won[w] = new_wins[i, w]
            lost[w] = new_losses[i, w]
        if swapped:
            row = swap_row(row, width - 1, bits, board.swapped_column)
            swap_colours(new_wins[i], height, won)
            swap_colours(new_losses[i], height, lost)
        for w in range(count):
            replies[row, w] |= lost[w]
            replies[row, count + w] &= ~won[w]
        if mirrored:
            row = mirror_row(row, width - 1, bits)
            for w in range(count):
                replies[row, w] |= lost[w]
                replies[row, count + w] &= ~won[w]


@kernel(lean=True)
def forget_known(
    rows: np.ndarray,
    bits: np.int64,
    partner: np.int64,
    distances: np.ndarray,
) -> None:
    """Clear what a lookup finds without the table: wins at once, and one of two mirror images.

    `partner` is the place of the inner column's mirror image in a row, or negative if the inner
    column is the middle one; the image with the larger number in the inner column is kept.
    """
    column_mask = (np.int64(1) << bits) - 1
    for i in range(rows.shape[0]):
        limit = np.int64(0)
        if partner >= 0:
            limit = (rows[i] >> (partner * bits)) & column_mask
        for code in range(distances.shape[1]):
            if code < limit or distances[i, code] == 3:
                distances[i, code] = 0
