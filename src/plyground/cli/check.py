"""`plyground check`: what an external program does wrong."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from plyground.cli.app import Json, Options, console, open_game, print_json
from plyground.engines.compliance import Check, check_player
from plyground.engines.engine import EngineSettings


def check(
    game: str,
    player: str,
    *,
    option: Options = None,
    startup: Annotated[
        float, Parameter(help="Seconds the program may take to start.")
    ] = EngineSettings().startup,
    json: Json = False,
) -> int:
    """Try a player (exec:./mybot, codecup:./mybot, course:path) and list what goes wrong."""
    rules = open_game(game, option)
    checks: list[Check] = []
    for result in check_player(rules, player, EngineSettings(startup=startup)):
        checks.append(result)
        if not json:
            mark = "[green]ok  [/]" if result.ok else "[red]FAIL[/]"
            console.print(mark, result.name, end=": " if result.detail else "\n", highlight=False)
            if result.detail:
                console.print(result.detail, highlight=False, markup=False, soft_wrap=True)
    good = all(result.ok for result in checks)
    if json:
        print_json({"game": game, "player": player, "ok": good, "checks": checks})
    return 0 if good else 1
