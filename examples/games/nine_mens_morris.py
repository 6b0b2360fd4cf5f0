"""Nine Men's Morris: three in a line take a stone; who has two stones, or no move, loses."""

from plyground.board import BoardGame

# Points 0..23 row by row; each line of three is a possible mill.
MILLS = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10, 11), (12, 13, 14), (15, 16, 17), (18, 19, 20),
    (21, 22, 23), (0, 9, 21), (3, 10, 18), (6, 11, 15), (1, 4, 7), (16, 19, 22), (8, 12, 17),
    (5, 13, 20), (2, 14, 23),
)  # fmt: skip
NEIGHBOURS = [
    [b for x, y, z in MILLS for a, b in ((x, y), (y, x), (y, z), (z, y)) if a == point]
    for point in range(24)
]
# The other two points of both lines through a point.
MATES = [[p for line in MILLS if point in line for p in line if p != point] for point in range(24)]
HAND = 24


class NineMensMorris(BoardGame):
    shape = 24
    pieces = ".xo"
    move_sizes = 25, 24, 25  # from (or the hand), to, taken (or none)
    max_moves = 1200
    max_plies = 200
    stuck = "loses"
    hand = [9, 9]
    stones = [9, 9]

    def mill(self, point, left, player):
        """Whether a player's stone on a point stands in a mill, a stone having left another."""
        a, b, c, d = MATES[point]
        if left not in (a, b) and self.cells[a] == player == self.cells[b]:
            return True
        return left not in (c, d) and self.cells[c] == player == self.cells[d]

    def captures(self, start, end):
        """The moves from a place to another: with a mill, each stone that may be taken."""
        if not self.mill(end, start, self.player):
            yield start, end, HAND
            return
        free = False
        for point in range(24):
            if self.cells[point] == self.opponent and not self.mill(point, HAND, self.opponent):
                free = True
                yield start, end, point
        if not free:
            for point in range(24):
                if self.cells[point] == self.opponent:
                    yield start, end, point

    def moves(self):
        for end in range(24):
            if self.cells[end] == 0:
                if self.hand[self.player - 1]:
                    yield from self.captures(HAND, end)
                    continue
                flies = self.stones[self.player - 1] == 3
                for start in range(24):
                    if self.cells[start] == self.player and (flies or end in NEIGHBOURS[start]):
                        yield from self.captures(start, end)

    def play(self, move):
        start, end, taken = move
        if start == HAND:
            self.hand[self.player - 1] -= 1
        else:
            self.cells[start] = 0
        self.cells[end] = self.player
        if taken != HAND:
            self.cells[taken] = 0
            self.stones[self.opponent - 1] -= 1

    def result(self):
        if self.stones[0] < 3:
            return 2
        return 1 if self.stones[1] < 3 else None
