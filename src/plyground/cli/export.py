"""`plyground export` and `plyground import`: games out of the database and into it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from plyground.cli.app import Json, app, console, notes, print_json
from plyground.core.errors import InputError
from plyground.store import Store, default_path, export_csv, export_jsonl, import_jsonl

Database = Annotated[Path | None, Parameter(help="Database file (default: in the data folder).")]


@app.command
def runs(*, database: Database = None, json: Json = False) -> None:
    """List the runs in the database."""
    with Store(database or default_path(), create=False) as store:
        rows = [
            {
                "run": run.id,
                "kind": run.kind,
                "game": run.game,
                "players": list(run.players),
                "games": store.count_games(run.id),
                "created": run.created,
            }
            for run in store.runs()
        ]
    if json:
        print_json(rows)
        return
    for row in rows:
        players = row["players"]
        assert isinstance(players, list)
        console.print(
            f"{row['run']}: {row['kind']} of {row['game']}, {row['games']} games, "
            f"{', '.join(players)}",
            highlight=False,
            soft_wrap=True,
        )


@app.command
def export(
    run: str,
    *,
    format: Annotated[Literal["jsonl", "csv"], Parameter(help="Form of the output.")] = "jsonl",
    output: Annotated[Path | None, Parameter(help="File (default: standard output).")] = None,
    database: Database = None,
) -> None:
    """Write the games of a run as JSON lines (game records) or CSV."""
    writer = export_csv if format == "csv" else export_jsonl
    with Store(database or default_path(), create=False) as store:
        store.run(run)
        if output is None:
            writer(store, run, sys.stdout)
            return
        with output.open("w") as file:
            count = writer(store, run, file)
    notes.print(f"{count} games written to {output}", highlight=False)


@app.command(name="import")
def import_(
    file: Path,
    *,
    run: Annotated[str, Parameter(help="Name of the run that the games become.")],
    database: Database = None,
    json: Json = False,
) -> None:
    """Add game records (JSON lines) to the database; the same game again is skipped."""
    try:
        lines = file.read_text().splitlines()
    except UnicodeDecodeError:
        raise InputError(f"{file} is not a text file") from None
    with Store(database or default_path()) as store:
        added = import_jsonl(store, run, lines)
    if json:
        print_json({"run": run, "added": added})
    else:
        notes.print(f"{added} games added to run {run}", highlight=False)
