"""`plyground export`: the games of a run as JSON lines, CSV or Parquet."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from plyground.cli.app import Database, notes
from plyground.core.errors import InputError
from plyground.core.terminal import printable
from plyground.core.writing import open_target
from plyground.store import Store, default_path, export_csv, export_jsonl, export_moves_csv
from plyground.store.frames import latest, write_parquet

BY_ENDING = {".csv": "csv", ".parquet": "parquet"}


def export(
    run: Annotated[str, Parameter(help="Name of a run, or `last`.")] = "last",
    *,
    format: Annotated[
        Literal["jsonl", "csv", "parquet"] | None,
        Parameter(help="Form of the output (default: by the file's name, else jsonl)."),
    ] = None,
    moves: Annotated[
        bool, Parameter(help="CSV, Parquet: a row a move, not a game.", negative="")
    ] = False,
    output: Annotated[Path | None, Parameter(help="File (default: standard output).")] = None,
    database: Database = None,
) -> None:
    """Write the games of a run as JSON lines (game records), CSV or Parquet.

    Example: plyground export last --output games.csv
    """
    form = format or (BY_ENDING.get(output.suffix.lower(), "jsonl") if output else "jsonl")
    with Store(database or default_path(), create=False) as store:
        name = latest(store) if run == "last" else run
        store.run(name)
        if form == "parquet":
            if output is None:
                raise InputError("Parquet is no text: give a file by --output")
            count = write_parquet(store, name, output, moves=moves)
            notes.print(f"{count} rows written to {output}", highlight=False)
            return
        if moves and form == "jsonl":
            raise InputError("JSON lines hold every move already: --moves is for CSV and Parquet")
        writer = export_jsonl if form == "jsonl" else export_moves_csv if moves else export_csv
        if output is None:
            text = io.StringIO() if sys.stdout.isatty() else None
            writer(store, name, text or sys.stdout)
            if text is not None:  # names of others do not steer the terminal
                sys.stdout.write(printable(text.getvalue()))
            return
        with open_target(output) as file:
            count = writer(store, name, file)
    what = "moves" if moves else "games"
    notes.print(f"{count} {what} written to {output}", highlight=False)
