"""`plyground bench`: speeds side by side with their peers."""

from __future__ import annotations

import importlib
from typing import Annotated, Any

from cyclopts import Parameter
from rich.table import Table

from plyground.cli.app import Json, Options, console, notes, open_game, print_json
from plyground.core import rooms
from plyground.core.errors import InputError, UnknownNameError
from plyground.core.files import FileName
from plyground.core.registry import games
from plyground.search.measure import Row, measure_agent, measure_game


def bench(
    name: str | None = None,
    *,
    agent: Annotated[
        str | None, Parameter(help="Measure an agent on that game instead, also one in a file.")
    ] = None,
    option: Options = None,
    json: Json = False,
) -> None:
    """Measure speeds (all subjects, or one by name) and print ratios to named peers.

    The name or file of a game measures the generic searches on it; the other subjects are `search`,
    beside OpenSpiel, and what the folders of the games add.

    Example: plyground bench connect4 --agent mybot.py
    """
    subjects = {path.rpartition(".")[2]: path for path in rooms.modules("measurements")}
    if agent is not None and name is None:
        raise InputError("say on which game, as in bench connect4 --agent mybot.py")
    rows: list[Row] = []
    if agent is not None and name is not None:
        rows = measure_agent(open_game(name, option), agent)
        subjects, name = {}, None
    elif name is not None and FileName.parse(name) is not None:
        rows = measure_game(open_game(name, option))
        subjects, name = {}, None
    elif name is not None and name not in subjects and name not in games():
        raise UnknownNameError.of("benchmark", name, {**subjects, **games()})
    for subject in [name] if name else subjects:
        notes.print(f"measuring {subject} ...")
        if subject in subjects:
            rows += importlib.import_module(subjects[subject]).measure()
        if subject in games():
            rows += measure_game(open_game(subject, option))
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
