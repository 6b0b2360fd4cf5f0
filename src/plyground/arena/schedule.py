"""Who meets whom: round robin, gauntlet, Swiss, the contest format, all against fixed anchors.

A schedule is a sequence of rounds; a later round may depend on the results of the earlier ones.
Every game has an id that depends only on the schedule, so a resumed run knows what is played.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Literal

import msgspec

Format = Literal["round-robin", "gauntlet", "swiss", "contest", "anchors"]

Scores = Mapping[str, tuple[float, ...]]
"""Points of each seat by schedule id, for the games that have ended."""


class Fixture(msgspec.Struct, frozen=True):
    """A scheduled game: players by seat, and the number of its opening (or deal)."""

    id: str
    pair_id: str
    seats: tuple[int, ...]
    opening: int


def pairing_fixtures(name: str, first: int, second: int, games: int, opening: int) -> list[Fixture]:
    """Games between two players: pairs of the same opening with swapped sides."""
    fixtures = []
    for number in range(games):
        pair = number // 2
        pair_id = f"{name}/{pair + 1}"
        swapped = number % 2 == 1
        fixtures.append(
            Fixture(
                f"{pair_id}{'b' if swapped else 'a'}",
                pair_id,
                (second, first) if swapped else (first, second),
                opening + pair,
            )
        )
    return fixtures


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """The plan of a run. `games` is per pairing (per player in a one-player game).

    The last `anchors` players are those whom everybody else meets in the format of that name. With
    `own_openings` no two pairings begin alike, but all that meet an anchor do; else all of them get
    the same openings in turn.
    """

    players: int
    games: int
    format: Format = "round-robin"
    swiss_rounds: int | None = None
    seats: int = 2
    anchors: int = 0
    own_openings: bool = False

    @property
    def pairs(self) -> int:
        """Openings that a pairing uses up."""
        return math.ceil(self.games / 2)

    @property
    def total(self) -> int:
        """How many games there are in all."""
        count, finalists = self.players, math.ceil(self.players / 2)
        if self.seats == 1:
            return self.games * count
        swiss = self.round_count * (count // 2) * self.games
        if self.format == "swiss":
            return swiss
        if self.format == "contest":
            return swiss + finalists * (finalists - 1)
        return self.games * len(self._pairings())

    def rounds(self, scores: Scores) -> Iterator[list[Fixture]]:
        """The games round by round. `scores` must hold all of a round before the next is asked."""
        if self.seats == 1:
            yield self._solo()
        elif self.format == "swiss":
            yield from self._swiss(scores)
        elif self.format == "contest":
            yield from self._contest(scores)
        else:
            yield self._all_pairings()

    def _solo(self) -> list[Fixture]:
        """Every player on the same deals."""
        return [
            Fixture(f"{player}/{deal + 1}", f"deal/{deal + 1}", (player,), deal)
            for deal in range(self.games)
            for player in range(self.players)
        ]

    def _all_pairings(self) -> list[Fixture]:
        """Everybody against everybody, or all against some; opening by opening."""
        lists = [
            pairing_fixtures(
                f"{first}-{second}",
                first,
                second,
                self.games,
                self.pairs * self._openings_before(first, second),
            )
            for first, second in self._pairings()
        ]
        return [
            fixtures[number]
            for pair in range(self.pairs)
            for fixtures in lists
            for number in range(2 * pair, min(2 * pair + 2, self.games))
        ]

    def _openings_before(self, first: int, second: int) -> int:
        """The openings of how many others come first; those of an anchor serve everybody.

        A player who joins as the last one changes nothing for the others.
        """
        if not self.own_openings:
            return 0
        if self.format == "anchors":
            return second - (self.players - self.anchors)
        return second * (second - 1) // 2 + first

    def _pairings(self) -> list[tuple[int, int]]:
        if self.format == "gauntlet":
            return [(0, other) for other in range(1, self.players)]
        if self.format == "anchors":
            split = self.players - self.anchors
            return [
                (player, other) for player in range(split) for other in range(split, self.players)
            ]
        return list(combinations(range(self.players), 2))

    @property
    def round_count(self) -> int:
        """How many Swiss rounds there are."""
        if self.swiss_rounds is not None:
            return self.swiss_rounds
        return max(1, math.ceil(math.log2(max(2, self.players))) + 1)

    def _swiss(self, scores: Scores) -> Iterator[list[Fixture]]:
        played: list[list[Fixture]] = []
        for number in range(self.round_count):
            order = rank(self.players, played, scores, self.games)
            met = {frozenset(fixture.seats) for fixtures in played for fixture in fixtures}
            byes = {player for fixtures in played for player in absent(self.players, fixtures)}
            pairs = pair_neighbours(order, met, byes)
            fixtures = [
                fixture
                for index, (first, second) in enumerate(pairs)
                for fixture in pairing_fixtures(
                    f"s{number + 1}/{first}-{second}",
                    first,
                    second,
                    self.games,
                    (number * len(pairs) + index if self.own_openings else number) * self.pairs,
                )
            ]
            played.append(fixtures)
            yield fixtures

    def _contest(self, scores: Scores) -> Iterator[list[Fixture]]:
        """Swiss rounds, then everybody of the top half twice against each other."""
        played: list[list[Fixture]] = []
        for fixtures in self._swiss(scores):
            played.append(fixtures)
            yield fixtures
        order = rank(self.players, played, scores, self.games)
        finalists = sorted(order[: math.ceil(self.players / 2)])
        opening = self.round_count * self.pairs
        yield [
            fixture
            for first, second in combinations(finalists, 2)
            for fixture in pairing_fixtures(f"f/{first}-{second}", first, second, 2, opening)
        ]


def absent(players: int, fixtures: Sequence[Fixture]) -> list[int]:
    """The players who sit out a round."""
    present = {player for fixture in fixtures for player in fixture.seats}
    return [player for player in range(players) if player not in present]


def rank(
    players: int, played: Sequence[Sequence[Fixture]], scores: Scores, games: int
) -> list[int]:
    """Players by points, then by the points of those they met, then by number.

    A bye is worth as much as winning every game of a round.
    """
    points = [0.0] * players
    opponents: list[list[int]] = [[] for _ in range(players)]
    for fixtures in played:
        for fixture in fixtures:
            first, second = fixture.seats
            earned = scores[fixture.id]
            points[first] += earned[0]
            points[second] += earned[1]
            opponents[first].append(second)
            opponents[second].append(first)
        for player in absent(players, fixtures):
            points[player] += games
    strength = [sum(points[other] for other in met) for met in opponents]
    return sorted(range(players), key=lambda player: (-points[player], -strength[player], player))


def pair_neighbours(
    order: Sequence[int], met: set[frozenset[int]], had_bye: set[int]
) -> list[tuple[int, int]]:
    """Pair players of similar rank who have not met; the lowest without a bye sits out if odd.

    When no such pairing exists, players meet again.
    """
    remaining = list(order)
    if len(remaining) % 2 == 1:
        fresh = [player for player in remaining if player not in had_bye]
        remaining.remove((fresh or remaining)[-1])
    budget = [20_000]
    pairs = _pair(remaining, met, budget)
    if pairs is None:
        pairs = list(zip(remaining[::2], remaining[1::2], strict=True))
    return pairs


def _pair(
    remaining: list[int], met: set[frozenset[int]], budget: list[int]
) -> list[tuple[int, int]] | None:
    if not remaining:
        return []
    budget[0] -= 1
    if budget[0] < 0:
        return None
    first = remaining[0]
    for index in range(1, len(remaining)):
        second = remaining[index]
        if frozenset((first, second)) in met:
            continue
        rest = _pair(remaining[1:index] + remaining[index + 1 :], met, budget)
        if rest is not None:
            return [(first, second), *rest]
    return None
