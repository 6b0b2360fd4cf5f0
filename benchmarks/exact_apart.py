"""What the exact searches gain by staying apart from the one alpha-beta.

    python benchmarks/exact_apart.py [--positions N] [--rounds N] [--out FILE]

Positions of plain Connect 4 and endgames of CodeCup Sudoku from random games, with the values of
all moves: by the game's own solver and by the generic alpha-beta over the game's rules, both from
empty tables, in turns. Processor time, the best of several rounds; the values must agree.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path

from figures import publish
from plyground.core.game import Game, Position
from plyground.core.limits import Limit
from plyground.core.registry import make_game
from plyground.core.search import SearchResult
from plyground.games.codecup_sudoku.solvers import exact as codecup
from plyground.games.codecup_sudoku.solvers.solutions import Finder
from plyground.games.connect4.solvers import exact as connect4
from plyground.search.question import Question
from plyground.search.solving import solve as search_to_the_end
from script import read_options

Solver = Callable[[Position], SearchResult]


def connect4_positions(game: Game, count: int) -> list[Position]:
    """Unfinished positions after 18 random plies."""
    return random_positions(game, count, 18, lambda position: True)


def codecup_positions(game: Game, count: int) -> list[Position]:
    """Positions after 24 random digits that have 5 to 40 solutions."""
    finder = Finder()

    def few(position: Position) -> bool:
        found = finder.solutions(position.digits, 41)  # type: ignore[attr-defined]
        return found.complete and len(found) >= 5

    return random_positions(game, count, 24, few)


def random_positions(
    game: Game, count: int, plies: int, fits: Callable[[Position], bool]
) -> list[Position]:
    """The first positions of so many random games that last and fit."""
    rng = random.Random(1)
    positions: list[Position] = []
    while len(positions) < count:
        position = game.start()
        for _ in range(plies):
            if position.is_over:
                break
            position = position.play(rng.choice(position.legal_moves))
        if not position.is_over and fits(position):
            positions.append(position)
    return positions


def compare(game: Game, positions: list[Position], own: Solver, rounds: int) -> dict[str, float]:
    """Seconds of both ways over all positions."""

    def generic(position: Position) -> SearchResult:
        return search_to_the_end(game, position, Limit(), lambda _: None)

    ways = {"own": own, "generic": generic}
    for solve in ways.values():
        solve(positions[0])
    seconds = dict.fromkeys(ways, 0.0)
    for position in positions:
        best = dict.fromkeys(ways, float("inf"))
        values = set()
        for _ in range(rounds):
            for name, solve in ways.items():
                started = time.process_time()
                result = solve(position)
                best[name] = min(best[name], time.process_time() - started)
                assert result.score is not None
                values.add(result.score.value)
        assert len(values) == 1, f"{position}: {values}"
        for name in ways:
            seconds[name] += best[name]
    return {**seconds, "ratio": seconds["generic"] / seconds["own"]}


def main() -> None:
    """Measure, print and keep the figures."""
    arguments = read_options(__doc__, positions=20, rounds=3, out=Path)
    quiet: Callable[[str], None] = lambda _: None  # noqa: E731
    plain, contest = make_game("connect4", {"mean": "none"}), make_game("codecup-sudoku", {})
    given = frozenset({"mean"})
    publish(
        {
            "plain Connect 4": compare(
                plain,
                connect4_positions(plain, arguments.positions),
                lambda p: connect4.solve(Question(plain, p.text, Limit(), quiet, given))[1],
                arguments.rounds,
            ),
            "CodeCup endgames": compare(
                contest,
                codecup_positions(contest, arguments.positions),
                lambda p: codecup.solve(Question(contest, p.text, Limit(), quiet))[1],
                arguments.rounds,
            ),
        },
        arguments.out,
    )


if __name__ == "__main__":
    main()
