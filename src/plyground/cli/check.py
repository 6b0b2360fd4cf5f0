"""`plyground check`: what is wrong with a game's file, or with an external program."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter
from rich.text import Text

from plyground.arena.compliance import Check, check_player
from plyground.cli.app import Json, Options, Thinking, console, open_game, print_json
from plyground.core.errors import GameFileError
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.engines.engine import EngineSettings


def check(
    game: str,
    player: str | None = None,
    *,
    thinking: Thinking = Thinking(),  # noqa: B008
    option: Options = None,
    startup: Annotated[
        float, Parameter(help="Seconds the program may take to start.")
    ] = EngineSettings().startup,
    json: Json = False,
) -> int:
    """Try a game (GAME or its file) or, with PLAYER, a program that plays it; list what is wrong.

    A game goes through the suite that every game must pass. A player is written as in a match:
    mybot.py, exec:./mybot, codecup:./mybot, course:path. It plays at 0.1 s a move and with a clock
    of 2 s unless --time, --nodes, --depth or --clock say otherwise.

    Example: plyground check connect4 mybot.py --time 0.1
    """
    try:
        rules = open_game(game, option)
    except GameFileError as error:
        for drawn in getattr(error, "__notes__", ()) if not json else ():
            print(drawn)
        raise
    checks: list[Check] = []
    found = (
        _check_rules(rules)
        if player is None
        else check_player(
            rules, player, EngineSettings(startup=startup), limit=thinking.limit(Limit())
        )
    )
    for result in found:
        checks.append(result)
        if not json:
            mark = Text("ok  ", "green") if result.ok else Text("FAIL", "red")
            console.print(mark, result.name, end=": " if result.detail else "\n", highlight=False)
            if result.detail:
                console.print(result.detail, highlight=False, soft_wrap=True)
    good = all(result.ok for result in checks)
    if good and player is None and not json:
        console.print(_tell_extent(rules), highlight=False)
    if json:
        print_json({"game": game, "player": player, "ok": good, "checks": checks})
    return 0 if good else 1


def _tell_extent(rules: Game) -> str:
    """How much was tried, since a mistake in rare positions may not have come up."""
    from plyground.testing import SEEDS, positions_played

    return (
        f"tried in {SEEDS} random games with {positions_played(rules)} positions; what they do not "
        "meet, a match may: it names file and line as well"
    )


def _check_rules(rules: Game) -> list[Check]:
    """The conformance suite, each finding in plain words with the position drawn."""
    from plyground.testing import findings

    return [Check(finding.name, finding.ok, finding.detail) for finding in findings(rules)]
