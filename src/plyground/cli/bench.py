"""`plyground bench`: speeds side by side with their peers."""

from __future__ import annotations

import importlib
from typing import Any

from rich.table import Table

from plyground.cli.app import Json, console, notes, print_json
from plyground.core import rooms
from plyground.core.errors import UnknownNameError
from plyground.search.measure import Row


def bench(name: str | None = None, *, json: Json = False) -> None:
    """Measure speeds (all subjects, or one by name) and print ratios to named peers."""
    known = {name.rpartition(".")[2]: name for name in rooms.modules("measurements")}
    if name is not None and name not in known:
        raise UnknownNameError.of("benchmark", name, known)
    rows: list[Row] = []
    for subject in [name] if name else known:
        notes.print(f"measuring {subject} ...")
        rows += importlib.import_module(known[subject]).measure()
    if json:
        print_json([_as_json(row) for row in rows])
        return
    table = Table("what", "speed", "peer", "peer's speed", "ratio")
    for row in rows:
        table.add_row(
            row.name,
            f"{row.value:,.4g} {row.unit}",
            row.peer or row.note,
            f"{row.peer_value:,.4g} {row.unit}" if row.peer_value else "",
            f"{row.ratio:.2f}" if row.ratio else "",
        )
    console.print(table)


def _as_json(row: Row) -> dict[str, Any]:
    return {
        "name": row.name,
        "value": row.value,
        "unit": row.unit,
        "peer": row.peer or None,
        "peer_value": row.peer_value,
        "ratio": row.ratio,
    }
