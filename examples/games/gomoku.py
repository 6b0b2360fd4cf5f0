"""Gomoku: five stones in a line, on a board of any size and for a line of any length."""

from plyground.board import BoardGame, option

DIRECTIONS = (0, 1), (1, 0), (1, 1), (1, -1)


class Gomoku(BoardGame):
    rows = option(15, 3, 19)
    columns = option(15, 3, 19)
    length = option(5, 3, 9, "stones in a line that win")
    shape = rows, columns
    winner = 0

    def moves(self):
        for cell in range(self.rows * self.columns):
            if self.cells[cell] == 0:
                yield cell

    def run(self, row, col, down, right):
        """How many stones of the player follow in a direction."""
        count = 0
        row, col = row + down, col + right
        while 0 <= row < self.rows and 0 <= col < self.columns:
            if self.board[row, col] != self.player:
                break
            count += 1
            row, col = row + down, col + right
        return count

    def play(self, cell):
        self.cells[cell] = self.player
        row, col = divmod(cell, self.columns)
        for down, right in DIRECTIONS:
            stones = self.run(row, col, down, right) + self.run(row, col, -down, -right)
            if stones + 1 >= self.length:
                self.winner = self.player

    def result(self):
        if self.winner:
            return self.winner
        return None if 0 in self.cells else 0
