"""Two versions of a bot side by side: their direct games, and both against the same opponents."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from plyground.core.errors import InputError
from plyground.core.files import short_name
from plyground.report import plots
from plyground.report.figures import Row, rows_with_intervals, styled
from plyground.report.games import PlayedGame, load_run, varying_options
from plyground.report.page import Block, Page, Plot, Section, Table
from plyground.report.runs import machine
from plyground.report.summary import Encounter, count, encounter, interval, percent, summarise
from plyground.report.theme import colour
from plyground.store import RunInfo, Store

_CONTENT = re.compile(r"@([0-9a-f]{16})(?::|$)")


@dataclass(frozen=True)
class Comparison:
    """`direct` are their games against each other (None: they never met); `common` pairs the
    records of A and B against each opponent that both have met under the same limit. `remarks`
    say what was left out, and which conditions were put together.
    """

    first: str
    second: str
    game: str
    direct: Encounter | None
    common: tuple[tuple[Encounter, Encounter], ...]
    games: tuple[PlayedGame, ...]
    remarks: tuple[str, ...] = ()

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
    """Gather the stored games of both; InputError if there is nothing to compare.

    Of a file that was edited between runs only the games of its newest content count.
    """
    if first == second:
        raise InputError("give two different players to compare")
    chosen: dict[str, list[RunInfo]] = defaultdict(list)
    for info in store.runs():
        if (not runs or info.id in runs) and (not game or info.game == game):
            chosen[info.game].append(info)
    candidates = [
        _compare(first, second, name, *_newest_games(store, infos, (first, second)))
        for name, infos in chosen.items()
    ]
    useful = [entry for entry in candidates if entry.direct is not None or entry.common]
    if not useful:
        left = "".join(f" ({remark})" for entry in candidates for remark in entry.remarks)
        raise InputError(
            f"no games to compare {first!r} and {second!r} by in {str(store.path)!r}{left}: "
            f"play some with `plyground match GAME {first} {second} --games 100`"
        )
    if len(useful) > 1:
        names = ", ".join(sorted(entry.game for entry in useful))
        raise InputError(f"both played several games ({names}): choose one with --game")
    return useful[0]


def _newest_games(
    store: Store, infos: Sequence[RunInfo], players: tuple[str, str]
) -> tuple[list[PlayedGame], list[str]]:
    """Games of these players in runs (oldest first), each by its newest content; what is left out.

    The same goes for their opponents.
    """
    contents = [_contents(info) for info in infos]
    newest = {label: content for known in contents for label, content in known.items()}
    kept: list[PlayedGame] = []
    older: Counter[str] = Counter()
    for info, known in zip(infos, contents, strict=True):
        if not set(players) & set(info.players):
            continue
        for row in load_run(store, info.id):
            if not {row.first, row.second} & set(players):
                continue
            stale = [
                label for label in (row.first, row.second) if known.get(label) != newest.get(label)
            ]
            older.update(stale)
            if not stale:
                kept.append(row)
    remarks = [
        f"{count(games, 'game')} of {label} before its last change left out; "
        "--run RUN compares those of a run"
        for label, games in older.items()
    ]
    return kept, remarks


def _contents(info: RunInfo) -> dict[str, str]:
    """The content behind each label of a run: the digest of a file, nothing for other players."""
    entries = info.config.get("players", ())
    texts = [entry.get("player", "") if isinstance(entry, dict) else "" for entry in entries]
    texts += [""] * (len(info.players) - len(texts))
    found = {}
    for label, text in zip(info.players, texts, strict=False):
        digest = _CONTENT.search(str(text))
        found[label] = digest.group(1) if digest else ""
    return found


def _pooled(rows: Sequence[PlayedGame]) -> list[str]:
    """What differs between games that are counted together: limits and options."""
    limits = _tally(row.limit or "no limit" for row in rows)
    remarks = [f"counted together: {limits}"] if "," in limits else []
    for name in varying_options([row.record for row in rows]):
        values = _tally(f"{name}={row.record.options.get(name)}" for row in rows)
        remarks.append(f"counted together: {values}")
    return remarks


def _tally(conditions: Iterable[str]) -> str:
    return ", ".join(
        f"{count(games, 'game')} with {condition}"
        for condition, games in Counter(conditions).most_common()
    )


def _compare(
    first: str, second: str, game: str, rows: list[PlayedGame], remarks: list[str]
) -> Comparison:
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
        (*remarks, *_pooled(direct)),
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
        title=f"{names[0]} and {names[1]}: {short_name(comparison.game)}",
        headline=comparison.headline,
        facts=(
            ("games", _describe_games(comparison)),
            *(("note", remark) for remark in comparison.remarks),
            ("machine", machine()),
        ),
        sections=tuple(sections),
    )


def _describe_games(comparison: Comparison) -> str:
    direct = comparison.direct.games if comparison.direct else 0
    return f"{direct:,} against each other, {len(comparison.games) - direct:,} against others"


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
