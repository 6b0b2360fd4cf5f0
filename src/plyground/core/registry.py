"""Names of games and agents. They register themselves; nobody keeps a list.

A game is a folder of `plyground.games`, its agents are the modules in `players/` there; agents of
every game are in `plyground.search.players`. Other packages add theirs by entry points in the
groups `plyground.games` and `plyground.agents`.
"""

from __future__ import annotations

import dataclasses
import inspect
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from plyground.core import discovery
from plyground.core.agent import Agent, check_agent
from plyground.core.errors import (
    GameFileError,
    InputError,
    OptionError,
    UnknownNameError,
    UnsupportedError,
)
from plyground.core.files import FileName, PickleName, Source, defined_in, short_name
from plyground.core.game import Game, Option, OptionValue
from plyground.core.page import PREFIX
from plyground.core.paths import is_file

GameClass = TypeVar("GameClass", bound=type[Game])
AgentClass = TypeVar("AgentClass", bound=type[Agent])

_games: dict[str, type[Game]] = {}
_agents: dict[str, dict[str, type[Agent]]] = {}
_files_allowed = True


def register_game(game: GameClass) -> GameClass:
    """Class decorator: make a game known by its `info.name`; a `BoardGame` by its own name."""
    made = game.as_game() if hasattr(game, "as_game") else game
    _games[made.info.name] = made
    return game


def register_agent(*games: str, name: str = "") -> Callable[[AgentClass], AgentClass]:
    """Class decorator: make an agent known for these games (`"*"`: every game that it `plays`)."""

    def add(agent: AgentClass) -> AgentClass:
        for game in games:
            _agents.setdefault(game, {})[name or agent.name] = agent
        return agent

    return add


def games() -> dict[str, type[Game]]:
    """All known games by name: those from files first, as they were named, then by the alphabet."""
    discovery.import_games()
    files = {name: game for name, game in _games.items() if "@" in name}
    return files | dict(sorted(_games.items()))


def find_game(name: str) -> type[Game]:
    """A game by name; no other game is imported for it if it is one of our own.

    `othello.py@DIGEST` is a file that was read before.
    """
    discovery.import_game(name)
    if name in _games:
        return _games[name]
    file = FileName.parse(name)
    if file is not None and file.digest and _files_allowed:
        return _register_file(file.source())
    known = games()
    if name not in known:
        raise UnknownNameError.of("game", name, known)
    return known[name]


def make_game(name: str, options: Mapping[str, OptionValue] | None = None) -> Game:
    """A game by name with options."""
    return find_game(name)(options)


def game_name(text: str) -> str:
    """The name of a game as a person gives it: a file (`othello.py`) is read, kept and loaded."""
    file = FileName.parse(text)
    if file is None:
        if os.sep in text or "/" in text:
            raise InputError(f"{text!r} is no game: the file of a game ends in .py")
        return text
    source = file.source()
    source.keep()
    name = f"{source.name}@{source.digest}"
    if name not in _games:
        _register_file(source)
    return name


def refuse_files() -> None:
    """From now on only games that are known already: for a server that others talk to."""
    global _files_allowed
    _files_allowed = False


def _register_file(source: Source) -> type[Game]:
    """The game that a file defines, known by the file and its content."""
    module = source.module()
    for name in [n for n, game in _games.items() if game.__module__ == module.__name__]:
        del _games[name]  # what the file registers itself is known by the file alone
    found = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and value.__module__ == module.__name__
        and (hasattr(value, "as_game") or (issubclass(value, Game) and hasattr(value, "info")))
    ]
    if not found:
        raise GameFileError(
            f"{source.name}: there is no game in it: write a class of plyground.board.BoardGame"
        )
    games = [one for one in found if not any(one in other.__mro__[1:] for other in found)]
    if len(games) > 1:
        names = " or ".join(game.__name__ for game in games)
        raise GameFileError(
            f"{source.name}: which one is the game, {names}? A file holds one (and the classes "
            "that it is made from): put each into a file of its own"
        )
    name, described = f"{source.name}@{source.digest}", games[0]
    if hasattr(described, "as_game"):
        made: type[Game] = described.as_game(name)
    else:
        info = dataclasses.replace(getattr(described, "info"), name=name)  # noqa: B009
        made = type(described.__name__, (described,), {"info": info})
    _games[name] = made
    return made


def agents(game: str) -> dict[str, type[Agent]]:
    """All agents that play this game, by name."""
    info = find_game(game).info
    discovery.import_players(game)
    discovery.import_plug_ins()
    generic = {name: agent for name, agent in _agents.get("*", {}).items() if agent.plays(info)}
    own = {**_agents.get(short_name(game), {}), **_agents.get(game, {})}
    return dict(sorted({**generic, **own}.items()))


def strongest_agent(game: str) -> str:
    """The agent that a user most likely wants to hear."""
    find_game(game)
    discovery.import_players(game)
    if "champion" in _agents.get(game, {}):
        return "champion"
    known = agents(game)
    return next(
        name for name in ("champion", "alphabeta", "mcts", "montecarlo", *known) if name in known
    )


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


def find_agent(game: str, text: str) -> tuple[type[Agent] | Agent, PlayerSpec]:
    """The class that a player's text names, and its parameters.

    The text is a name (`mcts:c=1.4`), a file (`mybot.py`, `mybot.py:Careful`, with parameters after
    another colon) or something a running program brought along (then perhaps an instance).
    """
    name = text.partition(":")[0]
    find_game(game)
    discovery.import_players(game)
    own = _agents.get(game, {})
    known = own if name in own else agents(game)
    if name not in known:
        file = FileName.parse(text)
        if file is not None:
            return _agent_of_file(game, file)
        pickled = PickleName.parse(text)
        if pickled is not None:
            return pickled.source().unpickled(), PlayerSpec.parse(f"{pickled.name}:{pickled.rest}")
        unknown = UnknownNameError.of(f"agent of {short_name(game)}", name, known)
        raise UnknownNameError(f"{unknown}{_hint(name)}")
    return known[name], PlayerSpec.parse(text)


def _hint(name: str) -> str:
    """How else to name a player: a file of that name if there is one."""
    for path in (Path(f"{name}.py"), Path(name)):
        if is_file(path):
            form = f"./{path}" if path.suffix == ".py" else f"exec:./{path}"
            return f"; for the file in this folder write {form}"
    return "; an agent of your own is named by its file (mybot.py:Class), a program by exec:./mybot"


def admit_file(text: str) -> list[str]:
    """Make the agents of a file (or the one named after its colon) known by name; their names.

    Those that register themselves keep their games, the others are offered for every game.
    """
    file = FileName.parse(text)
    if file is None:
        raise InputError(f"{text!r} is no agent's file, as in mybot.py or mybot.py:Class")
    names = []
    for name, agent in _agents_in(file).items():
        if file.rest in ("", name, agent.name):
            if not any(agent in known.values() for known in _agents.values()):
                register_agent("*", name=agent.name or name)(agent)
            names.append(agent.name or name)
    if not names:
        raise UnknownNameError.of(f"agent in {file.path}", file.rest, _agents_in(file))
    return names


def _agents_in(file: FileName) -> dict[str, type[Agent]]:
    found = {
        name: agent
        for name, agent in defined_in(file.source().module(), Agent).items()
        if agent.choose is not Agent.choose or agent.search is not Agent.search
    }
    if not found:
        raise InputError(f"{file.path} has no agent: a subclass of Agent with a method `choose`")
    return found


def _agent_of_file(game: str, file: FileName) -> tuple[type[Agent], PlayerSpec]:
    found = _agents_in(file)
    first, _, rest = file.rest.partition(":")
    if "=" in first:
        first, rest = "", file.rest
    listing = ", ".join(found)
    if first:
        chosen = [agent for name, agent in found.items() if first in (name, agent.name)]
        if not chosen:
            raise UnknownNameError.of(f"agent in {file.path}", first, found)
    elif len(found) > 1:
        example = f"{file.path}:{next(iter(found))}"
        raise InputError(f"{file.path} has several agents ({listing}): name one, as in {example}")
    else:
        chosen = list(found.values())
    try:
        check_agent(chosen[0])
    except InputError as error:
        raise InputError(f"{file.path}: {error}") from None
    plays = [name for name, known in _agents.items() if chosen[0] in known.values()]
    if plays and game not in plays and "*" not in plays:
        name = f"{file.path}:{chosen[0].__name__}"
        raise UnsupportedError(f"{name} plays {', '.join(plays)}, not {game}")
    return chosen[0], PlayerSpec.parse(f"{chosen[0].__name__}:{rest}")


def make_agent(game: str, text: str) -> Agent:
    """An agent by its text form, e.g. `mcts:c=1.4`, `mybot.py` or `level:club`, for `new_game`."""
    if text.startswith(PREFIX):
        from plyground.core.levels import make_level_agent

        return make_level_agent(game, text)
    agent, spec = find_agent(game, text)
    if isinstance(agent, Agent):
        return agent
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
    except TypeError as error:
        if is_built_in(agent):
            raise
        raise InputError(f"agent {text!r}: every parameter needs a default ({error})") from error


def is_built_in(agent: type[Agent]) -> bool:
    """Whether any process that imports plyground finds this class under its names."""
    module = agent.__module__
    return module.partition(".")[0] == "plyground" or module in discovery.imported
