"""`plyground runs`: the matches and tournaments in the database."""

from __future__ import annotations

from plyground.cli.app import Database, Json, console, print_json
from plyground.core.files import short_name
from plyground.store import Store, default_path


def runs(*, database: Database = None, json: Json = False) -> None:
    """List the runs in the database.

    Example: plyground runs
    """
    with Store(database or default_path(), create=False) as store:
        rows = [
            {
                "run": run.id,
                "kind": run.kind,
                "game": run.game,
                "players": list(run.players),
                "games": store.count_games(run.id),
                "created": run.created,
            }
            for run in store.runs()
        ]
    if json:
        print_json(rows)
        return
    for row in rows:
        players = row["players"]
        assert isinstance(players, list)
        console.print(
            f"{row['run']}: {row['kind']} of {short_name(str(row['game']))}, {row['games']} games, "
            f"{', '.join(players)}",
            highlight=False,
            soft_wrap=True,
        )
