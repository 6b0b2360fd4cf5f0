"""Saves what cannot be pickled; from its third turn on it crashes before any proposal."""

import threading

from competitive_sudoku.sudoku import GameState, Move
from competitive_sudoku.sudokuai import SudokuAI as Base


class SudokuAI(Base):
    def compute_best_move(self, game_state: GameState) -> None:
        if len(game_state.moves) >= 4:
            raise RuntimeError("lost the thread")
        board = game_state.board
        k = board.squares.index(0)
        i, j = board.f2rc(k)
        for value in range(1, board.N + 1):
            top, left = i // board.m * board.m, j // board.n * board.n
            around = [board.get(i, c) for c in range(board.N)]
            around += [board.get(r, j) for r in range(board.N)]
            around += [board.get(top + x // board.n, left + x % board.n) for x in range(board.N)]
            if value not in around and Move(i, j, value) not in game_state.taboo_moves:
                self.propose_move(Move(i, j, value))
                self.save({"lock": threading.Lock()})
                assert self.load() is None
                raise KeyError("a proposal made in time stands")
