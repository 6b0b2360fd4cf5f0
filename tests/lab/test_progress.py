"""How long the rest takes, stopping after a time, and versions that never mix."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plyground.core.limits import Limit
from plyground.lab import experiment as registry
from plyground.lab import runner, versions
from plyground.lab.experiment import Claim, Experiment, Finding, Scale, Series, experiments
from plyground.lab.journal import Journal
from plyground.lab.pages import experiment_blocks
from plyground.lab.remaining import Remaining
from plyground.lab.results import Results
from plyground.lab.runner import run_experiments
from plyground.lab.site import write_site
from plyground.report.page import Plot


def test_remaining_time_is_that_of_each_kind_of_job() -> None:
    left = Remaining([("a", "long")] * 3 + [("a", "short")] * 10 + [("b", "new")], workers=1)
    assert left.seconds is None
    left.done("a", "long", 100.0)
    left.done("a", "short", 1.0)
    # Two long ones, nine short ones, and one like the average so far.
    assert left.seconds == pytest.approx(200 + 9 + 50.5)
    halved = Remaining([("a", "long")] * 3, workers=2)
    halved.done("a", "long", 100.0)
    assert halved.seconds == pytest.approx(100)


SERIES = Series("small", "connect4", "random", "random", 4, Limit(nodes=10), {"width": 4})
CLAIM = Claim("games are played", lambda results: Finding("", None))
TOY = Experiment("short-toy", "000", "A toy", lambda scale: [SERIES], (CLAIM,))


@pytest.fixture
def toy() -> Iterator[Experiment]:
    experiments()
    registry._experiments[TOY.name] = TOY
    yield TOY
    del registry._experiments[TOY.name]


def test_a_run_ends_when_its_time_is_up_and_goes_on_later(toy: Experiment, tmp_path: Path) -> None:
    played: list[str] = []
    with Journal(tmp_path) as journal:
        answers = iter([True, True, False])
        run_experiments(
            [toy],
            Scale.QUICK,
            journal,
            1,
            lambda job, seconds: played.append(job.item),
            lambda: next(answers, False),
        )
        assert len(played) == 2
        assert len(journal.pending(toy, Scale.QUICK)) == 2


def test_games_of_another_version_do_not_count(
    toy: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(tmp_path) as journal:
        run_experiments([toy], Scale.QUICK, journal, 1, lambda job, seconds: None)
        games = journal.results(toy, Scale.QUICK).games("small")
        version = versions.player_version("connect4", "random")
        assert {game.record.tags["versions"] for game in games} == {
            f"random {version}, random {version}"
        }
        monkeypatch.setattr(
            "plyground.lab.experiment.player_version", lambda game, player: "0.1.0 changed"
        )
        assert len(journal.pending(toy, Scale.QUICK)) == 4
        assert journal.results(toy, Scale.QUICK).count_games("small") == 0


def test_a_plan_may_get_further_players(toy: Experiment, tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        run_experiments([toy], Scale.QUICK, journal, 1, lambda job, seconds: None)
        more = Series("more", "connect4", "random", "minimax", 2, Limit(nodes=10), {"width": 4})
        longer = Experiment(TOY.name, "000", "A toy", lambda scale: [SERIES, more], (CLAIM,))
        registry._experiments[TOY.name] = longer
        runner._items.clear()
        assert len(journal.pending(longer, Scale.QUICK)) == 2
        run_experiments([longer], Scale.QUICK, journal, 1, lambda job, seconds: None)
        results = journal.results(longer, Scale.QUICK)
        assert len(results.games("small")) == 4
        assert {game.second for game in results.games("more")} == {"minimax"}
    runner._items.clear()


def test_a_version_follows_what_the_player_uses(monkeypatch: pytest.MonkeyPatch) -> None:
    module = "plyground.games.connect4.players.champion"
    files = {path.relative_to(versions.HOUSE).as_posix() for path in versions._closure((module,))}
    assert "games/connect4/players/champion_kernel.py" in files
    assert "search/proof_kernel.py" in files
    assert not any(name.startswith(("web/", "cli/", "games/blockudoku")) for name in files)
    documents = versions._closure(("plyground.games.connect4.players.document",))
    assert not any("solvers" in path.parts for path in documents), "a new proof is nothing to them"
    before = versions.content_digest(module)
    versions.content_digest.cache_clear()
    monkeypatch.setattr(versions, "_data_beside", lambda path: [])
    assert versions.content_digest(module) != before
    versions.content_digest.cache_clear()


COUNTED = {"wins": 3, "draws": 1, "losses": 6}


@pytest.mark.parametrize(
    ("name", "values", "shown"),
    [
        (
            "connect4-random",
            {f"random-{mean}": COUNTED for mean in ("both", "none", "second", "first")},
            ["3 of 10", "989 of 1,000"],
        ),
        (
            "connect4-playouts",
            {"first-columns": {"counts": {"1": COUNTED, "2": {**COUNTED, "wins": 13}}}},
            ["3 of 10", "13 of 20", "column 2"],
        ),
        (
            "codecup-counts",
            {"small-sets": {"won": {"4": [5, 9], "5": [7, 7]}}},
            ["5 of 9", "7 of 7", "5 solutions"],
        ),
    ],
)
def test_what_is_counted_has_a_picture(name: str, values: dict[str, Any], shown: list[str]) -> None:
    results = Results(experiments()[name], Scale.QUICK, {}, values)
    (plot,) = [block for block in experiment_blocks(results) if isinstance(block, Plot)]
    for text in shown:
        assert text in plot.pictures[0]


def test_the_site_has_a_page_for_each_question(toy: Experiment, tmp_path: Path) -> None:
    with Journal(tmp_path / "lab") as journal:
        run_experiments([toy], Scale.QUICK, journal, 1, lambda job, seconds: None)
        index = write_site([journal.results(toy, Scale.QUICK)], tmp_path / "site")
    assert 'href="short-toy.html"' in index.read_text(encoding="utf-8")
    page = (tmp_path / "site" / "short-toy.html").read_text(encoding="utf-8")
    assert "1 undecided" in page
    assert 'href="index.html"' in page
    assert "plyground reproduce short-toy --scale quick" in page
    assert versions.player_version("connect4", "random") in page
