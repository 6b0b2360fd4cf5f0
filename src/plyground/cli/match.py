"""`plyground match`: two players against each other, with the error bars."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from plyground.arena.config import (
    DEFAULT_LIMIT,
    FailurePolicy,
    RunConfig,
    SprtSettings,
    name_players,
)
from plyground.arena.openings import read_starts
from plyground.cli.app import Json, Options, Thinking, open_game
from plyground.cli.conduct import Conduct, Keeping, conduct, stored_config
from plyground.core.errors import InputError


def match(
    game: str | None = None,
    *players: str,
    games: Annotated[int, Parameter(help="Games in all; every two swap sides.")] = 20,
    thinking: Thinking = Thinking(),  # noqa: B008
    option: Options = None,
    seed: Annotated[int, Parameter(help="Decides openings and all randomness.")] = 0,
    opening_plies: Annotated[
        int | None,
        Parameter(help="Random moves before the players take over (4; 0 on boards of their own)."),
    ] = None,
    openings: Annotated[str | None, Parameter(help="File of start positions, one a line.")] = None,
    boards: Annotated[
        str | None,
        Parameter(help="Starts of the pairs: a suite that comes with the game, or a file."),
    ] = None,
    sprt: Annotated[
        list[str] | None,
        Parameter(
            help="Stop early by SPRT: elo0=0 elo1=20 [alpha=0.05 beta=0.05].",
            consume_multiple=True,
            negative="",
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        Parameter(help="What tables call a player; repeat it in the players' order.", negative=""),
    ] = None,
    failures: Annotated[
        FailurePolicy, Parameter(help="What a crash or the like is for Elo: a loss, or nothing.")
    ] = "lose",
    conduct_options: Conduct = Conduct(),  # noqa: B008
    keeping: Keeping = Keeping(),  # noqa: B008
    json: Json = False,
) -> int:
    """Play two players against each other. Default limit: 0.1 s a move.

    In a one-player game the players are compared on the same deals, GAMES deals each.
    """
    if game is None:
        return conduct(stored_config(keeping, "match --help"), keeping, json=json)
    rules = open_game(game, option, match=True)
    given, laid = read_starts(rules, openings, boards)
    config = RunConfig(
        kind="match",
        game=rules.info.name,
        options=rules.options,
        players=name_players(players, name or ()),
        games=games,
        limit=thinking.limit(DEFAULT_LIMIT),
        seed=seed,
        opening_plies=opening_plies,
        openings=given,
        boards=laid,
        rules=conduct_options.rules(),
        failures=failures,
        sprt=parse_sprt(sprt) if sprt is not None else None,
    )
    return conduct(config, keeping, json=json)


def parse_sprt(words: list[str]) -> SprtSettings:
    """`elo0=0 elo1=20` and the like."""
    values: dict[str, float] = {}
    for word in (part for text in words for part in text.replace(",", " ").split()):
        key, equals, value = word.partition("=")
        if not equals or key not in ("elo0", "elo1", "alpha", "beta"):
            raise InputError(f"--sprt {word!r}: write elo0=0 elo1=20 alpha=0.05 beta=0.05")
        try:
            values[key] = float(value)
        except ValueError:
            raise InputError(f"--sprt {word!r}: {value!r} is not a number") from None
    return SprtSettings(**values)
