"""`plyground log`: what happened in a stored game, and what its programs said."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from cyclopts import Parameter
from rich.table import Table

from plyground.cli.app import Database, Json, console, print_json
from plyground.cli.report import latest_run
from plyground.core.errors import PlygroundError, UnknownNameError
from plyground.core.files import short_name
from plyground.core.game import CHANCE, Position
from plyground.core.record import GameRecord
from plyground.core.registry import make_game
from plyground.store import Store, default_path


def log(
    game: Annotated[
        str, Parameter(help="Its place in the schedule, as in 0-1/1a; none lists the games.")
    ] = "",
    *,
    run: Annotated[str, Parameter(help="Name of a run, or `last`.")] = "last",
    boards: Annotated[bool, Parameter(help="Draw the board after every move.")] = False,
    database: Database = None,
    json: Json = False,
) -> None:
    """Show a game move by move with times, expected scores and points made, and how it ended.

    Without a game: all games of the run with their results.

    What its programs said follows: of programs and of agents in files the standard error (`print`
    of agents and submissions too) and the last lines of the protocol are kept with every game.

    Example: plyground log 0-1/1a --boards
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
    if boards:
        _draw(record)
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
            who,
            row["winner"],
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


def _mover(record: GameRecord, number: int) -> str:
    """Who made a move (counted from 1)."""
    if record.moves[number - 1].player == CHANCE:
        return "deal"
    if number <= record.opening_plies:
        return "arena"
    return record.players[record.moves[number - 1].player]


def _positions(record: GameRecord) -> list[Position]:
    """Those of a game, as far as they can be had: the game may be gone or changed."""
    positions: list[Position] = []
    with contextlib.suppress(PlygroundError):
        positions += record.positions(make_game(record.game, record.options))
    return positions


def _draw(record: GameRecord) -> None:
    """The board at the start and after every move, with who made it."""
    for number, position in enumerate(_positions(record)):
        if number:
            move = f"{number}. {record.moves[number - 1].move} ({_mover(record, number)})"
            console.print(move, highlight=False)
        console.print(str(position), highlight=False, soft_wrap=True)
        console.print()


def _gains(record: GameRecord) -> Iterator[tuple[str, str]]:
    """The points that each move made and the totals after it; empty where none are counted."""
    scores = [position.game.scores(position.state) for position in _positions(record)]
    for number in range(len(record.moves)):
        before, after = [*scores[number : number + 2], None, None][:2]
        if before is None or after is None:
            yield "", ""
            continue
        gain = sum(after) - sum(before)
        yield f"{gain:+g}" if gain else "", " : ".join(f"{total:g}" for total in after)


def _show(record: GameRecord) -> None:
    gained = list(_gains(record))
    rows = [
        (
            str(number),
            _mover(record, number),
            entry.move,
            "" if entry.time is None else f"{entry.time:.3f}",
            "" if entry.depth is None else str(entry.depth),
            "" if entry.nodes is None else str(entry.nodes),
            "" if entry.score is None else str(entry.score),
            gain,
            total,
        )
        for number, (entry, (gain, total)) in enumerate(zip(record.moves, gained, strict=True), 1)
    ]
    names = ("", "player", "move", "s", "depth", "nodes", "expects", "points", "total")
    told = [column for column in range(len(names)) if any(row[column] for row in rows)]
    table = Table(*(names[column] for column in told), title=short_name(record.game))
    for row in rows:
        table.add_row(*(row[column] for column in told))
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
                console.print(f"{title} of {player}:", highlight=False)
                console.print(said, highlight=False, soft_wrap=True)
