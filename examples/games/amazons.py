"""Amazons: move a queen, then shoot an arrow from there; who cannot move loses."""

from plyground.board import BoardGame, option

DIRECTIONS = (-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)
ARROW = 3


class Amazons(BoardGame):
    size = option(10, 4, 10, "rows and columns")
    shape = size, size
    pieces = ".xo#"
    stuck = "loses"

    def setup(self):
        last, third = self.size - 1, (self.size - 1) // 3
        self.board[last, third] = self.board[last, last - third] = 1
        self.board[last - third, 0] = self.board[last - third, last] = 1
        self.board[0, third] = self.board[0, last - third] = 2
        self.board[third, 0] = self.board[third, last] = 2

    def rays(self, start):
        """The squares that a queen (or an arrow) on a square reaches."""
        for down, right in DIRECTIONS:
            row, col = start // self.size + down, start % self.size + right
            while 0 <= row < self.size and 0 <= col < self.size and self.board[row, col] == 0:
                yield row * self.size + col
                row, col = row + down, col + right

    def moves(self):
        for start in range(self.size * self.size):
            if self.cells[start] == self.player:
                for end in self.rays(start):
                    self.cells[start] = 0
                    for arrow in self.rays(end):
                        yield start, end, arrow
                    self.cells[start] = self.player

    def play(self, move):
        start, end, arrow = move
        self.cells[start] = 0
        self.cells[end] = self.player
        self.cells[arrow] = ARROW
