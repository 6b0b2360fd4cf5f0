"""Plays the first move that fits, remembers how often it was asked, prints a lot."""

import competitive_sudoku.sudokuai
from competitive_sudoku.sudoku import GameState, Move, SudokuBoard, TabooMove

from .helpers import fits


class SudokuAI(competitive_sudoku.sudokuai.SudokuAI):
    def __init__(self):
        super().__init__()

    def compute_best_move(self, game_state: GameState) -> None:
        turns = self.load()
        own = len(game_state.moves) // 2
        assert (turns or 0) == own, (turns, own)
        assert game_state.current_player() == self.player_number
        board = game_state.board
        for k in range(board.N**2):
            i, j = SudokuBoard.f2rc(board, k)
            assert board.rc2f(i, j) == k
            for value in range(1, board.N + 1):
                taboo = TabooMove(i, j, value) in game_state.taboo_moves
                if board.get(i, j) == SudokuBoard.empty and fits(board, i, j, value) and not taboo:
                    print("proposing", i, j, value)
                    self.propose_move(Move(i, j, value))
                    self.save((turns or 0) + 1)
                    return
