"""Proposes a square off the board by a flat index that would be on it, then saves a generator."""

from competitive_sudoku.sudoku import GameState, Move
from competitive_sudoku.sudokuai import SudokuAI as Base


class SudokuAI(Base):
    def compute_best_move(self, game_state: GameState) -> None:
        self.save(number for number in range(3))
        free = game_state.board.squares.index(0)
        self.propose_move(Move((0, free), 1) if free >= game_state.board.N else Move((-1, free), 1))
