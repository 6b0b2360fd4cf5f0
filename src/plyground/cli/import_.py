"""`plyground import`: game records into the database."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from plyground.cli.app import Database, Json, notes, print_json
from plyground.core import reading
from plyground.core.errors import InputError
from plyground.store import Store, default_path, import_jsonl


def import_(
    file: Path,
    *,
    run: Annotated[str, Parameter(help="Name of the run that the games become.")],
    database: Database = None,
    json: Json = False,
) -> None:
    """Add game records (JSON lines) to the database; the same game again is skipped.

    Example: plyground import games.jsonl --run copy
    """
    try:
        lines = reading.read_text(file).split("\n")
    except UnicodeDecodeError:
        raise InputError(f"{file} is not a text file") from None
    except OSError as error:
        raise InputError(f"cannot read {str(file)!r}: {error.strerror}") from error
    with Store(database or default_path()) as store:
        added = import_jsonl(store, run, lines)
    if json:
        print_json({"run": run, "added": added})
    else:
        notes.print(f"{added} games added to run {run}", highlight=False)
