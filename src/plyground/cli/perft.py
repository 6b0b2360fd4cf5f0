"""`plyground perft`: count move sequences."""

from __future__ import annotations

import time
from typing import Annotated

from cyclopts import Parameter

from plyground.cli.app import Json, Options, console, open_game, open_position, print_json
from plyground.search.perft import perft as count_sequences


def perft(
    game: str,
    /,
    *,
    depth: Annotated[int, Parameter(help="Length of the sequences in plies.")],
    position: str | None = None,
    option: Options = None,
    json: Json = False,
) -> None:
    """Count the move sequences of exactly DEPTH plies; a game that ends earlier counts for none.

    Example: plyground perft connect4 --depth 6
    """
    rules = open_game(game, option)
    start = open_position(rules, position) if position else rules.first_decision()
    count_sequences(start, min(depth, 1))  # compiles or loads, which is not to be measured
    started = time.perf_counter()
    nodes = count_sequences(start, depth)
    seconds = time.perf_counter() - started
    if json:
        print_json({"nodes": nodes, "depth": depth, "seconds": seconds})
    else:
        console.print(f"{nodes} sequences of {depth} plies in {seconds:.2f} s")
