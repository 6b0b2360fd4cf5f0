"""The document's agents, perfect play, and exact values on the command line."""

from __future__ import annotations

import json

import pytest

from plyground.cli import run
from plyground.core.errors import InputError, UnsupportedError
from plyground.core.limits import Limit
from plyground.core.registry import make_agent, make_game
from plyground.games.connect4.solvers import book
from plyground.games.connect4.solvers.tablebase import TableKey, build

DOCUMENT = [
    "minimax",
    "minimax:order=right",
    "minimax:order=centre",
    "heuristic",
    "heuristic:order=centre",
    "montecarlo:playouts=300",
    "hybrid:depth=2,playouts=30",
]


def ready(spec, game, seed=1):
    agent = make_agent("connect4", spec)
    agent.new_game(game, seed)
    return agent


@pytest.mark.parametrize("spec", DOCUMENT)
@pytest.mark.parametrize(
    ("moves", "winning"),
    [("1 2 1 2 1 2", {"1"}), ("1 1 2 2 3 3", {"4"})],
)
def test_document_agents_find_the_documents_wins(spec, moves, winning):
    game = make_game("connect4", {"mean": "none"})
    position = game.play_line(moves)
    assert ready(spec, game).search(position, Limit(time=20)).move in winning


@pytest.mark.parametrize(("order", "first"), [("left", "1"), ("right", "7"), ("centre", "4")])
def test_minimax_tries_its_moves_in_the_order_asked_for(order, first):
    game = make_game("connect4", {"mean": "none"})
    result = ready(f"minimax:order={order},depth=2", game).search(game.start(), Limit(time=20))
    assert result.move == first
    assert result.moves[0].move == first


def test_depth_is_kept_and_zero_means_as_deep_as_allowed():
    game = make_game("connect4")
    assert ready("heuristic:depth=3", game).search(game.start(), Limit(time=20)).depth == 3
    assert ready("minimax:depth=0", game).search(game.start(), Limit(depth=5)).depth == 5


def test_hybrid_depends_on_its_seed_only():
    game = make_game("connect4")
    spec = "hybrid:depth=1,playouts=50"
    results = [ready(spec, game, seed).search(game.start(), Limit(time=20)) for seed in (1, 1, 2)]
    assert results[0].moves == results[1].moves
    assert results[0].moves != results[2].moves


@pytest.mark.parametrize(
    "spec",
    ["minimax:order=history", "heuristic:order=left", "hybrid:playouts=0", "minimax:depth=-1"],
)
def test_bad_settings_are_refused(spec):
    with pytest.raises(InputError):
        make_agent("connect4", spec)


def test_perfect_refuses_what_it_cannot_play():
    with pytest.raises(UnsupportedError, match="tablebase"):
        ready("perfect", make_game("connect4"))


@pytest.mark.parametrize("agent", ["perfect", "champion"])
def test_perfect_play_wins_the_won_small_board(agent):
    game = make_game("connect4", {"width": 4, "height": 4})
    key = TableKey.of(game)
    if not key.path.exists():
        build(key)
    player, opponent = ready(agent, game), ready("heuristic", game)
    position = game.start()
    while not position.is_over:
        mover = player if position.turn == 0 else opponent
        position = position.play(mover.search(position, Limit(nodes=20000)).move)
    assert position.outcome.winner == 0


def solve(capsys, *arguments):
    code = run(["solve", "connect4", *arguments, "--json"])
    printed = capsys.readouterr().out.strip().splitlines()[-1]
    return code, json.loads(printed)


def test_solve_plain_connect4(capsys):
    code, found = solve(capsys, "--position", "563263675653353515237266112227717")
    assert code == 0
    assert (found["value"], found["distance"], found["best"]) == ("win", 1, ["4"])
    values = {move["move"]: (move["value"], move["distance"]) for move in found["moves"]}
    assert values == {"4": ("win", 1), "1": ("loss", 2), "7": ("loss", 2)}


def test_solve_a_small_mean_board_makes_its_table(capsys):
    code, found = solve(capsys, "--option", "width=4", "--option", "height=4")
    assert code == 0
    assert (found["value"], found["distance"]) == ("win", 25)
    assert set(found["best"]) == {"1", "4"}
    assert len(found["line"]) == 25


def test_solve_counts_the_plies_left(capsys):
    code, found = solve(
        capsys, "--option", "mean=none", "--option", "ply_limit=6", "--position", "11223"
    )
    assert code == 0
    assert found["value"] == "draw"
    assert {move["value"] for move in found["moves"]} == {"draw"}


def test_solve_says_that_a_large_mean_board_takes_longer(capsys):
    code, found = solve(capsys, "--option", "height=7", "--option", "mean=both", "--time", "0.5")
    assert code == 2
    assert found["error"]["kind"] == "unsupported"


def test_book_command_makes_a_book_that_answers_the_start(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("PLYGROUND_DATA_DIR", str(tmp_path))
    sizes = ["--option", "width=5", "--option", "height=4"]
    assert run(["book", *sizes, "--plies", "2", "--json"]) == 0
    capsys.readouterr()
    code, found = solve(capsys, *sizes, "--option", "mean=none")
    assert code == 0
    assert found["value"] == "draw"
    assert found["nodes"] == 0
    book.load.cache_clear()


def test_book_command_refuses_other_games(capsys):
    assert run(["book", "blockudoku"]) == 2
    assert run(["book", "--plies", "99"]) == 2
