"""`plyground tablebase`: solve a small board completely."""

from __future__ import annotations

import time

from plyground.cli.app import Json, Options, console, notes, open_game, print_json
from plyground.core.errors import UnsupportedError


def tablebase(
    game: str = "connect4",
    *,
    option: Options = None,
    threads: int = 0,
    check: int = 0,
    json: Json = False,
) -> None:
    """Compute the exact value of every position of a small board and keep it for other commands.

    Interrupting is safe: a table is written whole or not at all.

    Example: plyground tablebase connect4 --option width=5 --option height=5

    Parameters
    ----------
    threads
        Threads that compute; 0 for one a core.
    check
        Afterwards test so many random positions: is each value the best of its moves?
    """
    rules = open_game(game, option)
    if rules.info.name != "connect4":
        raise UnsupportedError(f"there are no tablebases of {rules.info.name}, only of connect4")
    from plyground.games.connect4.solvers.tablebase import Tablebase, TableKey, build, value_of
    from plyground.games.connect4.solvers.tablebase_check import check_samples

    key = TableKey.of(rules)
    started = time.perf_counter()
    if not key.path.exists():
        build(key, lambda text: notes.print(text, highlight=False), threads)
    seconds = time.perf_counter() - started
    value = value_of(Tablebase(key), rules.start())
    result: dict[str, object] = {
        "path": str(key.path),
        "bytes": key.path.stat().st_size,
        "seconds": seconds,
        "value": value.kind,
        "distance": value.distance,
    }
    if check > 0:
        result |= {"checked": check, "decided": check_samples(rules, check)}
    if json:
        print_json(result)
    else:
        within = f" in {value.distance}" if value.distance is not None else ""
        console.print(
            f"{key.path}: {result['bytes']:,} bytes, {seconds:.1f} s; "
            f"the empty board is a {value.kind}{within} for the first player",
            highlight=False,
            soft_wrap=True,
        )
        if check > 0:
            console.print(
                f"{check:,} random positions agree with their moves, "
                f"{result['decided']:,} of them won or lost",
                highlight=False,
            )
