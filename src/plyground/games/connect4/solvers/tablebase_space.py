"""All placements of a small board as rows of bit words, for backward induction on two threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground import kernels
from plyground.games.connect4.solvers import tablebase_kernel as plain_kernel
from plyground.search.retrograde import Layer

KERNEL = "plyground.games.connect4.solvers.tablebase_kernel"
SIMULTANEOUS = {"mover": 0, "first": 1, "draw": 2}
CHUNK = 1 << 14
Words = NDArray[np.uint64]


def load_kernel() -> ModuleType:
    """The compiled kernel, with every function compiled before threads use it."""
    module = kernels.compiled(KERNEL)
    if module not in _warm:
        _warm.append(module)
        with kernels.compilation(module):
            for mean in ((True, True), (True, False)):
                space = PlacementSpace(4, 4, mean, "mover", threads=1)
                space.decide_layer(1)
                module.forget_known(space.homes[:1], space.bits, 0, space.distances[0][:1])
    return module


_warm: list[ModuleType] = []


def make_layering(words: int) -> plain_kernel.Layering:
    """Fresh scratch space for deciding rows of so many words."""
    return plain_kernel.Layering(
        words=np.int64(words),
        found=np.zeros(4, np.uint64),
        direct=np.zeros(4, np.uint64),
        dropped=np.zeros(4, np.uint64),
        put_inner=np.zeros(4, np.uint64),
        taken_inner=np.zeros(4, np.uint64),
        steps=np.zeros((3, plain_kernel.MAX_OUTER), np.int64),
    )


class PlacementSpace:
    """Every placement of a board with either player to move, under one set of options.

    `mean` is a pair: may the first player, may the second player play mean moves. If both have the
    same rights, a position with the second player to move is the same as one with the colours
    exchanged and the first to move; only the latter is kept then (`symmetric`).

    `distances[side][home]` has a byte for each placement of the row `homes[home]`: 0 for a draw or
    a finished game, 2d for a loss in d plies, 2d + 1 for a win in d plies.
    """

    def __init__(
        self, width: int, height: int, mean: tuple[bool, bool], simultaneous: str, threads: int = 0
    ) -> None:
        self.width, self.height, self.mean = width, height, mean
        self.simultaneous = SIMULTANEOUS[simultaneous]
        self.bits = height + 1
        self.inner = width // 2
        self.symmetric = mean[0] == mean[1] and simultaneous != "first"
        self.mirrored = width % 2 == 1
        self.partner = -1 if self.mirrored else self.inner - 1
        self.words = max(1, (1 << self.bits) // 64)
        self.threads = threads or os.cpu_count() or 1
        self.kernel = load_kernel()
        self._tables()
        self._start()

    def _tables(self) -> None:
        size, words = 1 << self.bits, self.words
        columns = np.full((4, size), plain_kernel.NOWHERE, dtype=np.int64)
        swapped = np.zeros(size, dtype=np.int64)
        holders = np.zeros((2, self.height, words), dtype=np.uint64)
        fours = np.zeros((2, words), dtype=np.uint64)
        valid = np.zeros(words, dtype=np.uint64)
        full = np.zeros(words, dtype=np.uint64)
        for code in range(1, size):
            level = code.bit_length() - 1
            bit = np.uint64(1 << (code % 64))
            valid[code // 64] |= bit
            swapped[code] = code ^ ((1 << level) - 1)
            if level < self.height:
                columns[plain_kernel.DROP_SECOND, code] = 1 << level
                columns[plain_kernel.DROP_FIRST, code] = 2 << level
            else:
                full[code // 64] |= bit
            if level > 0:
                taken = plain_kernel.TAKE_FIRST if code & 1 else plain_kernel.TAKE_SECOND
                columns[taken, code] = (code >> 1) - code
            for player in range(2):
                discs = (code if player == 0 else ~code) & ((1 << level) - 1)
                for row in range(self.height):
                    if discs >> row & 1:
                        holders[player, row, code // 64] |= bit
                if discs & discs >> 1 & discs >> 2 & discs >> 3:
                    fours[player, code // 64] |= bit
        self.board = plain_kernel.Board(
            np.int64(self.width),
            np.int64(self.height),
            np.int64(self.inner),
            columns,
            swapped,
            holders,
            fours,
            valid,
            full,
        )

    def _all_rows(self) -> NDArray[np.int64]:
        codes = np.arange(1, 1 << self.bits, dtype=np.int64)
        rows = np.zeros(1, dtype=np.int64)
        for _ in range(self.width - 1):
            rows = ((rows[:, None] << self.bits) | codes[None, :]).ravel()
        return rows

    def _start(self) -> None:
        rows = self._all_rows()
        space = 1 << (self.bits * (self.width - 1))
        shape = (space, 2 * self.words)
        empty = np.zeros((0, 2 * self.words), dtype=np.uint64)
        first = empty if self.symmetric else np.zeros(shape, dtype=np.uint64)
        self.replies = [first, np.zeros(shape, dtype=np.uint64)]

        def start(begin: int, end: int) -> tuple[NDArray[np.int64], Words]:
            live = np.zeros((end - begin, self.words), dtype=np.uint64)
            self.kernel.start_rows(
                rows[begin:end], self.simultaneous, self.board,
                np.zeros((2, self.words), dtype=np.uint64), *self.replies, live,
            )  # fmt: skip
            keep = live.any(axis=1)
            if self.mirrored:
                keep &= self._mirror(rows[begin:end]) >= rows[begin:end]
            return rows[begin:end][keep], live[keep]

        parts = list(self._map(start, len(rows)))
        self.homes = np.concatenate([part[0] for part in parts])
        live = np.concatenate([part[1] for part in parts])
        number = len(self.homes)
        sides = [0] if self.symmetric else [0, 1]
        self.sides = sides
        self.live = [live if side == 0 else live.copy() for side in sides]
        self.active = [np.arange(number, dtype=np.int64) for _ in sides]
        self.distances = [np.zeros((number, 1 << self.bits), dtype=np.uint8) for _ in sides]
        self.last = Layer(0, 1, 1)

    def _mirror(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        result = np.zeros_like(rows)
        for k in range(self.width - 1):
            result = (result << self.bits) | ((rows >> (k * self.bits)) & ((1 << self.bits) - 1))
        return result

    def _map(self, work: Callable[[int, int], Any], count: int) -> Iterator[Any]:
        """Run `work(begin, end)` over all chunks of a range on the threads, in order."""
        chunks = [(i, min(i + CHUNK, count)) for i in range(0, count, CHUNK)]
        with ThreadPoolExecutor(self.threads) as pool:
            yield from pool.map(lambda chunk: work(*chunk), chunks)

    def decide_layer(self, distance: int) -> Layer:
        """Decide what is won or lost in exactly `distance` plies (see `search.retrograde`)."""
        found = [self._decide_side(side) for side in self.sides]
        for side in self.sides:
            self._enter(side, distance, *found[side][1:])
        totals = np.sum([part[0] for part in found], axis=0)
        self.last = Layer(distance, int(totals[0]), int(totals[1]))
        return self.last

    def _decide_side(self, side: int) -> tuple[NDArray[np.int64], Words, Words]:
        active, live = self.active[side], self.live[side]
        rows = self.homes[active]
        wins, losses = np.empty_like(live), np.empty_like(live)
        question = plain_kernel.Question(
            np.int64(side), self.mean[side], self.last.losses > 0, self.last.wins > 0
        )

        def decide(begin: int, end: int) -> tuple[int, int]:
            found: tuple[int, int] = self.kernel.decide_rows(
                rows[begin:end], live[begin:end], question, self.board, self.replies[1 - side],
                make_layering(self.words), wins[begin:end], losses[begin:end],
            )  # fmt: skip
            return found

        totals = np.array([(0, 0), *self._map(decide, len(rows))], np.int64).sum(axis=0)
        return totals, wins, losses

    def _enter(self, side: int, distance: int, wins: Words, losses: Words) -> None:
        active, live = self.active[side], self.live[side]
        rows = self.homes[active]
        target = self.replies[1] if self.symmetric else self.replies[side]

        def enter(begin: int, end: int) -> None:
            scratch = np.zeros((2, 4), dtype=np.uint64)
            self.kernel.publish_rows(
                rows[begin:end], wins[begin:end], losses[begin:end], self.board,
                self.mirrored, self.symmetric, scratch, target,
            )  # fmt: skip
            self.kernel.record_rows(
                rows[begin:end], active[begin:end], live[begin:end], wins[begin:end],
                losses[begin:end], 2 * distance + 1, 2 * distance, self.distances[side],
            )  # fmt: skip

        for _ in self._map(enter, len(rows)):
            pass
        keep = np.asarray(live.any(axis=1))
        if np.count_nonzero(keep) < 0.8 * len(keep):
            self.active[side], self.live[side] = active[keep], live[keep]
