"""Tic-tac-toe: three in a line."""

from plyground.board import BoardGame

LINES = (0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)


class TicTacToe(BoardGame):
    shape = 3, 3
    symmetries = "quarter-turn", "left-right"

    def moves(self):
        for square in range(9):
            if self.cells[square] == 0:
                yield square

    def play(self, square):
        self.cells[square] = self.player

    def result(self):
        for a, b, c in LINES:
            if 0 != self.cells[a] == self.cells[b] == self.cells[c]:
                return self.cells[a]
        return None if 0 in self.cells else 0
