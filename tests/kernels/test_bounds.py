"""The kernels of every game under bounds checks: a write outside an array passes silently else."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

PROGRAM = """
import gc, json, random, sys
from plyground import kernels
from plyground.core.game import CHANCE
from plyground.core.limits import Limit
from plyground.core.registry import make_agent, make_game

assert kernels.boundschecked()
gc.disable()  # compiling leaves millions of objects, and this process ends soon
for line in sys.stdin:
    name, options, agents = json.loads(line)
    game = make_game(name, dict(option.split("=") for option in options.split()))
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
    print("checked", flush=True)
"""


@pytest.fixture(scope="module")
def check(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., str]]:
    """Plays with agents under bounds checks: what it says in the end, and why if it fails.

    One process for all: what games have in common is translated once.
    """
    # Checks are the same in code that nobody optimised, and that compiles sooner.
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_OPT": "0"}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    errors = tmp_path_factory.mktemp("bounds") / "errors"
    running: list[subprocess.Popen[bytes]] = []

    def play(*facts: object) -> str:
        if not running or running[-1].poll() is not None:
            running.append(_start(environment, errors))
        process = running[-1]
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(json.dumps(facts).encode() + b"\n")
        process.stdin.flush()
        if not select.select([process.stdout], [], [], 600)[0]:
            process.kill()
        answer = process.stdout.readline().decode()
        if not answer:
            process.wait()
        return answer.strip() or errors.read_text()

    yield play
    for process in running:
        with process:  # whose input ends then; it keeps what it has compiled
            pass


def _start(environment: dict[str, str], errors: Path) -> subprocess.Popen[bytes]:
    with errors.open("wb") as file:
        return subprocess.Popen(
            [sys.executable, "-c", PROGRAM],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=file,
        )


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
def test_no_kernel_leaves_its_arrays(check, game, options, agents):
    assert check(game, options, agents) == "checked"
