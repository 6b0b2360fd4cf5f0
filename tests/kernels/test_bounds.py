"""The kernels of every game under bounds checks: a write outside an array passes silently else."""

from __future__ import annotations

import os
import sys

import pytest

from processes import run_python

PROGRAM = """
import random, sys
from plyground import kernels
from plyground.core.game import CHANCE
from plyground.core.limits import Limit
from plyground.core.registry import make_agent, make_game

assert kernels.boundschecked()
name, options, agents = sys.argv[1], dict(o.split("=") for o in sys.argv[2].split()), sys.argv[3:]
game = make_game(name, options)
for number, text in enumerate(agents):
    agent = make_agent(name, text)
    agent.new_game(game, seed=number)
    source, position, turns = random.Random(number), game.start(), 0
    while not position.is_over and turns < 40:
        if position.turn == CHANCE:
            position = game.apply_chance(position, game.chance_event(position, number))
            continue
        move = source.choice(position.legal_moves)
        if turns % 9 == 4:
            move = agent.search(position, Limit(nodes=300, time=1.0)).move
        position = position.play(move)
        agent.observe(position, position.last_move)
        turns += 1
print("checked")
"""


@pytest.mark.parametrize(
    ("game", "options", "agents"),
    [
        ("connect4", "", ["alphabeta", "mcts", "montecarlo"]),
        ("connect4", "width=12 height=4", ["champion"]),
        ("competitive-sudoku", "board=random-2x3", ["a3", "champion"]),
        ("codecup-sudoku", "", ["sample3"]),
        ("blockudoku", "", ["placements", "champion"]),
    ],
)
def test_no_kernel_leaves_its_arrays(game, options, agents):
    # Checks are the same in code that nobody optimised, and that compiles sooner.
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_OPT": "0"}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    done = run_python("-c", PROGRAM, game, options, *agents, env=environment, timeout=600)
    assert done.stdout.strip() == "checked"
