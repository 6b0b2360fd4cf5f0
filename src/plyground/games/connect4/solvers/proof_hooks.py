"""Mean Connect 4 for the proof search: bitboards, and leaves that see three plies ahead.

A state is two words, the discs of the player to move and of its opponent. A player who can win at
once does so, and nobody makes a move after which the opponent can: such moves are never listed. So
a position without a listed move is lost within two plies, and one with a move that leaves the
opponent none is won in three; both are seen without search. The plies left of the game do not
appear: whoever asks for a win within n plies must have n plies left.
"""

from __future__ import annotations

import numpy as np

from plyground.games.connect4.rules import MEAN_CODE
from plyground.kernels import kernel
from plyground.kernels.bits import popcount, trailing_zeros
from plyground.kernels.words import FOUR, ONE, THREE, TWO, ZERO
from plyground.search.proof_verdict import FOREVER, NOT_PROVEN, pack_verdict

# Places in `params`. The pairs are for the defender and, one further, for the attacker.
STEP, BOTTOM, BOARD, WIDTH, COLUMN, MEAN, BOTH = 0, 1, 2, 3, 4, 5, 7
PARAM_WORDS = 9
BOTH_LOSES, BOTH_DRAWS, BOTH_WINS = 0, 1, 2
"""What the mover gets who makes four for both players."""


@kernel(lean=True)
def winning_squares(step: np.uint64, discs: np.uint64) -> np.uint64:
    """Squares, on the board or off it, where one more of these discs makes four."""
    squares = (discs << ONE) & (discs << TWO) & (discs << THREE)
    for k in range(3):
        d = step + np.uint64(k) - ONE
        right, left = discs << d, discs >> d
        pair = right & (discs << (d + d))
        squares |= pair & ((discs << (d + d + d)) | left)
        pair = left & (discs >> (d + d))
        squares |= pair & ((discs >> (d + d + d)) | right)
    return squares


@kernel(lean=True)
def slanted_four(step: np.uint64, discs: np.uint64) -> bool:
    """Whether four stand in a line that is not a column: all that a falling column can make."""
    pairs = discs & (discs >> step)
    found = pairs & (pairs >> (step + step))
    d = step - ONE
    pairs = discs & (discs >> d)
    found |= pairs & (pairs >> (d + d))
    d = step + ONE
    pairs = discs & (discs >> d)
    found |= pairs & (pairs >> (d + d))
    return found != ZERO


@kernel(lean=True)
def has_four(step: np.uint64, discs: np.uint64) -> bool:
    """Whether four stand in a line."""
    pairs = discs & (discs >> ONE)
    return pairs & (pairs >> TWO) != ZERO or slanted_four(step, discs)


@kernel(lean=True)
def fallen(discs: np.uint64, column: np.uint64) -> np.uint64:
    """These discs after a column (its mask) has lost its bottom disc."""
    return (discs & ~column) | (((discs & column) >> ONE) & column)


@kernel(lean=True)
def fall_wins(params: np.ndarray, own: np.uint64, other: np.uint64) -> bool:
    """Whether taking a bottom disc of `other` makes four for `own`."""
    sources = other & params[BOTTOM]
    while sources != ZERO:
        source = sources & (~sources + ONE)
        sources ^= source
        column = source * params[COLUMN]
        if own & column != ZERO and slanted_four(params[STEP], fallen(own, column)):
            return True
    return False


@kernel(lean=True)
def wins_now(params: np.ndarray, own: np.uint64, other: np.uint64, role: np.int64) -> bool:
    """Whether the player of a role (1 attacker, 0 defender) with discs `own` wins by one move."""
    possible = ((own | other) + params[BOTTOM]) & params[BOARD]
    if winning_squares(params[STEP], own) & possible != ZERO:
        return True
    if params[MEAN + role] == ZERO or not fall_wins(params, own, other):
        return False
    sources = other & params[BOTTOM]
    while sources != ZERO:
        source = sources & (~sources + ONE)
        sources ^= source
        column = source * params[COLUMN]
        if not slanted_four(params[STEP], fallen(own, column)):
            continue
        targets = possible & ~column
        if params[BOTH + role] == np.uint64(BOTH_WINS):
            if targets != ZERO:
                return True
            continue
        theirs = fallen(other & ~source, column)
        while targets != ZERO:
            target = targets & (~targets + ONE)
            targets ^= target
            if not has_four(params[STEP], theirs | target):
                return True
    return False


@kernel(lean=True)
def survives(
    params: np.ndarray, own: np.uint64, other: np.uint64, drop: bool, role: np.int64
) -> bool:
    """Whether a move of a player who cannot win at once may be listed, by the board after it.

    `own` and `other` are the discs after the move, those of the mover first.
    """
    if not drop and has_four(params[STEP], other):
        # Four for both: a draw is a move like another one, and ends the game.
        return params[BOTH + role] == np.uint64(BOTH_DRAWS) and has_four(params[STEP], own)
    return not wins_now(params, other, own, role ^ 1)


@kernel(lean=True)
def list_with_care(
    params: np.ndarray, state: np.ndarray, role: np.int64, moves: np.ndarray, most: np.int64
) -> np.int64:
    """`list_moves` move by move, for full boards and for every rule."""
    own, other = state[0], state[1]
    possible = ((own | other) + params[BOTTOM]) & params[BOARD]
    width = np.int64(params[WIDTH])
    step = params[STEP]
    count = np.int64(0)
    for target in range(width):
        square = possible & (params[COLUMN] << (np.uint64(target) * step))
        if square != ZERO and survives(params, own | square, other, True, role):
            moves[count] = target
            count += 1
            if count >= most:
                return count
    if params[MEAN + role] == ZERO:
        return count
    for origin in range(width):
        source = ONE << (np.uint64(origin) * step)
        if other & source == ZERO:
            continue
        column = source * params[COLUMN]
        own_after, other_after = fallen(own, column), fallen(other & ~source, column)
        for target in range(width):
            square = possible & (params[COLUMN] << (np.uint64(target) * step))
            if target == origin or square == ZERO:
                continue
            if survives(params, own_after, other_after | square, False, role):
                moves[count] = MEAN_CODE * (origin + 1) + target
                count += 1
                if count >= most:
                    return count
    return count


@kernel(lean=True)
def list_at_most(
    params: np.ndarray, state: np.ndarray, role: np.int64, moves: np.ndarray, most: np.int64
) -> np.int64:
    """The moves after which the opponent cannot win at once, but no more than `most` of them.

    With three open columns every fall has a target, and a player who can win by it does: then a
    drop cannot stop it, and neither can a disc put on top of anything.
    """
    own, other = state[0], state[1]
    step, bottom, board = params[STEP], params[BOTTOM], params[BOARD]
    possible = ((own | other) + bottom) & board
    simple = params[BOTH] == np.uint64(BOTH_WINS) and params[BOTH + 1] == np.uint64(BOTH_WINS)
    if not simple or popcount(possible) < 3:
        return list_with_care(params, state, role, moves, most)
    count = np.int64(0)
    opponent_falls = params[MEAN + (role ^ 1)] != ZERO
    if not (opponent_falls and fall_wins(params, other, own)):
        threats = winning_squares(step, other) & board
        drops = possible
        forced = threats & possible
        if forced != ZERO:
            drops = forced if forced & (forced - ONE) == ZERO else ZERO
        drops &= ~(threats >> ONE)
        while drops != ZERO:
            drop = drops & (~drops + ONE)
            drops ^= drop
            moves[count] = np.int64(np.uint64(trailing_zeros(drop)) // step)
            count += 1
            if count >= most:
                return count
    if params[MEAN + role] == ZERO:
        return count
    sources = other & bottom
    while sources != ZERO:
        source = sources & (~sources + ONE)
        sources ^= source
        column = source * params[COLUMN]
        mine, theirs = fallen(own, column), fallen(other & ~source, column)
        reachable = ((mine | theirs) + bottom) & board
        if slanted_four(step, theirs) or winning_squares(step, theirs) & reachable != ZERO:
            continue
        if opponent_falls and fall_wins(params, theirs, mine):
            continue
        base = MEAN_CODE * (trailing_zeros(source) // np.int64(step) + 1)
        targets = reachable & ~column
        while targets != ZERO:
            target = targets & (~targets + ONE)
            targets ^= target
            with_disc = theirs | target
            next_up = (reachable ^ target) | ((target << ONE) & board)
            if winning_squares(step, with_disc) & next_up != ZERO:
                continue
            if opponent_falls and fall_wins(params, with_disc, mine):
                continue
            moves[count] = base + trailing_zeros(target) // np.int64(step)
            count += 1
            if count >= most:
                return count
    return count


@kernel(lean=True)
def list_moves(
    params: np.ndarray, state: np.ndarray, attacking: np.int64, moves: np.ndarray
) -> np.int64:
    """All moves after which the opponent has not won and cannot win at once."""
    return list_at_most(params, state, attacking, moves, np.int64(moves.shape[0]))


@kernel(lean=True)
def play(
    params: np.ndarray, state: np.ndarray, attacking: np.int64, move: np.int64, child: np.ndarray
) -> None:
    """The position after a move, with the sides exchanged."""
    own, other = state[0], state[1]
    step = params[STEP]
    if move < MEAN_CODE:
        column = params[COLUMN] << (np.uint64(move) * step)
        own |= ((own | other) + params[BOTTOM]) & column
    else:
        source = ONE << (np.uint64(move // MEAN_CODE - 1) * step)
        column = source * params[COLUMN]
        own, other = fallen(own, column), fallen(other & ~source, column)
        column = params[COLUMN] << (np.uint64(move % MEAN_CODE) * step)
        other |= ((own | other) + params[BOTTOM]) & column
    child[0] = other
    child[1] = own


@kernel(lean=True)
def fewest_replies(
    params: np.ndarray, state: np.ndarray, attacking: np.int64, count: np.int64, scratch: np.ndarray
) -> np.int64:
    """The least number of moves that one of the `count` moves in `scratch` leaves the opponent."""
    own, other = state[0], state[1]
    room = scratch[scratch.shape[0] // 2 :]
    least = np.int64(room.shape[0])
    for i in range(count):
        play(params, state, attacking, scratch[np.uint64(i)], state)
        if not (has_four(params[STEP], state[1]) or state[0] | state[1] == params[BOARD]):
            least = min(least, list_at_most(params, state, attacking ^ 1, room, least))
        state[0], state[1] = own, other
        if least == 0:
            break
    return least


@kernel(lean=True)
def judge(
    params: np.ndarray, state: np.ndarray, attacking: np.int64, plies: np.int64, scratch: np.ndarray
) -> np.uint64:
    """A drawn end, no move left, a win in three; else the number of moves says how hard it is."""
    if state[0] | state[1] == params[BOARD] or (
        params[BOTH + (attacking ^ 1)] == np.uint64(BOTH_DRAWS) and has_four(params[STEP], state[1])
    ):
        return pack_verdict(NOT_PROVEN, FOREVER, ONE, ONE)
    count = list_moves(params, state, attacking, scratch)
    if attacking == 1:
        if count == 0:
            return pack_verdict(NOT_PROVEN, FOREVER, ONE, ONE)
        if plies < 3:
            return pack_verdict(NOT_PROVEN, THREE, ONE, np.uint64(count))
        least = fewest_replies(params, state, attacking, count, scratch)
        if least == 0:
            return pack_verdict(THREE, THREE, ONE, ONE)
        return pack_verdict(NOT_PROVEN, FOUR + ONE, np.uint64(least), np.uint64(count))
    if count == 0:
        return pack_verdict(TWO, TWO, ONE, ONE)
    return pack_verdict(NOT_PROVEN, FOUR, ONE, np.uint64(count))


@kernel(lean=True)
def judge_root(
    params: np.ndarray, state: np.ndarray, attacking: np.int64, plies: np.int64, scratch: np.ndarray
) -> np.uint64:
    """`judge` for a position whose player may win at once, or whose opponent has."""
    if wins_now(params, state[0], state[1], attacking):
        if attacking == 1:
            return pack_verdict(ONE, ONE, ONE, ONE)
        return pack_verdict(NOT_PROVEN, FOREVER, ONE, ONE)
    return judge(params, state, attacking, plies, scratch)


@kernel(lean=True)
def mirrored(params: np.ndarray, columns: np.uint64) -> np.uint64:
    """A word with its columns in the opposite order."""
    step = params[STEP]
    mask = (params[COLUMN] << ONE) | ONE
    turned = ZERO
    for _ in range(params[WIDTH]):
        turned = (turned << step) | (columns & mask)
        columns >>= step
    return turned


@kernel(lean=True)
def key(params: np.ndarray, state: np.ndarray) -> np.uint64:
    """The columns as numbers, a mark above the highest disc; of two mirror images the smaller."""
    straight = state[0] | ((state[0] | state[1]) + params[BOTTOM])
    return min(straight, mirrored(params, straight))


@kernel(lean=True)
def normalise(params: np.ndarray, state: np.ndarray) -> None:
    """Of two mirror images the one whose key is its own."""
    straight = state[0] | ((state[0] | state[1]) + params[BOTTOM])
    if mirrored(params, straight) < straight:
        state[0], state[1] = mirrored(params, state[0]), mirrored(params, state[1])
