"""`plyground compare`: is the new version of a bot better?"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from plyground.cli.app import Database, Json, console, print_json
from plyground.store import Store, default_path


def compare(
    first: Annotated[str, Parameter(help="A player as it was named in its games.")],
    second: Annotated[str, Parameter(help="The other one.")],
    *,
    run: Annotated[
        list[str] | None, Parameter(help="Only games of this run; may be repeated.", negative="")
    ] = None,
    game: Annotated[str, Parameter(help="Needed when both played several games.")] = "",
    out: Annotated[Path | None, Parameter(help="The HTML file to write.")] = None,
    database: Database = None,
    json: Json = False,
) -> None:
    """Compare two players by their stored games, direct ones and those with common opponents.

    Of a file that was edited between its runs only the games since its last change count.

    Example: plyground compare new-version.py old-version.py
    """
    from plyground.arena.summary import elo_fields
    from plyground.report.compare import compare_players, comparison_page
    from plyground.report.page import write_page
    from plyground.report.runs import reports_folder

    with Store(database or default_path(), create=False) as store:
        result = compare_players(store, first, second, tuple(run or ()), game)
    name = re.sub(r"[^A-Za-z0-9.=-]+", "_", f"{first}-{second}")
    path = out or reports_folder() / "compare" / f"{name}.html"
    write_page(comparison_page(result), path)
    if json:
        direct = result.direct
        common = [
            {
                "opponent": ours.opponent,
                "limit": ours.limit,
                "scores": [ours.estimate.score, theirs.estimate.score],
                "games": [ours.games, theirs.games],
            }
            for ours, theirs in result.common
        ]
        fields = {
            "players": [first, second],
            "game": result.game,
            "headline": result.headline,
            "remarks": list(result.remarks),
            "wins": [direct.wins, direct.losses] if direct else None,
            "draws": direct.draws if direct else None,
            "elo": elo_fields(direct.estimate) if direct else None,
            "common": common,
            "report": str(path),
        }
        print_json(fields)
        return
    for line in (result.headline, *result.remarks):
        console.print(line, highlight=False)
    console.print(path, highlight=False, soft_wrap=True)
