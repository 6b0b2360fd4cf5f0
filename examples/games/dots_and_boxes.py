"""Dots and Boxes: draw a line; whoever closes a box owns it and goes on."""

from plyground.board import BoardGame, option

DOT, LINE = 3, 4


class DotsAndBoxes(BoardGame):
    rows = option(3, 1, 9, "rows of boxes")
    columns = option(3, 1, 9, "columns of boxes")
    shape = 2 * rows + 1, 2 * columns + 1
    pieces = " xo+#"
    scoring = "points"
    score = [0, 0]

    def setup(self):
        self.board[::2, ::2] = DOT

    def moves(self):
        height, width = self.shape
        for row in range(height):
            for col in range(1 - row % 2, width, 2):
                if self.board[row, col] == 0:
                    yield row * width + col

    def closed(self, row, col):
        """1 if all four lines around a box are drawn; then it belongs to the player."""
        if not (0 <= row < self.shape[0] and 0 <= col < self.shape[1]):
            return 0
        for y, x in (row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1):
            if self.board[y, x] == 0:
                return 0
        self.board[row, col] = self.player
        return 1

    def play(self, line):
        row, col = divmod(line, self.shape[1])
        self.board[row, col] = LINE
        if row % 2 == 0:
            closed = self.closed(row - 1, col) + self.closed(row + 1, col)
        else:
            closed = self.closed(row, col - 1) + self.closed(row, col + 1)
        self.score[self.player - 1] += closed
        return self.player if closed else self.opponent

    def result(self):
        boxes = self.rows * self.columns
        return self.score[0] - self.score[1] if self.score[0] + self.score[1] == boxes else None
