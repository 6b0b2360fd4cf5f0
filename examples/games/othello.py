"""Othello: enclose the other's discs to turn them; whoever has more at the end wins."""

from plyground.board import BoardGame, option

DIRECTIONS = (-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)


class Othello(BoardGame):
    size = option(8, 4, 16, "rows and columns", step=2)
    shape = size, size
    pieces = ".xo"
    player_names = "black", "white"
    stuck = "passes"

    def setup(self):
        middle = self.size // 2
        self.board[middle - 1, middle] = self.board[middle, middle - 1] = 1
        self.board[middle - 1, middle - 1] = self.board[middle, middle] = 2

    def enclosed(self, row, col, down, right):
        """How many discs a disc here would turn in one direction."""
        count = 0
        row, col = row + down, col + right
        while 0 <= row < self.size and 0 <= col < self.size and self.board[row, col]:
            if self.board[row, col] == self.player:
                return count
            count += 1
            row, col = row + down, col + right
        return 0

    def moves(self):
        for row in range(self.size):
            for col in range(self.size):
                if self.board[row, col] == 0:
                    for down, right in DIRECTIONS:
                        if self.enclosed(row, col, down, right):
                            yield row * self.size + col
                            break

    def play(self, square):
        row, col = square // self.size, square % self.size
        self.board[row, col] = self.player
        for down, right in DIRECTIONS:
            for step in range(1, self.enclosed(row, col, down, right) + 1):
                self.board[row + step * down, col + step * right] = self.player

    def result(self):
        if self.can_move(1) or self.can_move(2):
            return None
        black, white = sum(cell == 1 for cell in self.cells), sum(cell == 2 for cell in self.cells)
        return 0 if black == white else 1 if black > white else 2
