"""The parity law: proven on all small boards, but for draws."""

from __future__ import annotations

from itertools import permutations, product

import pytest

from plyground.games.competitive_sudoku.solvers.parity import GRIDS, survey

LINES = [
    (*first, *second)
    for pairs in (((0, 1), (2, 3)), ((2, 3), (0, 1)))
    for first in permutations(pairs[0])
    for second in permutations(pairs[1])
]
"""The ways to order rows or columns that keep the blocks."""


def alike(grid: str) -> set[str]:
    """All grids that renaming, transposing and swapping lines make of a grid."""
    found = set()
    for rows, columns, turned in product(LINES, LINES, (False, True)):
        cells = [(c, r) if turned else (r, c) for r in rows for c in columns]
        text = [grid[4 * r + c] for r, c in cells]
        for digits in permutations("1234"):
            names = dict(zip("1234", digits, strict=True))
            found.add("".join(names[digit] for digit in text))
    return found


def test_two_grids_stand_for_all() -> None:
    kinds = [alike(grid) for grid in GRIDS]
    assert [len(kind) for kind in kinds] == [96, 192]
    assert not kinds[0] & kinds[1]


@pytest.mark.parametrize("grid", GRIDS)
@pytest.mark.parametrize("empty", [1, 2, 3])
def test_who_hands_over_two_even_numbers_never_loses(grid: str, empty: int) -> None:
    passes = survey(grid, empty)["passes"]
    assert isinstance(passes, dict) and passes
    for parity, boards in passes.items():
        if empty % 2 == 0 and parity == "even":
            assert "won" not in boards
        else:
            assert set(boards) == {"won"}


def test_the_first_exception_is_a_draw() -> None:
    found = survey(GRIDS[0], 2)
    assert found["passes"] == {"even": {"lost": 56, "drawn": 64, "against the law": 64}}
    assert found["first against the law"] == {"even": "0234340221434321"}
