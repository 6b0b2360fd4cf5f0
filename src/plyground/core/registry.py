"""Names of games and agents. They register themselves; nobody keeps a list.

A game is a folder of `plyground.games`, its agents are the modules in `players/` there; agents of
every game are in `plyground.search.players`. Other packages add theirs by entry points in the
groups `plyground.games` and `plyground.agents`.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.metadata import entry_points
from typing import TypeVar

from plyground.core import rooms
from plyground.core.agent import Agent
from plyground.core.errors import InputError, OptionError, UnknownNameError
from plyground.core.game import Game, Option, OptionValue

GameClass = TypeVar("GameClass", bound=type[Game])
AgentClass = TypeVar("AgentClass", bound=type[Agent])

_games: dict[str, type[Game]] = {}
_agents: dict[str, dict[str, type[Agent]]] = {}
_discovered = False
_discovering = False
_discovery = threading.RLock()


def register_game(game: GameClass) -> GameClass:
    """Class decorator: make a game known by its `info.name`."""
    _games[game.info.name] = game
    return game


def register_agent(*games: str, name: str = "") -> Callable[[AgentClass], AgentClass]:
    """Class decorator: make an agent known for these games (`"*"`: every game)."""

    def add(agent: AgentClass) -> AgentClass:
        for game in games:
            _agents.setdefault(game, {})[name or agent.name] = agent
        return agent

    return add


def discover() -> None:
    """Import every module that may register something, once. A broken plug-in is only reported.

    Threads wait for the first one to finish; modules that ask while they are imported do not.
    """
    global _discovered, _discovering
    if _discovered:
        return
    with _discovery:
        if _discovered or _discovering:
            return
        _discovering = True
        try:
            _import_all()
            _discovered = True
        finally:
            _discovering = False


def _import_all() -> None:
    for module in pkgutil.iter_modules([str(rooms.HOUSE / "games")], "plyground.games."):
        importlib.import_module(module.name)
    for entry in [*rooms.guests(), *entry_points(group="plyground.agents")]:
        _try_import(entry.value, entry.load)
    for name in rooms.modules("players"):
        _try_import(name, partial(importlib.import_module, name))


def _try_import(name: str, load: Callable[[], object]) -> None:
    """Import what may be somebody else's; if that fails, say so and go on."""
    try:
        load()
    except Exception as error:
        if name.startswith("plyground."):
            raise
        print(f"plyground: plug-in {name} does not load: {error}", file=sys.stderr)


def games() -> dict[str, type[Game]]:
    """All known games by name."""
    discover()
    return dict(sorted(_games.items()))


def make_game(name: str, options: Mapping[str, OptionValue] | None = None) -> Game:
    """A game by name with options."""
    known = games()
    if name not in known:
        raise UnknownNameError.of("game", name, known)
    return known[name](options)


def agents(game: str) -> dict[str, type[Agent]]:
    """All agents that play this game, by name."""
    known = games()
    if game not in known:
        raise UnknownNameError.of("game", game, known)
    return dict(sorted({**_agents.get("*", {}), **_agents.get(game, {})}.items()))


@dataclass(frozen=True)
class PlayerSpec:
    """A player as written on the command line: `name` or `name:key=value,key=value`."""

    name: str
    parameters: tuple[tuple[str, str], ...] = ()

    @classmethod
    def parse(cls, text: str) -> PlayerSpec:
        """Split the text; an OptionError says what is not `key=value`."""
        name, _, rest = text.partition(":")
        pairs = []
        for item in filter(None, rest.split(",")):
            key, equals, value = item.partition("=")
            if not equals or not key:
                raise OptionError(f"player {text!r}: {item!r} is not of the form key=value")
            pairs.append((key.strip(), value.strip()))
        return cls(name, tuple(pairs))


def agent_options(agent: type[Agent]) -> dict[str, Option]:
    """The parameters of an agent, read off its constructor."""
    options = {}
    for parameter in inspect.signature(agent).parameters.values():
        if isinstance(parameter.default, (bool, int, float, str)):
            options[parameter.name] = Option(parameter.name, parameter.default, "")
    return options


def make_agent(game: str, text: str) -> Agent:
    """An agent by its text form, e.g. `mcts:c=1.4`, ready for `new_game`."""
    spec = PlayerSpec.parse(text)
    known = agents(game)
    if spec.name not in known:
        raise UnknownNameError.of(f"agent of {game}", spec.name, known)
    agent = known[spec.name]
    options = agent_options(agent)
    values: dict[str, OptionValue] = {}
    for key, value in spec.parameters:
        if key not in options:
            raise UnknownNameError.of(f"parameter of agent {spec.name}", key, options)
        values[key] = options[key].parse(value)
    try:
        return agent(**values)
    except ValueError as error:
        raise InputError(f"agent {text!r}: {error}") from error
