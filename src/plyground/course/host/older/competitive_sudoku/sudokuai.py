"""The base class of submissions; what the course's module imports is imported here as well."""

from __future__ import annotations

import math  # noqa: F401
import os  # noqa: F401
import pickle  # noqa: F401
from datetime import datetime  # noqa: F401
from typing import List  # noqa: F401, UP035

from plyground.course.host.submission_base import SubmissionBase, propose

from .sudoku import GameState, Move


class SudokuAI(SubmissionBase):
    """Proposes moves while it computes; the last one in time counts."""

    def compute_best_move(self, game_state: GameState) -> None:
        """To be implemented by the submission."""
        raise NotImplementedError

    def propose_move(self, move: Move) -> None:
        """Make this the move to play if no later one follows in time."""
        propose(self, move.i, move.j, move.value)
