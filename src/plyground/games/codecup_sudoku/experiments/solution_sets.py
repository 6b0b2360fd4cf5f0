"""The solution-set search of document 002 with every pruning rule on a switch.

A position is the set of its solutions, held as the bits of a Python integer; a move keeps the
solutions with a digit in a cell. Whoever leaves exactly one solution wins. Meant for counting
nodes and for checking rules on sets of some dozens of solutions, not for speed.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import numpy as np

from plyground.sudoku import count, enumerate_solutions, full_grid, geometry

ALWAYS_LOSE = (2, 3, 5)


@dataclass(frozen=True)
class Rules:
    """What the search may use. `limit` ends it after that many nodes."""

    table: bool = True
    small_counts: bool = True
    refuted_replies: bool = True
    equal_children: bool = True
    smallest_first: bool = True
    limit: int = 100_000


EVERYTHING = Rules()
SWITCHED_OFF = {
    "nothing": EVERYTHING,
    "transposition table": replace(EVERYTHING, table=False),
    "counts 2, 3, 5": replace(EVERYTHING, small_counts=False),
    "refuting replies": replace(EVERYTHING, refuted_replies=False),
    "equal children": replace(EVERYTHING, equal_children=False),
    "smallest first": replace(EVERYTHING, smallest_first=False),
    "table and equal children": replace(EVERYTHING, table=False, equal_children=False),
}
PLAIN = Rules(False, False, False, False, False)


class NodeLimitReachedError(Exception):
    """The search was given up."""


class SetSearch:
    """Searches positions of one root set, given as solutions of 81 digits each."""

    def __init__(self, solutions: np.ndarray, rules: Rules = EVERYTHING) -> None:
        self.rules = rules
        self.everything = (1 << len(solutions)) - 1
        self.moves = [
            mask
            for cell in range(81)
            for digit in range(1, 10)
            if (mask := _bits(solutions[:, cell] == digit)) not in (0, self.everything)
        ]
        self.nodes = 0
        self._table: dict[int, int] = {}

    def wins(self, position: int | None = None) -> bool:
        """Whether the player to move wins."""
        return self._search(self.everything if position is None else position) >= 0

    def _search(self, position: int) -> int:
        """A winning move (its number, 0 or more), or -1 if there is none."""
        rules = self.rules
        if rules.table and position in self._table:
            return self._table[position]
        self.nodes += 1
        if self.nodes > rules.limit:
            raise NodeLimitReachedError
        winner = self._find_winner(position)
        if rules.table:
            self._table[position] = winner
        return winner

    def _find_winner(self, position: int) -> int:
        rules = self.rules
        children: list[tuple[int, int, int]] = []
        for move, mask in enumerate(self.moves):
            child = position & mask
            size = child.bit_count()
            if size == 1:
                return move
            if child and child != position:
                children.append((size, move, child))
        if rules.smallest_first:
            children.sort()
        struck: set[int] = set()
        tried: set[int] = set()
        for size, move, child in children:
            if rules.small_counts and size in ALWAYS_LOSE:
                continue
            if child in struck or (rules.equal_children and child in tried):
                continue
            tried.add(child)
            reply = self._search(child)
            if reply < 0:
                return move
            refuting = position & self.moves[reply]
            if rules.refuted_replies and size <= refuting.bit_count():
                struck.add(refuting)
        return -1


def _bits(flags: np.ndarray) -> int:
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


def random_set(seed: int, low: int, high: int) -> np.ndarray:
    """All solutions of a random position that has between `low` and `high` of them."""
    chance = random.Random(seed)
    while True:
        grid = np.array(full_grid(geometry(3, 3), chance.randrange(2**31)), np.uint8).reshape(81)
        order = chance.sample(range(81), 81)
        board = grid.copy()
        for cell in order:
            board[cell] = 0
            found = count(_text(board), high + 1)
            if found > high:
                break
            if found >= low:
                return np.asarray(enumerate_solutions(_text(board)))


def _text(board: np.ndarray) -> str:
    return "".join(str(int(digit)) for digit in board)
