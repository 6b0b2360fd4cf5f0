"""`plyground tournament`: many players, a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from plyground.arena.config import DEFAULT_LIMIT, read_config
from plyground.arena.schedule import Format
from plyground.cli.app import Json, Thinking
from plyground.cli.conduct import Conditions, Conduct, Keeping, conduct, stored_config
from plyground.core.errors import InputError


def tournament(
    game: Annotated[str | None, Parameter(help="A game, or a TOML file.")] = None,
    /,
    *players: str,
    format: Annotated[Format, Parameter(help="Who meets whom.")] = "round-robin",
    games: Annotated[int, Parameter(help="Games of each pairing; every two swap sides.")] = 2,
    rounds: Annotated[int | None, Parameter(help="Swiss rounds (default: by players).")] = None,
    thinking: Thinking = Thinking(),  # noqa: B008
    conditions: Conditions = Conditions(),  # noqa: B008
    conduct_options: Conduct = Conduct(),  # noqa: B008
    keeping: Keeping = Keeping(),  # noqa: B008
    json: Json = False,
) -> int:
    """Play a tournament: `tournament CONFIG.toml`, or `tournament GAME A B C ...`.

    Ctrl-C stops it and prints the command that goes on with it.

    Example: plyground tournament connect4 champion mcts mybot.py --nodes 1000 --games 4
    """
    if game is None:
        return conduct(stored_config(keeping, "tournament --help"), keeping, json=json)
    if game.endswith(".toml"):
        given = (format, games, rounds, thinking, conditions, conduct_options)
        if players or given != ("round-robin", 2, None, Thinking(), Conditions(), Conduct()):
            raise InputError(
                "players, limits and conditions are in the TOML file; beside it go only --run, "
                "--resume, --database, --jobs, --executor and --json"
            )
        return conduct(read_config(Path(game)), keeping, json=json)
    config = conditions.config(
        "tournament",
        game,
        players,
        format=format,
        games=games,
        swiss_rounds=rounds,
        limit=thinking.limit(DEFAULT_LIMIT),
        rules=conduct_options.rules(),
    )
    return conduct(config, keeping, json=json)
