"""The examples of the documentation work as written."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(autouse=True)
def examples_on_path(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    from plyground.core import registry

    for game in registry.games():
        registry.agents(game)
    games, agents = dict(registry._games), {k: dict(v) for k, v in registry._agents.items()}
    yield
    registry._games.clear()
    registry._games.update(games)
    registry._agents.clear()
    registry._agents.update(agents)
    for name in ("tictactoe", "first_agent"):
        sys.modules.pop(name, None)


def test_tictactoe_is_a_whole_game_in_under_100_lines():
    from plyground.core.limits import Limit
    from plyground.core.registry import make_game
    from plyground.search.alphabeta import AlphaBeta
    from plyground.search.mcts import MonteCarloTreeSearch
    from plyground.search.perft import perft
    from plyground.testing import check_game
    from tictactoe import TicTacToe

    assert len((EXAMPLES / "tictactoe.py").read_text().splitlines()) < 100
    game = make_game("tictactoe")
    assert isinstance(game, TicTacToe)
    check_game(game)
    # Published: sequences of exactly so many plies, the ended games not going on.
    counts = [perft(game.start(), depth) for depth in range(1, 10)]
    assert counts == [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    result = AlphaBeta(game, exact_root=True).search(game.start(), Limit(depth=9))
    assert {entry.score.points for entry in result.moves} == {0.0}  # a draw whatever one plays
    winning = game.parse_position("xx.oo....")
    assert AlphaBeta(game).search(winning, Limit(depth=5)).move == "3"
    assert MonteCarloTreeSearch(game).search(winning, Limit(nodes=2000)).score.value == "win"


def test_the_example_agent_beats_random():
    import first_agent  # noqa: F401
    from plyground.core.limits import Limit
    from plyground.core.registry import make_agent, make_game

    game = make_game("connect4")
    wins = 0
    for number in range(10):
        players = [make_agent("connect4", "careful:luck=0.5"), make_agent("connect4", "random")]
        if number % 2:
            players.reverse()
        for player in players:
            player.new_game(game, number)
        position = game.start()
        while not position.is_over:
            position = position.play(players[position.turn].choose(position, Limit(nodes=1)))
        wins += position.outcome.winner == number % 2
    assert wins >= 8
