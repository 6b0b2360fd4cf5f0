"""Games as a report needs them: who met whom under which conditions, and what came of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from plyground.arena.results import FAILURES, ResultLine, counts_failures
from plyground.core.game import CHANCE
from plyground.core.record import GameRecord
from plyground.store import Store, StoredGame

MOST_SETTINGS = 12
"""With more values than this an option is no setting to compare but a suite of starts."""


@dataclass(frozen=True)
class PlayedGame:
    """One finished game. `second` is empty in a one-player game; `score` is the first player's.

    `limit` says how long the players could think, `seconds_a_move` is set when that is a time.
    `setting` names what differs between the games of a run apart from players and time: the board
    or other options.
    """

    id: str
    pair: str
    first: str
    second: str
    score: float
    winner: str
    termination: str
    margin: float | None
    plies: int
    turns: int | None
    seconds: float
    limit: str
    seconds_a_move: float | None
    setting: str
    moves: tuple[tuple[int, float | None, int | None], ...]
    """Player, seconds and nodes of each move; deals are left out."""
    record: GameRecord = field(repr=False)
    line: ResultLine = field(repr=False)
    """What standings are made from; its seats are the players' numbers in their run."""

    @property
    def points(self) -> str:
        """The points of a game that counts them, `18 – 17`."""
        outcome = self.record.outcome
        scores = outcome.scores if outcome is not None else None
        return " – ".join(f"{score:g}" for score in scores or ())

    def score_of(self, player: str) -> float:
        """The score of a player; two copies of one player count by the first seat."""
        return 1.0 - self.score if player == self.second != self.first else self.score

    @property
    def failed(self) -> bool:
        """Whether a program failed: time-out, crash, illegal move and the like."""
        return self.termination in FAILURES


def load_run(store: Store, run: str) -> list[PlayedGame]:
    """The games of a stored run in the order in which they ended."""
    info = store.run(run)
    stored = list(store.games(run))
    return gather_games(stored, info.players, info.config)


def gather_games(
    stored: Iterable[StoredGame], players: tuple[str, ...], config: Mapping[str, Any]
) -> list[PlayedGame]:
    """Rows of stored games; settings are the options that differ between them."""
    games = list(stored)
    varying = varying_options([game.record for game in games])
    return [_as_row(game, players, config, varying) for game in games]


def varying_options(records: list[GameRecord]) -> list[str]:
    """The options that differ between games and are no suite of starts."""
    values: dict[str, set[str]] = {}
    for record in records:
        for name, value in record.options.items():
            values.setdefault(name, set()).add(str(value))
    return sorted(
        name for name, seen in values.items() if name != "seed" and 1 < len(seen) <= MOST_SETTINGS
    )


def _as_row(
    game: StoredGame, players: tuple[str, ...], config: Mapping[str, Any], varying: list[str]
) -> PlayedGame:
    record = game.record
    outcome = record.outcome
    assert outcome is not None
    line = ResultLine.of(game, count_failures=counts_failures(config))
    names = [players[game.first], "" if game.second is None else players[game.second]]
    limit = record.tags.get("limit") or describe_limit(config)
    setting = record.tags.get("setting")
    if setting is None:
        setting = ", ".join(
            str(record.options[name]) if name == "board" else f"{name}={record.options[name]}"
            for name in varying
            if name in record.options
        )
    return PlayedGame(
        id=game.schedule_id,
        pair=game.pair_id,
        first=names[0],
        second=names[1],
        score=outcome.score(0),
        winner="" if outcome.winner is None else names[outcome.winner],
        termination=str(outcome.termination),
        margin=outcome.margin,
        plies=sum(entry.player != CHANCE for entry in record.moves),
        turns=line.survived if game.second is None else None,
        seconds=game.seconds,
        limit=limit,
        seconds_a_move=seconds_in(limit),
        setting=setting,
        moves=tuple(
            (entry.player, entry.time, entry.nodes)
            for entry in record.moves
            if entry.player != CHANCE
        ),
        record=record,
        line=line,
    )


def describe_limit(config: Mapping[str, Any]) -> str:
    """The limit in a run's configuration as text, wherever its conductor put it."""
    limit = config.get("limit", config)
    if isinstance(limit, str):
        return limit
    if not isinstance(limit, Mapping):
        return ""
    parts = [
        f"{limit['time']:g} s a move" if limit.get("time") else "",
        f"{limit['nodes']} nodes" if limit.get("nodes") else "",
        f"depth {limit['depth']}" if limit.get("depth") else "",
        f"clock {_clock(limit['clock'])}" if limit.get("clock") else "",
    ]
    return ", ".join(part for part in parts if part)


def _clock(clock: Any) -> str:
    if not isinstance(clock, Mapping):
        return str(clock)
    increment = clock.get("increment", 0)
    return f"{clock['remaining']:g}" + (f"+{increment:g}" if increment else "")


def seconds_in(limit: str) -> float | None:
    """The time a move that a limit's text gives, if it gives one."""
    found = re.match(r"([0-9.]+(?:e-?\d+)?) s a move", limit)
    return float(found.group(1)) if found else None
