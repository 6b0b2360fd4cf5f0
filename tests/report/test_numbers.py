"""The numbers of a report equal those computed independently from the exported CSV."""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from pathlib import Path

import msgspec
import pytest

from plyground.arena.class_table import class_places
from plyground.arena.config import PlayerEntry, RunConfig
from plyground.arena.results import collect
from plyground.report.games import describe_limit, load_run, seconds_in
from plyground.report.summary import summarise
from plyground.stats import estimate_elo
from plyground.store import Store, export_csv


def rows_of(store: Store) -> list[dict[str, str]]:
    out = io.StringIO()
    export_csv(store, "cup", out)
    return list(csv.DictReader(io.StringIO(out.getvalue())))


def points(row: dict[str, str], player: str) -> float:
    return 0.5 if not row["winner"] else float(row["winner"] == player)


def test_standings_equal_csv(store: Store) -> None:
    summary = summarise(load_run(store, "cup"), "connect4", store.run("cup").players)
    rows = rows_of(store)
    assert summary.games == len(rows)
    for entry in summary.standings:
        own = [row for row in rows if entry.player in (row["first"], row["second"])]
        assert entry.games == len(own)
        assert entry.wins == sum(row["winner"] == entry.player for row in own)
        assert entry.draws == sum(row["winner"] == "" for row in own)
        assert entry.wins + entry.draws + entry.losses == len(own)
        fair = [row for row in own if row["termination"] == "normal"]
        margins = [
            (1 if row["first"] == entry.player else -1)
            * (float(row["first_score"]) - float(row["second_score"]))
            for row in fair
        ]
        assert entry.margin == pytest.approx(sum(margins) / len(margins))
        lost = [row for row in own if row["termination"] == "timeout"]
        assert entry.failures == sum(row["winner"] != entry.player for row in lost)


def test_cross_table_and_interval_equal_csv(store: Store) -> None:
    summary = summarise(load_run(store, "cup"), "connect4", store.run("cup").players)
    rows = rows_of(store)
    for (player, opponent), met in summary.cross.items():
        own = [row for row in rows if {row["first"], row["second"]} == {player, opponent}]
        assert met.games == len(own)
        pairs: dict[str, float] = defaultdict(float)
        for row in own:
            pairs[row["pair_id"]] += points(row, player)
        mean = sum(pairs.values()) / len(own)
        assert met.estimate.score == pytest.approx(mean)
        assert met.estimate == estimate_elo(list(pairs.values()))
        assert met.estimate.score_low < mean < met.estimate.score_high


def test_conditions_partition_the_games(store: Store) -> None:
    summary = summarise(load_run(store, "cup"), "connect4", store.run("cup").players)
    assert sum(entry.games for entry in summary.conditions) == summary.games
    assert len(summary.conditions) == 6 * 2 * 2
    assert {entry.setting for entry in summary.conditions} == {"mean=none", "mean=both"}
    assert {entry.seconds for entry in summary.by_time} == {0.1, 1.0}
    for name in ("by_time", "by_setting"):
        assert sum(entry.games for entry in getattr(summary, name)) == summary.games


def test_written_page_shows_the_same_numbers(store: Store, written: Path) -> None:
    text = written.read_text(encoding="utf-8")
    summary = summarise(load_run(store, "cup"), "connect4", store.run("cup").players)
    rows = re.findall(r"<tr>(.*?)</tr>", text)
    cells = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in rows]
    shown = {row[0]: row for row in cells if len(row) == 9 and row[1].isdigit()}
    for entry in summary.standings:
        escaped = entry.player.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        row = shown[escaped]
        assert row[1:5] == [str(n) for n in (entry.games, entry.wins, entry.draws, entry.losses)]
        assert row[5] == f"{100 * (entry.wins + entry.draws / 2) / entry.games:.1f} %"
    assert "<b>" not in text.replace("cyd &lt;b&gt;", "")
    for name in ("ratings", "time", "settings", "conditions", "margins", "lengths", "effort"):
        assert (written.parent / f"cup-{name}.svg").stat().st_size > 1000
        assert (written.parent / f"cup-{name}.png").read_bytes().startswith(b"\x89PNG")
    exported = (written.parent / "cup-games.csv").read_text(encoding="utf-8")
    assert exported.count("\n") == summary.games + 1


def test_page_needs_nothing_else(written: Path) -> None:
    text = written.read_text(encoding="utf-8")
    for namespace in ("http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"):
        text = text.replace(namespace, "")
    assert "http" not in text
    assert not re.search(r'(?:src|srcset)=|@import|url\((?!#)|<link(?![^>]*href="data:,")', text)


def test_limits_from_run_configurations() -> None:
    assert describe_limit({"limit": {"time": 0.25, "nodes": None}}) == "0.25 s a move"
    assert describe_limit({"time": 2}) == "2 s a move"
    assert describe_limit({"limit": {"nodes": 100}}) == "100 nodes"
    assert seconds_in("0.25 s a move") == 0.25
    assert seconds_in("100 nodes") is None


def test_a_class_has_the_places_and_ratings_of_its_own_pages(store: Store) -> None:
    names = store.run("cup").players
    entries = tuple(PlayerEntry(f"course:{name}", name) for name in names)
    config = RunConfig(kind="tournament", game="connect4", options={}, players=entries)
    games = load_run(store, "cup")
    plain = summarise(games, "connect4", names)
    shown = summarise(games, "connect4", names, msgspec.to_builtins(config))
    lines = [
        msgspec.structs.replace(
            row.line,
            schedule_id=str(number),
            seats=(names.index(row.first), names.index(row.second)),
        )
        for number, row in enumerate(games)
    ]
    places = class_places(config, collect(len(names), lines))
    assert [entry.player for entry in shown.standings] == [place.name for place in places]
    ratings = [entry.rating for entry in shown.standings]
    assert [(r.elo, r.low, r.high) for r in ratings if r] == [
        (place.elo, place.low, place.high) for place in places
    ]
    assert {r.elo for r in ratings if r} != {e.rating.elo for e in plain.standings if e.rating}
