"""`plyground solve`: exact values."""

from __future__ import annotations

import importlib.util

from plyground.cli.analyse import as_json, show
from plyground.cli.app import Json, Options, Thinking, notes, open_game, parse_options, print_json
from plyground.core.errors import UnsupportedError
from plyground.core.limits import Limit


def solve(
    game: str,
    *,
    position: str | None = None,
    thinking: Thinking = Thinking(),  # noqa: B008
    option: Options = None,
    json: Json = False,
) -> None:
    """Find the exact value of a position and of each move, with the distance to the end.

    A game that can be solved has a module `solvers.exact` with a function `solve`.
    """
    rules = open_game(game, option)
    name = f"{type(rules).__module__}.solvers.exact"
    try:
        found = importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # a game without solvers, or in a single file
        found = False
    if not found:
        raise UnsupportedError(f"{game} has no exact solver; try `plyground analyse {game}`")
    exact = importlib.import_module(name)
    start, result = exact.solve(
        rules,
        frozenset(parse_options(option)),
        position,
        thinking.limit(Limit()),
        lambda text: notes.print(text, highlight=False),
    )
    if json:
        print_json(as_json(start, result, "exact"))
    else:
        show(start, result, "exact")
