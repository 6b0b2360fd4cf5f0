"""One progress display for all commands, and what it shows while players are compiled."""

from __future__ import annotations

from collections.abc import Sequence

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from plyground.cli.app import notes
from plyground.core.files import short_name
from plyground.engines.preparation import Player, Preparation
from plyground.kernels.progress import now_compiling

_LOOK_SECONDS = 0.5


def progress(*more: ProgressColumn, remaining: bool = False, transient: bool = False) -> Progress:
    """A display on standard error: what for, how many of how many, how long (or how much longer).

    A transient one disappears at its end.
    """
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn() if remaining else TimeElapsedColumn(),
        *more,
        console=notes,
        transient=transient,
    )


def show_preparation(preparation: Preparation, players: Sequence[Player], bar: Progress) -> None:
    """Wait until these players are ready, with a line of the display if that takes any time."""
    waiting = preparation.waiting(players)
    if not waiting:
        return
    title = f"compiling {short_name(waiting[0].game)} (first run only)"
    task = bar.add_task(title, total=len(waiting))
    done, most = 0, 0.0
    for player in preparation.follow(waiting, _LOOK_SECONDS):
        done += player is not None
        part, detail = _now()
        most = max(most, min(done + part, len(waiting)))  # a player may need several packages
        bar.update(task, completed=most, description=f"{title}{detail}")
    bar.update(task, completed=done, description=f"compiled {short_name(waiting[0].game)}")


def _now() -> tuple[float, str]:
    """How much of the next player is done, from 0 to 1, and what is being compiled for it."""
    found = now_compiling(by_others=True)
    if found is None:
        return 0.0, ""
    return found.done / found.total, f": {found.label}, about {found.seconds_left} s"


def prepare(players: Sequence[Player]) -> None:
    """Compile what these players need on all cores; silent when there is nothing to do."""
    with Preparation(players) as preparation:
        if preparation.total:
            with progress() as bar:
                for game in dict.fromkeys(player.game for player in players):
                    mine = [player for player in players if player.game == game]
                    show_preparation(preparation, mine, bar)
