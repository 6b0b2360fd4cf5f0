"""`plyground log`: what happened in a stored game, and what its programs said."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter
from rich.table import Table

from plyground.cli.app import Database, Json, console, print_json
from plyground.cli.report import latest_run
from plyground.core.errors import UnknownNameError
from plyground.core.game import CHANCE
from plyground.core.record import GameRecord
from plyground.store import Store, default_path


def log(
    game: Annotated[str, Parameter(help="Its place in the schedule, as in 0-1/1a.")],
    *,
    run: Annotated[str, Parameter(help="Name of a run, or `last`.")] = "last",
    database: Database = None,
    json: Json = False,
) -> None:
    """Show a game move by move with times and scores, how it ended, and standard error if kept."""
    with Store(database or default_path(), create=False) as store:
        name = latest_run(store) if run == "last" else run
        store.run(name)
        found = {stored.schedule_id: stored.record for stored in store.games(name)}
    if game not in found:
        raise UnknownNameError.of(f"game of run {name}", game, found)
    record = found[game]
    if json:
        print_json(record)
        return
    _show(record)


def _show(record: GameRecord) -> None:
    table = Table("", "player", "move", "s", "depth", "nodes", "score", title=record.game)
    opening = record.opening_plies
    for number, entry in enumerate(record.moves, 1):
        dealt = entry.player == CHANCE
        table.add_row(
            str(number),
            "deal" if dealt else "arena" if number <= opening else record.players[entry.player],
            entry.move,
            "" if entry.time is None else f"{entry.time:.3f}",
            "" if entry.depth is None else str(entry.depth),
            "" if entry.nodes is None else str(entry.nodes),
            "" if entry.score is None else str(entry.score),
        )
    console.print(table)
    outcome = record.outcome
    if outcome is not None:
        winner = "nobody" if outcome.winner is None else record.players[outcome.winner]
        detail = f": {outcome.detail}" if outcome.detail else ""
        console.print(f"{winner} won, {outcome.termination}{detail}", highlight=False, markup=False)
    for seat, player in enumerate(record.players):
        said = record.tags.get(f"stderr {seat}")
        if said:
            console.print(f"standard error of {player}:", highlight=False, markup=False)
            console.print(said, highlight=False, markup=False, soft_wrap=True)
