"""A slow second implementation of Mean Connect 4: lists of columns, plain search, no tricks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

Columns = tuple[tuple[int, ...], ...]


def has_four(columns: Columns, player: int) -> bool:
    cells = {
        (x, y)
        for x, column in enumerate(columns)
        for y, disc in enumerate(column)
        if disc == player
    }
    return any(
        (x + dx, y + dy) in cells
        and (x + 2 * dx, y + 2 * dy) in cells
        and (x + 3 * dx, y + 3 * dy) in cells
        for x, y in cells
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    )


class Naive:
    """The rules with options; values by exhaustive search up to a number of plies."""

    def __init__(
        self, width: int, height: int, mean: str = "both", simultaneous: str = "mover"
    ) -> None:
        self.width, self.height, self.simultaneous = width, height, simultaneous
        self.mean = (mean in ("first", "both"), mean in ("second", "both"))
        self.value = cache(self._value)

    def moves(self, columns: Columns, side: int) -> Iterator[tuple[str, Columns]]:
        open_columns = [x for x in range(self.width) if len(columns[x]) < self.height]
        for x in open_columns:
            yield str(x + 1), self._put(columns, x, side)
        if self.mean[side]:
            for a in range(self.width):
                if columns[a] and columns[a][0] == 1 - side:
                    rest = (*columns[:a], columns[a][1:], *columns[a + 1 :])
                    for b in open_columns:
                        if b != a:
                            yield f"{a + 1}-{b + 1}", self._put(rest, b, 1 - side)

    def _put(self, columns: Columns, x: int, player: int) -> Columns:
        return (*columns[:x], (*columns[x], player), *columns[x + 1 :])

    def finished(self, columns: Columns, mover: int) -> int | None:
        """The winner after a move of `mover`, 2 for a draw, None while the game goes on."""
        fours = has_four(columns, 0), has_four(columns, 1)
        if all(fours):
            return {"mover": mover, "first": 0, "draw": 2}[self.simultaneous]
        if any(fours):
            return fours.index(True)
        return 2 if all(len(column) == self.height for column in columns) else None

    def _value(self, columns: Columns, side: int, plies: int) -> int:
        """0 for a draw within so many plies, d for a win in d plies, -d for a loss in d."""
        if plies == 0:
            return 0
        best = None
        for _, after in self.moves(columns, side):
            winner = self.finished(after, side)
            if winner is None:
                reply = self.value(after, 1 - side, plies - 1)
                found = 0 if reply == 0 else (1 - reply if reply < 0 else -reply - 1)
            else:
                found = 0 if winner == 2 else 1 if winner == side else -1
            if best is None or rank(found) > rank(best):
                best = found
        assert best is not None
        return best


def rank(value: int) -> float:
    """Quick wins first, then draws, then late losses."""
    return 0 if value == 0 else 1 / value
