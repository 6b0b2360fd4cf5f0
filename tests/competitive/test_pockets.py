"""Pockets: whoever is said to close one can do so whatever the opponent plays."""

from __future__ import annotations

import random

import numpy as np

from plyground.core.registry import make_game
from plyground.games.competitive_sudoku.position_data import neighbours
from plyground.games.competitive_sudoku.solvers import many_solutions_kernel
from plyground.games.competitive_sudoku.solvers.many_solutions import ManySolutionsSearch
from plyground.games.competitive_sudoku.solvers.pockets import can_close
from plyground.sudoku.solution_lister import SolutionLister

NAME = "competitive-sudoku"
MOST_GAPS = 2


def test_a_claimed_pocket_is_closed_against_every_defence() -> None:
    game = make_game(NAME, {"board": "empty-2x3", "mode": "rows"})
    lister = SolutionLister(game.data.geometry)
    kinds = {1: 0, -1: 0}
    for seed in range(30):
        chance = random.Random(seed)
        position = game.start()
        for _ in range(chance.randrange(6, 18)):
            if position.is_over:
                break
            position = position.play(chance.choice([c for c in position.move_codes if not c & 1]))
        if position.is_over:
            continue
        data = position.data
        cover, _ = lister.cover(np.array(data.cells, np.int64), 100)
        search = ManySolutionsSearch(data, cover)
        many_solutions_kernel.evaluate(search.positions, np.int64(0))
        pockets = search.positions.pockets
        for number in range(len(pockets.inside)):
            inside = [int(search.slots[s]) for s in pockets.inside[number] if s >= 0]
            wall = [int(search.slots[s]) for s in pockets.wall[number] if s >= 0]
            if len(wall) > MOST_GAPS:
                continue
            for owner in range(2):
                sign = 1 if owner == data.player else -1
                claims = can_close(
                    search.positions,
                    np.int64(number),
                    np.int64(owner),
                    np.int64(owner != data.player),
                )
                if claims and not pockets.barred[owner, number]:
                    kinds[sign] += len(wall) > 0
                    assert closes(data, set(wall), set(inside), owner)
                    assert all(pockets.claimed[s] for s in pockets.inside[number] if s >= 0)
    assert kinds[1] >= 5 and kinds[-1] >= 5


def closes(data, gaps: set[int], inside: set[int], owner: int) -> bool:
    """By exhaustive play: the owner fills every gap before the other player enters."""
    size = data.size

    def squares(empty: frozenset[int], stones: frozenset[int], player: int) -> list[int]:
        reached = {near for stone in stones for near in neighbours(size, stone)}
        return [cell for cell in empty if cell in data.allowed[player] or cell in reached]

    def holds(empty: frozenset[int], stones: tuple[frozenset[int], ...], player: int) -> bool:
        open_gaps = gaps & empty
        if not open_gaps:
            return not (set(squares(empty, stones[1 - owner], 1 - owner)) & inside)
        choices = squares(empty, stones[player], player)
        if player == owner:
            choices = [cell for cell in choices if cell in gaps] or choices
            return any(after(cell, empty, stones, player) for cell in choices)
        if any(cell in gaps or cell in inside for cell in choices):
            return False
        return (
            all(after(cell, empty, stones, player) for cell in choices)
            if choices
            else holds(empty, stones, owner)
        )

    def after(cell: int, empty: frozenset[int], stones: tuple[frozenset[int], ...], player: int):
        own = list(stones)
        own[player] = stones[player] | {cell}
        return holds(empty - {cell}, tuple(own), 1 - player)

    empty = frozenset(cell for cell, value in enumerate(data.cells) if value == 0)
    return holds(empty, tuple(frozenset(s) for s in data.occupied), data.player)
