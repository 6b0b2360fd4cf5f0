"""Results of a run in memory: small lines, pairs, standings."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from plyground.core.game import CHANCE
from plyground.core.outcome import Outcome, Termination
from plyground.stats.elo import EloEstimate, estimate_elo, pentanomial
from plyground.stats.hazard import estimate_hazard
from plyground.stats.margins import MarginEstimate, estimate_margin
from plyground.stats.ratings import PairResult, Rating, gather, list_ratings
from plyground.stats.strength import estimate_strengths
from plyground.store.database import StoredGame

FAILURES = frozenset(
    {
        Termination.TIMEOUT,
        Termination.CRASH,
        Termination.ILLEGAL_MOVE,
        Termination.TABOO_MOVE,
        Termination.FALSE_CLAIM,
        Termination.NO_MOVE,
        Termination.OUT_OF_TURN,
    }
)


class ResultLine(msgspec.Struct, frozen=True):
    """A finished game without its moves. `seats` are players' numbers; the rest goes by seat.

    A game that is not `rated` counts for points and tables, but not for ratings and tests.
    """

    schedule_id: str
    pair_id: str
    seats: tuple[int, ...]
    outcome: Outcome
    plies: int
    deals: int
    times: tuple[float, ...]
    turns: tuple[int, ...]
    rated: bool = True

    @classmethod
    def of(cls, game: StoredGame, *, count_failures: bool = True) -> ResultLine:
        """The line of a game.

        One that was lost by a failure (a crash, an illegal move, too late) is rated like any other
        loss, unless `count_failures` is false.
        """
        record = game.record
        assert record.outcome is not None
        seats = (game.first,) if game.second is None else (game.first, game.second)
        times = [0.0] * len(seats)
        turns = [0] * len(seats)
        for entry in record.moves:
            if entry.time is not None and entry.player >= 0:
                times[entry.player] += entry.time
                turns[entry.player] += 1
        return cls(
            game.schedule_id,
            game.pair_id,
            seats,
            record.outcome,
            len(record.moves),
            sum(entry.player == CHANCE for entry in record.moves),
            tuple(times),
            tuple(turns),
            count_failures or record.outcome.termination not in FAILURES,
        )

    @property
    def points(self) -> tuple[float, ...]:
        """What each seat earns for a ranking: the contest's points, or 1, 1/2 and 0."""
        if self.outcome.points is not None:
            return tuple(float(points) for points in self.outcome.points)
        return tuple(self.outcome.score(seat) for seat in range(len(self.seats)))

    def score_of(self, player: int) -> float:
        """1, 1/2 or 0 for this player."""
        return self.outcome.score(self.seats.index(player))

    @property
    def died(self) -> bool:
        """Whether a one-player game came to its end (and was not just capped)."""
        return self.outcome.termination is not Termination.PLY_LIMIT

    @property
    def survived(self) -> int:
        """Turns completed in a one-player game: all deals but the one that ended it."""
        return max(0, self.deals - self.died)

    @property
    def winner(self) -> int | None:
        """The winning player's number in the run."""
        return None if self.outcome.winner is None else self.seats[self.outcome.winner]

    @property
    def failed(self) -> int | None:
        """The player whose program failed, which ended the game, if one did."""
        if self.outcome.termination not in FAILURES:
            return None
        if len(self.seats) == 1:
            return self.seats[0]
        if self.outcome.winner is None:
            return None
        return self.seats[1 - self.outcome.winner]


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the table."""

    player: int
    rank: int
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    points: float | None
    rating: Rating
    seconds_per_move: float | None
    failures: int
    superiority: float | None = None


class SoloStanding(msgspec.Struct, frozen=True, kw_only=True):
    """One player of a one-player game; `turns` are those survived, `hazard` is deaths a turn.

    `hazard` is low, estimate and high (95 %), with None for what is not known yet.
    """

    player: int
    lines: tuple[ResultLine, ...]
    turns: int
    deaths: int
    hazard: tuple[float, float | None, float | None]
    seconds_per_move: float | None


class Results:
    """The games of a run that have ended, each once."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.lines: dict[str, ResultLine] = {}
        self._pairs: dict[tuple[str, int, int], list[ResultLine]] = {}

    def add(self, line: ResultLine) -> bool:
        """Count a game; False if it was counted before."""
        if line.schedule_id in self.lines:
            return False
        self.lines[line.schedule_id] = line
        if len(line.seats) == 2:
            first, second = sorted(line.seats)
            self._pairs.setdefault((line.pair_id, first, second), []).append(line)
        return True

    def points(self) -> dict[str, tuple[float, ...]]:
        """Points by schedule id, for schedules."""
        return {identity: line.points for identity, line in self.lines.items()}

    # Pairs ----------------------------------------------------------------------------------

    def pairs(self, first: int, second: int | None = None) -> Iterator[list[ResultLine]]:
        """The games of two players (or of `first` with anybody), grouped by opening."""
        for (_, *players), lines in self._pairs.items():
            if first in players and (second is None or second in players):
                yield lines

    def pair_scores(self, first: int, second: int | None = None) -> tuple[list[float], list[float]]:
        """Points of `first` in complete pairs, and in games whose partner is missing.

        Without `second`, those against everybody.
        """
        complete: list[float] = []
        single: list[float] = []
        for lines in self.pairs(first, second):
            rated = [line.score_of(first) for line in lines if line.rated]
            if len(rated) == 2:
                complete.append(sum(rated))
            else:
                single += rated
        return complete, single

    def pair_results(self) -> list[PairResult]:
        """The evidence for ratings, opening by opening."""
        found = []
        for (_, first, second), lines in self._pairs.items():
            rated = [line.score_of(first) for line in lines if line.rated]
            if rated:
                found.append(PairResult(first, second, sum(rated), len(rated)))
        return found

    def pentanomial(self, first: int, second: int) -> tuple[int, int, int, int, int]:
        """Counts of complete pairs by points of `first`."""
        return pentanomial(self.pair_scores(first, second)[0])

    def elo(self, first: int, second: int | None = None) -> EloEstimate:
        """Strength of `first` relative to `second`, or to all whom it met."""
        return estimate_elo(*self.pair_scores(first, second))

    def margin(self, first: int, second: int) -> MarginEstimate | None:
        """Mean point margin of `first`, None in games without points."""
        means = []
        for lines in self.pairs(first, second):
            margins = [
                line.outcome.margin * (1.0 if line.seats[0] == first else -1.0)
                for line in lines
                if line.outcome.margin is not None
            ]
            if margins:
                means.append(sum(margins) / len(margins))
        return estimate_margin(means) if means else None

    # Table ----------------------------------------------------------------------------------

    def standings(self) -> list[Standing]:
        """The table, best player first (by points or score, then rating).

        A row's `superiority` is the probability that its player is stronger than the next one.
        """
        pairs = self.pair_results()
        strengths = estimate_strengths(gather(self.players, pairs))
        ratings = list_ratings(strengths, pairs)
        rows = [self._standing(player, ratings[player]) for player in range(self.players)]
        rows.sort(key=lambda row: (-(row.points or 0.0), -row.rating.score, -row.rating.elo))
        chances = [
            strengths.superiority(row.player, after.player)
            for row, after in itertools.pairwise(rows)
        ]
        return [
            msgspec.structs.replace(row, rank=number, superiority=chance)
            for number, (row, chance) in enumerate(zip(rows, [*chances, None], strict=True), 1)
        ]

    def _standing(self, player: int, rating: Rating) -> Standing:
        lines = [line for line in self.lines.values() if player in line.seats]
        scores = [line.score_of(player) for line in lines]
        points = [line.points[line.seats.index(player)] for line in lines]
        counted = any(line.outcome.points is not None for line in lines)
        return Standing(
            player=player,
            rank=0,
            games=len(lines),
            wins=scores.count(1.0),
            draws=scores.count(0.5),
            losses=scores.count(0.0),
            score=sum(scores),
            points=sum(points) if counted else None,
            rating=rating,
            seconds_per_move=seconds_per_move(lines, player),
            failures=sum(line.failed == player for line in lines),
        )

    def solo_standings(self) -> list[SoloStanding]:
        """The players of a one-player game, by their numbers."""
        rows = []
        for player in range(self.players):
            lines = tuple(line for line in self.lines.values() if line.seats == (player,))
            turns = sum(line.survived for line in lines)
            deaths = sum(line.died for line in lines)
            rows.append(
                SoloStanding(
                    player=player,
                    lines=lines,
                    turns=turns,
                    deaths=deaths,
                    hazard=estimate_hazard(deaths, turns),
                    seconds_per_move=seconds_per_move(lines, player),
                )
            )
        return rows

    def deal_scores(self, first: int, second: int) -> list[float]:
        """Deal by deal of a one-player game: 1 if `first` lived longer, 1/2 if as long, else 0."""
        lived: dict[str, dict[int, int]] = {}
        for line in self.lines.values():
            if len(line.seats) == 1:
                lived.setdefault(line.pair_id, {})[line.seats[0]] = line.survived
        both = [turns for turns in lived.values() if first in turns and second in turns]
        return [
            0.5 if turns[first] == turns[second] else float(turns[first] > turns[second])
            for turns in both
        ]

    def crosstable(self) -> list[list[float | None]]:
        """Points of the row player against the column player; None where they did not meet."""
        table: list[list[float | None]] = [[None] * self.players for _ in range(self.players)]
        for line in self.lines.values():
            if len(line.seats) == 2:
                for seat, player in enumerate(line.seats):
                    other = line.seats[1 - seat]
                    table[player][other] = (table[player][other] or 0.0) + line.outcome.score(seat)
        return table


def seconds_per_move(lines: Iterable[ResultLine], player: int) -> float | None:
    """How long a player thought a move in these games, None if nothing was measured."""
    mine = [(line, line.seats.index(player)) for line in lines if player in line.seats]
    turns = sum(line.turns[seat] for line, seat in mine)
    return sum(line.times[seat] for line, seat in mine) / turns if turns else None


def collect(players: int, lines: Iterable[ResultLine]) -> Results:
    """Results of these games."""
    results = Results(players)
    for line in lines:
        results.add(line)
    return results


def counts_failures(config: Mapping[str, Any]) -> bool:
    """Whether a run with this stored configuration counts games that were lost by a failure."""
    return config.get("failures") != "skip"
