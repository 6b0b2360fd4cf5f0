"""The base class of submissions."""

from __future__ import annotations

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
