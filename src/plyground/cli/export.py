"""`plyground export`: the games of a run as JSON lines or CSV."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from plyground.cli.app import Database, notes
from plyground.store import Store, default_path, export_csv, export_jsonl


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
