"""2048: slide the tiles, equal ones merge; go on as long as you can."""

from plyground.board import CHANCE, BoardGame, option


class Twenty48(BoardGame):
    size = option(4, 2, 6, "rows and columns")
    shape = size, size
    pieces = "."
    players = 1
    move_names = "up", "right", "down", "left"
    stuck = "loses"
    score = 0

    def setup(self):
        return CHANCE

    def cell(self, direction, line, step):
        """The cell of a line, counted from the side that the tiles slide to."""
        if direction == 0:
            return step * self.size + line
        if direction == 1:
            return line * self.size + self.size - 1 - step
        if direction == 2:
            return (self.size - 1 - step) * self.size + line
        return line * self.size + step

    def slides(self, direction):
        """Whether a move changes anything: a tile has a gap or an equal one before it."""
        for line in range(self.size):
            for step in range(1, self.size):
                tile = self.cells[self.cell(direction, line, step)]
                before = self.cells[self.cell(direction, line, step - 1)]
                if tile and (before == 0 or before == tile):
                    return True
        return False

    def moves(self):
        for direction in range(4):
            if self.slides(direction):
                yield direction

    def play(self, direction):
        for line in range(self.size):
            place, last = 0, 0
            for step in range(self.size):
                tile = self.cells[self.cell(direction, line, step)]
                if tile == 0:
                    continue
                self.cells[self.cell(direction, line, step)] = 0
                if tile == last:
                    self.cells[self.cell(direction, line, place - 1)] = tile + 1
                    self.score += 2 ** (tile + 1)
                    last = 0
                else:
                    self.cells[self.cell(direction, line, place)] = tile
                    place, last = place + 1, tile
        return CHANCE

    def chance(self):
        for cell in range(self.size * self.size):
            if self.cells[cell] == 0:
                yield 2 * cell, 9
                yield 2 * cell + 1, 1

    def deal(self, event):
        self.cells[event // 2] = 1 + event % 2
        return 1 if sum(tile > 0 for tile in self.cells) > 1 else CHANCE

    def result(self):
        return None if self.can_move(1) else self.score

    def evaluate(self):
        """The score, and large tiles along a snake from the first corner."""
        worth = 1000 * self.score
        for cell in range(self.size * self.size):
            row, col = divmod(cell, self.size)
            step = row * self.size + (self.size - 1 - col if row % 2 else col)
            if self.cells[cell]:
                worth += 1000 * 2 ** self.cells[cell] * 4 >> step
        return worth

    def picture(self):
        return [2**tile if tile else 0 for tile in self.cells]
