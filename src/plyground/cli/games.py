"""`plyground games`: the games with their options."""

from __future__ import annotations

from rich.table import Table

from plyground.cli.app import Json, console, print_json
from plyground.cli.listing import game_facts


def games(*, json: Json = False) -> None:
    """List the games with their options.

    Example: plyground games --json
    """
    known = game_facts()
    if json:
        print_json(known)
        return
    table = Table("game", "about", "options")
    for game in known:
        options = "\n".join(
            f"{option['name']}={option['default']}"
            + (f" ({'|'.join(option['choices'])})" if option["choices"] else "")
            for option in game["options"]
        )
        table.add_row(game["name"], f"{game['title']}: {game['summary']}", options)
    console.print(table)
