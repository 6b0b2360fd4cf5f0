"""`plyground report`: a stored run as one HTML file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter

from plyground.cli.app import Database, Json, console, print_json
from plyground.core.errors import InputError
from plyground.store import Store, default_path


def report(
    run: Annotated[str, Parameter(help="Name of a run, or `last`.")] = "last",
    *,
    out: Annotated[Path | None, Parameter(help="The HTML file to write.")] = None,
    database: Database = None,
    json: Json = False,
) -> None:
    """Write a report of a match or tournament: one HTML file, its plots and games beside it.

    Example: plyground report last
    """
    from plyground.report.games import load_run
    from plyground.report.runs import write_run_report
    from plyground.report.summary import summarise

    with Store(database or default_path(), create=False) as store:
        name = latest_run(store) if run == "last" else run
        path = write_run_report(store, name, out)
        if json:
            info = store.run(name)
            summary = summarise(load_run(store, name), info.game, info.players, info.config)
            fields = msgspec.to_builtins(
                {
                    "run": name,
                    "path": str(path),
                    "headline": summary.headline,
                    "games": summary.games,
                    "standings": summary.standings,
                }
            )
            print_json(fields)
        else:
            console.print(path, highlight=False, soft_wrap=True)


def latest_run(store: Store) -> str:
    """The youngest run; InputError when there is none."""
    runs = store.runs()
    if not runs:
        raise InputError(f"no run yet in {str(store.path)!r}: play one with `plyground match`")
    return runs[-1].id
