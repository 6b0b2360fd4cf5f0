"""The lab keeps what it found, goes on where it was, and judges claims by the numbers."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from plyground.cli import run
from plyground.core.errors import UnknownNameError
from plyground.core.game import OptionValue
from plyground.core.limits import Limit
from plyground.games.competitive_sudoku.experiments.agents import early_and_late
from plyground.games.connect4.experiments.facts import plain_against_compiled
from plyground.lab import experiment as registry
from plyground.lab.checks import (
    decide,
    decide_higher,
    exact_doubt,
    higher,
    same_share,
    stronger,
    wilson,
    wins_like,
)
from plyground.lab.claims_page import as_markdown
from plyground.lab.experiment import (
    Claim,
    Experiment,
    Finding,
    Item,
    Measure,
    Scale,
    Series,
    experiments,
    find,
)
from plyground.lab.journal import Journal
from plyground.lab.pages import write_lab_report
from plyground.lab.players import play_series_game
from plyground.lab.results import Results
from plyground.lab.runner import Job, run_experiments
from plyground.lab.verdicts import best_scale, headline, judge
from plyground.report.summary import Tally
from plyground.stats import estimate_elo

calls: list[int] = []


def square(number: int) -> dict[str, Any]:
    calls.append(number)
    return {"square": number * number}


def plan(scale: Scale) -> list[Item]:
    return [
        Series(
            "small",
            "connect4",
            "random",
            "montecarlo:playouts=20",
            scale.pick(6, 40),
            Limit(nodes=20),
            {"width": 4, "height": 4},
            swap=True,
            setting="4x4",
        ),
        Measure("square", square, {"number": 7}),
    ]


def finds_square(results: Results) -> Finding:
    value = results.value("square")["square"]
    return Finding(f"it is {value}", value == 49)


def squared(results: Results) -> str:
    return f"7 * 7 is {results.value('square')['square']}."


TOY = Experiment(
    name="toy",
    document="000",
    title="A toy",
    plan=plan,
    reduced="fewer games.",
    claims=(
        Claim("seven squared is 49", finds_square),
        Claim(
            "seven squared is 48",
            lambda r: Finding("no: 49", False),
            because="it is not.",
            tested=squared,
        ),
        Claim("random wins everything", wins_like("small", 100, 100), because="it is random."),
    ),
)


@pytest.fixture
def toy() -> Iterator[Experiment]:
    experiments()
    registry._experiments["toy"] = TOY
    calls.clear()
    yield TOY
    del registry._experiments["toy"]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "lab") as opened:
        yield opened


def ignore(job: Job, seconds: float) -> None:
    """Progress that nobody looks at."""


def test_nothing_is_done_twice(toy: Experiment, journal: Journal, tmp_path: Path) -> None:
    done: list[Job] = []

    def stop_after_three(job: Job, seconds: float) -> None:
        done.append(job)
        if len(done) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_experiments([toy], Scale.QUICK, journal, 1, stop_after_three)
    before = journal.store.schedule_ids("lab-toy-quick")
    assert len(before) == 3
    assert len(journal.pending(toy, Scale.QUICK)) == 4
    journal.store.close()
    with Journal(tmp_path / "lab") as again:
        run_experiments([toy], Scale.QUICK, again, 1, lambda job, s: done.append(job))
        assert [job.number for job in done if job.item == "small"] == [0, 1, 2, 3, 4, 5]
        assert again.pending(toy, Scale.QUICK) == []
        assert before < again.store.schedule_ids("lab-toy-quick")
        run_experiments([toy], Scale.QUICK, again, 1, ignore)
        assert calls == [7]


SCRIPT = """
import sys
sys.path.insert(0, {folder!r})
from pathlib import Path
import test_lab
test_lab.registry._experiments["toy"] = test_lab.TOY
with test_lab.Journal(Path({lab!r})) as journal:
    journal.claim()
    test_lab.run_experiments([test_lab.TOY], test_lab.Scale.FULL, journal, 1, test_lab.slowly)
"""


def slowly(job: Job, seconds: float) -> None:
    time.sleep(0.05)


def test_killed_at_any_moment_it_goes_on(toy: Experiment, tmp_path: Path) -> None:
    lab = tmp_path / "lab"
    script = SCRIPT.format(folder=str(Path(__file__).parent), lab=str(lab))
    process = subprocess.Popen([sys.executable, "-c", script])
    try:
        database = lab / "games.sqlite"
        deadline = time.monotonic() + 120
        while not database.exists() or _stored(lab) < 5:
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.02)
    finally:
        process.kill()
        process.wait()
    with Journal(lab) as journal:
        journal.claim()
        before = journal.store.schedule_ids("lab-toy-full")
        assert 5 <= len(before) < 40
        played: list[Job] = []
        run_experiments([toy], Scale.FULL, journal, 1, lambda job, s: played.append(job))
        assert len([job for job in played if job.item == "small"]) == 40 - len(before)
        assert journal.store.count_games("lab-toy-full") == 40
        journal.store.check_integrity()


def _stored(lab: Path) -> int:
    with Journal(lab) as journal:
        known = [run.id for run in journal.store.runs()]
        return journal.store.count_games("lab-toy-full") if "lab-toy-full" in known else 0


def test_games_swap_seats_and_repeat(toy: Experiment, tmp_path: Path) -> None:
    records = []
    for name in ("a", "b"):
        with Journal(tmp_path / name) as journal:
            run_experiments([toy], Scale.QUICK, journal, 1, ignore)
            games = journal.results(toy, Scale.QUICK).games("small")
            records.append([[entry.move for entry in game.record.moves] for game in games])
            assert [game.first for game in games[:2]] == ["random", "montecarlo:playouts=20"]
            assert games[0].pair == games[1].pair != games[2].pair
            assert {game.setting for game in games} == {"4x4"}
    assert records[0] == records[1]


def test_processes_give_the_same_games(journal: Journal, tmp_path: Path) -> None:
    """With worker processes, real experiments only: workers know no toys."""
    name = "connect4-random"
    chosen = find(name)
    run_experiments(chosen, Scale.QUICK, journal, 2, ignore)
    with Journal(tmp_path / "alone") as alone:
        run_experiments(chosen, Scale.QUICK, alone, 1, ignore)
        first, second = (j.results(chosen[0], Scale.QUICK) for j in (journal, alone))
        for item in first.plan:
            assert first.value(item.name) == second.value(item.name)


def fails() -> dict[str, Any]:
    raise ValueError("no such thing")


def test_a_failure_is_told_and_the_rest_goes_on(journal: Journal) -> None:
    broken = Experiment(
        name="broken",
        document="000",
        title="Broken",
        plan=lambda scale: [Measure("bad", fails), Measure("good", square, {"number": 3})],
        claims=(Claim("it works", lambda r: Finding(str(r.value("bad")), True)),),
    )
    registry._experiments["broken"] = broken
    try:
        failures = run_experiments([broken], Scale.QUICK, journal, 1, ignore)
    finally:
        del registry._experiments["broken"]
    assert [(job.item, reason) for job, reason in failures] == [
        ("bad", "ValueError: no such thing")
    ]
    results = journal.results(broken, Scale.QUICK)
    assert results.value("good") == {"square": 9}
    assert [verdict.word for verdict in judge(broken, results)] == ["not run"]


def test_a_line_cut_off_by_a_crash_is_dropped(toy: Experiment, tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        run_experiments([toy], Scale.QUICK, journal, 1, ignore)
    with open(tmp_path / "measurements.jsonl", "a", encoding="utf-8") as out:
        out.write('{"key": "square.00", "val')
    with Journal(tmp_path) as journal:
        assert journal.pending(toy, Scale.QUICK) == []
        assert journal.results(toy, Scale.QUICK).value("square") == {"square": 49}
    assert (tmp_path / "measurements.jsonl").read_text(encoding="utf-8").count("\n") == 1


def test_other_settings_are_other_results(toy: Experiment, journal: Journal) -> None:
    run_experiments([toy], Scale.QUICK, journal, 1, ignore)
    assert len(journal.pending(toy, Scale.FULL)) == 40
    journal.forget(toy, Scale.QUICK)
    assert len(journal.pending(toy, Scale.QUICK)) == 7


def test_verdicts(toy: Experiment, journal: Journal, tmp_path: Path) -> None:
    early = judge(toy, journal.results(toy, Scale.QUICK))
    words = [verdict.word for verdict in early]
    assert words == ["not run", "no", "not run"]
    assert headline(words).endswith("0 agree with our measurement, 1 do not, 2 not run yet.")
    assert headline([*words, "not decided"]).endswith("1 do not, 1 is undecided, 2 not run yet.")
    run_experiments([toy], Scale.QUICK, journal, 1, ignore)
    results = journal.results(toy, Scale.QUICK)
    verdicts = judge(toy, results)
    assert [verdict.word for verdict in verdicts] == ["yes", "no", "no"]
    told = headline([verdict.word for verdict in verdicts])
    assert told == "Of 3 claims of the documents 1 agree with our measurement, 2 do not."
    text = as_markdown(verdicts, [("run", "quick")])
    assert "| A toy: `toy`* | seven squared is 49 | it is 49 | yes |" in text
    assert "**no**; it is not. Tested: 7 * 7 is 49." in text and "toy (quick): fewer games." in text
    full = judge(toy, Results(toy, Scale.FULL, {"small": results.games("small")}, {}))
    assert "`toy`*" not in as_markdown(full, [])
    assert best_scale(toy, journal) is Scale.QUICK
    tally = journal.results(toy, Scale.QUICK).tally("small")
    games = journal.results(toy, Scale.QUICK).games("small")
    assert tally.wins == sum(game.winner == "random" for game in games)
    assert tally.games == 6
    page = write_lab_report([results], "quick", path=tmp_path / "lab.html")
    assert "seven squared is 48" in page.read_text(encoding="utf-8")


def test_shares() -> None:
    low, high = wilson(10, 100)
    assert low == pytest.approx(0.0552, abs=1e-4) and high == pytest.approx(0.1744, abs=1e-4)
    assert same_share(744, 1000, 76_800, 100_000)
    assert not same_share(744, 1000, 90_000, 100_000)
    # Fisher's lady and her tea; ten whales and six sharks in two oceans; nothing to tell apart.
    assert exact_doubt(3, 4, 1, 4) == pytest.approx(34 / 70)
    assert exact_doubt(8, 9, 2, 7) == pytest.approx(0.0349650349)
    assert exact_doubt(0, 5, 0, 90) == exact_doubt(5, 5, 9, 9) == 1.0


def test_a_difference_must_stand_out_of_the_noise() -> None:
    def tally(wins: int, losses: int) -> Tally:
        return Tally(wins, 0, losses, estimate_elo([], [1.0] * wins + [0.0] * losses))

    assert higher(tally(30, 10), tally(10, 30)) is True
    assert higher(tally(10, 30), tally(30, 10)) is False
    assert higher(tally(21, 19), tally(20, 20)) is None
    assert stronger(tally(30, 10)) is True
    assert stronger(tally(10, 30)) is False
    assert stronger(tally(11, 9)) is None
    # Five hundred games at one half: whoever is better is so by less than five points.
    assert stronger(tally(500, 500)) is False
    assert higher(tally(1500, 1500), tally(1500, 1500)) is False


def test_an_open_question_says_how_many_games_it_takes() -> None:
    def tally(wins: int, losses: int) -> Tally:
        return Tally(wins, 0, losses, estimate_elo([], [1.0] * wins + [0.0] * losses))

    few = decide("", tally(12, 8))
    assert few.agrees is None and few.games is not None and 100 < few.games < 200
    wins = round(0.6 * 2 * few.games)
    assert decide("", tally(wins, 2 * few.games - wins)).agrees is True
    both = decide_higher("", tally(21, 19), tally(20, 20))
    assert both.agrees is None and both.games is not None and both.games > 1000
    turned = tally(30, 10).reversed
    assert (turned.wins, turned.losses) == (10, 30)
    assert stronger(turned) is False and turned.high == pytest.approx(1 - tally(30, 10).low)


def test_every_experiment_is_complete() -> None:
    known = experiments()
    assert {entry.document for entry in known.values()} == {"000", "001", "002", "003", "004"}
    for entry in known.values():
        assert entry.claims and entry.title
        for scale in Scale:
            items = list(entry.plan(scale))
            names = [item.name for item in items]
            assert len(set(names)) == len(names), entry.name
            for item in items:
                assert item.key() if isinstance(item, Measure) else item.key(0)
            if isinstance(items[0], Series) and items[0].limit.time:
                reduced = scale is not Scale.FULL
                assert bool(entry.reduced) or not reduced


def test_document_001_has_its_128_conditions() -> None:
    (entry,) = find("001")
    games = [
        item for item in entry.plan(Scale.FULL) if isinstance(item, Series) and item.limit.time
    ]
    assert sum(item.games for item in games) == 128
    assert {item.limit.time for item in games} == {0.1, 0.5, 1.0, 5.0}
    assert len({item.setting for item in games}) == 8


def test_a_trend_over_time_leaves_games_by_nodes_out(monkeypatch: pytest.MonkeyPatch) -> None:
    (entry,) = find("sudoku-a3")
    counted: list[list[Series]] = []

    def collect(self: Results, condition: Callable[[Series], bool]) -> Tally:
        counted.append(self.series(condition))
        return Tally(1, 0, 0, estimate_elo([1.0]))

    monkeypatch.setattr(Results, "tally_where", collect)
    early_and_late(Results(entry, Scale.MEDIUM, {}, {}), "greedy")
    assert [{item.limit.time for item in part} for part in counted] == [
        {0.0025, 0.0125},
        {0.025, 0.05},
    ]


def test_commands(capsys: pytest.CaptureFixture[str], monkeypatch: Any, tmp_path: Path) -> None:
    monkeypatch.setenv("PLYGROUND_DATA_DIR", str(tmp_path))
    assert run(["reproduce", "--list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert len(listed) == len(experiments())
    assert run(["reproduce", "nosuch"]) == 2
    (tmp_path / "file").write_text("here")
    for bad in (
        ("--fresh", "--resume"),
        ("--fresh", "--show"),
        ("--minutes", "nan"),
        ("--minutes", "-1"),
        ("--site", str(tmp_path / "file")),
    ):
        assert run(["reproduce", "connect4-random", "--quick", *bad]) == 2
    capsys.readouterr()
    arguments = ["reproduce", "connect4-random", "--quick", "--jobs", "1", "--json"]
    assert run([*arguments, "--markdown", str(tmp_path / "r.md")]) == 0
    fields = json.loads(capsys.readouterr().out)
    assert [row["agrees"] for row in fields["claims"]] == [True] * 4
    assert Path(fields["report"]).exists()
    assert "connect4-random" in (tmp_path / "r.md").read_text(encoding="utf-8")
    with pytest.raises(UnknownNameError):
        find("005")


def test_the_same_code_plays_compiled_and_plain() -> None:
    assert set(plain_against_compiled(2)) == {"compiled", "plain"}


def test_openings_of_a_series_are_on_its_own_board() -> None:
    options: dict[str, OptionValue] = {"board": "random-2x3", "seed": 3}
    series = Series(
        "own board",
        "competitive-sudoku",
        "random",
        "greedy",
        4,
        Limit(nodes=1),
        options,
        swap=True,
        opening_plies=2,
    )
    records = [play_series_game(series, number).record for number in range(4)]
    assert {record.options["seed"] for record in records} == {3}
    assert {record.opening_plies for record in records} == {2}
