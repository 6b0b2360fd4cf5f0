"""`plyground solve`: exact values."""

from __future__ import annotations

import importlib.util
import math
import time
from collections.abc import Callable
from functools import partial
from typing import Annotated

import msgspec
from cyclopts import Parameter

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
from plyground.core.errors import InputError
from plyground.core.game import Position
from plyground.core.limits import Limit
from plyground.core.search import SearchResult
from plyground.search.proving import solve_by_proof
from plyground.search.question import Question
from plyground.search.reachable import solve_by_retrograde
from plyground.search.solving import solve as search_to_the_end


def solve(
    game: str,
    /,
    *,
    position: str | None = None,
    retrograde: Annotated[
        bool, Parameter(help="Decide all reachable positions from the ends of the game.")
    ] = False,
    proof: Annotated[
        bool, Parameter(help="Proof-number search: for forced wins where few replies count.")
    ] = False,
    thinking: Thinking = Thinking(),  # noqa: B008
    option: Options = None,
    json: Json = False,
) -> None:
    """Find the exact value of a position and of each move, with the distance to the end.

    A game may have a module `solvers.exact` with a function `solve`; any other two-player game
    without chance is searched to its end, for a minute unless a limit is given. Stopped by a limit,
    it says how far that came. Two more ways work for any game: `--retrograde` decides every
    reachable position of a small one, and so finds draws by play without end as well; `--proof`
    looks for a forced win of either side, first where the fewest replies are left to refute.

    Example: plyground solve connect4 --position 4453 --option mean=none
    """
    if retrograde and proof:
        raise InputError("--retrograde and --proof are two ways to solve: choose one")
    rules = open_game(game, option)
    name = f"{type(rules).__module__}.solvers.exact"
    try:
        found = not (retrograde or proof) and importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # a game without solvers, or in a single file
        found = False
    note: Callable[[str], None] = partial(notes.print, highlight=False)
    limit = thinking.limit(Limit() if found else Limit(time=60.0))
    if found:
        exact = importlib.import_module(name)
        given = frozenset(parse_options(option))
        start, result = exact.solve(Question(rules, position, limit, note, given))
    else:
        start = open_position(rules, position)
        if start.is_over:
            start.require_decision()
        result = _solve(start, limit, note, retrograde=retrograde, proof=proof)
    if json:
        print_json(as_json(start, result, "exact"))
    else:
        show(start, result, "solved" if result.score is not None else "not solved", exact=True)


def _solve(
    start: Position, limit: Limit, note: Callable[[str], None], *, retrograde: bool, proof: bool
) -> SearchResult:
    """One of the ways that work for any game, within the limit's time."""
    if proof:
        return solve_by_proof(start, limit, note)
    if retrograde:
        began = time.monotonic()
        seconds = math.inf if limit.time is None else limit.time
        found = solve_by_retrograde(start, note, lambda: time.monotonic() - began < seconds)
        if found is not None:
            return found
        left = None if limit.time is None else max(1.0, began + limit.time - time.monotonic())
        note("too many positions for retrograde analysis in this time: searched to the end instead")
        limit = msgspec.structs.replace(limit, time=left)
    return search_to_the_end(start.game, start, limit, note)
