"""Amazons: move a queen, then shoot an arrow from there; who cannot move loses."""

from plyground.board import BoardGame, option

DIRECTIONS = (-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)
ARROW = 3
CHOOSE, MOVE, SHOOT = 0, 1, 2


class Amazons(BoardGame):
    size = option(10, 4, 10, "rows and columns")
    shape = size, size
    pieces = ".xo#"
    stuck = "loses"
    part = CHOOSE  # a turn has three parts: the queen, where it goes, where the arrow goes
    queen = 0

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

    def is_free(self, start):
        for down, right in DIRECTIONS:
            row, col = start // self.size + down, start % self.size + right
            if 0 <= row < self.size and 0 <= col < self.size and self.board[row, col] == 0:
                return True
        return False

    def moves(self):
        if self.part == CHOOSE:
            for cell in range(self.size * self.size):
                if self.cells[cell] == self.player and self.is_free(cell):
                    yield cell
        else:
            yield from self.rays(self.queen)

    def play(self, cell):
        if self.part == SHOOT:
            self.cells[cell] = ARROW
            self.part, self.queen = CHOOSE, 0
            return self.opponent
        if self.part == MOVE:
            self.cells[self.queen] = 0
            self.cells[cell] = self.player
        self.part, self.queen = self.part + 1, cell
        return self.player
