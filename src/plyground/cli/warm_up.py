"""`plyground warm-up`: compile a game's agents before they are needed."""

from __future__ import annotations

import time
from typing import Annotated

from cyclopts import Parameter

from plyground.cli.app import Json, Options, console, parse_options, print_json
from plyground.cli.preparing import prepare
from plyground.core.errors import OptionError
from plyground.core.registry import agents, find_game, game_name, games
from plyground.engines.preparation import Player, built_in_players


def warm_up(
    game: Annotated[str | None, Parameter(help="A game or its file; all games by default.")] = None,
    *names: Annotated[str, Parameter(help="Agents; all of the game by default.")],
    option: Options = None,
    json: Json = False,
) -> None:
    """Compile what the agents of a game need, on all cores, so that no first game waits for it.

    Example: plyground warm-up connect4
    """
    if game is None and option:
        raise OptionError("--option needs a game that it is an option of")
    players: list[Player] = []
    for each in [game_name(game)] if game is not None else list(games()):
        options = find_game(each)(parse_options(option)).options if option else {}
        players += built_in_players(each, names or agents(each), options)
    started = time.perf_counter()
    waiting = sum(not player.is_ready for player in players)
    prepare(players)
    seconds = time.perf_counter() - started
    if json:
        print_json({"players": len(players), "prepared": waiting, "seconds": seconds})
    elif waiting:
        console.print(f"{waiting} of {len(players)} agents compiled in {seconds:.0f} s")
    else:
        console.print(f"all {len(players)} agents were ready")
