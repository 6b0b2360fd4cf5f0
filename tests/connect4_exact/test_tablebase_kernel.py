"""The word operations behind the tables: plain and compiled alike, for rows of up to four words."""

from __future__ import annotations

import random

import numpy as np
import pytest

from plyground import kernels
from plyground.games.connect4.solvers.tablebase_kernel import Question
from plyground.games.connect4.solvers.tablebase_space import (
    KERNEL,
    PlacementSpace,
    make_layering,
)
from plyground.search.retrograde import Layer, decide_all

from .naive import Naive


def test_plain_and_compiled_kernels_decide_the_same():
    space = PlacementSpace(4, 5, (True, True), "mover", threads=1)
    decide_all(space, farthest=3)
    some = np.arange(0, len(space.active[0]), 4001)
    rows = space.homes[space.active[0][some]]
    live = space.live[0][some]
    outputs = []
    for twin in (kernels.compiled(KERNEL), kernels.plain(KERNEL)):
        wins, losses = np.empty_like(live), np.empty_like(live)
        counts = twin.decide_rows(
            rows, live, Question(0, True, True, True), space.board, space.replies[1],
            make_layering(space.words), wins, losses,
        )  # fmt: skip
        outputs.append((tuple(int(count) for count in counts), wins.tolist(), losses.tolist()))
    assert outputs[0] == outputs[1]
    assert outputs[0][0][1] > 0


@pytest.mark.parametrize("height", [4, 5, 6, 7])
def test_exchanging_colours_twice_changes_nothing(height):
    twins = kernels.compiled(KERNEL), kernels.plain(KERNEL)
    rng = random.Random(height)
    words = max(1, (1 << (height + 1)) // 64)
    bits = min(64, 1 << (height + 1))
    for _ in range(20):
        given = np.array([rng.getrandbits(bits) for _ in range(words)] + [0] * 4, np.uint64)
        given[0] &= ~np.uint64(1)
        results = []
        for twin in twins:
            once, twice = np.zeros(4, np.uint64), np.zeros(4, np.uint64)
            twin.swap_colours(given, height, once)
            twin.swap_colours(once, height, twice)
            assert twice[:words].tolist() == given[:words].tolist()
            results.append(once.tolist())
        assert results[0] == results[1]
        for code in range(1, 1 << (height + 1)):
            level = code.bit_length() - 1
            other = code ^ ((1 << level) - 1)
            before = int(given[code // 64]) >> code % 64 & 1
            assert before == results[0][other // 64] >> other % 64 & 1


@pytest.mark.parametrize("mean", ["second", "both"])
def test_columns_of_seven_rows_equal_exhaustive_search(mean):
    rights = (mean == "both", True)
    space = PlacementSpace(3, 7, rights, "mover", threads=2)
    decide_all(space, farthest=4)
    naive = Naive(3, 7, mean)
    rng = random.Random(mean)
    decided = 0
    for _ in range(120):
        columns = tuple(
            tuple(rng.randrange(2) for _ in range(rng.randrange(3, 8))) for _ in range(3)
        )
        side = 0 if space.symmetric else rng.randrange(2)
        if naive.finished(columns, 1 - side) is not None:
            continue
        codes = [
            (1 << len(column)) | sum((disc == 0) << row for row, disc in enumerate(column))
            for column in columns
        ]
        row = min(codes[0] | codes[2] << 8, codes[2] | codes[0] << 8)
        home = int(np.searchsorted(space.homes, row))
        assert space.homes[home] == row
        mark = int(space.distances[side][home, codes[1]])
        expected = naive.value(columns, side, 4)
        found = 0 if mark == 0 else mark >> 1 if mark & 1 else -(mark >> 1)
        assert found == expected
        decided += found != 0
    assert decided >= 10


def test_layers_stop_when_nothing_is_decided():
    class Countdown:
        def decide_layer(self, distance: int) -> Layer:
            return Layer(distance, max(0, 3 - distance), 0)

    seen: list[Layer] = []
    layers = decide_all(Countdown(), seen.append)
    assert [layer.wins for layer in layers] == [2, 1]
    assert seen == layers
    assert len(decide_all(Countdown(), farthest=1)) == 1
