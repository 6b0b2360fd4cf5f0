"""The numbers of a report, computed from games and nothing else."""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from plyground.report.games import PlayedGame
from plyground.stats import EloEstimate, PairResult, Rating, estimate_elo, rate_players
from plyground.stats.hazard import estimate_hazard


@dataclass(frozen=True)
class Standing:
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
class Encounter:
    """Games of `player` against `opponent` under one condition, seen by `player`."""

    player: str
    opponent: str
    wins: int
    draws: int
    losses: int
    estimate: EloEstimate
    limit: str = ""
    seconds: float | None = None
    setting: str = ""

    @property
    def games(self) -> int:
        """How many games they played."""
        return self.wins + self.draws + self.losses


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
    standings: tuple[Standing, ...]
    cross: dict[tuple[str, str], Encounter]
    conditions: tuple[Encounter, ...]
    by_time: tuple[Encounter, ...]
    by_setting: tuple[Encounter, ...]
    failures: tuple[PlayedGame, ...]
    survival: tuple[Survival, ...] = ()
    terminations: dict[str, int] = field(default_factory=dict)


def summarise(games: Sequence[PlayedGame], game: str, players: Sequence[str]) -> Summary:
    """Everything a report states, from the games of a run."""
    seen = dict.fromkeys(name for row in games for name in (row.first, row.second) if name)
    names = tuple(dict.fromkeys([*players, *seen]))
    duels = [row for row in games if row.second and row.first != row.second]
    solo = [row for row in games if not row.second]
    ratings = _ratings(names, duels)
    standings = sorted(
        (_standing(name, games, ratings.get(name)) for name in names),
        key=lambda entry: (entry.rating.elo if entry.rating else 0.0, entry.score),
        reverse=True,
    )
    survival = tuple(_survival(name, [row for row in solo if row.first == name]) for name in names)
    survival = tuple(sorted((s for s in survival if s.games), key=lambda entry: entry.hazard))
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


def estimate_for(player: str, games: Iterable[PlayedGame]) -> EloEstimate:
    """Strength of a player over these games, which share their opponents, from pairs."""
    pairs: dict[tuple[str, str], list[float]] = defaultdict(list)
    for row in games:
        if not row.rated:
            continue
        opponent = row.second if row.first == player else row.first
        pairs[row.pair, opponent].append(row.score if row.first == player else 1.0 - row.score)
    full = [sum(scores) for scores in pairs.values() if len(scores) == 2]
    single = [score for scores in pairs.values() if len(scores) != 2 for score in scores]
    return estimate_elo(full, single)


def _ratings(names: tuple[str, ...], games: list[PlayedGame]) -> dict[str, Rating]:
    if len({name for row in games for name in (row.first, row.second)}) < 2:
        return {}
    index = {name: number for number, name in enumerate(names)}
    pairs: dict[tuple[str, int, int], list[float]] = defaultdict(list)
    for row in games:
        if not row.rated:
            continue
        first, second = index[row.first], index[row.second]
        low, high = min(first, second), max(first, second)
        pairs[row.pair, low, high].append(row.score if first == low else 1.0 - row.score)
    results = [
        PairResult(low, high, sum(scores), len(scores)) for (_, low, high), scores in pairs.items()
    ]
    rated = rate_players(len(names), results)
    return {name: rated[number] for name, number in index.items()}


def _standing(name: str, games: Sequence[PlayedGame], rating: Rating | None) -> Standing:
    scores: list[float] = []
    margins: list[float] = []
    failures = 0
    seconds: list[float] = []
    nodes: list[int] = []
    for row in games:
        for seat, player in enumerate((row.first, row.second)):
            if player != name:
                continue
            if row.second:
                scores.append(row.score if seat == 0 else 1.0 - row.score)
            if row.margin is not None and not row.failed:
                margins.append(row.margin if seat == 0 else -row.margin)
            failures += row.failed and row.winner not in ("", name)
            seconds += [time for mover, time, _ in row.moves if mover == seat and time is not None]
            nodes += [count for mover, _, count in row.moves if mover == seat and count]
    return Standing(
        player=name,
        games=len(scores),
        wins=sum(score == 1.0 for score in scores),
        draws=sum(score == 0.5 for score in scores),
        losses=sum(score == 0.0 for score in scores),
        rating=rating,
        margin=statistics.fmean(margins) if margins else None,
        failures=failures,
        median_seconds=statistics.median(seconds) if seconds else None,
        mean_seconds=statistics.fmean(seconds) if seconds else None,
        longest_seconds=max(seconds, default=None),
        mean_nodes=statistics.fmean(nodes) if nodes else None,
    )


def encounter(player: str, opponent: str, games: Sequence[PlayedGame]) -> Encounter:
    """The record of a player against one opponent in these games."""
    scores = [row.score if row.first == player else 1.0 - row.score for row in games]
    return Encounter(
        player=player,
        opponent=opponent,
        wins=sum(score == 1.0 for score in scores),
        draws=sum(score == 0.5 for score in scores),
        losses=sum(score == 0.0 for score in scores),
        estimate=estimate_for(player, games),
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


def _survival(name: str, games: Sequence[PlayedGame]) -> Survival:
    turns = sum(row.turns or 0 for row in games)
    deaths = sum(row.termination != "ply limit" for row in games)
    low, hazard, high = estimate_hazard(deaths, turns)
    return Survival(name, len(games), turns, deaths, low, hazard or 0.0, high or math.inf)


def _headline(
    game: str,
    games: int,
    standings: Sequence[Standing],
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
