"""How far a proven end is: the same before a move and after it, and a bound where it is one."""

from __future__ import annotations

import pytest

from plyground.core.limits import Limit
from plyground.core.registry import make_agent, make_game

LIMIT = Limit(nodes=1_000_000)


@pytest.mark.parametrize(
    ("position", "move"),
    [
        ("......./......./.o...../.x...../.x...../.xx..x. x 14", "5"),
        ("......./......./.o...../.x...../.x...../.xx..x. x 14", "1"),
        ("......./..x..../..x..../..o..../x.o..../xxx.xo. x 18", "2"),
    ],
)
def test_a_win_is_as_far_after_its_move_as_before(position: str, move: str) -> None:
    game = make_game("connect4", {})
    agent = make_agent("connect4", "champion")
    start = game.parse_position(position)
    agent.new_game(game, 1)
    found = agent.analyse(start, LIMIT)
    before = next(entry.score for entry in found.moves if entry.move == move)
    agent.new_game(game, 1)
    after = agent.analyse(start.play(move), LIMIT).score
    assert before is not None and before.value == "win"
    assert after is not None and after.value == "loss"
    assert before.distance is not None and after.distance is not None
    if not after.at_most:
        assert after.distance + 1 <= before.distance
    if not before.at_most:
        assert after.distance + 1 >= before.distance
    assert before.at_most == (before.distance > (found.depth or 0))
