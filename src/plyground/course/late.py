"""Somebody hands in late: those who have met need not meet again.

The ranking goes on as a run of its own, with the games of the earlier one taken over under the
numbers that their players have now.
"""

from __future__ import annotations

import re

import msgspec

from plyground.arena.config import RunConfig
from plyground.arena.tournament import open_run
from plyground.core.errors import InputError
from plyground.store.database import Store, StoredGame

_PAIRING = re.compile(r"\d+-\d+")


def open_ranking(store: Store, config: RunConfig) -> str:
    """The run of a ranking: a new one, the one that was begun, or that one with more players."""
    begun = store.runs()
    if not begun:
        return open_run(store, config, None, resume=False)
    earlier = RunConfig.from_builtins(begun[-1].config)
    if earlier.identity() == config.identity():
        return open_run(store, config, begun[-1].id, resume=True)
    numbers = _new_numbers(earlier, config)
    games = list(store.games(begun[-1].id))
    with store.all_or_nothing():
        run = open_run(store, config, None, resume=False)
        for game in games:
            store.add_game(run, _renumbered(game, numbers))
    return run


def _new_numbers(earlier: RunConfig, config: RunConfig) -> list[int]:
    """Where the players of an earlier run stand now; InputError if more than players changed."""
    before = msgspec.structs.replace(earlier, players=config.players, sources=config.sources)
    missing = set(earlier.labels) - set(config.labels)
    if missing or before.identity() != config.identity():
        raise InputError(
            "the games in this folder were played with other settings or by others; choose another "
            "--output, or remove that folder"
        )
    return [config.labels.index(label) for label in earlier.labels]


def _renumbered(game: StoredGame, numbers: list[int]) -> StoredGame:
    assert game.second is not None
    first, second = numbers[game.first], numbers[game.second]
    pairing = f"{min(first, second)}-{max(first, second)}"
    return msgspec.structs.replace(
        game,
        schedule_id=_PAIRING.sub(pairing, game.schedule_id, count=1),
        pair_id=_PAIRING.sub(pairing, game.pair_id, count=1),
        first=first,
        second=second,
    )
