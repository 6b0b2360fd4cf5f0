"""What the board modules of both generations have in common."""

from __future__ import annotations

from plyground.course.host import boardtext


class RegionBoard:
    """A board with regions of `m` rows and `n` columns; 0 is an empty square."""

    empty = 0

    def __init__(self, m: int = 3, n: int = 3) -> None:
        self.m = m
        self.n = n
        self.N = m * n
        self.squares = [self.empty] * (self.N * self.N)

    def region_width(self) -> int:
        """Columns of a region."""
        return self.n

    def region_height(self) -> int:
        """Rows of a region."""
        return self.m

    def board_width(self) -> int:
        """Columns of the board."""
        return self.N

    def board_height(self) -> int:
        """Rows of the board."""
        return self.N

    def __str__(self) -> str:
        return boardtext.plain_board(self.m, self.n, self.squares)
