"""Speed measurements for `plyground bench`: of any game, and the means for those of one game.

Times are CPU times of this process. What is compared is measured in turns, and the best of several
rounds counts: other programs on the machine can only slow a round down.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import msgspec

from plyground.core.agent import Agent
from plyground.core.files import short_name
from plyground.core.game import CHANCE, Game
from plyground.core.limits import Limit
from plyground.core.registry import agents, make_agent

NODES = {"alphabeta": 200_000, "mcts": 20_000, "montecarlo": 20_000}
"""Effort of one round with each of the players that every game has."""
UNITS = {"alphabeta": "nodes/s", "mcts": "simulations/s", "montecarlo": "games/s"}


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """One measured speed; `ratio` is ours over the peer's, where there is a peer."""

    name: str
    value: float
    unit: str
    peer: str = ""
    peer_value: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """How many times the peer's speed."""
        return self.value / self.peer_value if self.peer_value else None


def fastest(jobs: Mapping[str, Callable[[], float]], rounds: int = 3) -> dict[str, float]:
    """Run the jobs in turns; each returns how much work it did. Work per CPU second, best round."""
    best = dict.fromkeys(jobs, 0.0)
    for _ in range(rounds):
        for name, job in jobs.items():
            started = time.process_time()
            work = job()
            seconds = time.process_time() - started
            best[name] = max(best[name], work / max(seconds, 1e-9))
    return best


def cpu_seconds(jobs: Mapping[str, Callable[[], float]], rounds: int = 3) -> dict[str, float]:
    """CPU seconds of each job, best round: for jobs that reach one goal in different ways."""
    best = dict.fromkeys(jobs, float("inf"))
    for _ in range(rounds):
        for name, job in jobs.items():
            started = time.process_time()
            job()
            best[name] = min(best[name], time.process_time() - started)
    return best


def measure_game(game: Game) -> list[Row]:
    """How fast the generic searches are on a game, from its first decision."""
    position = game.first_decision()
    jobs: dict[str, Callable[[], float]] = {}
    for name in sorted(NODES.keys() & agents(game.info.name).keys()):
        player = make_agent(game.info.name, name)
        player.new_game(game, 0)
        player.warm_up()

        def work(player: Agent = player, nodes: int = NODES[name]) -> float:
            player.new_game(game, 0)
            return player.search(position, Limit(time=2.0, nodes=nodes)).nodes

        jobs[name] = work
    speeds = fastest(jobs)
    shown = short_name(game.info.name)
    return [Row(f"{shown}: {name}", speeds[name], UNITS[name]) for name in jobs]


def measure_agent(game: Game, text: str, moves: int = 12) -> list[Row]:
    """Moves (and nodes, if it tells them) a second of any agent, over a game with itself."""
    agent = make_agent(game.info.name, text)
    agent.new_game(game, 1)
    agent.warm_up()
    limit = Limit(time=0.1, nodes=1000)
    nodes = played = 0
    spent = 0.0
    position = game.first_decision(1)
    while played < moves:
        if position.is_over:
            position = game.first_decision(played)
            agent.new_game(game, played)
        started = time.process_time()
        result = agent.search(position, limit)
        spent += time.process_time() - started
        nodes, played = nodes + result.nodes, played + 1
        position = position.play(result.move)
        while position.turn == CHANCE and not position.is_over:
            position = game.apply_chance(position, game.chance_event(position, played))
    note = f"at most {limit.nodes} nodes, {limit.time:g} s a move"
    rows = [Row(text, moves / max(spent, 1e-9), "moves/s", note=note)]
    return rows + ([Row(text, nodes / max(spent, 1e-9), "nodes/s", note=note)] if nodes else [])
