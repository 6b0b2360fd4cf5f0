"""The teacher's and the student's commands, on hand-made submissions of every kind."""

from __future__ import annotations

import csv
import json
import zipfile
from pathlib import Path

import pytest

from plyground.cli import run
from plyground.core.errors import InputError
from plyground.course.skeleton import NEWER, OLDER, create
from plyground.course.submissions import collect

HEAD = """
import time, os, sys
import competitive_sudoku.sudokuai
from competitive_sudoku.sudoku import GameState, Move, TabooMove

class SudokuAI(competitive_sudoku.sudokuai.SudokuAI):
    def compute_best_move(self, game_state):
"""
FAULTY = {
    "slow": HEAD + "        time.sleep(60)\n        self.propose_move(Move(0, 0, 1))\n",
    "crashing": HEAD + "        raise RuntimeError('no idea')\n",
    "illegal": HEAD + "        self.propose_move(Move(0, 0, 99))\n",
    "off_board": HEAD + "        self.propose_move(Move(0, 77, 1))\n",
    "silent": HEAD + "        pass\n",
    "syntax": "class SudokuAI(:\n    pass\n",
    "wrong_class": "class Agent:\n    pass\n",
    "missing_import": "import a_module_nobody_has\n" + HEAD + "        pass\n",
    "killer": HEAD + "        os._exit(3)\n",
}
EXPECTED = {
    "slow": "timeout",
    "crashing": "crash in turn 1",
    "illegal": "illegal move",
    "off_board": "illegal move",
    "silent": "no move",
    "syntax": "syntax error in sudokuai.py, line 1",
    "wrong_class": "no class SudokuAI",
    "missing_import": "a_module_nobody_has",
    "killer": "crash",
}


def write(folder: Path, name: str, source: str) -> Path:
    place = folder / name
    place.mkdir(parents=True)
    (place / "__init__.py").write_text("")
    (place / "sudokuai.py").write_text(source)
    return place


def with_save(source: str, thing: str) -> str:
    """The skeleton, which also saves something each turn."""
    return source.replace(
        "        self.propose_move(best)\n", f"        self.propose_move(best)\n        {thing}\n"
    )


@pytest.fixture
def hand_ins(tmp_path: Path) -> Path:
    folder = tmp_path / "class"
    write(folder, "good_old", OLDER)
    write(folder, "good_new", NEWER)
    write(folder, "unpicklable", with_save(OLDER, "self.save(lambda: 1)"))
    write(folder, "loud", with_save(NEWER, "print('x' * 1_000_000)"))
    for name, source in FAULTY.items():
        write(folder, name, source)
    with zipfile.ZipFile(folder / "zipped.zip", "w") as archive:
        archive.writestr("team7_A2/sudokuai.py", OLDER)
        archive.writestr("team7_A2/__init__.py", "")
    return folder


def test_a_class_is_ranked_in_one_command(hand_ins, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("plyground.course.boards.CLASSIC_BOARDS", ())
    output = tmp_path / "pages"
    command = f"course rank {hand_ins} --time 0.3 --option board=random-2x3 --output {output}"
    code = run([*command.split(), "--json"])
    assert code == 0
    result = json.loads(capsys.readouterr().out)
    verdicts = {entry["submission"]: entry for entry in result["verdicts"]}
    assert len(verdicts) == len(FAULTY) + 5
    for name in ("good_old", "good_new", "zipped"):
        assert verdicts[name]["flawless"], verdicts[name]
    for name, found in (("loud", "prints very much"), ("unpicklable", "cannot be pickled")):
        assert not any(board["fault"] for board in verdicts[name]["boards"])
        assert found in verdicts[name]["summary"]
        assert (
            verdicts[name]["remarks"][0]["advice"]
            in (output / "students" / f"{name}.html").read_text()
        )
    for name, expected in EXPECTED.items():
        entry = verdicts[name]
        found = " ".join([entry["fault"] or "", *(b["fault"] or "" for b in entry["boards"])])
        advice = [entry["advice"], *(b["advice"] for b in entry["boards"])]
        assert not entry["flawless"]
        assert expected in found, (name, found)
        assert any(advice), name
        page = (output / "students" / f"{name}.html").read_text()
        assert "mend" in page
    crashing = (output / "students" / "crashing.html").read_text()
    assert "no idea" in crashing and "made no move on any board" in crashing
    assert "compiling" not in crashing
    assert verdicts["good_old"]["generation"] == "older"
    assert verdicts["good_new"]["generation"] == "newer"
    ranked = {entry["submission"]: entry for entry in result["ranking"]}
    assert {"good_old", "good_new", "zipped", "loud", "unpicklable"} <= set(ranked)
    assert not {"syntax", "missing_import", "wrong_class", "crashing"} & set(ranked)
    with (output / "ranking.csv").open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    assert {row["submission"] for row in rows} == set(verdicts)
    assert [row["rank"] for row in rows if row["rank"]] == sorted(
        (row["rank"] for row in rows if row["rank"]), key=int
    )
    class_page = (output / "index.html").read_text()
    assert all(f'href="students/{name}.html"' in class_page for name in verdicts)
    assert (output / "games" / "report.html").exists()
    assert not (output / ".submissions").exists()


@pytest.mark.parametrize("generation", ["older", "newer"])
def test_a_new_submission_has_no_faults(generation, tmp_path, capsys):
    target = tmp_path / "team42_A1"
    assert run(["course", "new", str(target), "--generation", generation]) == 0
    assert run(["course", "check", str(target), "--time", "0.3", "--json"]) == 0
    verdict = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert verdict["flawless"] and verdict["generation"] == generation


def test_check_says_what_to_mend(tmp_path, capsys):
    write(tmp_path, "bad", FAULTY["silent"])
    assert run(["course", "check", str(tmp_path / "bad"), "--time", "0.2"]) == 1
    assert "propose_move" in capsys.readouterr().out


def test_new_overwrites_nothing(tmp_path):
    create(tmp_path / "team1_A1", "older")
    with pytest.raises(InputError, match="exists already"):
        create(tmp_path / "team1_A1", "older")
    with pytest.raises(InputError, match="cannot be the name"):
        create(tmp_path / "team 1", "older")


def test_hostile_zip_files_harm_nobody(tmp_path):
    folder, workspace = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    with zipfile.ZipFile(folder / "escape.zip", "w") as archive:
        archive.writestr("../../outside/sudokuai.py", OLDER)
    (folder / "garbage.zip").write_bytes(b"PK not a zip file")
    with zipfile.ZipFile(folder / "empty.zip", "w"):
        pass
    with zipfile.ZipFile(folder / "torn.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("sudokuai.py", OLDER * 50)
    torn = bytearray((folder / "torn.zip").read_bytes())
    torn[60:120] = b"\xff" * 60
    (folder / "torn.zip").write_bytes(torn)
    faults = {s.name: s.fault for s in collect(folder, workspace)}
    assert "points outside" in faults["escape"]
    assert "cannot be unpacked" in faults["garbage"]
    assert "cannot be unpacked" in faults["torn"]
    assert "no sudokuai.py" in faults["empty"]
    assert not (tmp_path / "outside").exists()


def test_bad_input_is_one_line(tmp_path, capsys):
    assert run(["course", "rank", str(tmp_path / "nowhere")]) == 2
    assert run(["course", "check", str(tmp_path / "nowhere")]) == 2
    assert run(["course", "rank", str(tmp_path), "--rounds", "0"]) == 2
    errors = capsys.readouterr().err.strip().splitlines()
    assert len(errors) == 3 and all(line.startswith("plyground: ") for line in errors)


NEEDS_ROWS = """
import competitive_sudoku.sudokuai
from competitive_sudoku.sudoku import Move


class SudokuAI(competitive_sudoku.sudokuai.SudokuAI):
    def compute_best_move(self, game_state):
        board = game_state.board
        for square in game_state.player_squares():
            row, column = square
            near = [(row, k) for k in range(board.N)] + [(k, column) for k in range(board.N)]
            top, left = row - row % board.m, column - column % board.n
            near += [(top + k // board.n, left + k % board.n) for k in range(board.N)]
            for value in range(1, board.N + 1):
                move = Move(square, value)
                if move not in game_state.taboo_moves and all(board.get(s) != value for s in near):
                    self.propose_move(move)
                    return
"""


def test_a_submission_of_another_mode_is_told_so(tmp_path, capsys):
    rows = write(tmp_path, "needs_rows", NEEDS_ROWS)
    older = write(tmp_path, "older", OLDER)
    told = "in mode {} `game_state.player_squares()` is {}: handle that, or have it played with"
    none = told.format("classic", "None, and every empty square is allowed")
    some = told.format("rows", "the squares to choose from")
    for folder, mode, other, advice in (
        (rows, "classic", "rows", none),
        (older, "border", "classic", "play it with"),
    ):
        command = ["course", "check", str(folder), "--time", "0.5", "--json"]
        assert run([*command, "--option", f"mode={mode}"]) == 1
        verdict = json.loads(capsys.readouterr().out)
        assert f"mode {other}" in verdict["fault"]
        assert verdict["advice"] == f"{advice} --option mode={other}"
        assert not verdict["playable"]
        assert run([*command, "--option", f"mode={other}"]) == 0, capsys.readouterr().out
        capsys.readouterr()
    lost = write(tmp_path, "needs_none", NEWER.replace("game_state.player_squares()", "None"))
    assert run(["course", "check", str(lost), "--option", "mode=rows", "--json"]) == 1
    verdict = json.loads(capsys.readouterr().out)
    assert verdict["playable"] and "may not use this square" in verdict["summary"]
    (remark,) = verdict["remarks"]
    assert remark["found"] == "it keeps the rules in mode classic only"
    assert remark["advice"] == f"{some} --option mode=classic"


def test_checks_in_rows_mode_are_on_boards_that_the_course_can_load(tmp_path, capsys):
    folder = write(tmp_path, "rows", NEEDS_ROWS)
    assert run(["course", "check", str(folder), "--option", "mode=rows", "--json"]) == 0
    boards = [each["board"] for each in json.loads(capsys.readouterr().out)["boards"]]
    names = ["empty-2x2", "empty-2x3", "empty-3x3"]
    assert boards == [*names, "empty-3x3 with many taboo moves"]


def test_both_sides_keep_saves_of_their_own_while_they_are_judged(tmp_path, capsys):
    mark = "        moves = self.possible_moves(game_state)\n"
    mine = "        assert self.load() in (None, self.player_number)\n"
    mine += "        self.save(self.player_number)\n"
    write(tmp_path, "careful", OLDER.replace(mark, mine + mark))
    assert run(["course", "check", str(tmp_path / "careful"), "--time", "5"]) == 0
    assert "no faults found" in capsys.readouterr().out


def test_a_board_that_the_mode_cannot_load_blames_no_submission(tmp_path, capsys):
    assert run(["course", "new", str(tmp_path / "team")]) == 0
    board = tmp_path / "owned.txt"
    board.write_text(
        "rows = 2\ncolumns = 2\nboard =\n  1+ . . .\n  . . . .\n  . . . .\n  . . . 2-\n"
    )
    words = ["course", "check", str(tmp_path / "team"), "--time", "5", "--option", f"board={board}"]
    capsys.readouterr()
    assert run([*words, "--option", "mode=classic"]) == 2
    captured = capsys.readouterr()
    assert "give mode=rows" in captured.err and captured.out == ""
    assert run([*words, "--option", "mode=rows"]) == 0
    assert "  owned.txt: " in capsys.readouterr().out  # a file's name, not where it lies
