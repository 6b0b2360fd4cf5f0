"""Hex: connect your two sides; x from top to bottom, o from left to right."""

from plyground.board import BoardGame, option

RING = (-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1)


class Hex(BoardGame):
    size = option(11, 2, 19, "rows and columns")
    shape = size, size
    pieces = ".xo"
    slant = 0.5
    winner = 0

    def moves(self):
        for cell in range(self.size * self.size):
            if self.cells[cell] == 0:
                yield cell

    def play(self, cell):
        self.cells[cell] = self.player
        if self.may_join(cell) and self.connects(cell):
            self.winner = self.player

    def owns(self, row, col):
        inside = 0 <= row < self.size and 0 <= col < self.size
        return inside and self.board[row, col] == self.player

    def may_join(self, cell):
        """Whether a new stone touches two groups or sides of its owner: else it joins nothing."""
        row, col = divmod(cell, self.size)
        along = row if self.player == 1 else col
        links = (along == 0) + (along == self.size - 1)
        before = self.owns(row, col - 1)
        for down, right in RING:
            here = self.owns(row + down, col + right)
            links += here and not before
            before = here
        return links > 1

    def connects(self, cell):
        """Whether the stones around a new one now join both sides of its owner."""
        waiting = [cell]
        seen = self.cells != self.player
        seen[cell] = True
        first = last = False
        while waiting:
            row, col = divmod(waiting.pop(), self.size)
            along = row if self.player == 1 else col
            first |= along == 0
            last |= along == self.size - 1
            for down, right in RING:
                y, x = row + down, col + right
                if 0 <= y < self.size and 0 <= x < self.size and not seen[y * self.size + x]:
                    seen[y * self.size + x] = True
                    waiting.append(y * self.size + x)
        return first and last

    def result(self):
        return self.winner if self.winner else None
