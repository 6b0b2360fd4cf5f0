"""Breakthrough: reach the other side with one pawn."""

from plyground.board import BoardGame, option


class Breakthrough(BoardGame):
    rows = option(8, 5, 12, "rows of the board")
    columns = option(8, 2, 12, "columns of the board")
    shape = rows, columns
    pieces = ".xo"
    winner = 0

    def setup(self):
        self.board[-2:] = 1
        self.board[:2] = 2

    def moves(self):
        ahead = -1 if self.player == 1 else 1
        for row in range(self.rows):
            for col in range(self.columns):
                if self.board[row, col] == self.player:
                    for to in range(max(col - 1, 0), min(col + 2, self.columns)):
                        target = self.board[row + ahead, to]
                        if target == 0 or (target == self.opponent and to != col):
                            yield row * self.columns + col, (row + ahead) * self.columns + to

    def play(self, move):
        start, end = move
        self.cells[start] = 0
        self.cells[end] = self.player
        goal = 0 if self.player == 1 else self.rows - 1
        if end // self.columns == goal or self.opponent not in self.cells:
            self.winner = self.player

    def result(self):
        return self.winner if self.winner else None
