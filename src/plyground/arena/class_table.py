"""The table of a class: places, scores, and ratings that hold after few games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from plyground.arena.config import RunConfig
from plyground.arena.results import Results, Standing
from plyground.stats.field import estimate_field
from plyground.stats.ratings import gather

SAMPLING_ELO = 10.0
"""Ratings of a field are sampled: those of equals lie up to so far apart."""

SURE = 0.9
FEWEST_FOR_A_FIELD = 4
"""Fewer players have too little in common to tell their spread."""


@dataclass(frozen=True)
class Place:
    """A row of the table. An anchor (`rank` 0) is no student: it holds the scale.

    `superiority` is the probability of being stronger than the next one in the table.
    """

    name: str
    rank: int
    score: float
    games: int
    wins: int
    draws: int
    losses: int
    elo: float
    low: float
    high: float
    failures: int
    seconds_per_move: float | None
    superiority: float | None = None

    @property
    def anchor(self) -> bool:
        return self.rank == 0


def is_class(config: Mapping[str, Any]) -> bool:
    """Whether a stored run is one of course submissions, by its configuration."""
    entries = config.get("players") or []
    return any(str(entry.get("player", "")).startswith("course:") for entry in entries)


def stored_places(config: Mapping[str, Any], results: Results) -> list[Place]:
    """The table of a stored run, from its configuration as it lies in the database."""
    return class_places(msgspec.convert(config, RunConfig), results)


def class_places(config: RunConfig, results: Results) -> list[Place]:
    """The table, best first.

    Where all met the same opponents the score decides; in a Swiss tournament, where they did not,
    the rating does. Equals share a place. Ratings are relative to the anchors' average
    where there are some, else to that of the class.
    """
    rows = {row.player: row for row in results.standings()}
    count = len(config.players)
    anchors = range(count - config.anchors, count)
    ratings = {
        player: (row.rating.elo, row.rating.low, row.rating.high) for player, row in rows.items()
    }
    field = None
    if count >= FEWEST_FOR_A_FIELD:
        field = estimate_field(gather(count, results.pair_results()), anchors)
        columns = zip(field.elo.tolist(), field.low.tolist(), field.high.tolist(), strict=True)
        ratings = dict(enumerate(columns))
    by_score = config.format != "swiss"
    if by_score:
        ratings |= _of_equals(ratings, [row for row in rows.values() if row.player not in anchors])

    def merit(player: int) -> tuple[float, float]:
        row = rows[player]
        share = row.score / row.games if row.games else 0.0
        elo = ratings[player][0]
        return (share, elo) if by_score and player not in anchors else (0.0, elo)

    order = sorted((p for p in rows if p not in anchors), key=merit, reverse=True)
    places: list[Place] = []
    for player in [*order, *anchors]:
        row = rows[player]
        elo, low, high = ratings[player]
        places.append(
            Place(
                name=config.labels[player],
                rank=0 if player in anchors else len(places) + 1,
                score=row.score,
                games=row.games,
                wins=row.wins,
                draws=row.draws,
                losses=row.losses,
                elo=elo,
                low=low,
                high=high,
                failures=row.failures,
                seconds_per_move=row.seconds_per_move,
            )
        )
    if field is not None:
        for index in range(len(order) - 1):
            chance = field.superiority(order[index], order[index + 1])
            places[index] = replace(places[index], superiority=chance)
    return share_ranks(places, by_score=by_score)


def doubts(places: Sequence[Place]) -> str:
    """That the games are too few to tell most neighbours apart, in a sentence; else empty."""
    chances = [place.superiority for place in places if place.superiority is not None]
    unsure = sum(chance < SURE for chance in chances)
    if unsure <= len(chances) / 2:
        return ""
    return (
        f"{unsure} of {len(chances)} neighbours in the table are not told apart: less than "
        f"{SURE:.0%} sure who is stronger. More rounds tell more (--rounds)."
    )


def _of_equals(
    ratings: Mapping[int, tuple[float, float, float]], rows: Sequence[Standing]
) -> dict[int, tuple[float, float, float]]:
    """Who met the same opponents with the same score has the same rating: sampling is noise."""
    groups: dict[tuple[float, int], list[int]] = {}
    for row in rows:
        groups.setdefault((row.score, row.games), []).append(row.player)
    means: dict[int, tuple[float, float, float]] = {}
    for group in groups.values():
        columns = zip(*(ratings[player] for player in group), strict=True)
        elo, low, high = (sum(column) / len(group) for column in columns)
        means |= dict.fromkeys(group, (elo, low, high))
    return means


def share_ranks(places: Sequence[Place], *, by_score: bool) -> list[Place]:
    """Students of the same score share their place, in a Swiss ranking those of nearly one Elo."""

    def equal(first: Place, second: Place) -> bool:
        if by_score:
            return (first.score, first.games) == (second.score, second.games)
        return first.elo - second.elo < SAMPLING_ELO

    shared: list[Place] = []
    leader: Place | None = None
    for place in places:
        if leader is None or place.anchor or not equal(leader, place):
            leader = place
        shared.append(replace(place, rank=leader.rank))
    return shared
