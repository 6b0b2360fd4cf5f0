"""Othello on bits: the same game as othello.py, its functions written for 64-bit words."""

import numpy as np

from plyground.board import BoardGame
from plyground.kernels.bits import popcount, trailing_zeros

# Bit 0 is a8, bit 7 is h8, bit 63 is h1. A step to the side must not leave its row.
ONE, ZERO = np.uint64(1), np.uint64(0)
NOT_LEFT, NOT_RIGHT = np.uint64(0xFEFEFEFEFEFEFEFE), np.uint64(0x7F7F7F7F7F7F7F7F)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


def step(bits, direction):
    """All bits one square on; directions 0-3 go up the numbers, 4-7 down."""
    if direction == 0:
        return (bits << ONE) & NOT_LEFT
    if direction == 1:
        return (bits << np.uint64(7)) & NOT_RIGHT
    if direction == 2:
        return bits << np.uint64(8)
    if direction == 3:
        return (bits << np.uint64(9)) & NOT_LEFT
    if direction == 4:
        return (bits >> ONE) & NOT_RIGHT
    if direction == 5:
        return (bits >> np.uint64(7)) & NOT_LEFT
    if direction == 6:
        return bits >> np.uint64(8)
    return (bits >> np.uint64(9)) & NOT_RIGHT


def reach(mine, theirs):
    """The empty squares where a disc would enclose others."""
    found = ZERO
    for direction in range(8):
        run = step(mine, direction) & theirs
        for _ in range(5):
            run |= step(run, direction) & theirs
        found |= step(run, direction)
    return found & ~(mine | theirs)


class OthelloBitboards(BoardGame):
    shape = 8, 8
    pieces = ".xo"
    player_names = "black", "white"
    stuck = "passes"
    black, white = np.uint64(0x0000000810000000), np.uint64(0x0000001008000000)

    def mine(self):
        return self.black if self.player == 1 else self.white

    def theirs(self):
        return self.white if self.player == 1 else self.black

    def moves(self):
        left = reach(self.mine(), self.theirs())
        while left != ZERO:
            yield int(trailing_zeros(left))
            left &= left - ONE

    def play(self, square):
        mine, theirs = self.mine(), self.theirs()
        disc = ONE << np.uint64(square)
        turned = ZERO
        for direction in range(8):
            run = step(disc, direction) & theirs
            for _ in range(5):
                run |= step(run, direction) & theirs
            if step(run, direction) & mine != ZERO:
                turned |= run
        mine, theirs = mine | turned | disc, theirs & ~turned
        self.black = mine if self.player == 1 else theirs
        self.white = theirs if self.player == 1 else mine

    def result(self):
        if reach(self.black, self.white) | reach(self.white, self.black) != ZERO:
            return None
        black, white = int(popcount(self.black)), int(popcount(self.white))
        return 0 if black == white else 1 if black > white else 2

    def picture(self):
        """What is drawn, since the board itself is not used."""
        return [int(self.black) >> n & 1 | (int(self.white) >> n & 1) * 2 for n in range(64)]
