"""Tables of small boards: equal to exhaustive search, and true to the minimax equation."""

from __future__ import annotations

import random

import numpy as np
import pytest

from plyground.core.errors import UnsupportedError
from plyground.core.game import Position
from plyground.core.registry import make_game
from plyground.games.connect4.solvers.tablebase import (
    Tablebase,
    TableError,
    TableKey,
    Value,
    build,
    finished_value,
    move_value,
    open_for,
    value_of,
)
from plyground.games.connect4.solvers.tablebase_check import check_samples, random_placement

from .naive import Columns, Naive, rank

OPTION_SETS = [
    (mean, simultaneous)
    for mean in ("none", "first", "second", "both")
    for simultaneous in ("mover", "first", "draw")
]


def table_for(width, height, mean="both", simultaneous="mover", ply_limit=100):
    game = make_game(
        "connect4",
        {
            "width": width,
            "height": height,
            "mean": mean,
            "simultaneous": simultaneous,
            "ply_limit": ply_limit,
        },
    )
    key = TableKey.of(game)
    if not key.path.exists():
        build(key)
    return game, Tablebase(key)


def as_columns(position: Position) -> Columns:
    width, height = position.game.width, position.game.height
    first, second = int(position.state[0]), int(position.state[1])
    return tuple(
        tuple(
            0 if first >> bit & 1 else 1
            for bit in range(x * (height + 1), x * (height + 1) + height)
            if (first | second) >> bit & 1
        )
        for x in range(width)
    )


def signed(value: Value) -> int:
    return {"win": 1, "loss": -1, "draw": 0}[value.kind] * (value.distance or 0)


@pytest.mark.parametrize(("mean", "simultaneous"), OPTION_SETS)
def test_values_equal_exhaustive_search_under_the_ply_limit(mean, simultaneous):
    left = 4
    game, table = table_for(4, 4, mean, simultaneous)
    naive = Naive(4, 4, mean, simultaneous)
    rng = random.Random(f"{mean} {simultaneous}")
    decided = 0
    for _ in range(25):
        position = random_placement(game, rng, plies=100 - left)
        found = signed(value_of(table, position))
        assert found == naive.value(as_columns(position), position.turn, left)
        decided += found != 0
    assert decided >= 3


@pytest.mark.parametrize(("width", "height"), [(4, 4), (4, 5), (5, 4), (4, 6)])
def test_every_sampled_value_is_the_best_of_its_moves(width, height):
    game, table = table_for(width, height)
    rng = random.Random(width * height)
    for _ in range(60):
        position = random_placement(game, rng)
        moves = [signed(move_value(table, position, code)) for code in position.move_codes]
        assert signed(value_of(table, position)) == max(moves, key=rank)
    assert 0 < check_samples(game, 60) <= 60


def test_a_table_that_contradicts_itself_is_found(monkeypatch):
    game, _ = table_for(4, 4)
    honest = Tablebase.lookup

    def wrong(table, first, second, side):
        value = honest(table, first, second, side)
        return Value("draw") if value.kind == "loss" else value

    monkeypatch.setattr(Tablebase, "lookup", wrong)
    with pytest.raises(TableError, match="contradicts itself"):
        check_samples(game, 200)


def test_known_values_of_empty_boards():
    results = {}
    for size in [(4, 4), (4, 5)]:
        for mean in ("none", "first", "second", "both"):
            game, table = table_for(*size, mean)
            results[*size, mean] = signed(value_of(table, game.start()))
    assert results == {
        (4, 4, "none"): 0,
        (4, 4, "first"): 11,
        (4, 4, "second"): -14,
        (4, 4, "both"): 25,
        (4, 5, "none"): 0,
        (4, 5, "first"): 11,
        (4, 5, "second"): -16,
        (4, 5, "both"): 25,
    }


def test_a_win_counts_only_within_the_plies_left():
    for limit, kind in ((24, "draw"), (25, "win")):
        game, table = table_for(4, 4, ply_limit=limit)
        assert value_of(table, game.start()).kind == kind


def test_best_play_by_the_table_ends_when_it_says():
    game, table = table_for(4, 4)
    position = game.start()
    left = value_of(table, position).distance
    while not position.is_over:
        code = max(
            position.move_codes, key=lambda code: rank(signed(move_value(table, position, code)))
        )
        position = position.play(code)
        left -= 1
    assert left == 0
    assert position.outcome.winner == 0
    assert finished_value(position).kind == "loss"


def test_mirror_images_and_exchanged_colours_have_the_same_value():
    game, table = table_for(4, 5)
    rng = random.Random(5)
    for _ in range(40):
        position = random_placement(game, rng, plies=0)
        stride = game.height + 1
        turned = [
            sum(
                (int(word) >> column * stride & (1 << stride) - 1) << (3 - column) * stride
                for column in range(4)
            )
            for word in position.state[:2]
        ]
        meta = int(position.state[2])
        expected = value_of(table, position)
        mirrored = Position(game, np.array([*turned, meta], np.uint64))
        swapped = Position(game, np.array([turned[1], turned[0], meta ^ 1], np.uint64))
        assert value_of(table, mirrored) == value_of(table, swapped) == expected


def test_damaged_and_missing_tables_are_told_apart(tmp_path, monkeypatch):
    monkeypatch.setenv("PLYGROUND_DATA_DIR", str(tmp_path))
    game = make_game("connect4", {"width": 4, "height": 4})
    assert open_for(game) is None
    key = TableKey.of(game)
    build(key)
    assert open_for(game) is not None
    key.path.write_bytes(key.path.read_bytes()[:2000])
    with pytest.raises(TableError, match="cannot be read"):
        open_for(game)
    assert [path.name for path in key.path.parent.iterdir()] == [key.path.name]


def test_boards_that_are_too_large_are_refused():
    with pytest.raises(UnsupportedError, match="too large"):
        build(TableKey.of(make_game("connect4")))
