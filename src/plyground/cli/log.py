"""`plyground log`: what happened in a stored game, and what its programs said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from cyclopts import Parameter
from rich.markup import escape
from rich.table import Table

from plyground.cli.app import Database, Json, console, print_json
from plyground.cli.report import latest_run
from plyground.core.errors import UnknownNameError
from plyground.core.game import CHANCE
from plyground.core.record import GameRecord
from plyground.store import Store, default_path


def log(
    game: Annotated[
        str, Parameter(help="Its place in the schedule, as in 0-1/1a; none lists the games.")
    ] = "",
    *,
    run: Annotated[str, Parameter(help="Name of a run, or `last`.")] = "last",
    database: Database = None,
    json: Json = False,
) -> None:
    """Show a game move by move with times and scores, how it ended, and what its programs said.

    Without a game: all games of the run with their results.

    Of programs and of agents in files the standard error (`print` of agents and submissions too)
    and the last lines of the protocol are kept with every game.

    Example: plyground log 0-1/1a
    """
    with Store(database or default_path(), create=False) as store:
        name = latest_run(store) if run == "last" else run
        store.run(name)
        found = {stored.schedule_id: stored.record for stored in store.games(name)}
    if not game:
        _list(found, json)
        return
    if game not in found:
        raise UnknownNameError.of(f"game of run {name}", game, found)
    record = found[game]
    if json:
        print_json(record)
        return
    _show(record)


def _list(records: Mapping[str, GameRecord], json: bool) -> None:
    """All games of a run: who, how many moves, how it ended."""
    rows: list[dict[str, Any]] = [
        {
            "game": place,
            "players": list(record.players),
            "winner": _winner(record),
            "scores": list(record.outcome.scores or ()) if record.outcome else [],
            "termination": str(record.outcome.termination) if record.outcome else "",
            "moves": len(record.moves),
        }
        for place, record in records.items()
    ]
    if json:
        print_json(rows)
        return
    table = Table("game", "players, first to move", "winner", "score", "ended by", "moves")
    for row in rows:
        who, scores = " - ".join(row["players"]), "-".join(map(str, row["scores"]))
        table.add_row(
            row["game"],
            escape(who),
            escape(row["winner"]),
            scores,
            row["termination"],
            str(row["moves"]),
        )
    console.print(table)


def _winner(record: GameRecord) -> str:
    outcome = record.outcome
    if outcome is None or outcome.winner is None:
        return "nobody"
    return record.players[outcome.winner]


def _show(record: GameRecord) -> None:
    opening = record.opening_plies
    rows = [
        (
            str(number),
            "deal"
            if entry.player == CHANCE
            else "arena"
            if number <= opening
            else record.players[entry.player],
            entry.move,
            "" if entry.time is None else f"{entry.time:.3f}",
            "" if entry.depth is None else str(entry.depth),
            "" if entry.nodes is None else str(entry.nodes),
            "" if entry.score is None else str(entry.score),
        )
        for number, entry in enumerate(record.moves, 1)
    ]
    names = ("", "player", "move", "s", "depth", "nodes", "score")
    told = [column for column in range(len(names)) if any(row[column] for row in rows)]
    table = Table(*(names[column] for column in told), title=record.game)
    for row in rows:
        table.add_row(*(escape(row[column]) for column in told))
    console.print(table)
    outcome = record.outcome
    if outcome is not None:
        detail = f": {outcome.detail}" if outcome.detail else ""
        console.print(
            f"{_winner(record)} won, {outcome.termination}{detail}", highlight=False, markup=False
        )
    for seat, player in enumerate(record.players):
        for tag, title in (("stderr", "standard error"), ("protocol", "protocol")):
            said = record.tags.get(f"{tag} {seat}")
            if said:
                console.print(f"{title} of {player}:", highlight=False, markup=False)
                console.print(said, highlight=False, markup=False, soft_wrap=True)
