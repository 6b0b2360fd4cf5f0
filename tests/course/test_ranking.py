"""Ranking a class: it goes on after any stop, in every format; what its pages hold."""

from __future__ import annotations

import csv
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from plyground.arena.class_table import Place, doubts, share_ranks
from plyground.cli import run
from plyground.core.errors import InputError
from plyground.core.limits import Limit
from plyground.course.plan import RankingPlan, RankingState
from plyground.course.skeleton import NEWER, OLDER
from plyground.course.submissions import Submission, collect
from plyground.course.verdict import SubmissionVerdict, judge, make_trial
from plyground.engines.engine import EngineSettings
from plyground.stats import field as field_of_strengths
from plyground.stats.field import estimate_field
from plyground.stats.strength import Evidence

STEADY = OLDER.replace("random.choice(moves)", "moves[0]")
"""Plays the same moves whenever the position is the same."""

LAZY = STEADY.replace("        best = max(", "        return\n        best = max(")
CRASHING = STEADY.replace(
    "        moves =", "        assert len(game_state.moves) < 6, 'no idea'\n        moves ="
)
FAST = ["--time", "5", "--option", "board=random-2x2"]


def write(folder: Path, name: str, source: str) -> None:
    (folder / name).mkdir(parents=True)
    (folder / name / "sudokuai.py").write_text(source)


@pytest.fixture
def hand_ins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("plyground.course.boards.CLASSIC_BOARDS", ())
    folder = tmp_path / "class"
    for name, source in (("ann", STEADY), ("bob", LAZY), ("cid", CRASHING), ("dora", STEADY)):
        write(folder, name, source)
    return folder


def rank(capsys: pytest.CaptureFixture[str], *words: str) -> dict:
    assert run(["course", "rank", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_killed_ranking_goes_on_with_the_same_table(hand_ins, tmp_path, capsys):
    command = [str(hand_ins), *FAST, "--format", "swiss", "--rounds", "3"]
    whole = rank(capsys, *command, "--output", str(tmp_path / "whole"))
    broken = [*command, "--output", str(tmp_path / "broken")]
    patch = "import plyground.course.boards as b; b.CLASSIC_BOARDS = ()"
    script = f"import sys; {patch}; from plyground.cli import run; sys.exit(run(sys.argv[1:]))"
    database = tmp_path / "broken" / "games.sqlite"
    killed = subprocess.Popen(
        [sys.executable, "-c", script, "course", "rank", *broken],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + 120
    while _games(database) < 2 and killed.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    os.killpg(killed.pid, signal.SIGKILL)
    said = killed.communicate()[1]
    assert "the same command goes on with it" in said and "course rank" in said
    played = _games(database)
    assert played > 0
    resumed = rank(capsys, *broken)
    assert resumed["ranking"] == whole["ranking"]
    assert [each["summary"] for each in resumed["verdicts"]] == [
        each["summary"] for each in whole["verdicts"]
    ]


def _games(database: Path) -> int:
    import sqlite3

    if not database.exists():
        return 0
    try:
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
            return int(connection.execute("select count(*) from games").fetchone()[0])
    except sqlite3.Error:
        return 0


def test_the_command_that_goes_on_may_be_given_anywhere(tmp_path, capsys, monkeypatch):
    """Files that were named from the folder of the first command are meant from others too."""
    monkeypatch.setattr("plyground.course.boards.CLASSIC_BOARDS", ())
    for name in ("ann [late]", "bob"):
        write(tmp_path / "class", name, STEADY)
    (tmp_path / "mine.txt").write_text("2 2\n1 2 3 4\n3 4 1 2\n2 1 4 3\n. . . .\n")
    monkeypatch.chdir(tmp_path)
    words = ["class", "--option", "board=mine.txt"]
    assert run(["course", "rank", *words, "--anchor", "course:class/bob", "--jobs", "0"]) != 0
    assert f"\n  cd {tmp_path} && plyground course rank" in capsys.readouterr().err
    assert run(["course", "rank", *words]) == 0
    out, err = capsys.readouterr()
    assert "ann [late]" in out and "could not play" not in out
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert run(shlex.split(err.splitlines()[1])[1:]) == 0
    again, err = capsys.readouterr()
    assert "judged: 2 of 2 are there already" in err and "games: 2 of 2 are there already" in err
    assert again == out


def test_another_class_is_not_mixed_in(hand_ins, tmp_path, capsys):
    output = ["--output", str(tmp_path / "out")]
    rank(capsys, str(hand_ins), *FAST, *output)
    assert run(["course", "rank", str(hand_ins), *FAST, *output, "--seed", "4"]) == 2
    assert "different: --seed" in capsys.readouterr().err
    (hand_ins / "dora" / "sudokuai.py").write_text(LAZY)
    assert run(["course", "rank", str(hand_ins), *FAST, *output]) == 2
    assert "submission dora" in capsys.readouterr().err


@pytest.mark.parametrize("words", [(), ("--format", "anchors", "--anchor", "greedy")])
def test_who_hands_in_late_plays_and_nobody_else_again(hand_ins, tmp_path, capsys, words):
    command = [str(hand_ins), *FAST, *words, "--output", str(tmp_path / "out")]
    database = tmp_path / "out" / "games.sqlite"
    before = {row["submission"]: row for row in rank(capsys, *command)["ranking"]}
    earlier = _records(database)
    write(hand_ins, "alma", STEADY)
    after = {row["submission"]: row for row in rank(capsys, *command)["ranking"]}
    assert set(after) == {*before, "alma"}
    now = _records(database)
    assert earlier <= now
    opponents = 1 if words else len(before)
    assert len(now) == len(earlier) + 2 * opponents == len(now | earlier)
    assert after["alma"]["games"] == 2 * opponents
    for name, row in before.items():
        more = 0 if words and not name.startswith("anchor") else 2
        assert after[name]["games"] == row["games"] + more
    assert rank(capsys, *command)["ranking"] == list(after.values())  # nothing is left to play


def test_who_could_not_play_may_hand_in_again(hand_ins, tmp_path, capsys):
    command = [str(hand_ins), *FAST, "--output", str(tmp_path / "out")]
    write(hand_ins, "alma", STEADY.replace("class SudokuAI", "class Other"))
    write(hand_ins, "emil", "import nothing_like_this\n")
    before = {row["submission"] for row in rank(capsys, *command)["ranking"]}
    earlier = _records(tmp_path / "out" / "games.sqlite")
    (hand_ins / "alma" / "sudokuai.py").write_text(STEADY)
    shutil.rmtree(hand_ins / "emil")
    result = rank(capsys, *command)
    assert {row["submission"]: row["games"] for row in result["ranking"]} == dict.fromkeys(
        {*before, "alma"}, 2 * len(before)
    )
    assert earlier < _records(tmp_path / "out" / "games.sqlite")
    assert "emil" not in {row["submission"] for row in result["verdicts"]}
    (hand_ins / "alma" / "sudokuai.py").write_text(LAZY)  # now it has played
    assert run(["course", "rank", *command]) == 2
    assert "submission alma has changed" in capsys.readouterr().err


def test_what_cannot_be_ranked_is_said_at_once_and_leaves_nothing(hand_ins, tmp_path, capsys):
    words = ["course", "rank", str(hand_ins), "--time", "0.3", "--option", "board=random-2x2"]
    out = tmp_path / "out"
    (tmp_path / "mixed.txt").write_text("empty-2x2\nempty-2x2 mode=rows\n")
    mixed = str(tmp_path / "mixed.txt")
    for place, more, reason in (
        (out, ["--anchor", "nobody"], "nobody"),
        (out, ["--option", "board=nowhere"], "unknown board 'nowhere'"),
        (out, ["--python", sys.executable[:1]], "no Python interpreter"),
        (out, ["--boards", "rows", "--option", "mode=border"], "--boards are of mode rows"),
        (out, ["--boards", mixed], "of more than one mode: classic, rows"),
        (hand_ins / "out", [], "would lie among the submissions"),
        ("/proc/nothing", [], "--output /proc/nothing cannot be a folder"),
        (out, ["--jobs", "0"], "at least 1"),
    ):
        assert run([*words, "--output", str(place), *more]) != 0
        assert reason in capsys.readouterr().err
        assert not out.exists() and not (hand_ins / "out").exists()
    (tmp_path / "empty").mkdir()
    assert run(["course", "rank", str(tmp_path / "empty"), *words[3:]]) == 2
    assert "has no submissions" in capsys.readouterr().err
    assert not (tmp_path / "empty-ranking").exists()


def test_what_is_gone_or_has_changed_is_called_so(hand_ins, tmp_path):
    plan = RankingPlan(submissions={"ann": "1", "bob": "2"})
    other = RankingPlan(submissions={"ann": "3", "dora": "4"})
    assert plan.differences(other) == [
        "submission ann has changed",
        "submission bob is gone",
        "submission dora is new",
    ]
    assert plan.joined_by(RankingPlan(submissions={**plan.submissions, "dora": "4"}))
    assert not plan.joined_by(other)


def test_equal_scores_against_the_same_opponents_are_equal_ratings(hand_ins, tmp_path, capsys):
    result = rank(
        capsys, str(hand_ins), *FAST, "--format", "anchors", "--anchor", "random", "--jobs", "2",
        "--output", str(tmp_path / "out"),
    )  # fmt: skip
    elo: dict[float, set[float]] = {}
    for row in result["ranking"]:
        if row["rank"]:
            elo.setdefault(row["score"], set()).add(row["elo"]["rating"])
    assert any(len(each) == 1 for each in elo.values())
    assert len(elo) < sum(1 for row in result["ranking"] if row["rank"]), "no equals"
    assert all(len(each) == 1 for each in elo.values()), elo


def test_nobody_joins_a_swiss_ranking_late(hand_ins, tmp_path, capsys):
    command = [str(hand_ins), *FAST, "--format", "swiss", "--rounds", "1"]
    command += ["--output", str(tmp_path / "out")]
    rank(capsys, *command)
    write(hand_ins, "emil", STEADY)
    assert run(["course", "rank", *command]) == 2
    said = capsys.readouterr().err
    assert "submission emil" in said and "Swiss ranking, which nobody can join" in said


def _records(database: Path) -> set[str]:
    """The games of the latest run, whoever has which number in it."""
    import sqlite3

    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        latest = "select run from games order by number desc limit 1"
        rows = connection.execute(f"select record from games where run = ({latest})")
        records = [json.loads(row[0]) for row in rows]
    return {json.dumps([each[name] for name in ("players", "moves")]) for each in records}


def test_anchors_hold_the_scale(hand_ins, tmp_path, capsys):
    words = ["--format", "anchors", "--anchor", "greedy", "--anchor", "random"]
    table = rank(capsys, str(hand_ins), *FAST, *words, "--output", str(tmp_path / "out"))["ranking"]
    anchors = [row for row in table if row["rank"] is None]
    assert [row["submission"] for row in anchors] == ["anchor greedy", "anchor random"]
    assert sum(row["elo"]["rating"] for row in anchors) == pytest.approx(0.0, abs=1e-6)
    assert all(row["games"] == 4 for row in table if row["rank"])
    # An anchor's boards are the same for everybody.
    report = (tmp_path / "out" / "games" / "report.html").read_text()
    assert "2 different starts" in report


def test_the_pages_of_a_class(hand_ins, tmp_path, capsys):
    output = tmp_path / "out"
    result = rank(capsys, str(hand_ins), *FAST, "--output", str(output), "--jobs", "2")
    page = (output / "index.html").read_text()
    assert "Crosstable" in page and "Faults" in page
    assert "no idea" not in page and ">crash</td>" in page  # how often, not who
    assert "no idea" in (output / "teacher.html").read_text()
    links = re.findall(r'<a [^>]*href="([^"#]+)"', page)
    assert links and all(link.startswith("students/") for link in links)  # it is published
    teacher = (output / "teacher.html").read_text()
    assert 'href="ranking.csv"' in teacher and 'href="games/report.html"' in teacher
    for name in ("ann", "bob", "cid", "dora"):
        student = (output / "students" / f"{name}.html").read_text()
        others = {"ann", "bob", "cid", "dora"} - {name}
        assert all(other in student for other in others)  # as opponents
        assert str(tmp_path) not in student and "class SudokuAI" not in student
        assert "Replays, losses first" in student and 'class="replay"' in student
    crashed = (output / "students" / "cid.html").read_text()
    assert "no idea" in crashed and "cid/sudokuai.py" in crashed and "failed in turn" in crashed
    assert "Its program failed in turn 7: AssertionError: no idea" in crashed
    assert "service.py" not in crashed and "Take the points" not in crashed
    assert "no idea" not in (output / "students" / "ann.html").read_text()
    lazy = (output / "students" / "bob.html").read_text()
    assert "Take the points that lie open" in lazy or "Leave no region" in lazy
    # The mark by which spreadsheet programs know umlauts.
    assert (output / "ranking.csv").read_bytes().startswith(b"\xef\xbb\xbfrank,")
    with (output / "ranking.csv").open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    assert [row["submission"] for row in rows] == [row["submission"] for row in result["ranking"]]
    assert all(float(r["elo_low"]) <= float(r["elo"]) <= float(r["elo_high"]) for r in rows)


def test_rows_mode_with_a_suite_and_progress_in_a_log(tmp_path, capsys):
    folder = tmp_path / "class"
    for name in ("one", "two"):
        write(folder, name, NEWER)
    suite = tmp_path / "boards.txt"
    suite.write_text("empty-2x2 mode=rows\nempty-2x3 mode=rows\n")
    write(folder, "three", OLDER)
    command = ["course", "rank", str(folder), "--time", "5"]  # the suite has its mode
    command += ["--boards", str(suite), "--rounds", "2", "--output", str(tmp_path / "out")]
    assert run([*command, "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["ranking"][0]["games"] == 4
    assert re.search(r"^games: \d+ of 4", captured.err, re.MULTILINE)
    assert re.search(r"about \d+ (s|min) left", captured.err)
    assert "judged: 3 of 3" in captured.err and " --option mode=rows" in captured.err
    assert "three: it is of the older generation, which knows mode classic only" in captured.err


def test_ratings_of_a_field_lie_in_their_intervals_and_follow_the_results():
    evidence = Evidence(6)
    for first in range(6):
        for second in range(first + 1, 6):
            evidence.add(first, second, 0.75 if (first + second) % 3 else 1.0)
    field = estimate_field(evidence)
    field_of_strengths._estimate.cache_clear()
    again = estimate_field(evidence)
    assert np.array_equal(field.elo, again.elo)  # the same table whenever it is asked for
    assert (field.low < field.elo).all() and (field.elo < field.high).all()
    assert field.elo[0] > field.elo[2] > field.elo[5]
    assert field.superiority(0, 5) > 0.9 > 0.1 > field.superiority(5, 0)
    shifted = estimate_field(evidence, [5])
    assert shifted.elo[5] == pytest.approx(0.0) and shifted.elo[0] > field.elo[0]


def test_a_table_is_computed_once_however_often_it_is_shown(monkeypatch):
    def gathered(score):
        evidence = Evidence(3)
        evidence.add(0, 1, score)
        evidence.add(1, 2, 0.5)
        return evidence

    field = estimate_field(gathered(1.0))
    monkeypatch.setattr(field_of_strengths._Posterior, "sample", None)
    assert estimate_field(gathered(1.0)) is field
    with pytest.raises(TypeError):
        estimate_field(gathered(0.5))
    with pytest.raises(TypeError):
        estimate_field(gathered(1.0), [0])


@pytest.mark.parametrize(("by_score", "ranks"), [(True, [1, 2, 2, 4]), (False, [1, 2, 3, 3])])
def test_equals_share_a_place(by_score, ranks):
    rows = [("a", 3.0, 90.0), ("b", 2.0, 10.0), ("c", 2.0, -4.0), ("d", 1.0, -9.0)]
    places = [
        Place(name, rank, score, 4, 0, 0, 0, elo, elo - 50, elo + 50, 0, None)
        for rank, (name, score, elo) in enumerate(rows, 1)
    ]
    assert [place.rank for place in share_ranks(places, by_score=by_score)] == ranks


@pytest.mark.parametrize(("chances", "told"), [((0.95, 0.5, 0.6), "2 of 3"), ((0.95, 0.5), "")])
def test_too_few_games_are_said_to_be_too_few(chances, told):
    places = [
        Place("x", 1, 1.0, 2, 1, 1, 0, 0.0, -9.0, 9.0, 0, None, chance)
        for chance in (*chances, None)
    ]
    assert doubts(places).startswith(told) and bool(doubts(places)) == bool(told)


def test_a_ranking_without_any_verdict_may_be_another_one(tmp_path):
    """Whoever stops at once and mends the command need not remove anything."""
    RankingState.open(tmp_path, RankingPlan(seed=1, submissions={"ann": "1"}))
    state = RankingState.open(tmp_path, RankingPlan(seed=2, submissions={"bob": "2"}))
    state.keep(SubmissionVerdict(Submission("bob", tmp_path, None, "late"), fault="late"))
    with pytest.raises(InputError, match="different: --time, --seed"):
        RankingState.open(
            tmp_path, RankingPlan(seed=1, limit=Limit(time=1.0), submissions={"bob": "2"})
        )


def test_a_board_that_says_where_to_begin_is_the_only_one_to_be_judged_on(tmp_path):
    board = "2x2 ..../..../..../.... first 0-0 allowed1=0,0;0,1 allowed2=3,2;3,3"
    trial = make_trial({"board": board}, Limit(time=5.0), EngineSettings())
    assert trial.boards == (board,) and trial.mode == "board" and not trial.classic
    for name, source in (("new", NEWER), ("old", OLDER)):
        write(tmp_path / "class", name, source)
    new, old = (judge(each, trial) for each in collect(tmp_path / "class", tmp_path / "work"))
    assert new.flawless and "knows mode classic only" in old.fault
    assert make_trial({"board": "empty-2x2"}, Limit(time=5.0), EngineSettings()).classic
