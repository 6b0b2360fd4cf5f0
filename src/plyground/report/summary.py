"""The numbers of a report, computed from games and nothing else."""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from plyground.arena.class_table import Place, is_class, stored_places
from plyground.arena.results import Results, SoloStanding, Standing, collect
from plyground.report.games import PlayedGame
from plyground.stats import EloEstimate, Rating


@dataclass(frozen=True)
class PlayerSummary:
    """A player's results over all games; time and nodes are medians (and means) of its moves.

    `margin` is its mean point margin a game in games that count points.
    """

    player: str
    games: int
    wins: int
    draws: int
    losses: int
    rating: Rating | None
    margin: float | None
    failures: int
    median_seconds: float | None
    mean_seconds: float | None
    longest_seconds: float | None
    mean_nodes: float | None

    @property
    def score(self) -> float:
        """Points per game."""
        return (self.wins + 0.5 * self.draws) / self.games if self.games else 0.5


@dataclass(frozen=True)
class Tally:
    """Games seen by one of the players, with the interval of its score and of its strength."""

    wins: int
    draws: int
    losses: int
    estimate: EloEstimate

    @property
    def games(self) -> int:
        """How many games."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Points per game."""
        return self.estimate.score

    @property
    def low(self) -> float:
        """Lower end of the score's 95 % interval."""
        return self.estimate.score_low

    @property
    def high(self) -> float:
        """Upper end of the score's 95 % interval."""
        return self.estimate.score_high

    @property
    def reversed(self) -> Tally:
        """The same games, seen by the opponent."""
        seen = replace(
            self.estimate,
            score=1 - self.score,
            score_low=1 - self.high,
            score_high=1 - self.low,
        )
        return Tally(self.losses, self.draws, self.wins, seen)

    def __str__(self) -> str:
        return f"{self.wins}-{self.losses}" + (f"-{self.draws}" if self.draws else "")

    @property
    def text(self) -> str:
        """`499-1 of 500: 99.8 % [98.9 to 100.0]`, draws as a third number."""
        return (
            f"{self} of {self.games}: {100 * self.score:.1f} % "
            f"[{100 * self.low:.1f} to {100 * self.high:.1f}]"
        )


@dataclass(frozen=True, kw_only=True)
class Encounter(Tally):
    """Games of `player` against `opponent` under one condition, seen by `player`."""

    player: str
    opponent: str
    limit: str = ""
    seconds: float | None = None
    setting: str = ""


@dataclass(frozen=True)
class Survival:
    """A player of a one-player game: deaths per turn with a 95 % interval (Poisson, exact)."""

    player: str
    games: int
    turns: int
    deaths: int
    low: float
    hazard: float
    high: float


@dataclass(frozen=True)
class Summary:
    """All numbers of a run. `cross[a, b]` is a's record against b over all conditions."""

    game: str
    players: tuple[str, ...]
    games: int
    headline: str
    standings: tuple[PlayerSummary, ...]
    cross: dict[tuple[str, str], Encounter]
    conditions: tuple[Encounter, ...]
    by_time: tuple[Encounter, ...]
    by_setting: tuple[Encounter, ...]
    failures: tuple[PlayedGame, ...]
    survival: tuple[Survival, ...] = ()
    terminations: dict[str, int] = field(default_factory=dict)


def summarise(
    games: Sequence[PlayedGame],
    game: str,
    players: Sequence[str],
    config: Mapping[str, Any] | None = None,
) -> Summary:
    """Everything a report states, from the games of a run.

    With the configuration of a class, places and ratings are those of the class's own pages.
    """
    seen = dict.fromkeys(name for row in games for name in (row.first, row.second) if name)
    names = tuple(dict.fromkeys([*players, *seen]))
    duels = [row for row in games if row.second and row.first != row.second]
    results = _results(names, duels)
    standings = [
        _player_summary(names[row.player], row if duels else None, games)
        for row in results.standings()
    ]
    if config and is_class(config):
        standings = _as_class(standings, stored_places(config, results))
    solo = _results(names, [row for row in games if not row.second]).solo_standings()
    survival = tuple(
        sorted(
            (_survival(names[row.player], row) for row in solo if row.lines),
            key=lambda entry: entry.hazard,
        )
    )
    cross = _cross_table(names, duels)
    kinds: dict[str, int] = defaultdict(int)
    for row in games:
        kinds[row.termination] += 1
    return Summary(
        game=game,
        players=names,
        games=len(games),
        headline=_headline(game, len(games), standings, cross, survival),
        standings=tuple(standings),
        cross=cross,
        conditions=_encounters(names, duels, lambda row: (row.limit, row.setting)),
        by_time=_encounters(
            names,
            [row for row in duels if row.seconds_a_move is not None],
            lambda row: (row.limit, ""),
        ),
        by_setting=_encounters(
            names, [row for row in duels if row.setting], lambda row: ("", row.setting)
        ),
        failures=tuple(row for row in games if row.failed),
        survival=survival,
        terminations=dict(kinds),
    )


def _as_class(standings: Sequence[PlayerSummary], places: Sequence[Place]) -> list[PlayerSummary]:
    """The same rows in the order of the class, with its ratings."""
    rows = {row.player: row for row in standings}
    found = []
    for place in places:
        row = rows[place.name]
        if row.rating is not None:
            rating = replace(row.rating, elo=place.elo, low=place.low, high=place.high)
            row = replace(row, rating=rating)
        found.append(row)
    return found


def _results(names: Sequence[str], games: Iterable[PlayedGame]) -> Results:
    """The games as the arena counts them; players' numbers go by their names."""
    index = {name: number for number, name in enumerate(names)}
    return collect(
        len(names),
        (
            msgspec.structs.replace(
                row.line,
                schedule_id=str(number),
                seats=tuple(index[name] for name in (row.first, row.second) if name),
            )
            for number, row in enumerate(games)
        ),
    )


def _player_summary(
    name: str, standing: Standing | None, games: Sequence[PlayedGame]
) -> PlayerSummary:
    """What is known of a player; `standing` is None where nobody met an opponent."""
    margins: list[float] = []
    seconds: list[float] = []
    nodes: list[int] = []
    for row in games:
        for seat, player in enumerate((row.first, row.second)):
            if player != name:
                continue
            if row.margin is not None and not row.failed:
                margins.append(row.margin if seat == 0 else -row.margin)
            seconds += [time for mover, time, _ in row.moves if mover == seat and time is not None]
            nodes += [count for mover, _, count in row.moves if mover == seat and count]
    return PlayerSummary(
        player=name,
        games=standing.games if standing else 0,
        wins=standing.wins if standing else 0,
        draws=standing.draws if standing else 0,
        losses=standing.losses if standing else 0,
        rating=standing.rating if standing else None,
        margin=statistics.fmean(margins) if margins else None,
        failures=standing.failures if standing else 0,
        median_seconds=statistics.median(seconds) if seconds else None,
        mean_seconds=statistics.fmean(seconds) if seconds else None,
        longest_seconds=max(seconds, default=None),
        mean_nodes=statistics.fmean(nodes) if nodes else None,
    )


def tally_for(player: str, games: Sequence[PlayedGame]) -> Tally:
    """A player's record over games, against whomever."""
    scores = [row.score_of(player) for row in games]
    return Tally(
        wins=scores.count(1.0),
        draws=scores.count(0.5),
        losses=scores.count(0.0),
        estimate=_estimate(player, games),
    )


def _estimate(player: str, games: Sequence[PlayedGame]) -> EloEstimate:
    """Strength of a player over these games, from pairs; a copy of itself is an opponent."""
    opponents: dict[str, int] = {}
    lines = []
    for number, row in enumerate(games):
        second = player == row.second != row.first
        opponent = opponents.setdefault(row.first if second else row.second, len(opponents) + 1)
        seats = (opponent, 0) if second else (0, opponent)
        lines.append(msgspec.structs.replace(row.line, schedule_id=str(number), seats=seats))
    return collect(len(opponents) + 1, lines).elo(0)


def encounter(player: str, opponent: str, games: Sequence[PlayedGame]) -> Encounter:
    """The record of a player against one opponent in these games."""
    tally = tally_for(player, games)
    return Encounter(
        tally.wins,
        tally.draws,
        tally.losses,
        tally.estimate,
        player=player,
        opponent=opponent,
        limit=games[0].limit if games else "",
        seconds=games[0].seconds_a_move if games else None,
        setting=games[0].setting if games else "",
    )


def _cross_table(
    names: tuple[str, ...], games: Sequence[PlayedGame]
) -> dict[tuple[str, str], Encounter]:
    met: dict[tuple[str, str], list[PlayedGame]] = defaultdict(list)
    for row in games:
        met[row.first, row.second].append(row)
        met[row.second, row.first].append(row)
    return {
        (player, opponent): encounter(player, opponent, met[player, opponent])
        for player in names
        for opponent in names
        if (player, opponent) in met
    }


def _encounters(
    names: tuple[str, ...],
    games: Sequence[PlayedGame],
    condition: Callable[[PlayedGame], tuple[str, str]],
) -> tuple[Encounter, ...]:
    """One encounter per pairing and condition, seen by the player who is named first."""
    rank = {name: number for number, name in enumerate(names)}
    groups: dict[tuple[str, str, tuple[str, str]], list[PlayedGame]] = defaultdict(list)
    for row in games:
        player, opponent = sorted((row.first, row.second), key=rank.__getitem__)
        groups[player, opponent, condition(row)].append(row)
    return tuple(
        encounter(player, opponent, rows) for (player, opponent, _), rows in groups.items()
    )


def _survival(name: str, row: SoloStanding) -> Survival:
    low, hazard, high = row.hazard
    return Survival(
        name, len(row.lines), row.turns, row.deaths, low, hazard or 0.0, high or math.inf
    )


def _headline(
    game: str,
    games: int,
    standings: Sequence[PlayerSummary],
    cross: dict[tuple[str, str], Encounter],
    survival: Sequence[Survival],
) -> str:
    if not games:
        return f"No game of {game} has ended yet."
    if survival:
        best = survival[0]
        per_death = f"{1 / best.hazard:,.0f}" if best.deaths else f"more than {best.turns:,}"
        return (
            f"{best.player} lived longest: {per_death} turns a death "
            f"({count(best.deaths, 'death')} in {count(best.turns, 'turn')})."
        )
    if not cross:
        return f"{games} games of {game}."
    top = standings[0]
    if len(standings) == 2:
        record = cross[standings[0].player, standings[1].player]
        estimate = record.estimate
        sure = not estimate.score_low <= 0.5 <= estimate.score_high
        return (
            f"{record.player} scored {percent(estimate.score)} against {record.opponent} "
            f"in {count(record.games, 'game')} ({record.wins} won, {record.draws} drawn, "
            f"{record.losses} lost), Elo {interval(estimate.elo, estimate.low, estimate.high)}: "
            + ("it is the stronger one." if sure else "that is not enough to call it stronger.")
        )
    assert top.rating is not None
    lead = standings[1].rating
    assert lead is not None
    clear = top.rating.low > lead.high
    return (
        f"{top.player} came first of {len(standings)} with {percent(top.score)} of "
        f"{count(top.games, 'game')}, Elo "
        f"{interval(top.rating.elo, top.rating.low, top.rating.high)}"
        + (
            f", clearly ahead of {standings[1].player}."
            if clear
            else f"; its lead over {standings[1].player} is within the noise."
        )
    )


def count(number: int, noun: str) -> str:
    """`1 game`, `2 games`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def percent(share: float) -> str:
    """A share as a percentage with one decimal."""
    return f"{100 * share:.1f} %"


def interval(value: float, low: float, high: float) -> str:
    """An Elo number with its interval; infinite ends are written out."""

    def show(number: float) -> str:
        if math.isinf(number):
            return "+∞" if number > 0 else "−∞"
        return f"{number:+.0f}".replace("-", "−")

    return f"{show(value)} [{show(low)} to {show(high)}]"
