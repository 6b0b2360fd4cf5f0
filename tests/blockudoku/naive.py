"""A second, slow implementation of the rules on sets of cells. It shares nothing with the package.

The piece list is written out again as pictures, so that a slip in one list shows.
"""

from __future__ import annotations

from itertools import permutations

PICTURES = """
#|##|#/#|#./.#|.#/#.|###|#/#/#|#../.#./..#|..#/.#./#..|##/#.|#./##|.#/##|##/.#|####|#/#/#/#|##/##
#./#./##|..#/###|##/.#/.#|###/#..|##/#./#.|###/..#|.#/.#/##|#../###
.#./###|#./##/#.|.#/##/.#|###/.#.|##./.##|.#/##/#.|#./##/.#|.##/##.|#####|#/#/#/#/#
#../###/#..|###/.#./.#.|.#./.#./###|..#/###/..#|###/#.#|##/.#/##|##/#./##|#.#/###
###/#../#..|###/..#/..#|..#/..#/###|#../#../###|.#./###/.#.
"""

PIECES = [
    frozenset(
        (row, column)
        for row, line in enumerate(picture.split("/"))
        for column, mark in enumerate(line)
        if mark == "#"
    )
    for picture in "|".join(PICTURES.split()).split("|")
]

Board = frozenset[tuple[int, int]]

LINES: list[Board] = (
    [frozenset((row, column) for column in range(9)) for row in range(9)]
    + [frozenset((row, column) for row in range(9)) for column in range(9)]
    + [
        frozenset((top + row, left + column) for row in range(3) for column in range(3))
        for top in (0, 3, 6)
        for left in (0, 3, 6)
    ]
)


COVERED: list[dict[tuple[int, int], Board]] = [
    {
        (top, left): frozenset((top + row, left + column) for row, column in piece)
        for top in range(9)
        for left in range(9)
        if all(top + row < 9 and left + column < 9 for row, column in piece)
    }
    for piece in PIECES
]
"""For every piece the cells that it covers with its top-left corner here and there."""


def places(board: Board, piece: int) -> list[tuple[int, int]]:
    """Top-left corners at which a piece fits."""
    return [corner for corner, cells in COVERED[piece].items() if board.isdisjoint(cells)]


def place(board: Board, piece: int, corner: tuple[int, int]) -> tuple[Board, int, int]:
    """The board after a placement, how many lines it cleared, how many of its cells stay."""
    cells = COVERED[piece][corner]
    union = board | cells
    full = [line for line in LINES if line <= union]
    gone: Board = frozenset().union(*full)
    return union - gone, len(full), len(cells - gone)


def points(lines: int, stay: int, streak: bool) -> int:
    """The score of one placement, from the table in the rules."""
    if lines == 0:
        return stay
    factors = {1: 18, 2: 18, 3: 36, 4: 36, 5: 54, 6: 54, 7: 54}
    return stay + lines * factors.get(lines, 72) + (9 if streak else 0)


def final_boards(board: Board, hand: tuple[int, ...]) -> set[Board]:
    """Every board reachable by placing all pieces of the hand, in any order."""
    found: set[Board] = set()
    for order in set(permutations(hand)):
        boards = {board}
        for piece in order:
            boards = {
                place(before, piece, corner)[0]
                for before in boards
                for corner in places(before, piece)
            }
        found |= boards
    return found


def words(board: Board) -> tuple[int, int]:
    """The board as the two words of the package."""
    number = sum(1 << (9 * row + column) for row, column in board)
    return number & ((1 << 54) - 1), number >> 54


def cells(low: int, high: int) -> Board:
    """The inverse of `words`."""
    number = int(low) | int(high) << 54
    return frozenset(divmod(cell, 9) for cell in range(81) if number >> cell & 1)
