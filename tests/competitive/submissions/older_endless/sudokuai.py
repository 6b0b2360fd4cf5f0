"""Proposes better and better moves for ever, also from a thread; never returns."""

import threading
import time

from competitive_sudoku.sudoku import GameState, Move
from competitive_sudoku.sudokuai import SudokuAI as Base


class SudokuAI(Base):
    def compute_best_move(self, game_state: GameState) -> None:
        board = game_state.board
        fitting = [
            Move(i, j, value)
            for i in range(board.N)
            for j in range(board.N)
            for value in range(1, board.N + 1)
            if self.possible(game_state, i, j, value)
        ]
        threading.Thread(target=self.dream, daemon=False).start()
        while True:
            for move in fitting:
                self.propose_move(move)
                time.sleep(0.001)

    def dream(self):
        while True:
            time.sleep(0.01)

    def possible(self, state, i, j, value):
        board = state.board
        if board.get(i, j) != 0 or Move(i, j, value) in state.taboo_moves:
            return False
        top, left = i // board.m * board.m, j // board.n * board.n
        block = [
            board.get(r, c) for r in range(top, top + board.m) for c in range(left, left + board.n)
        ]
        row = [board.get(i, c) for c in range(board.N)]
        column = [board.get(r, j) for r in range(board.N)]
        return value not in row + column + block
