"""Two versions of a bot side by side: their direct games, and both against the same opponents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from plyground.core.errors import InputError
from plyground.report import plots
from plyground.report.figures import Row, rows_with_intervals, styled
from plyground.report.games import PlayedGame, load_run
from plyground.report.page import Block, Page, Plot, Section, Table
from plyground.report.runs import machine
from plyground.report.summary import Encounter, encounter, interval, percent, summarise
from plyground.report.theme import colour
from plyground.store import Store


@dataclass(frozen=True)
class Comparison:
    """`direct` are their games against each other (None: they never met); `common` pairs the
    records of A and B against each opponent that both have met under the same limit.
    """

    first: str
    second: str
    game: str
    direct: Encounter | None
    common: tuple[tuple[Encounter, Encounter], ...]
    games: tuple[PlayedGame, ...]

    @property
    def headline(self) -> str:
        """Which one is the stronger, if that can be said."""
        if self.direct is not None:
            estimate = self.direct.estimate
            elo = interval(estimate.elo, estimate.low, estimate.high)
            text = (
                f"{self.first} scores {percent(estimate.score)} against {self.second} in "
                f"{self.direct.games} games, Elo {elo}: "
            )
            if estimate.score_low > 0.5:
                return text + "it is the stronger one."
            if estimate.score_high < 0.5:
                return text + f"{self.second} is the stronger one."
            return text + "no difference shown yet."
        ours = sum(a.estimate.score for a, _ in self.common) / len(self.common)
        theirs = sum(b.estimate.score for _, b in self.common) / len(self.common)
        return (
            f"They never met. Against {len(self.common)} common opponents {self.first} scores "
            f"{percent(ours)} and {self.second} {percent(theirs)} on average."
        )


def compare_players(
    store: Store, first: str, second: str, runs: Sequence[str] = (), game: str = ""
) -> Comparison:
    """Gather all stored games of both; InputError if there is nothing to compare."""
    if first == second:
        raise InputError("give two different players to compare")
    by_game: dict[str, list[PlayedGame]] = defaultdict(list)
    for info in store.runs():
        if (runs and info.id not in runs) or (game and info.game != game):
            continue
        if {first, second} & set(info.players):
            rows = load_run(store, info.id)
            by_game[info.game] += [r for r in rows if {first, second} & {r.first, r.second}]
    candidates = [_compare(first, second, name, rows) for name, rows in by_game.items()]
    useful = [entry for entry in candidates if entry.direct is not None or entry.common]
    if not useful:
        raise InputError(
            f"no games to compare {first!r} and {second!r} by in {str(store.path)!r}: "
            f"play some with `plyground match GAME {first} {second} --games 100`"
        )
    if len(useful) > 1:
        names = ", ".join(sorted(entry.game for entry in useful))
        raise InputError(f"both played several games ({names}): choose one with --game")
    return useful[0]


def _compare(first: str, second: str, game: str, rows: list[PlayedGame]) -> Comparison:
    direct = [row for row in rows if {row.first, row.second} == {first, second}]
    met: dict[tuple[str, str, str], list[PlayedGame]] = defaultdict(list)
    for row in rows:
        for player, opponent in ((row.first, row.second), (row.second, row.first)):
            if player in (first, second) and opponent and opponent not in (first, second):
                met[player, opponent, row.limit].append(row)
    common = tuple(
        (encounter(first, opponent, met[key]), encounter(second, opponent, met[other]))
        for key in list(met)
        if key[0] == first
        for opponent in (key[1],)
        for other in ((second, opponent, key[2]),)
        if other in met
    )
    return Comparison(
        first,
        second,
        game,
        encounter(first, second, direct) if direct else None,
        common,
        tuple(rows),
    )


def comparison_page(comparison: Comparison) -> Page:
    """The report of a comparison."""
    names = (comparison.first, comparison.second)
    blocks: list[Block] = []
    if comparison.direct is not None:
        blocks.append(_direct_table(comparison.direct))
    if comparison.common:
        blocks.append(_common_table(comparison))
        figure = styled(lambda: _common_plot(comparison))
        if figure is not None:
            blocks.append(Plot("opponents", figure, "Both against the same opponents"))
    rows = comparison.games
    summary = summarise(rows, comparison.game, names)
    details: list[Block] = []
    for name, draw, about in (
        ("time", plots.score_over_time, "Score over the time a move"),
        ("settings", plots.score_over_settings, "Score by board or setting"),
    ):
        figure = styled(lambda draw=draw: draw(summary))  # type: ignore[misc]
        if figure is not None:
            details.append(Plot(name, figure, about))
    figure = styled(lambda: plots.effort(rows, names))
    if figure is not None:
        details.append(Plot("effort", figure, "Seconds and nodes a move"))
    sections = [Section("Result", tuple(blocks))]
    if details:
        sections.append(Section("Details", tuple(details)))
    return Page(
        title=f"{names[0]} and {names[1]}: {comparison.game}",
        headline=comparison.headline,
        facts=(("games", f"{len(rows):,}"), ("machine", machine())),
        sections=tuple(sections),
    )


def _direct_table(met: Encounter) -> Table:
    estimate = met.estimate
    columns = ("player", "opponent", "won", "drawn", "lost", "score", "Elo [95 %]", "superior")
    row = (
        met.player,
        met.opponent,
        str(met.wins),
        str(met.draws),
        str(met.losses),
        percent(estimate.score),
        interval(estimate.elo, estimate.low, estimate.high),
        percent(estimate.los),
    )
    return Table(columns, (row,), frozenset(range(2, 8)), "Against each other")


def _common_table(comparison: Comparison) -> Table:
    rows = tuple(
        (
            ours.opponent,
            ours.limit,
            f"{ours.wins + ours.draws / 2:g}/{ours.games}  {percent(ours.estimate.score)}",
            f"{theirs.wins + theirs.draws / 2:g}/{theirs.games}  {percent(theirs.estimate.score)}",
            f"{100 * (ours.estimate.score - theirs.estimate.score):+.1f} points",
        )
        for ours, theirs in comparison.common
    )
    columns = ("opponent", "limit", comparison.first, comparison.second, "difference")
    return Table(columns, rows, frozenset({2, 3, 4}), "Against the same opponents")


def _common_plot(comparison: Comparison) -> Figure:
    rows = []
    for pair in comparison.common:
        for number, met in enumerate(pair):
            estimate = met.estimate
            rows.append(
                Row(
                    f"{met.player} – {met.opponent}",
                    estimate.score,
                    estimate.score_low,
                    estimate.score_high,
                    f"n={met.games}",
                    colour(number),
                )
            )
    return rows_with_intervals(
        {"": rows}, "Against the same opponents", "score", 0.5, (-0.02, 1.02), percent=True
    )
