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

    def reach(self, cell):
        """The sides that a group of stones touches (1 first, 2 last); its stones are lifted."""
        self.cells[cell] = 0
        row, col = divmod(cell, self.size)
        along = row if self.player == 1 else col
        sides = (along == 0) + 2 * (along == self.size - 1)
        for down, right in RING:
            if self.owns(row + down, col + right):
                sides |= self.reach((row + down) * self.size + col + right)
        return sides

    def connects(self, cell):
        """Whether the stones around a new one now join both sides of its owner."""
        before = self.cells.copy()
        joined = self.reach(cell) == 3
        self.cells[:] = before
        return joined

    def result(self):
        return self.winner if self.winner else None
