"""Perfect play of plain Connect 4: the exact score of any position.

Scores follow `perfect_kernel`: positive if the side to move wins, larger the sooner it does, 0 for
a draw. `distance_of` turns a score into plies.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import numpy as np

from plyground import kernels
from plyground.core.errors import UnsupportedError
from plyground.core.game import Position
from plyground.games.connect4.solvers import book
from plyground.games.connect4.solvers import perfect_kernel as layout
from plyground.games.connect4.solvers.tablebase import DRAW, Value

KERNEL = "plyground.games.connect4.solvers.perfect_kernel"
SLICE_NODES = 40_000
Continue = Callable[[int], bool]
"""Told the nodes of each slice of search; False ends the search."""


class Interrupted(Exception):  # noqa: N818
    """The search was told to end before it had the answer."""


def geometry(width: int, height: int, index_bits: int) -> np.ndarray:
    """The words that describe a board to the kernel."""
    step = height + 1
    bottom = sum(1 << column * step for column in range(width))
    upper_rows = sum(bottom << row for row in range(1, height, 2)) if height % 2 == 0 else 0
    middle_first = sorted(range(width), key=lambda column: (abs(2 * column - width + 1), column))
    columns = [((1 << height) - 1) << column * step for column in middle_first]
    facts = [
        bottom,
        bottom * ((1 << height) - 1),
        step,
        upper_rows,
        width * height,
        width,
        64 - width * step,
        index_bits,
    ]
    return np.array([*facts, *columns], np.uint64)


class PerfectSolver:
    """Exact scores for one board size. The table keeps what earlier searches found.

    The table has 2^index_bits entries of 4 bytes, or 8 on boards whose positions need them.
    """

    def __init__(self, width: int = 7, height: int = 6, index_bits: int = 24) -> None:
        if width * (height + 1) > 64:
            raise UnsupportedError(f"a board of {width} x {height} does not fit 64 bits")
        self.width, self.height, self.cells = width, height, width * height
        self.geometry = geometry(width, height, index_bits)
        self.bottom, self.board = int(self.geometry[0]), int(self.geometry[1])
        wide = width * (height + 1) - index_bits + int(layout.VALUE_BITS) > 32
        self.table = np.zeros(1 << index_bits, np.uint64 if wide else np.uint32)
        self.control = np.zeros(layout.CONTROL_SIZE, np.int64)
        self.words = np.zeros((layout.MAX_PLY, 5), np.uint64)
        self.moves = np.zeros((layout.MAX_PLY, layout.MAX_MOVES), np.uint64)
        self.threats = np.zeros((layout.MAX_PLY, layout.MAX_MOVES, 2), np.uint64)
        self.bounds = np.zeros((layout.MAX_PLY, 3 + layout.MAX_MOVES), np.int64)
        self.kernel = kernels.compiled(KERNEL)
        self.book = book.load(width, height)

    @property
    def nodes(self) -> int:
        """Nodes searched so far."""
        return int(self.control[layout.NODES])

    def warm_up(self) -> None:
        """Load or compile the kernel."""
        with kernels.compilation(self.kernel), contextlib.suppress(Interrupted):
            self._search(0, 0, 0, lambda nodes: False, budget=1)

    def score(self, own: int, mask: int, keep_on: Continue | None = None) -> int:
        """The score of an unfinished position: discs of the side to move, discs of both.

        Raises Interrupted when `keep_on` says no.
        """
        if self.book is not None:
            known = self.book.score(own, mask)
            if known is not None:
                return known
        return self.searched_score(own, mask, keep_on)

    def searched_score(self, own: int, mask: int, keep_on: Continue | None = None) -> int:
        """The same without a look into the book."""
        count = mask.bit_count()
        possible = mask + self.bottom & self.board
        if possible == 0:
            return 0
        if self._winning(own, mask) & possible:
            return (self.cells + 1 - count) // 2
        safe = self._safe(own, mask)
        if safe == 0:
            return -((self.cells - count) // 2)
        if count >= self.cells - 2:
            return 0
        return self._search(own, mask, count, keep_on)

    def _winning(self, own: int, mask: int) -> int:
        empty = np.uint64(self.board & ~mask)
        return int(self.kernel.winning_squares(np.uint64(own), empty, self.geometry[layout.STEP]))

    def _safe(self, own: int, mask: int) -> int:
        wins = np.uint64(self._winning(own ^ mask, mask))
        return int(
            self.kernel.safe_moves(
                np.uint64(mask), wins, np.uint64(self.bottom), np.uint64(self.board)
            )
        )

    def _search(
        self, own: int, mask: int, count: int, keep_on: Continue | None, budget: int = SLICE_NODES
    ) -> int:
        low, high = -((self.cells - 2 - count) // 2), (self.cells - 1 - count) // 2
        self.words[0, :4] = (own, mask, self._winning(own ^ mask, mask), self._safe(own, mask))
        while low < high:
            # Who wins comes first, then the distance step by step: near the true score a question
            # costs least, and most games that are won are won late.
            alpha = 0 if low < 0 < high else low if low >= 0 else high - 1
            found = self._ask(alpha, count, keep_on, budget)
            if found > alpha:
                low = found
            else:
                high = found
        return low

    def _ask(self, alpha: int, count: int, keep_on: Continue | None, budget: int) -> int:
        """A bound: above alpha if the score is at least it, otherwise the score is at most it."""
        self.control[: layout.NODES] = (layout.OPENED, 0, alpha, count, 0)
        done = False
        while not done:
            before = self.nodes
            done = self.kernel.prove(
                self.geometry,
                np.int64(budget),
                self.control,
                self.words,
                self.moves,
                self.threats,
                self.bounds,
                self.table,
            )
            if keep_on is not None and not keep_on(self.nodes - before) and not done:
                raise Interrupted
        return int(self.control[layout.RESULT])


def distance_of(score: int, count: int, cells: int) -> int | None:
    """Plies to the end from a position with `count` discs; None for a draw."""
    if score == 0:
        return None
    last = cells + 2 - 2 * abs(score)
    wanted = count + 1 if score > 0 else count
    if (last - wanted) % 2:
        last -= 1
    return last - count


def discs(position: Position) -> tuple[int, int]:
    """Discs of the side to move and discs of both."""
    first, second = int(position.state[0]), int(position.state[1])
    return (second if position.turn else first), first | second


def as_value(score: int, count: int, cells: int, plies_left: int) -> Value:
    """A score as a value for the side to move, under the limit of plies."""
    if score == 0:
        return DRAW
    kind = "win" if score > 0 else "loss"
    return Value(kind, distance_of(score, count, cells)).within(plies_left)
