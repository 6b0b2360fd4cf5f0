"""Nim: take any number of matches from one heap; who takes the last one wins."""

from plyground.board import BoardGame, option


class Nim(BoardGame):
    heaps = option(3, 1, 8)
    largest = option(5, 1, 60, "matches in the last heap; each one before has a match less")
    shape = heaps
    pieces = "0123456789"
    move_sizes = heaps, largest + 1
    stuck = "loses"

    def setup(self):
        for heap in range(self.heaps):
            self.cells[heap] = max(0, self.largest - (self.heaps - 1 - heap))

    def moves(self):
        for heap in range(self.heaps):
            for matches in range(1, self.cells[heap] + 1):
                yield heap, matches

    def play(self, move):
        heap, matches = move
        self.cells[heap] -= matches
