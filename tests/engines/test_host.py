"""The engine process of a built-in agent: whole clocks, nothing compiled while one runs."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from plyground.core.agent import Agent
from plyground.core.limits import Clock, Limit
from plyground.core.registry import games
from plyground.core.search import SearchResult
from plyground.engines.host import Host, Requests
from plyground.engines.messages import Go, NewGame, PlayedMove, Quit, encode
from processes import run_python


class SlowWatcher(Agent):
    """Needs a while to follow a move; remembers what it was allowed."""

    name = "slow-watcher"
    summary = "for this test"

    def __init__(self) -> None:
        self.limits: list[Limit] = []

    def observe(self, position, move):
        time.sleep(0.05)

    def search(self, position, limit, report=None, stop=None):
        self.limits.append(limit)
        return SearchResult(position.legal_moves[0])


def limits_seen(monkeypatch: pytest.MonkeyPatch, limit: Limit) -> Limit:
    agent = SlowWatcher()
    monkeypatch.setattr(Host, "make_agent", lambda host: agent)
    read, write = os.pipe()
    messages = (
        NewGame(id="1", game="connect4", side=1),
        PlayedMove(id="1", move="4", player=0),
        Go(id="1", limit=limit),
        Quit(),
    )
    os.write(write, b"".join(encode(message) for message in messages))
    with open(os.devnull, "wb") as output:
        Host("connect4", "random", Requests(read), output.fileno()).run()
    os.close(read)
    os.close(write)
    return agent.limits[-1]


def test_time_that_a_go_waited_is_taken_off(monkeypatch):
    seen = limits_seen(monkeypatch, Limit(time=0.2, clock=Clock(3.0, 1.0)))
    assert seen.time is not None and seen.clock is not None
    assert 0.0 < seen.time <= 0.15
    assert seen.clock.remaining <= 2.95
    assert seen.clock.increment == 1.0


def test_limits_without_time_stay_as_they_are(monkeypatch):
    limit = Limit(nodes=1000, depth=3)
    assert limits_seen(monkeypatch, limit) == limit


NOTHING_NEW = """
import gc, sys
import msgspec
from numba.core.dispatcher import Dispatcher
from plyground.core.errors import PlygroundError
from plyground.core.game import CHANCE
from plyground.core.limits import Limit
from plyground.core.registry import agents, make_agent, make_game
from plyground.engines.host import rehearse

def compiled():
    gc.unfreeze()  # what is frozen is not found
    found = {
        (d.py_func.__module__, d.py_func.__qualname__, str(s))
        for d in gc.get_objects() if Dispatcher in type(d).__mro__ for s in d.signatures
    }
    gc.freeze()
    return found

game = make_game(sys.argv[1])
for name, kind in agents(sys.argv[1]).items():
    if kind.__module__.startswith("plyground.search.") and sys.argv[1] != "connect4":
        continue  # the same searches, and over the Sudoku rules they compile for minutes
    agent = make_agent(sys.argv[1], name)
    try:
        agent.new_game(game, 5)
        agent.warm_up()
    except PlygroundError:
        continue
    position = game.start()
    rehearse(agent, position)
    agent.new_game(game, 5)
    before = compiled()
    for turn in range(60):
        while not position.is_over and position.turn == CHANCE:
            position = game.apply_chance(position, game.chance_event(position, turn))
        if position.is_over:
            break
        result = agent.search(position, Limit(time=0.01))
        msgspec.json.encode(result)
        move = result.move
        try:
            position = position.play(move)
        except PlygroundError:
            break
        agent.observe(position, move)
    new = compiled() - before
    assert not new, (name, sorted(new))
    print(name, turn)
"""


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
@pytest.mark.parametrize("game", sorted(games()))
def test_nothing_is_compiled_or_loaded_after_the_warm_up(game):
    done = subprocess.run(
        [sys.executable, "-c", NOTHING_NEW, game],
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) >= 3


OWN = """
from plyground import Agent
{line}

class Mine(Agent):
    def choose(self, position, limit):
        return position.legal_moves[0]
"""


@pytest.mark.parametrize("line", ["", "import numba"])
def test_an_agent_with_functions_to_compile_does_not_wait_for_the_compiler(tmp_path, line):
    (tmp_path / "mine.py").write_text(OWN.format(line=line))
    program = (
        "import sys\n"
        "from plyground.engines.host import Host, Requests\n"
        "Host('connect4', 'mine.py', Requests(0), 1)\n"
        "print('numba.np.arraymath' in sys.modules)\n"
    )
    done = run_python("-c", program, cwd=tmp_path, timeout=60)
    assert done.stdout.split()[-1] == str(bool(line))
