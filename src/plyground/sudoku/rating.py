"""How hard a puzzle is, measured by what it takes to solve it.

| level | measure |
| --- | --- |
| easy | naked and hidden singles suffice |
| medium | locked candidates are needed too (9x9); elsewhere at most 3 guesses on top of singles |
| hard | guesses are needed on top of these: at most 10 (9x9) or 15 (other sizes) |
| extreme | more guesses |

A guess is a split of the search that proves the solution unique, so the number depends on the
solver: a measure for comparing puzzles, not a property of the puzzle alone.
"""

from __future__ import annotations

from plyground.sudoku.board import Board
from plyground.sudoku.search import GeneralSearch, Search, is_classic, search_of

LEVELS = ("easy", "medium", "hard", "extreme")
MOST_NODES = 200


def guesses(search: Search) -> int:
    """Splits until the search has two solutions or all of them; at most about `MOST_NODES` / 2."""
    search.advance(2, MOST_NODES)
    return search.nodes // 2


def difficulty(board: Board) -> str:
    """The level of a puzzle with one solution, see the table above."""
    with_singles = guesses(GeneralSearch(board))
    if with_singles == 0:
        return "easy"
    if not is_classic(board):
        return "medium" if with_singles <= 3 else "hard" if with_singles <= 15 else "extreme"
    with_locked_candidates = guesses(search_of(board))
    if with_locked_candidates == 0:
        return "medium"
    return "hard" if with_locked_candidates <= 10 else "extreme"
