"""The proof search answers as brute force and the tablebases do, and keeps what it found."""

from __future__ import annotations

import random

import numpy as np
import pytest

from plyground.core.errors import InputError
from plyground.core.registry import make_game
from plyground.games.connect4.solvers import proof_hooks
from plyground.games.connect4.solvers.proof import hooks_for, search_for, state_of
from plyground.games.connect4.solvers.tablebase import Tablebase, TableKey, build, value_of
from plyground.search.proof import MOST_PLIES, Answer, ProofSearch

from .naive import Columns, Naive

RIGHTS = ["none", "first", "second", "both"]
RULES = ["mover", "first", "draw"]


def columns_of(position) -> Columns:
    """A position as the naive implementation has it."""
    rows = position.text.split()[0].split("/")[::-1]
    return tuple(
        tuple("xo".index(row[x]) for row in rows if row[x] != ".") for x in range(len(rows[0]))
    )


def random_positions(game, count, seed, fill=(0.2, 1.0)):
    """Unfinished positions, with as many discs of both colours as without mean moves."""
    source = random.Random(seed)
    width, height = int(game.options["width"]), int(game.options["height"])
    found = 0
    while found < count:
        discs = int(source.uniform(*fill) * (width * height - 1))
        colours = ["xo"[number % 2] for number in range(discs)]
        source.shuffle(colours)
        columns = [[] for _ in range(width)]
        for colour in colours:
            source.choice([c for c in columns if len(c) < height]).append(colour)
        rows = [
            "".join(column[y] if y < len(column) else "." for column in columns)
            for y in reversed(range(height))
        ]
        try:
            position = game.parse_position(f"{'/'.join(rows)} {'xo'[discs % 2]} {discs}")
        except InputError:  # both have four
            continue
        if not position.is_over:
            found += 1
            yield position


@pytest.mark.parametrize("simultaneous", RULES)
@pytest.mark.parametrize("mean", RIGHTS)
def test_listed_moves_are_those_that_do_not_lose_at_once(mean, simultaneous):
    options = {"width": 4, "height": 5, "mean": mean, "simultaneous": simultaneous}
    game = make_game("connect4", options)
    naive = Naive(4, 5, mean, simultaneous)
    listed = np.zeros(64, np.int64)
    looked_at = 0
    for position in random_positions(game, 40, seed=1):
        columns, side = columns_of(position), position.turn
        if naive.value(columns, side, 1) == 1:
            continue
        looked_at += 1
        hooks = hooks_for(game, attacker=0)
        count = proof_hooks.list_moves(hooks.params, state_of(position), 1 - side, listed)
        expected = set()
        for move, after in naive.moves(columns, side):
            ended = naive.finished(after, side)
            if ended == 2 or (ended is None and naive.value(after, 1 - side, 1) != 1):
                expected.add(move)
        assert {position.format_move(int(code)) for code in listed[:count]} == expected
    assert looked_at >= 10


@pytest.mark.parametrize("simultaneous", RULES)
@pytest.mark.parametrize("mean", RIGHTS)
def test_answers_equal_brute_force(mean, simultaneous):
    game = make_game(
        "connect4", {"width": 4, "height": 4, "mean": mean, "simultaneous": simultaneous}
    )
    naive = Naive(4, 4, mean, simultaneous)
    searches = [search_for(game, attacker, megabytes=1) for attacker in (0, 1)]
    decided = 0
    for position in random_positions(game, 10, seed=2, fill=(0.4, 0.8)):
        value = naive.value(columns_of(position), position.turn, 3)
        for attacker, search in enumerate(searches):
            attacking = attacker == position.turn
            won = value if attacking else -value
            for plies in range(1, 4):
                answer = search.prove(state_of(position), attacking, plies)
                assert answer == (Answer.PROVEN if 0 < won <= plies else Answer.REFUTED)
                decided += answer is Answer.PROVEN
    assert decided >= 3


@pytest.mark.parametrize("simultaneous", RULES)
@pytest.mark.parametrize("mean", RIGHTS)
def test_distances_equal_the_tablebase(mean, simultaneous):
    options = {"width": 4, "height": 4, "mean": mean, "simultaneous": simultaneous}
    game = make_game("connect4", options)
    key = TableKey.of(game)
    if not key.path.exists():
        build(key)
    table = Tablebase(key)
    searches = [search_for(game, attacker, megabytes=4) for attacker in (0, 1)]
    positions = [game.start(), *random_positions(game, 30, seed=3, fill=(0.1, 0.9))]
    far = 0
    for position in positions:
        value = value_of(table, position)
        for attacker, search in enumerate(searches):
            attacking = attacker == position.turn
            won = value.kind == ("win" if attacking else "loss")
            limit = value.distance if won else 17
            assert limit is not None
            state = state_of(position)
            if won:
                assert search.prove(state, attacking, limit) is Answer.PROVEN
                far += limit > 8
            if limit > 1:
                assert search.prove(state, attacking, limit - won) is Answer.REFUTED
    assert far >= (0 if mean == "none" else 3)


@pytest.mark.slow
@pytest.mark.parametrize("board", [(5, 4, 23), (4, 5, 25)])
def test_the_empty_board_takes_exactly_as_long_as_the_tablebase_says(board):
    width, height, distance = board
    game = make_game("connect4", {"width": width, "height": height})
    search = search_for(game, 0)
    state = state_of(game.start())
    assert search.prove(state, True, 41) is Answer.PROVEN
    assert search.prove(state, True, distance) is Answer.PROVEN
    assert search.prove(state, True, distance - 2) is Answer.REFUTED


def test_a_table_that_forgets_gives_the_same_answers():
    game = make_game("connect4", {"width": 4, "height": 4})
    state = state_of(game.start())
    tiny = ProofSearch(hooks_for(game, 0), megabytes=0.1)
    roomy = ProofSearch(hooks_for(game, 0), megabytes=32)
    assert len(tiny.work.table) < len(roomy.work.table) / 100
    for plies in (23, 25):
        assert tiny.prove(state, True, plies) == roomy.prove(state, True, plies)
    assert tiny.evaluations > roomy.evaluations


def test_a_stopped_search_goes_on_from_its_file(tmp_path):
    game = make_game("connect4", {"width": 4, "height": 4})
    state = state_of(game.start())
    path = tmp_path / "proof.table"
    whole = search_for(game, 0, megabytes=4)
    assert whole.prove(state, True, 25) is Answer.PROVEN
    sessions, evaluations = 0, 0
    answer = Answer.OPEN
    while answer is Answer.OPEN:
        search = search_for(game, 0, megabytes=4, path=path)
        slices = iter([True, False])
        answer = search.prove(state, True, 25, lambda judged, left=slices: next(left))
        sessions += 1
        evaluations += search.evaluations
    assert answer is Answer.PROVEN
    assert sessions > 2
    assert evaluations < 1.5 * whole.evaluations


def test_a_table_of_another_question_is_refused(tmp_path):
    path = tmp_path / "proof.table"
    search_for(make_game("connect4", {"width": 4, "height": 4}), 0, 1, path)
    with pytest.raises(InputError, match="another board"):
        search_for(make_game("connect4", {"width": 4, "height": 5}), 0, 1, path)
    with pytest.raises(InputError, match="another board"):
        search_for(make_game("connect4", {"width": 4, "height": 4, "mean": "first"}), 0, 1, path)
    path.write_bytes(b"nonsense")
    with pytest.raises(InputError, match="is no proof table"):
        search_for(make_game("connect4", {"width": 4, "height": 4}), 0, 1, path)


@pytest.mark.parametrize("plies", [0, -3, MOST_PLIES + 1])
def test_plies_out_of_reach_are_refused(plies):
    game = make_game("connect4")
    with pytest.raises(InputError, match="plies"):
        search_for(game, 0, 1).prove(state_of(game.start()), True, plies)
