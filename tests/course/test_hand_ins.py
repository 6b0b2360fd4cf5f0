"""What is handed in comes in all shapes: each is judged as what it is, and none ends a ranking."""

from __future__ import annotations

import io
import os
import re
import time
import zipfile
from html import escape
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import quote, unquote, urlsplit

import pytest

from plyground.cli import run
from plyground.core.errors import InputError
from plyground.core.limits import Limit
from plyground.core.outcome import Termination
from plyground.course.boards import check_boards
from plyground.course.host.detection import detect_generation
from plyground.course.output import last_error
from plyground.course.pages import write_class_pages
from plyground.course.plan import digests
from plyground.course.ranking import rank_class
from plyground.course.results import ClassResult
from plyground.course.skeleton import NEWER, OLDER
from plyground.course.submissions import Submission, collect, plain_name
from plyground.course.verdict import (
    SubmissionVerdict,
    Trial,
    explain_failure,
    judge,
)
from plyground.engines import sandbox
from plyground.engines.clocks import WALL_SECONDS
from plyground.engines.engine import EngineSettings
from plyground.engines.failure import EngineError
from plyground.store.claims import Claims

TRIAL = Trial(("random-2x2",), Limit(time=5.0, by="cpu"), EngineSettings(), {})


def hand_in(folder: Path, name: str | bytes, source: str | bytes) -> Path:
    place = folder / os.fsdecode(name)
    place.mkdir(parents=True)
    content = source if isinstance(source, bytes) else source.encode()
    (place / "sudokuai.py").write_bytes(content)
    return place


def zipped(**files: str | bytes) -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/").replace("_dot_", "."), content)
    return memory.getvalue()


def test_files_as_windows_writes_them_are_python(tmp_path):
    source = b"\xef\xbb\xbf" + NEWER.replace("\n", "\r\n").encode()
    hand_in(tmp_path / "class", "windows", source)
    (submission,) = collect(tmp_path / "class", tmp_path / "work")
    assert submission.folder is not None and detect_generation(submission.folder) == "newer"
    assert judge(submission, TRIAL).flawless


def test_a_file_in_latin_with_its_mark_is_python(tmp_path):
    hand_in(tmp_path / "class", "latin", "# coding: latin-1\nNAME = 'Jörg'\n".encode("latin-1"))
    hand_in(tmp_path / "class", "zlatin", f"# coding: latin-1\n# ü\n{OLDER}".encode("latin-1"))
    first, second = (judge(each, TRIAL) for each in collect(tmp_path / "class", tmp_path / "work"))
    assert "no class SudokuAI" in first.fault
    assert second.flawless


@pytest.mark.parametrize(
    "source",
    ["x = " + "-" * 200_000 + "1\n", "x = a" + ".b" * 100_000 + "\n", "x = 1" + "+1" * 200_000],
    ids=["signs", "attributes", "sum"],
)
def test_code_that_cannot_be_read_is_a_fault_of_its_own(source, tmp_path):
    hand_in(tmp_path / "class", "deep", f"{source}\n{NEWER}")
    (submission,) = collect(tmp_path / "class", tmp_path / "work")
    assert "it does not load" in judge(submission, TRIAL).fault


def test_what_cannot_be_unpacked_shows_no_path_of_the_teacher(tmp_path):
    folder = tmp_path / "class"
    folder.mkdir()
    (folder / "long.zip").write_bytes(zipped(**{"y" * 300: "1"}))
    (folder / "twice.zip").write_bytes(zipped(a="1", a__sudokuai_dot_py=OLDER))
    (folder / "up.zip").write_bytes(zipped(**{"../sudokuai.py": OLDER}))
    long, twice, up = (each.fault for each in collect(folder, tmp_path / "work"))
    for fault in (long, twice, up):
        assert fault.startswith("the zip file cannot be unpacked: ")
        assert str(tmp_path) not in fault and len(fault) < 250
    assert "yyy" in long and twice.endswith(": a") and "points outside" in up


def test_an_overview_of_faults_names_no_class_of_a_student(tmp_path):
    hand_in(tmp_path / "class", "renamed", NEWER.replace("class SudokuAI", "class Ann"))
    (submission,) = collect(tmp_path / "class", tmp_path / "work")
    verdict = judge(submission, TRIAL)
    assert "Ann" in verdict.fault
    assert verdict.kinds == ["sudokuai.py has no class SudokuAI"]


def test_what_goes_wrong_while_one_is_judged_is_its_own(tmp_path, monkeypatch):
    def fail(*_: object) -> str:
        raise ZeroDivisionError("nobody thought of this")

    hand_in(tmp_path / "class", "odd", NEWER)
    (submission,) = collect(tmp_path / "class", tmp_path / "work")
    monkeypatch.setattr("plyground.course.verdict.detect_generation", fail)
    verdict = judge(submission, TRIAL)
    assert verdict.fault == "it cannot be judged: ZeroDivisionError: nobody thought of this"
    assert not verdict.playable


def test_things_that_are_no_files_are_no_submissions(tmp_path):
    folder = tmp_path / "class"
    hand_in(folder / "a_folder_as_file", "sudokuai.py", "pass")
    (folder / "b_folder_in_zip.zip").write_bytes(zipped(sudokuai_dot_py__x="1"))
    os.mkfifo(folder / "c_pipe.zip")
    (folder / "d_pipe").mkdir()
    os.mkfifo(folder / "d_pipe" / "sudokuai.py")
    (folder / "e_link").mkdir()
    (folder / "e_link" / "sudokuai.py").symlink_to("/dev/zero")
    (folder / "f_other.rar").write_bytes(b"Rar!")
    (folder / "g_alone.py").write_text(NEWER)
    (folder / "notes.txt").write_text("of the teacher")
    found = collect(folder, tmp_path / "work")
    faults = {each.name: judge(each, TRIAL).fault for each in found if each.folder is None}
    assert sorted(faults) == sorted(
        ["b_folder_in_zip", "c_pipe", "d_pipe", "e_link", "f_other.rar", "g_alone.py"]
    )
    assert faults["c_pipe"] == faults["f_other.rar"] == faults["g_alone.py"]
    assert faults["c_pipe"] == "it is neither a folder nor a zip file"
    assert faults["e_link"] == "there is no sudokuai.py in it"


def test_who_hands_in_the_whole_framework_hands_in_what_is_not_of_it(tmp_path):
    framework = {"competitive_sudoku": "class SudokuAI: pass", "greedy_player": OLDER}
    for name, own in {"whole": {"team5_A1": NEWER}, "twice": {"A1": NEWER, "A2": NEWER}}.items():
        for folder, source in {**framework, **own}.items():
            hand_in(tmp_path / "class" / name, folder, source)
        (tmp_path / "class" / name / "competitive_sudoku" / "sudoku.py").write_text("")
    hand_in(tmp_path / "class" / "edited", "greedy_player", NEWER)
    found = {each.name: each for each in collect(tmp_path / "class", tmp_path / "work")}
    assert found["whole"].folder is not None and found["whole"].folder.name == "team5_A1"
    assert judge(found["whole"], TRIAL).flawless
    assert found["edited"].folder is not None and found["edited"].folder.name == "greedy_player"
    assert found["twice"].fault == "it has more than one sudokuai.py, in A1, A2"
    assert judge(found["twice"], TRIAL).kinds == ["it has more than one sudokuai.py"]


def test_a_zip_file_in_a_zip_file_or_a_folder_is_opened(tmp_path):
    folder = tmp_path / "class"
    folder.mkdir()
    inner = zipped(team__sudokuai_dot_py=OLDER)
    (folder / "nested.zip").write_bytes(zipped(team_dot_zip=inner, readme_dot_txt="hello"))
    (folder / "platform").mkdir()
    (folder / "platform" / "hand in.zip").write_bytes(inner)
    (folder / "two.zip").write_bytes(zipped(a_dot_zip=inner, b_dot_zip=inner))
    deep = inner
    for _ in range(4):
        deep = zipped(x_dot_zip=deep)
    (folder / "zdeep.zip").write_bytes(deep)
    nested, platform, two, zdeep = collect(folder, tmp_path / "work")
    for found in (nested, platform):
        assert found.folder is not None and (found.folder / "sudokuai.py").is_file()
    assert nested.folder.name == "team"  # type: ignore[union-attr]
    assert two.fault == "there is no sudokuai.py in it (but 2 zip files)"
    assert zdeep.fault == "there is no sudokuai.py in it (but 1 zip files)"
    assert len(set(digests([nested, platform, two, zdeep]).values())) >= 3


def test_names_of_every_kind_can_be_printed_and_published(tmp_path):
    names = [b"J\xf6rg M\xfcller", "red\x1b[31m\nline", "n" * 255, "ü" * 120, "  ", "#3 50% ?x=1&y"]
    for name in names:
        hand_in(tmp_path / "class", name, NEWER)
    found = collect(tmp_path / "class", tmp_path / "work")
    assert "Jörg Müller" in [each.name for each in found]
    assert len({each.name for each in found}) == len(names)
    for each in found:
        assert each.name.isprintable() and 0 < len(each.name.encode()) <= 110
        assert each.folder is not None
    verdicts = [judge(each, TRIAL) for each in found]
    assert all(verdict.flawless for verdict in verdicts)
    page = write_class_pages(tmp_path / "pages", ClassResult(tuple(verdicts), ()))
    assert all(escape(each.name) in page.read_text() for each in found)
    links = re.findall(r'href="(students/[^"]+)"', page.read_text())
    assert len(links) == len(names)
    assert all((page.parent / unquote(urlsplit(link).path)).is_file() for link in links)
    assert len(list((tmp_path / "pages" / "students").iterdir())) == len(names)
    assert plain_name("Jörg Müller (Abgabe 1)") == "Jörg Müller (Abgabe 1)"


def test_names_that_differ_in_capitals_have_pages_of_their_own(tmp_path):
    """Also where the file system does not tell them apart, and in both spellings of an umlaut."""
    names = ["team01", "Team01", "Mu\u0308ller", "M\u00fcller", "TEAM01", "why?", "why*"]
    found = [Submission(name, Path(name), None, f"fault of {name}") for name in names]
    verdicts = tuple(SubmissionVerdict(each, fault=each.fault) for each in found)
    result = ClassResult(verdicts)
    pages = list(result.page_names.values())
    umlauts = ["Mu\u0308ller", "M\u00fcller (2)"]
    assert pages == ["team01", "Team01 (2)", *umlauts, "TEAM01 (3)", "why_", "why_ (2)"]
    page = write_class_pages(tmp_path, result)
    for name, stem in result.page_names.items():
        assert f"fault of {name}." in (tmp_path / "students" / f"{stem}.html").read_text()
        assert f'href="students/{quote(stem)}.html">{name}</a>' in page.read_text()


def test_a_submission_may_call_its_folder_as_before_a_platform_packed_it(tmp_path):
    own = "from team07_A1.evaluate import score\nimport team07_A1.evaluate as again\n"
    own += "from team07_A1 import evaluate\nassert score == again.score == evaluate.score\n"
    place = tmp_path / "class"
    place.mkdir()
    packed = zipped(sudokuai_dot_py=own + NEWER, evaluate_dot_py="score = 1\n")
    (place / "12345 - Group 7 - team07.zip").write_bytes(packed)
    other = zipped(sudokuai_dot_py=f"import torch.nn\n{own}{NEWER}", evaluate_dot_py="score = 1\n")
    (place / "other.zip").write_bytes(other)
    good, bad = (judge(each, TRIAL) for each in collect(place, tmp_path / "work"))
    assert good.flawless, good.summary
    assert bad.fault == "it imports 'torch', which is not installed here"


@pytest.mark.parametrize("name", ["json", "urllib", "test", "plyground", "competitive_sudoku"])
def test_a_folder_may_be_called_like_a_module(name, tmp_path):
    hand_in(tmp_path / "class", name, NEWER)
    (submission,) = collect(tmp_path / "class", tmp_path / "work")
    assert judge(submission, TRIAL).flawless


def test_the_main_file_stands_for_its_folder(tmp_path, capsys):
    hand_in(tmp_path, "team", NEWER)
    assert run(["course", "check", str(tmp_path / "team" / "sudokuai.py"), "--time", "5"]) == 0
    assert "team: no faults found" in capsys.readouterr().out


def test_an_illegal_move_is_no_matter_of_modes(tmp_path):
    """On the empty boards of the other mode it happens to be legal."""
    source = NEWER.replace("self.propose_move(best)", "self.propose_move(Move((0, 0), 1))")
    hand_in(tmp_path / "class", "first", source)
    (submission,) = collect(tmp_path / "class", tmp_path / "work")
    verdict = judge(submission, TRIAL)
    assert verdict.fault == "" and "illegal move in turn" in verdict.summary


def test_who_sleeps_is_told_of_the_wall(tmp_path, monkeypatch):
    monkeypatch.setattr("plyground.engines.clocks.WALL_SECONDS", 0.5)
    monkeypatch.setattr("plyground.engines.clocks.WALL_FACTOR", 1.0)
    assert WALL_SECONDS > 5
    marked = "        moves = self.possible_moves(game_state)\n"
    hand_in(
        tmp_path / "class",
        "sleeper",
        OLDER.replace(marked, f"        import time; time.sleep(60)\n{marked}"),
    )
    (submission,) = collect(tmp_path / "class", tmp_path / "work")
    trial = Trial(("random-2x2",), Limit(time=2.0, by="cpu"), EngineSettings(), {})
    fault = judge(submission, trial).boards[0].fault
    assert fault.startswith("timeout in turn 1: no move within 2.6 s on the wall, 0.")


def test_sleep_is_time_as_in_the_course_but_waiting_for_a_processor_is_not(tmp_path):
    marked = "        self.propose_move(best)\n"
    hand_in(
        tmp_path / "class",
        "napper",
        OLDER.replace(marked, f"{marked}        import time; time.sleep(9)\n"),
    )
    (submission,) = collect(tmp_path / "class", tmp_path / "work")
    trial = Trial(("easy-2x2",), Limit(time=0.3, by="cpu"), EngineSettings(), {})
    began = time.monotonic()
    verdict = judge(submission, trial)
    assert verdict.boards[0].ok and verdict.boards[0].turns == 9
    assert time.monotonic() - began < 30  # nine naps are 81 s


def test_who_sleeps_before_the_first_proposal_is_told_that_it_is_late_in_the_course(tmp_path):
    marked = "        moves = self.possible_moves(game_state)\n"
    hand_in(
        tmp_path / "class",
        "dreamer",
        OLDER.replace(
            marked, f"        import time; time.sleep(0 if game_state.moves else 3)\n{marked}"
        ),
    )
    (submission,) = collect(tmp_path / "class", tmp_path / "work")
    trial = Trial(("easy-2x2",), Limit(time=0.2, by="cpu"), EngineSettings(), {})
    verdict = judge(submission, trial)
    assert verdict.boards[0].ok and not verdict.flawless
    assert verdict.boards[0].slowest < 0.2, "waiting for it is charged to nobody"
    assert verdict.summary == (
        "plays by the rules, but it sleeps until its turn is over before it proposes a move, which "
        "is too late in the course's own runner"
    )
    assert verdict.kinds == ["sleeps through its turn"]


def test_a_submission_may_write_beside_itself_as_in_the_course(tmp_path, capsys):
    counting = """        self.propose_move(best)
        from pathlib import Path
        place = Path(__file__).with_name("count.txt")
        turns = int(place.read_text()) if place.exists() else 0
        place.write_text(str(turns + 1))
        assert Path("team_A1/count.txt").read_text() == str(turns + 1)
        assert turns == len(game_state.moves) or len(game_state.board.squares) > 16
"""
    place = hand_in(
        tmp_path, "team_A1", OLDER.replace("        self.propose_move(best)\n", counting)
    )
    assert run(["course", "check", str(place), "--time", "5"]) == 0, capsys.readouterr()
    if sandbox.state().available:
        assert not (place / "count.txt").exists()


def test_a_crash_is_told_with_its_line_and_others_by_their_kind(tmp_path, capsys):
    early = """        if len(game_state.board.squares) <= 36:
            raise KeyError("/home/teacher/secret.txt")
        if len(game_state.board.squares) > 36:
            return
        self.propose_move(best)
"""
    mark = "        self.propose_move(best)\n"
    first = "        self.propose_move(random.choice(moves))"
    source = OLDER.replace(mark, early).replace(first, "        # ")
    place = hand_in(tmp_path, "team", source)
    assert run(["course", "check", str(place), "--time", "5"]) == 1
    out, err = capsys.readouterr()
    line = source[: source.index("raise KeyError")].count("\n") + 1
    told = f"easy-2x2: crash in turn 1: KeyError: 'secret.txt' (sudokuai.py, line {line})"
    assert out.startswith(f"team: {told} (and on 1 more board, no move on 2 more)"), out
    assert "the last lines of its output:\nTraceback" in out
    assert "team: on random-3x3 ..." in err


def test_a_crash_is_told_whole_where_its_output_comes_late():
    """The output of an engine is whole once it is closed; a busy machine is late until then."""
    head = 'Traceback (most recent call last):\n  File "/x/team/sudokuai.py", line 7, in f\n'
    engine = SimpleNamespace(text=head)
    engine.close = lambda: setattr(engine, "text", f"{head}KeyError: 3\n")
    engine.log_text = lambda: engine.text
    error = EngineError(Termination.CRASH, "says: team crashed before its first proposal")
    assert explain_failure(error, engine)[0] == "KeyError: 3 (sudokuai.py, line 7)"


@pytest.mark.parametrize(
    ("end", "found"),
    [
        ("input('your move? ')", "EOFError: EOF when reading a line (sudokuai.py, line {line})"),
        ("import os; os._exit(3)", "its process ends by itself"),
        ("import sys; sys.exit()", ""),
        ("while True: pass", ""),
    ],
)
def test_who_fails_after_a_proposal_is_told_so(end, found, tmp_path):
    mark = "        self.propose_move(best)\n"
    source = OLDER.replace(mark, f"{mark}        {end}\n")
    hand_in(tmp_path / "class", "team", source)
    (submission,) = collect(tmp_path / "class", tmp_path / "work")
    trial = Trial(("random-2x2",), Limit(time=0.3, by="cpu"), EngineSettings(), {})
    verdict = judge(submission, trial)
    assert verdict.boards[0].ok and verdict.boards[0].turns > 1
    line = source[: source.index(end)].count("\n") + 1
    told = "plays by the rules, but it fails after it has proposed a move: "
    assert verdict.summary == (told + found.format(line=line) if found else "no faults found")
    assert verdict.flawless == (not found)


@pytest.mark.parametrize("early", [True, False])
def test_who_misses_a_file_is_told_how_to_open_it(early, tmp_path):
    mark = "import random\n" if early else "        moves = self.possible_moves(game_state)\n"
    line = "book = open('book.txt')\n" if early else "        open('book.txt')\n"
    hand_in(tmp_path / "class", "team", OLDER.replace(mark, mark + line, 1))
    (submission,) = collect(tmp_path / "class", tmp_path / "work")
    verdict = judge(submission, TRIAL)
    found, advice = (
        (verdict.fault, verdict.advice)
        if early
        else (verdict.boards[0].fault, verdict.boards[0].advice)
    )
    assert "FileNotFoundError: [Errno 2] No such file or directory: 'book.txt'" in found
    assert advice == "hand the file in with it, and open it by a path from `__file__`"


def test_the_line_of_a_crash_is_one_of_the_submission():
    log = (
        "plyground: tried to connect to: example.org\nTraceback (most recent call last):\n"
        '  File "/a/team/sudokuai.py", line 12, in compute_best_move\n'
        '  File "/usr/lib/python3.11/random.py", line 378, in choice\n'
        "IndexError: Cannot choose from an empty sequence\n\n"
        "plyground: tried to write: /x\n"
    )
    told = "IndexError: Cannot choose from an empty sequence (sudokuai.py, line 12)"
    assert last_error(log) == told
    assert last_error("KeyError: 3\n") == last_error("") == ""  # printed, not raised


def test_two_rankings_do_not_share_a_folder(tmp_path):
    hand_in(tmp_path / "class", "team", NEWER)
    output = tmp_path / "out"
    output.mkdir()
    claims = Claims(output / "games.sqlite")
    claims.claim("ranking")
    with pytest.raises(InputError, match=r"another process.*choose another --output"):
        rank_class(
            tmp_path / "class",
            None,  # type: ignore[arg-type]
            output,
            EngineSettings(),
            1,
            None,  # type: ignore[arg-type]
        )
    claims.give_up()


BASE = """import competitive_sudoku.sudokuai
class SudokuAI(competitive_sudoku.sudokuai.SudokuAI):
    def __init__(self):
        super().__init__()
"""


@pytest.mark.parametrize(
    "main",
    [
        "from .player import SudokuAI\n",
        "from .player import *\n",
        "from . import player\nSudokuAI = player.SudokuAI\n",
        "from .player import SudokuAI as OurSudokuAI\nclass SudokuAI(OurSudokuAI): pass\n",
        BASE + "from .player import *\n",  # written twice: the last one counts
        BASE + "from .player import SudokuAI as S\n"
        "for name in ('possible_moves', 'regions', 'fits', 'regions_completed'):\n"
        "    setattr(SudokuAI, name, getattr(S, name, None))\n"
        "SudokuAI.compute_best_move = S.compute_best_move\n",
    ],
)
def test_the_class_may_come_from_another_file(main, tmp_path):
    hand_in(tmp_path / "class", "team", main)
    (tmp_path / "class" / "team" / "player.py").write_text(NEWER)
    (submission,) = collect(tmp_path / "class", tmp_path / "work")
    assert judge(submission, TRIAL).flawless


def test_a_class_that_is_written_twice_is_the_last_one(tmp_path):
    head, line, rest = OLDER.partition("class SudokuAI(competitive_sudoku.sudokuai.SudokuAI):\n")
    empty = f"{line}    def __init__(self):\n        super().__init__()\n\n"
    hand_in(tmp_path / "class", "team", head + empty + line + rest)
    (submission,) = collect(tmp_path / "class", tmp_path / "work")
    assert judge(submission, TRIAL).flawless


@pytest.mark.parametrize("skeleton", [OLDER, NEWER])
def test_who_does_not_look_at_the_taboo_list_is_told_so(skeleton, tmp_path):
    """On a board on which both have passed by all moves that leave no solution."""
    for line in skeleton.splitlines(keepends=True):
        if "not in game_state.taboo_moves" in line:
            blind = skeleton.replace(line, "")
    blind = blind.replace("random.choice(moves)", "moves[-1]").replace(
        "max(moves, key", "max(moves[::-1], key"
    )
    mode = "classic" if skeleton is OLDER else "rows"
    boards = check_boards(mode)[-1:]
    trial = Trial(boards, Limit(time=5.0, by="cpu"), EngineSettings(), {"mode": mode})
    hand_in(tmp_path / "class", "blind", blind)
    hand_in(tmp_path / "class", "seeing", skeleton)
    first, second = (judge(each, trial) for each in collect(tmp_path / "class", tmp_path / "work"))
    assert "taboo move in turn" in first.summary and "with many taboo moves" in first.summary
    assert second.flawless, second.summary


def test_a_class_without_its_method_is_told_so(tmp_path):
    source = "import competitive_sudoku.sudokuai as s\nimport competitive_sudoku.sudokuai\n"
    source += "class SudokuAI(competitive_sudoku.sudokuai.SudokuAI):\n    pass\n"
    hand_in(tmp_path / "class", "team", source)
    (submission,) = collect(tmp_path / "class", tmp_path / "work")
    assert judge(submission, TRIAL).fault == "class SudokuAI has no method compute_best_move"
