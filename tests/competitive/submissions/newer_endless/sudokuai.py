"""Never proposes anything, never returns, and starts a process of its own."""

import subprocess
import sys

from competitive_sudoku.sudoku import GameState
from competitive_sudoku.sudokuai import SudokuAI as Base


class SudokuAI(Base):
    def compute_best_move(self, game_state: GameState) -> None:
        if not game_state.is_classic_game():
            game_state.player_squares()
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        while True:
            pass
