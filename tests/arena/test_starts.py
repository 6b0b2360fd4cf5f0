"""Where the pairs of a match begin: boards of their own, suites, files, and what does not fit."""

from __future__ import annotations

import json

import pytest

from plyground.arena.config import PlayerEntry, RunConfig, TaskMaker
from plyground.arena.openings import OpeningBook, makes_boards, read_suite, suites
from plyground.cli import run
from plyground.core.errors import InputError, PositionError, UnknownNameError
from plyground.core.limits import Limit
from plyground.core.registry import make_game

SMALL = {"board": "random-2x2"}


def tasks(game: str, options: dict, games: int, **more):
    config = RunConfig(
        kind="match",
        game=game,
        options=make_game(game, options).options,
        players=(PlayerEntry("random"), PlayerEntry("random")),
        games=games,
        limit=Limit(nodes=1),
        **more,
    )
    maker = TaskMaker(config, make_game(game, config.options))
    return [maker.task(slot) for slot in next(maker.schedule.rounds({}))]


def test_every_pair_has_a_board_of_its_own_and_swaps_sides_on_it():
    found = tasks("competitive-sudoku", SMALL, 6)
    assert [task.options["seed"] for task in found] == [0, 0, 1, 1, 2, 2]
    assert all(task.opening == () for task in found)
    later = tasks("competitive-sudoku", {**SMALL, "seed": 7}, 4)
    assert [task.options["seed"] for task in later] == [7, 7, 8, 8]


def test_fixed_boards_begin_with_random_moves():
    assert not makes_boards(make_game("competitive-sudoku", {"board": "empty-2x2"}))
    found = tasks("connect4", {}, 4)
    assert [len(task.opening) for task in found] == [4] * 4
    assert found[0].opening == found[1].opening != found[2].opening
    assert all(task.opening == () for task in tasks("connect4", {}, 4, opening_plies=0))


def test_random_moves_on_boards_of_their_own():
    found = tasks("competitive-sudoku", SMALL, 4, opening_plies=1)
    assert found[0].opening == found[1].opening and len(found[0].opening) == 1
    assert found[0].options != found[2].options


def test_boards_from_a_file(tmp_path):
    game = make_game("competitive-sudoku", SMALL)
    path = tmp_path / "boards.txt"
    path.write_text("# two boards\n\nrandom-2x2 seed=3\nrandom-2x3 seed=9 mode=rows\n")
    positions, boards = read_suite(game, str(path))
    assert positions == () and boards == (
        {"board": "random-2x2", "seed": "3"},
        {"board": "random-2x3", "seed": "9", "mode": "rows"},
    )
    book = OpeningBook(game, 0, 0, (), boards)
    assert book[0].options == book[2].options != book[1].options
    path.write_text("1.....2..3.....4\n")
    _, boards = read_suite(game, str(path))
    start = make_game("competitive-sudoku", boards[0]).start()
    assert start.text.startswith("2x2 1.../..2./.3../...4")


@pytest.mark.parametrize(
    ("line", "words"),
    [("random-2x2 mode=diagonal", "line 1"), ("random-2x2 sed=3", "sed"), ("easy-99x9", "line 1")],
)
def test_a_board_that_cannot_be_is_named(tmp_path, line, words):
    path = tmp_path / "boards.txt"
    path.write_text(line + "\n")
    with pytest.raises(InputError, match=words):
        read_suite(make_game("competitive-sudoku", SMALL), str(path))


def test_a_position_of_another_size_is_refused_before_any_game(tmp_path, capsys):
    path = tmp_path / "openings.txt"
    path.write_text("2x3 ....../....../....../....../....../...... first\n")
    words = ["match", "competitive-sudoku", "random", "random", "--option", "board=random-2x2"]
    assert run([*words, "--openings", str(path), "--database", str(tmp_path / "r.sqlite")]) == 2
    error = capsys.readouterr().err
    assert "does not fit" in error and len(error.splitlines()) == 1
    with pytest.raises(PositionError):
        OpeningBook(make_game("competitive-sudoku", SMALL), 0, 0, [path.read_text().strip()])


def test_an_unknown_suite_lists_those_that_come_with_the_game():
    game = make_game("connect4")
    with pytest.raises(UnknownNameError) as caught:
        read_suite(game, "nosuch")
    assert all(name in str(caught.value) for name in suites(game))


def test_suites_that_come_with_a_game_hold_different_playable_starts():
    from plyground.core.registry import games

    for name in games():
        game = make_game(name)
        for path in suites(game).values():
            positions, boards = read_suite(game, str(path))
            starts = positions or [json.dumps(board, sort_keys=True) for board in boards]
            assert len(starts) == len(set(starts)) >= 20
