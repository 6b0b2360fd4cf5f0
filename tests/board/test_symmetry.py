"""Symmetries that a class declares: the same values with fewer positions, and false ones named."""

from __future__ import annotations

from pathlib import Path

import pytest

import plyground as pg
from plyground.board.symmetry import images
from plyground.core.limits import Limit
from plyground.search.solving import solve

GALLERY = Path(__file__).parents[2] / "examples" / "games"
CLASS_LINE = "class TicTacToe(BoardGame):\n"


def written(folder: Path, name: str, declared: str) -> str:
    """Tic-tac-toe with another declaration."""
    text = (GALLERY / "tictactoe.py").read_text()
    lines = [line for line in text.splitlines(True) if "symmetries" not in line]
    place = next(n for n, line in enumerate(lines) if line.startswith("class ")) + 1
    lines.insert(place, f"    symmetries = {declared}\n")
    (folder / name).write_text("".join(lines))
    return str(folder / name)


def test_solving_with_and_without_gives_the_same_values(tmp_path: Path) -> None:
    found = []
    for name, declared in (("with.py", '"quarter-turn", "left-right"'), ("without.py", "()")):
        game = pg.game(written(tmp_path, name, declared))
        for line in ("", "b2", "b2 a3", "a3 b3 b2"):
            position = game.parse_position(line) if line else game.start()
            result = solve(game, position, Limit(nodes=10**7), lambda note: None)
            values = {entry.move: str(entry.score) for entry in result.moves}
            found.append((name, line, result.nodes, values))
    half = len(found) // 2
    for ours, plain in zip(found[:half], found[half:], strict=True):
        assert ours[1] == plain[1] and ours[3] == plain[3]
    assert found[0][2] * 3 < found[half][2]


def test_what_two_symmetries_make_together(tmp_path: Path) -> None:
    square = pg.game(written(tmp_path, "all.py", '"quarter-turn", "left-right"'))
    assert len(images(square.described, (3, 3))) == 7  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("declared", "words"),
    [
        ('"turned"', "left-right"),
        ("((0, 1, 2),)", "each of the 9 cells once"),
        ("((1, 0, 2, 3, 4, 5, 6, 7, 8),)", "does not hold"),
    ],
)
def test_a_false_symmetry_is_named(tmp_path: Path, declared: str, words: str) -> None:
    with pytest.raises(pg.PlygroundError, match=words) as caught:
        pg.game(written(tmp_path, "false.py", declared))
    assert str(caught.value).startswith("false.py:")
