"""Plays the first square that it may use; classic games have no list of squares."""

from competitive_sudoku.sudoku import GameState, Move, TabooMove
from competitive_sudoku.sudokuai import SudokuAI as Base


class SudokuAI(Base):
    def compute_best_move(self, game_state: GameState) -> None:
        board = game_state.board
        assert game_state.current_player == self.player_number
        squares = game_state.player_squares()
        if game_state.is_classic_game():
            assert squares is None
            squares = [board.index2square(k) for k in range(board.N**2)]
        else:
            assert squares
            assert game_state.occupied_squares() is not None
        for square in squares:
            assert board.index2square(board.square2index(square)) == square
            if board.get(square) != board.empty:
                continue
            for value in range(1, board.N + 1):
                taboo = TabooMove(square, value) in game_state.taboo_moves
                if self.fits(board, square, value) and not taboo:
                    self.propose_move(Move(square, value))
                    return

    def fits(self, board, square, value):
        i, j = square
        top, left = i - i % board.m, j - j % board.n
        return all(
            board.get((i, k)) != value
            and board.get((k, j)) != value
            and board.get((top + k // board.n, left + k % board.n)) != value
            for k in range(board.N)
        )
