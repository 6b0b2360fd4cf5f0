"""`plyground agents`: the agents of a game with their parameters, and its levels."""

from __future__ import annotations

from rich.table import Table

from plyground.cli.app import Json, console, print_json
from plyground.core import registry
from plyground.core.levels import levels_of


def agents(game: str, *, json: Json = False) -> None:
    """List the agents of a game with their parameters, and its levels.

    Example: plyground agents connect4
    """
    name = registry.game_name(game)
    known = registry.agents(name)
    rows = [
        {
            "name": name,
            "summary": agent.summary,
            "parameters": {
                option.name: option.default for option in registry.agent_options(agent).values()
            },
        }
        for name, agent in known.items()
    ]
    rows += [
        {"name": level.key, "summary": f"{level.summary} ({level.made_of})", "parameters": {}}
        for level in levels_of(name)
    ]
    if json:
        print_json(rows)
        return
    table = Table("agent", "about", "parameters")
    for row in rows:
        parameters = row["parameters"]
        assert isinstance(parameters, dict)
        shown = ", ".join(f"{key}={value}" for key, value in parameters.items())
        table.add_row(str(row["name"]), str(row["summary"]), shown)
    console.print(table)
