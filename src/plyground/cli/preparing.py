"""One progress display for what is compiled before a first game."""

from __future__ import annotations

from collections.abc import Sequence

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from plyground.cli.app import notes
from plyground.engines.preparation import Player, Preparation


def progress() -> Progress:
    """A display on standard error: what for, how many of how many, how long."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=notes,
    )


def show_preparation(preparation: Preparation, players: Sequence[Player], bar: Progress) -> None:
    """Wait until these players are ready, with a line of the display if that takes any time."""
    waiting = preparation.waiting(players)
    if not waiting:
        return
    title = f"compiling {waiting[0].game} (first run only)"
    task = bar.add_task(title, total=len(waiting))
    for player in preparation.ready(players):
        bar.update(task, advance=1, description=f"{title}: {player.agent}")
    bar.update(task, description=f"compiled {waiting[0].game}")


def prepare(players: Sequence[Player]) -> None:
    """Compile what these players need on all cores; silent when there is nothing to do."""
    with Preparation(players) as preparation:
        if preparation.total:
            with progress() as bar:
                for game in dict.fromkeys(player.game for player in players):
                    mine = [player for player in players if player.game == game]
                    show_preparation(preparation, mine, bar)
