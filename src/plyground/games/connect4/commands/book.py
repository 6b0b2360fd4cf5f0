"""`plyground book`: make an opening book of plain Connect 4."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from plyground.cli.app import Json, Options, console, notes, open_game, print_json
from plyground.core.errors import InputError, UnsupportedError

INDEX_BITS = 26


def book(
    game: str = "connect4",
    *,
    plies: Annotated[int, Parameter(help="All positions up to this ply.")] = 4,
    option: Options = None,
    json: Json = False,
) -> None:
    """Solve all positions of the first plies of plain Connect 4 and keep their exact scores.

    An interrupted run goes on where it stopped.

    Example: plyground book --plies 4
    """
    rules = open_game(game, option)
    if rules.info.name != "connect4":
        raise UnsupportedError(f"there are no opening books of {rules.info.name}, only of connect4")
    if not 0 <= plies <= 12:
        raise InputError(f"plies must be from 0 to 12, not {plies}")
    from plyground.games.connect4.solvers.book import generate
    from plyground.games.connect4.solvers.perfect import PerfectSolver

    width, height = int(rules.options["width"]), int(rules.options["height"])
    solver = PerfectSolver(width, height, INDEX_BITS)
    solver.warm_up()

    def report(number: int, count: int) -> None:
        notes.print(f"{number} of {count} positions, {solver.nodes:,} nodes", highlight=False)

    path = generate(width, height, plies, solver.score, report)
    if json:
        print_json({"path": str(path), "plies": plies, "nodes": solver.nodes})
    else:
        console.print(f"{path}: all positions up to ply {plies}", highlight=False, soft_wrap=True)
