"""Whether a table is true to itself: every value is the best of the moves that lead on from it."""

from __future__ import annotations

import random

import numpy as np

from plyground.core.game import Game, Position
from plyground.games.connect4 import rules
from plyground.games.connect4.solvers.tablebase import (
    Tablebase,
    TableError,
    TableKey,
    Value,
    move_value,
    value_of,
)


def random_placement(game: Game, source: random.Random, plies: int = 0) -> Position:
    """An unfinished placement of discs, which need not be reachable."""
    height, stride = int(game.options["height"]), int(game.params[rules.STRIDE])
    top = int(game.params[rules.TOP])
    while True:
        boards = [0, 0]
        for column in range(int(game.options["width"])):
            for row in range(source.randrange(height + 1)):
                boards[source.randrange(2)] |= 1 << column * stride + row
        side = source.randrange(2)
        finished = any(rules.has_four(np.uint64(stride), np.uint64(board)) for board in boards)
        if not finished and (boards[0] | boards[1]) & top != top:
            return Position(game, np.array([*boards, side | plies << 1], np.uint64))


def worth(value: Value) -> int:
    """A number that grows with what the side to move prefers: early wins, late losses."""
    distance = value.distance or 0
    return {"win": 1000 - distance, "draw": 0, "loss": distance - 1000}[value.kind]


def check_samples(game: Game, samples: int, seed: int = 1) -> int:
    """Try random placements against the minimax equation; how many were decided.

    TableError names the first placement that fails.
    """
    table = Tablebase(TableKey.of(game))
    source = random.Random(seed)
    decided = 0
    for _ in range(samples):
        position = random_placement(game, source)
        stored = value_of(table, position)
        best = max(worth(move_value(table, position, code)) for code in position.move_codes)
        if worth(stored) != best:
            raise TableError(
                f"the table {table.key.path} contradicts itself at {position.text}: "
                "delete it and build it again"
            )
        decided += stored.kind != "draw"
    return decided
