"""Clobber: take a neighbouring stone of the other side; who cannot move loses."""

from plyground.board import BoardGame, option

NEIGHBOURS = (-1, 0), (0, -1), (0, 1), (1, 0)


class Clobber(BoardGame):
    rows = option(5, 1, 10)
    columns = option(6, 1, 10)
    shape = rows, columns
    pieces = ".xo"
    stuck = "loses"

    def setup(self):
        self.board[:] = 2
        self.board[::2, ::2] = 1
        self.board[1::2, 1::2] = 1

    def moves(self):
        for row in range(self.rows):
            for col in range(self.columns):
                if self.board[row, col] == self.player:
                    for down, right in NEIGHBOURS:
                        y, x = row + down, col + right
                        inside = 0 <= y < self.rows and 0 <= x < self.columns
                        if inside and self.board[y, x] == self.opponent:
                            yield row * self.columns + col, y * self.columns + x

    def play(self, move):
        start, end = move
        self.cells[start] = 0
        self.cells[end] = self.player
