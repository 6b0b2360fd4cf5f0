"""What a browser may ask for, checked before anything is done about it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import msgspec

from plyground.core.errors import InputError, OptionError
from plyground.core.game import Game, OptionValue
from plyground.core.registry import agents, games, make_game
from plyground.web.settings import NotFoundError

PERSON = ""
"""The name of a seat that is played by a person."""

Text = Annotated[str, msgspec.Meta(max_length=20_000)]
Name = Annotated[str, msgspec.Meta(max_length=100)]
Identity = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
Options = dict[Name, int | float | bool | Text]

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
    """A plain name or list, or a position (which has several words); nothing that is a file."""
    if not _PLAIN.fullmatch(value) and " " not in value.strip():
        return False
    try:
        return not Path(value).exists()
    except (OSError, ValueError):
        return "\0" not in value


def check_agent(game: str, name: str) -> str:
    """A built-in agent by its name alone; programs and parameters belong to the command line."""
    if name not in agents(game):
        raise InputError(f"{game} has no agent {name[:60]!r}")
    return name


def check_seats(game: Game, seats: list[str]) -> tuple[str, ...]:
    """One name for each player of the game."""
    players = game.info.players
    filled = (*seats, *[PERSON] * players)[:players]
    if len(seats) > players:
        raise InputError(f"{game.info.name} has {players} player(s), not {len(seats)}")
    for name in filled:
        if name != PERSON:
            check_agent(game.info.name, name)
    return filled


def check_seconds(seconds: float, longest: float) -> float:
    """A time to think that is neither silly nor a burden."""
    if not math.isfinite(seconds) or not 0.005 <= seconds <= longest:
        raise InputError(f"seconds must be from 0.005 to {longest:g}, not {seconds:g}")
    return seconds
