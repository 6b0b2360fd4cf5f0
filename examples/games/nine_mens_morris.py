"""Nine Men's Morris: three in a line take a stone; who has two stones, or no move, loses."""

from plyground.board import BoardGame

# Cells of a board of 7x7; each line of three is a possible mill.
MILLS = (
    (0, 3, 6), (8, 10, 12), (16, 17, 18), (21, 22, 23), (25, 26, 27), (30, 31, 32), (36, 38, 40),
    (42, 45, 48), (0, 21, 42), (8, 22, 36), (16, 23, 30), (3, 10, 17), (31, 38, 45), (18, 25, 32),
    (12, 26, 40), (6, 27, 48),
)  # fmt: skip
POINTS = sorted({point for mill in MILLS for point in mill})
STEPS = [(x, y) for a, b, c in MILLS for x, y in ((a, b), (b, a), (b, c), (c, b))]
NEIGHBOURS = [[y for x, y in STEPS if x == cell] for cell in range(49)]
# The other two points of both lines through a point.
MATES = [[p for mill in MILLS if cell in mill for p in mill if p != cell] for cell in range(49)]
HOLE = 3


class NineMensMorris(BoardGame):
    shape = 7, 7
    pieces = ".xo "
    max_plies = 200
    stuck = "loses"
    hand = [9, 9]
    stones = [9, 9]
    taking = 0

    def setup(self):
        self.cells[:] = HOLE
        for point in POINTS:
            self.cells[point] = 0

    def mill(self, point):
        """Whether the stone on a point stands in a mill."""
        a, b, c, d = MATES[point]
        owner = self.cells[point]
        return self.cells[a] == owner == self.cells[b] or self.cells[c] == owner == self.cells[d]

    def moves(self):
        """From a point to another; a stone that is put or taken stays where it is."""
        if self.taking:
            safe = all(self.mill(p) for p in POINTS if self.cells[p] == self.opponent)
            for point in POINTS:
                if self.cells[point] == self.opponent and (safe or not self.mill(point)):
                    yield point, point
        elif self.hand[self.player - 1]:
            for point in POINTS:
                if self.cells[point] == 0:
                    yield point, point
        else:
            flies = self.stones[self.player - 1] == 3
            for start in POINTS:
                if self.cells[start] == self.player:
                    for end in POINTS if flies else NEIGHBOURS[start]:
                        if self.cells[end] == 0:
                            yield start, end

    def play(self, move):
        start, end = move
        if self.taking:
            self.cells[end] = self.taking = 0
            self.stones[self.opponent - 1] -= 1
            return self.opponent
        if start == end:
            self.hand[self.player - 1] -= 1
        else:
            self.cells[start] = 0
        self.cells[end] = self.player
        self.taking = int(self.mill(end))
        return self.player if self.taking else self.opponent

    def result(self):
        if self.stones[0] < 3:
            return 2
        return 1 if self.stones[1] < 3 else None
