"""What a browser may ask for, checked before anything is done about it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from plyground.core.errors import InputError, OptionError
from plyground.core.files import short_name
from plyground.core.game import Game, Option, OptionValue
from plyground.core.levels import find_level
from plyground.core.limits import Limit
from plyground.core.page import PREFIX
from plyground.core.registry import (
    PlayerSpec,
    agent_options,
    agents,
    games,
    make_agent,
    make_game,
)
from plyground.web.settings import NotFoundError

PERSON = ""
"""The name of a seat that is played by a person."""

Text = Annotated[str, msgspec.Meta(max_length=20_000)]
Name = Annotated[str, msgspec.Meta(max_length=100)]
Identity = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
Options = dict[Name, int | float | bool | Text]

MEMORY_PARAMETERS = ("megabytes", "nodes")
"""Parameters of agents that say how much memory they take."""

_PLAIN = re.compile(r"[A-Za-z0-9_,+-]{0,200}")


class NewGame(msgspec.Struct, forbid_unknown_fields=True):
    """Start a game. `seats` are agent names, empty for a person; `seconds` is their time a move."""

    game: Name
    options: Options = {}
    seats: Annotated[list[Name], msgspec.Meta(max_length=2)] = []
    seconds: float = 1.0
    seed: Annotated[int, msgspec.Meta(ge=0, lt=2**53)] | None = None
    position: Text = ""


class Fork(msgspec.Struct, forbid_unknown_fields=True):
    """A new game from a position of another one."""

    ply: Annotated[int, msgspec.Meta(ge=0)]
    seats: Annotated[list[Name], msgspec.Meta(max_length=2)] = []
    seconds: float = 1.0


class AskPosition(msgspec.Struct, forbid_unknown_fields=True):
    """A position as text, for the analysis board; `moves` are played from there."""

    game: Name
    options: Options = {}
    position: Text = ""
    moves: Annotated[list[Name], msgspec.Meta(max_length=500)] = []
    seed: Annotated[int, msgspec.Meta(ge=0, lt=2**53)] = 0
    """Of the random events that the position may wait for."""
    sketch: bool = False
    """Only the board of the text as it is written."""


class AskTree(AskPosition, forbid_unknown_fields=True):
    """The search tree of a position, and of which search."""

    search: Literal["mcts", "alphabeta"] = "mcts"


class NewTournament(msgspec.Struct, forbid_unknown_fields=True):
    """Every agent against every other, `rounds` pairs of games each."""

    game: Name
    agents: Annotated[list[Name], msgspec.Meta(min_length=1, max_length=8)]
    rounds: Annotated[int, msgspec.Meta(ge=1, le=200)] = 2
    seconds: float = 0.1
    options: Options = {}
    seed: Annotated[int, msgspec.Meta(ge=0, lt=2**53)] = 0


def open_game(name: str, options: Mapping[str, OptionValue]) -> Game:
    """The game with its options; files on this machine cannot be named."""
    if name not in games():
        raise NotFoundError(f"there is no game {name!r}")
    for key, value in options.items():
        if isinstance(value, float) and not math.isfinite(value):
            raise OptionError(f"option {key}: not a number")
        if isinstance(value, str) and not _is_harmless(value):
            raise OptionError(f"option {key}={value[:60]!r}: files cannot be used from the page")
    return make_game(name, options)


def _is_harmless(value: str) -> bool:
    """A plain name or list, or a position (which has several words); nothing that is a file.

    What begins like a path is refused whether or not there is such a file: nobody is told of it.
    """
    words = value.strip()
    if not _PLAIN.fullmatch(value) and (" " not in words or not words[0].isalnum()):
        return False
    try:
        return not Path(value).exists()
    except (OSError, ValueError):
        return "\0" not in value


@lru_cache(maxsize=256)
def check_agent(game: str, text: str) -> str:
    """A built-in agent, with parameters if any (`mcts:c=1.4`), in its shortest form.

    Programs belong to the command line, and so do values that cost the server more than the
    defaults do.
    """
    name = text.partition(":")[0]
    if name not in agents(game):
        raise InputError(f"{game} has no agent {name[:60]!r}")
    spec = PlayerSpec.parse(text)
    if not spec.parameters and text != spec.name:
        raise InputError(f"agent {text[:60]!r}: parameters are written as {spec.name}:key=value")
    make_agent(game, text)
    declared = agent_options(agents(game)[spec.name])
    chosen = {key: declared[key].parse(value) for key, value in spec.parameters}
    for key, value in chosen.items():
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            _check_number(spec.name, declared[key], value)
    pairs = [f"{key}={value}" for key, value in chosen.items() if value != declared[key].default]
    return f"{spec.name}:{','.join(pairs)}" if pairs else spec.name


def _check_number(agent: str, parameter: Option, value: float) -> None:
    usual = float(parameter.default)
    highest = usual if parameter.name in MEMORY_PARAMETERS else max(1000.0, 10 * abs(usual))
    if not 0 <= value <= highest:
        raise InputError(
            f"agent {agent}: {parameter.name} must be from 0 to {highest:g} on the page, "
            f"not {value:g}"
        )


def check_seats(game: Game, seats: list[str]) -> tuple[str, ...]:
    """One name for each player of the game."""
    players = game.info.players
    filled = (*seats, *[PERSON] * players)[:players]
    if len(seats) > players:
        raise InputError(f"{short_name(game.info.name)} has {players} player(s), not {len(seats)}")
    return tuple(name and _check_player(game, name) for name in filled)


def _check_player(game: Game, name: str) -> str:
    if not name.startswith(PREFIX):
        return check_agent(game.info.name, name)
    return find_level(game.info.name, name).key


def limit_of(game: str, seat: str, seconds: float) -> Limit:
    """The limit for a move of whoever sits there: a level brings its own."""
    return find_level(game, seat).limit if seat.startswith(PREFIX) else Limit(time=seconds)


def check_seconds(seconds: float, longest: float) -> float:
    """A time to think that is neither silly nor a burden."""
    if not math.isfinite(seconds) or not 0.005 <= seconds <= longest:
        raise InputError(f"seconds must be from 0.005 to {longest:g}, not {seconds:g}")
    return seconds
