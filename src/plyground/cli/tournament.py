"""`plyground tournament`: many players, a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from plyground.arena.config import (
    DEFAULT_LIMIT,
    FailurePolicy,
    RunConfig,
    name_players,
    read_config,
)
from plyground.arena.openings import read_starts
from plyground.arena.schedule import Format
from plyground.cli.app import Json, Options, Thinking, open_game
from plyground.cli.conduct import Conduct, Keeping, conduct, stored_config
from plyground.core.errors import InputError


def tournament(
    game: Annotated[str | None, Parameter(help="A game, or a TOML file.")] = None,
    *players: str,
    format: Annotated[Format, Parameter(help="Who meets whom.")] = "round-robin",
    games: Annotated[int, Parameter(help="Games of each pairing; every two swap sides.")] = 2,
    rounds: Annotated[int | None, Parameter(help="Swiss rounds (default: by players).")] = None,
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
    """Play a tournament: `tournament CONFIG.toml`, or `tournament GAME A B C ...`.

    Ctrl-C stops it and prints the command that goes on with it.
    """
    if game is None:
        return conduct(stored_config(keeping, "tournament --help"), keeping, json=json)
    if game.endswith(".toml"):
        if players:
            raise InputError("the players are in the TOML file; give only the file")
        return conduct(read_config(Path(game)), keeping, json=json)
    rules = open_game(game, option, match=True)
    given, laid = read_starts(rules, openings, boards)
    config = RunConfig(
        kind="tournament",
        game=rules.info.name,
        options=rules.options,
        players=name_players(players, name or ()),
        format=format,
        games=games,
        swiss_rounds=rounds,
        limit=thinking.limit(DEFAULT_LIMIT),
        seed=seed,
        opening_plies=opening_plies,
        openings=given,
        boards=laid,
        rules=conduct_options.rules(),
        failures=failures,
    )
    return conduct(config, keeping, json=json)
