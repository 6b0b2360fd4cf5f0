"""Board files of both generations, written so that `boardfile` reads the same position back."""

from __future__ import annotations

from collections.abc import Iterable

from plyground.games.competitive_sudoku.notation import format_placement
from plyground.games.competitive_sudoku.setup import Placement, Setup


def write_old_board(setup: Setup) -> str:
    """The older format: the board alone."""
    return f"{setup.rows} {setup.columns}\n" + "".join(
        line + "\n" for line in _rows(setup, setup.cells, owned=False)
    )


def write_new_board(setup: Setup) -> str:
    """The newer format, with history, scores and squares of the players."""
    initial = setup.initial or setup.cells
    lines = [f"rows = {setup.rows}", f"columns = {setup.columns}", "board ="]
    lines += [f"  {line}" for line in _rows(setup, setup.cells, owned=setup.allowed is not None)]
    if initial != setup.cells:
        lines.append("initial-board =")
        lines += [f"  {line}" for line in _rows(setup, initial, owned=False)]
    if setup.moves:
        lines.append(f"moves = {_moves(setup, setup.moves)}")
    if setup.taboo:
        lines.append(f"taboo-moves = {_moves(setup, setup.taboo)}")
    lines.append(f"scores = [{setup.scores[0]}, {setup.scores[1]}]")
    lines.append(f"current-player = {setup.player + 1}")
    if setup.allowed is not None:
        for name, sets in (("allowed", setup.allowed), ("occupied", setup.occupied)):
            for player, squares in enumerate(sets, 1):
                lines.append(f"{name}-squares{player} = {_squares(setup, squares)}")
    return "\n".join(lines) + "\n"


def _rows(setup: Setup, cells: tuple[int, ...], owned: bool) -> list[str]:
    texts = []
    for cell, value in enumerate(cells):
        sign = ""
        if owned and value:
            sign = "+" if cell in setup.occupied[0] else "-" if cell in setup.occupied[1] else ""
        texts.append((str(value) if value else ".") + sign)
    width = max(map(len, texts))
    size = setup.size
    return [
        " ".join(text.rjust(width) for text in texts[start : start + size])
        for start in range(0, size * size, size)
    ]


def _moves(setup: Setup, moves: Iterable[Placement]) -> str:
    return "[" + ", ".join(format_placement(setup.size, c, v) for c, v in moves) + "]"


def _squares(setup: Setup, squares: Iterable[int]) -> str:
    places = (f"({cell // setup.size},{cell % setup.size})" for cell in sorted(squares))
    return "[" + ", ".join(places) + "]"
