"""Document 003: its agents against each other, with its handicaps and numbers of games."""

from __future__ import annotations

from plyground.core.game import OptionValue
from plyground.lab.checks import wins_like
from plyground.lab.experiment import Claim, Finding, Item, Scale, Series, experiment
from plyground.lab.results import Results

MINIMAX = "minimax:order=centre"
HISTORY = "heuristic:order=history"
CENTRE = "heuristic:order=centre"
PLAYOUTS = "montecarlo"
HYBRID = "hybrid"


def series(name: str, first: str, second: str, games: int, mean: str = "both") -> Series:
    """Games on 7 x 6 with the document's rule for two fours at once."""
    options: dict[str, OptionValue] = {"simultaneous": "first", "mean": mean}
    return Series(name, "connect4", first, second, games, options=options, setting=f"mean={mean}")


@experiment("connect4-ladder", "003")
def ladder(scale: Scale) -> list[Item]:
    """Minimax, heuristic and Monte Carlo agents."""
    games = scale.pick(100, 1000, 500)
    fewer = scale.pick(50, 500, 200)
    return [
        series("minimax-random", MINIMAX, "random", games, "second"),
        series("heuristic-random-second", HISTORY, "random", 100, "second"),
        series("heuristic-random-both", HISTORY, "random", 100, "both"),
        series("heuristic-random-first", HISTORY, "random", 100, "first"),
        series("heuristic-1-2", HISTORY, CENTRE, 1, "second"),
        series("heuristic-2-1", CENTRE, HISTORY, 1, "both"),
        series("montecarlo-random", PLAYOUTS, "random", fewer),
        series("random-montecarlo", "random", PLAYOUTS, fewer),
        series("montecarlo-montecarlo", PLAYOUTS, PLAYOUTS, scale.pick(100, 500, 500)),
    ]


def _one_game(name: str, first_wins: bool) -> Claim:
    def check(results: Results) -> Finding:
        tally = results.tally(name)
        return Finding(f"{tally} in one game", (tally.wins == 1) is first_wins)

    word = "first" if first_wins else "second"
    players = "centre order against history order"
    if not first_wins:
        players = "history order against centre order, mean moves for the second only"
    return Claim(
        f"heuristic, {players}: the {word} player wins the one game",
        check,
        because="depths are lost in the document (we use 4), and a single game of two "
        "deterministic players says little.",
    )


ladder.reduced = "fewer games (minimax 100 of 1000, Monte Carlo 50 to 100 of 500 when quick)."
ladder.claims = (
    Claim(
        "minimax - random, mean moves for the second: 998 / 2",
        wins_like("minimax-random", 998, 1000),
    ),
    Claim(
        "heuristic - random, mean moves for the second: 99 / 1",
        wins_like("heuristic-random-second", 99, 100),
    ),
    Claim("the same, for both: 98 / 2", wins_like("heuristic-random-both", 98, 100)),
    Claim("the same, for the first: 96 / 4", wins_like("heuristic-random-first", 96, 100)),
    _one_game("heuristic-1-2", False),
    _one_game("heuristic-2-1", True),
    Claim("Monte Carlo - random: 499 / 1 of 500", wins_like("montecarlo-random", 499, 500)),
    Claim("random - Monte Carlo: 2 / 498", wins_like("random-montecarlo", 2, 500)),
    Claim(
        "Monte Carlo against itself: 322 / 178",
        wins_like("montecarlo-montecarlo", 322, 500),
    ),
)

OPPONENTS = (
    ("random", "random", 50, 0),
    ("minimax", MINIMAX, 46, 7),
    ("heuristic-1", HISTORY, 50, 0),
    ("heuristic-2", CENTRE, 50, 1),
    ("montecarlo", PLAYOUTS, 49, 1),
)
"""Name, player, the hybrid's wins of 50 when first, the opponent's wins of 50 when first."""
SHALLOW = f"{CENTRE},depth=2"


@experiment("connect4-hybrid", "003")
def hybrid(scale: Scale) -> list[Item]:
    """The hybrid of alpha-beta and Monte Carlo against all others."""
    games = scale.pick(4, 50, 20)
    items: list[Item] = []
    for name, player, _, _ in OPPONENTS:
        items.append(series(f"hybrid-{name}", HYBRID, player, games))
        items.append(series(f"{name}-hybrid", player, HYBRID, games))
    return [*items, series("shallow-hybrid", SHALLOW, HYBRID, scale.pick(4, 30, 10))]


def _shallow(results: Results) -> str:
    return f"a heuristic search of depth 2 instead has {results.tally('shallow-hybrid').text}."


hybrid.reduced = "fewer games a pairing (4 when quick, 20 when medium, 50 in the document)."
hybrid.claims = tuple(
    claim
    for name, _, first, second in OPPONENTS
    for claim in (
        Claim(
            f"hybrid - {name}: {first} / {50 - first}",
            wins_like(f"hybrid-{name}", first, 50),
        ),
        Claim(
            f"{name} - hybrid: {second} / {50 - second}",
            wins_like(f"{name}-hybrid", second, 50),
            because="the depths of the document's agents are lost; we use 4.",
            tested=_shallow if name == "heuristic-2" else None,
        ),
    )
)
