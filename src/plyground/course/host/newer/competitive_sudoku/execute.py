"""The course's way to ask its solver program; here it is answered in this process."""

from __future__ import annotations

import os  # noqa: F401
import subprocess  # noqa: F401
import tempfile  # noqa: F401
from pathlib import Path  # noqa: F401

from plyground.course.host.oracle import answer


def solve_sudoku(solve_sudoku_path: str, board_text: str, options: str = "") -> str:
    """What the solver program prints for a board; the path does not matter."""
    return answer(board_text, options)


def execute_command(command: str) -> str:
    """Other programs are not run."""
    raise RuntimeError(f"{command!r}: only the solver can be asked, by solve_sudoku")
