"""`plyground games`: the games with their options."""

from __future__ import annotations

from rich.table import Table

from plyground.cli.app import Json, console, print_json
from plyground.core import registry


def games(*, json: Json = False) -> None:
    """List the games with their options."""
    known = registry.games()
    if json:
        print_json([_game_facts(name) for name in known])
        return
    table = Table("game", "about", "options")
    for name, game in known.items():
        options = "\n".join(
            f"{option.name}={option.default}"
            + (f" ({'|'.join(option.choices)})" if option.choices else "")
            for option in game.info.options
        )
        table.add_row(name, f"{game.info.title}: {game.info.summary}", options)
    console.print(table)


def _game_facts(name: str) -> dict[str, object]:
    info = registry.games()[name].info
    return {
        "name": info.name,
        "title": info.title,
        "summary": info.summary,
        "players": info.players,
        "chance": info.chance,
        "scoring": info.scoring.value,
        "options": [
            {
                "name": option.name,
                "default": option.default,
                "choices": list(option.choices),
                "help": option.help,
            }
            for option in info.options
        ],
    }
