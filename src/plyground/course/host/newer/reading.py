"""Helpers of the newer framework that read board files and know the play modes.

They stand apart because they import our own readers, which few submissions need.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from plyground.games.competitive_sudoku import modes
from plyground.games.competitive_sudoku.position_file import read_position_file

Square = tuple[int, int]
framework: Any = import_module("competitive_sudoku.sudoku")
"""The submission's own classes, under the name by which it imports them."""


def parse_game_state(text: str, playmode: str = "classic") -> Any:
    """A board file of either format; where it says nothing, the mode sets the allowed squares."""
    setup = read_position_file(text)
    size = setup.size
    initial, board = (framework.SudokuBoard(setup.rows, setup.columns) for _ in range(2))
    initial.squares = list(setup.initial or setup.cells)
    board.squares = list(setup.cells)
    allowed = setup.allowed or modes.allowed_squares(playmode, size, 0)
    sets: list[list[Square] | None] = [None] * 4
    if allowed is not None:
        sets = [[divmod(cell, size) for cell in sorted(s)] for s in (*allowed, *setup.occupied)]
    return framework.GameState(
        initial,
        board,
        [framework.TabooMove(divmod(cell, size), value) for cell, value in setup.taboo],
        [framework.Move(divmod(cell, size), value) for cell, value in setup.moves],
        list(setup.scores),
        setup.player + 1,
        *sets,
    )


def allowed_squares(board: Any, playmode: str) -> tuple[list[Square], list[Square]]:
    """The squares on which either player may begin; empty lists in classic mode."""
    chosen = modes.allowed_squares(playmode, board.N, 0) or ((), ())
    first, second = ([board.index2square(cell) for cell in sorted(part)] for part in chosen)
    return first, second
