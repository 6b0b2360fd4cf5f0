"""The search over a turn against exhaustive enumeration, the evaluation against a slow one."""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt
import pytest

from plyground import kernels
from plyground.games.blockudoku.pieces import EMPTY_PIECE, placement_tables
from plyground.games.blockudoku.players.evaluation import CLEARS_FROM, CROWDED, NAMES
from plyground.games.blockudoku.players.learning import START
from plyground.games.blockudoku.players.planning import make_list, make_search
from plyground.games.blockudoku.players.turns import WORST

from . import naive

PLACEMENTS, COVERS = placement_tables()
WEIGHTS = np.array([START[name] for name in NAMES], np.int64)
CASES = 150


def random_board(rng: random.Random) -> naive.Board:
    """A board without full lines, crowded, often with lines that lack only a few cells."""
    if rng.random() < 0.5:
        board = frozenset(divmod(cell, 9) for cell in rng.sample(range(81), rng.randint(20, 60)))
    else:
        lines = rng.sample(naive.LINES, rng.randint(1, 4))
        near = frozenset[tuple[int, int]]().union(*lines)
        cells = ((row, column) for row in range(9) for column in range(9))
        board = frozenset(cell for cell in cells if rng.random() < (0.8 if cell in near else 0.3))
    while full := [line for line in naive.LINES if line <= board]:
        board -= {rng.choice(sorted(line)) for line in full}
    return board


def random_hand(rng: random.Random) -> tuple[int, int, int]:
    """Three pieces; often two or three of a kind."""
    first, second, third = (rng.randrange(47) for _ in range(3))
    kind = rng.random()
    if kind < 0.1:
        return first, first, first
    return (first, second, first) if kind < 0.35 else (first, second, third)


def small_cases(seed: int, count: int) -> list[tuple[naive.Board, tuple[int, int, int]]]:
    rng = random.Random(seed)
    cases: list[tuple[naive.Board, tuple[int, int, int]]] = []
    while len(cases) < count:
        board, hand = random_board(rng), random_hand(rng)
        sizes = [len(naive.places(board, piece)) for piece in hand]
        if sizes[0] * sizes[1] * sizes[2] < 2500:
            cases.append((board, hand))
    return cases


def naive_cost(board: naive.Board, weights: npt.NDArray[np.int64]) -> int:
    """The evaluation, term by term, on sets of cells."""
    weight = dict(zip(NAMES, (int(value) for value in weights), strict=True))
    open_cells = {(r, c) for r in range(9) for c in range(9)} - board
    kinds = {(1, 1): "centre"} | {(r, c): "corner" for r in (0, 2) for c in (0, 2)}
    cost = 0
    for top in range(3):
        for left in range(3):
            inside = sum((r // 3, c // 3) == (top, left) for r, c in board)
            kind = kinds.get((top, left), "side")
            cost += weight[f"{kind} cell"] * inside + weight[f"{kind} box"] * (inside > 0)
    sides = ((0, -1), (0, 1), (-1, 0), (1, 0))
    for r, c in open_cells:
        blocked = {}
        for side in sides:
            nr, nc = r + side[0], c + side[1]
            edge = not (0 <= nr < 9 and 0 <= nc < 9)
            blocked[side] = edge or (nr, nc) in board
            if blocked[side]:
                cost += weight["transition"]
                if edge or (r // 3, c // 3) == (nr // 3, nc // 3):
                    cost += weight["unaligned transition"]
        filled = {side for side in sides if (r + side[0], c + side[1]) in board}
        cost += weight["cornered"] * sum(
            (0, x) in filled and (y, 0) in filled for x in (-1, 1) for y in (-1, 1)
        )
        squashed = (blocked[0, -1] and blocked[0, 1]) + (blocked[-1, 0] and blocked[1, 0])
        at_edge = r in (0, 8) or c in (0, 8)
        cost += weight["squashed at edge" if at_edge else "squashed"] * squashed
        cost += weight["hole"] * (sum(blocked.values()) >= 3)
        for across, down in ((0, 1), (1, 0)):
            bars = [
                {(r + (i - shift) * across, c + (i - shift) * down) for i in range(3)}
                for shift in range(3)
            ]
            cost += weight["no bar of three"] * (not any(bar <= open_cells for bar in bars))
        squares = [
            {(r + y + i, c + x + j) for i in (0, 1) for j in (0, 1)}
            for y in (-1, 0)
            for x in (-1, 0)
        ]
        cost += weight["no square"] * (not any(square <= open_cells for square in squares))
    crowding = max(0, len(board) - CROWDED)
    for piece in (7, 8, *range(32, 47)):
        places = len(naive.places(board, piece))
        cost += weight["hard piece shut out"] * (places == 0)
        cost += weight["scarce places"] * crowding * max(0, 4 - places)
    if crowding:
        cost += weight["four-cell piece shut out"] * sum(
            not naive.places(board, piece) for piece in range(13, 32)
        )
    if len(board) >= CLEARS_FROM:
        clearing = sum(
            any(naive.place(board, piece, corner)[1] for corner in naive.places(board, piece))
            for piece in range(13, 47)
        )
        wanted = weight["clears wanted"] * len(board) // 100
        cost += weight["no clear in reach"] * crowding * max(0, wanted - clearing)
    return cost


def cells_of(board: naive.Board) -> tuple[np.uint64, np.uint64]:
    low, high = naive.words(board)
    return np.uint64(low), np.uint64(high)


def test_the_evaluation_equals_the_slow_one() -> None:
    rng = random.Random(1)
    module = kernels.compiled("plyground.games.blockudoku.players.evaluation")
    for _ in range(200):
        weights = np.array([rng.randint(1, 5000) for _ in NAMES], np.int64)
        weights[-1] = rng.randint(30, 110)
        board = random_board(rng)
        words = cells_of(board)
        cost = naive_cost(board, weights)
        assert module.evaluate(words, weights, COVERS, WORST) == cost
        assert module.evaluate(words, weights, COVERS, np.int64(cost + 1)) == cost
        assert module.evaluate(words, weights, COVERS, np.int64(cost)) == cost
        assert module.evaluate(words, weights, COVERS, np.int64(cost // 2)) == cost // 2


def search(
    module: object, board: naive.Board, hand: tuple[int, ...], places: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    best = make_list(places)
    module.best_boards(  # type: ignore[attr-defined]
        cells_of(board),
        np.array(hand, np.int64),
        np.int64(places),
        make_search(WEIGHTS),
        best,
    )
    return best.values, best.boards, best.moves


@pytest.mark.parametrize("places", [1, 5])
def test_the_best_boards_are_those_of_exhaustive_enumeration(places: int) -> None:
    module = kernels.compiled("plyground.games.blockudoku.players.turns")
    evaluation = kernels.compiled("plyground.games.blockudoku.players.evaluation")
    for board, hand in small_cases(places, CASES):
        reachable = naive.final_boards(board, hand)
        costs = sorted(
            int(evaluation.evaluate(cells_of(final), WEIGHTS, COVERS, WORST)) for final in reachable
        )
        values, boards, moves = search(module, board, hand, places)
        assert values.tolist() == (costs + [int(WORST)] * places)[:places]
        for place in range(min(places, len(costs))):
            replayed = board
            for index in moves[place]:
                piece, anchor = divmod(int(index), 81)
                assert divmod(anchor, 9) in naive.places(replayed, piece)
                replayed = naive.place(replayed, piece, divmod(anchor, 9))[0]
            assert replayed == naive.cells(*boards[place])
            assert sorted(int(index) // 81 for index in moves[place]) == sorted(hand)


def test_a_hand_with_placed_pieces_is_searched_too() -> None:
    module = kernels.compiled("plyground.games.blockudoku.players.turns")
    for board, hand in small_cases(7, 40):
        for kept in (hand[:1], hand[:2]):
            padded = (*kept, *[EMPTY_PIECE] * (3 - len(kept)))
            values, boards, _ = search(module, board, padded, 1)
            reachable = naive.final_boards(board, kept)
            assert (values[0] == WORST) == (not reachable)
            if reachable:
                assert naive.cells(*boards[0]) in reachable
                best = min(naive_cost(final, WEIGHTS) for final in reachable)
                assert int(values[0]) == best


def test_whether_all_pieces_can_be_placed() -> None:
    module = kernels.compiled("plyground.games.blockudoku.board")
    answers = set()
    for board, hand in small_cases(11, CASES):
        answer = bool(module.can_place_all(*cells_of(board), np.array(hand, np.int64)))
        assert answer == bool(naive.final_boards(board, hand))
        answers.add(answer)
    assert answers == {True, False}


def test_the_compiled_search_equals_the_plain_one() -> None:
    compiled = kernels.compiled("plyground.games.blockudoku.players.turns")
    plain = kernels.plain("plyground.games.blockudoku.players.turns")
    with np.errstate(over="ignore"):
        for board, hand in small_cases(13, 8):
            for fast, slow in zip(
                search(compiled, board, hand, 3), search(plain, board, hand, 3), strict=True
            ):
                used = fast if fast.ndim == 1 else fast[: len(slow)]
                assert np.array_equal(used, slow)
