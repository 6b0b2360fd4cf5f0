"""`plyground sudoku` as a user sees it: output, JSON shapes, errors and exit codes."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from plyground import sudoku
from plyground.cli import run

PUZZLE = sudoku.board_line(sudoku.puzzle(sudoku.geometry(3, 3), 11).digits)
FOUR = "1" + "." * 15


def outcome(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = run(["sudoku", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_solve(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = outcome(capsys, "solve", PUZZLE, "--json")
    answer = json.loads(out)
    assert code == 0
    assert answer["unique"] is True
    assert answer["puzzle"] == PUZZLE
    assert sudoku.is_unique(answer["solution"])
    assert all(a in (b, ".") for a, b in zip(PUZZLE, answer["solution"], strict=True))
    assert outcome(capsys, "solve", PUZZLE)[1].strip() == answer["solution"]
    assert "not the only one" in outcome(capsys, "solve", FOUR)[1]
    assert outcome(capsys, "solve", "12........3...4.")[1].strip() == "no solution"


def test_count(capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(outcome(capsys, "count", FOUR, "--json")[1]) == {
        "count": 72,
        "complete": True,
    }
    for limit, complete in ((71, False), (72, True), (73, True)):
        answer = json.loads(outcome(capsys, "count", FOUR, "--json", "--limit", str(limit))[1])
        assert answer == {"count": min(limit, 72), "complete": complete}
    assert outcome(capsys, "count", FOUR)[1] == "72\n"
    assert outcome(capsys, "count", "." * 81, "--limit", "5")[1] == "more than 5\n"


def test_count_from_a_file_and_standard_input(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "boards.txt"
    file.write_text(f"{PUZZLE}\n{'.' * 81}\n{PUZZLE}\n")
    lines = outcome(capsys, "count", str(file), "--limit", "3", "--jobs", "2", "--json")[1]
    answers = [json.loads(line) for line in lines.splitlines()]
    assert [answer["count"] for answer in answers] == [1, 3, 1]
    assert [answer["complete"] for answer in answers] == [True, False, True]
    for arguments in (["-"], []):
        monkeypatch.setattr("sys.stdin", io.StringIO(file.read_text()))
        assert outcome(capsys, "count", *arguments, "--limit", "3")[1] == "1\nmore than 3\n1\n"


def test_enumerate(capsys: pytest.CaptureFixture[str]) -> None:
    lines = outcome(capsys, "enumerate", FOUR)[1].splitlines()
    assert len(set(lines)) == len(lines) == 72
    answer = json.loads(outcome(capsys, "enumerate", FOUR, "--limit", "5", "--json")[1])
    assert (answer["count"], answer["complete"], len(answer["solutions"])) == (5, False, 5)
    assert set(answer["solutions"]) < set(lines)


def test_generate(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("generate", "--number", "3", "--seed", "4", "--level", "hard", "--json")
    code, out, _ = outcome(capsys, *arguments)
    boards = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert len({board["board"] for board in boards}) == 3
    assert all(sudoku.difficulty(sudoku.read_board(b["board"])) == "hard" for b in boards)
    assert outcome(capsys, *arguments)[1] == out
    text = outcome(capsys, "generate", "--region", "3x4", "--fill", "0.5", "--file")[1]
    assert sudoku.read_board(text).clues == 72
    assert outcome(capsys, "generate", "empty-2x2")[1] == "." * 16 + "\n"


@pytest.mark.parametrize(
    ("arguments", "reasons"),
    [
        (["solve", PUZZLE[:80]], ["line 1", "80 characters"]),
        (["count", "77" + "." * 79], ["line 1", "row 1, column 2", "row"]),
        (["count", "no-such-file"], ["neither a file nor a board"]),
        (["count", FOUR, "--limit", "0"], ["--limit"]),
        (["solve", FOUR, "--region", "2by2"], ["--region"]),
        (["generate", "--region", "7x7"], ["7 x 7"]),
        (["generate", "--clues", "3"], ["3 clues"]),
        (["generate", "--level", "silly"], ["silly", "extreme"]),
        (["generate", "nonsense"], ["nonsense"]),
        (["generate", "--seed", "-1"], ["--seed"]),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], reasons: list[str]
) -> None:
    code, out, err = outcome(capsys, *arguments, "--json")
    assert code == 2
    assert err.count("\n") == 1
    assert "Traceback" not in err
    assert all(reason in err for reason in reasons), err
    assert json.loads(out)["error"]["message"]
