"""Connect Four: drop discs into columns; four in a line win."""

from plyground.board import BoardGame, option

DIRECTIONS = (0, 1), (1, 0), (1, 1), (1, -1)


class ConnectFour(BoardGame):
    rows = option(6, 4, 10)
    columns = option(7, 4, 10)
    shape = rows, columns
    winner = 0

    def moves(self):
        """The squares that discs fall to."""
        for col in range(self.columns):
            for row in range(self.rows - 1, -1, -1):
                if self.board[row, col] == 0:
                    yield row * self.columns + col
                    break

    def run(self, row, col, down, right):
        """How many discs of the player follow in a direction."""
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
            if self.run(row, col, down, right) + self.run(row, col, -down, -right) >= 3:
                self.winner = self.player

    def result(self):
        if self.winner:
            return self.winner
        return None if 0 in self.board[0] else 0
