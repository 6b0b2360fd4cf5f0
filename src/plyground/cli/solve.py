"""`plyground solve`: exact values."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from functools import partial

from plyground.cli.analyse import as_json, show
from plyground.cli.app import (
    Json,
    Options,
    Thinking,
    notes,
    open_game,
    open_position,
    parse_options,
    print_json,
)
from plyground.core.errors import GameOverError
from plyground.core.limits import Limit
from plyground.search.solving import solve as search_to_the_end


def solve(
    game: str,
    *,
    position: str | None = None,
    thinking: Thinking = Thinking(),  # noqa: B008
    option: Options = None,
    json: Json = False,
) -> None:
    """Find the exact value of a position and of each move, with the distance to the end.

    A game may have a module `solvers.exact` with a function `solve`; any other two-player game
    without chance is searched to its end, for a minute unless a limit is given. Stopped by a limit,
    it says how far that came.
    """
    rules = open_game(game, option)
    name = f"{type(rules).__module__}.solvers.exact"
    try:
        found = importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # a game without solvers, or in a single file
        found = False
    note: Callable[[str], None] = partial(notes.print, highlight=False)
    limit = thinking.limit(Limit() if found else Limit(time=60.0))
    if found:
        exact = importlib.import_module(name)
        given = frozenset(parse_options(option))
        start, result = exact.solve(rules, given, position, limit, note)
    else:
        start = open_position(rules, position)
        if start.is_over:
            raise GameOverError(f"the game is over in this position: {start.view.caption}")
        result = search_to_the_end(rules, start, limit, note)
    if json:
        print_json(as_json(start, result, "exact"))
    else:
        show(start, result, "exact")
