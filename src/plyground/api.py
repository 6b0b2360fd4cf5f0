"""What people call from scripts and notebooks, by `import plyground as pg`."""

from __future__ import annotations

import msgspec

from plyground.core import registry
from plyground.core.agent import Agent
from plyground.core.game import Game, OptionValue, Position
from plyground.core.limits import Limit
from plyground.core.search import SearchResult


def game(name: str, **options: OptionValue) -> Game:
    """A game by name or file, with options: `game("connect4", width=6)`, `game("othello.py")`.

    UnknownNameError or OptionError (both `PlygroundError`) if there is no such thing.
    """
    return registry.make_game(registry.game_name(name), options)


def agents(of: Game | str) -> list[str]:
    """The names of all agents that play a game."""
    return list(registry.agents(of if isinstance(of, str) else of.info.name))


def agent(of: Game, player: str, *, seed: int = 0) -> Agent:
    """An agent that is ready to play: `agent(game, "mcts:c=1.4")`, nothing left to compile.

    Ask it by `agent.search(position, Limit(time=1))`.
    """
    made = registry.make_agent(of.info.name, player)
    made.new_game(of, seed)
    made.warm_up()
    return made


def analyse(
    position: Position,
    player: str = "",
    *,
    time: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    seed: int = 0,
    threads: int | None = None,
) -> SearchResult:
    """What an agent (the strongest one by default) thinks of a position: best move, line, values.

    Without a limit it thinks for two seconds. `threads` are those that search at once, by default
    one for each core, or one alone if nodes or depth are the limit.
    GameOverError if the game is over, PositionError if a random event comes first: see
    `Game.first_decision`.
    """
    position.require_decision()
    limit = Limit(time, nodes, depth, threads=1 if threads is None else threads)
    limit = msgspec.structs.replace(limit, time=2.0) if limit.endless else limit
    name = player or registry.strongest_agent(position.game.info.name)
    analyst = agent(position.game, name, seed=seed)
    return analyst.analyse(position, limit if threads is not None else limit.on_all_cores())
