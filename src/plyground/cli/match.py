"""`plyground match`: two players against each other, with the error bars."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from plyground.arena.config import DEFAULT_LIMIT, SprtSettings
from plyground.cli.app import Json, Thinking
from plyground.cli.conduct import Conditions, Conduct, Keeping, conduct, stored_config
from plyground.core.errors import InputError


def match(
    game: Annotated[
        str | None, Parameter(help="A game (`plyground games` lists them) or a file of your own.")
    ] = None,
    /,
    *players: Annotated[
        str,
        Parameter(
            help="Two of: agent (`plyground agents GAME`), mcts:c=1.4, mybot.py, mybot.py:Class, "
            "exec:PROGRAM."
        ),
    ],
    games: Annotated[int, Parameter(help="Games in all; every two swap sides.")] = 20,
    thinking: Thinking = Thinking(),  # noqa: B008
    conditions: Conditions = Conditions(),  # noqa: B008
    sprt: Annotated[
        list[str] | None,
        Parameter(
            help="Stop early by SPRT: elo0=0 elo1=20 [alpha=0.05 beta=0.05].",
            consume_multiple=True,
            negative="",
        ),
    ] = None,
    conduct_options: Conduct = Conduct(),  # noqa: B008
    keeping: Keeping = Keeping(),  # noqa: B008
    json: Json = False,
) -> int:
    """Play two players against each other. Default limit: 0.1 s a move.

    In a one-player game the players are compared on the same deals, GAMES deals each.

    Example: plyground match connect4 mybot.py champion --time 0.1 --games 20
    """
    if game is None:
        return conduct(stored_config(keeping, "match --help"), keeping, json=json)
    config = conditions.config(
        "match",
        game,
        players,
        games=games,
        limit=thinking.limit(DEFAULT_LIMIT),
        rules=conduct_options.rules(),
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
