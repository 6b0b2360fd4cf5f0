"""The pictures of the page of findings, from results on disk: python docs/generate/findings.py."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import matplotlib

from plyground.core.registry import make_game
from plyground.games.connect4.solvers.certified import CertifiedPlay
from plyground.lab.claims_page import read_rows
from plyground.lab.verdicts import DOCUMENTS

matplotlib.use("svg")
from matplotlib import pyplot

ROOT = Path(__file__).parents[2]
TARGET = ROOT / "docs" / "images"
SIX = "....4..1858.61..94419..3.67896751423352..417.74123.85.1.54.8932..43.5681.381..745"
GOOD, EVEN, BAD = "#2b7a4b", "#c9c9c9", "#c0392b"


def last_position() -> str:
    """The board after the longest line of the full board's certificate."""
    game = make_game("connect4")
    solved = CertifiedPlay(game).solve(game.start())
    assert solved is not None
    return game.play_line(solved.line).view.svg()


def six_solutions() -> str:
    """A grid with six solutions that the player to move loses."""
    return make_game("codecup-sudoku").parse_position(SIX).view.svg()


def draw_bars(
    rows: Sequence[tuple[str, Sequence[float]]],
    words: Sequence[str],
    axis: str,
    path: Path,
) -> None:
    """Horizontal bars of three parts each: as said, neither, otherwise."""
    figure, axes = pyplot.subplots(figsize=(8, 0.7 + 0.32 * len(rows)), layout="constrained")
    names = [name for name, _ in rows]
    left = [0.0] * len(rows)
    for part, (word, colour) in enumerate(zip(words, (GOOD, EVEN, BAD), strict=True)):
        lengths = [parts[part] for _, parts in rows]
        axes.barh(names, lengths, left=left, color=colour, label=word)
        left = [start + length for start, length in zip(left, lengths, strict=True)]
    axes.invert_yaxis()
    axes.set_xlabel(axis)
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside upper center", ncols=3, frameon=False)
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def parity_rows() -> list[tuple[str, list[float]]]:
    """For each number of empty squares the share of boards that follow the law, draw, break it."""
    counts: dict[int, Counter[str]] = {}
    results = json.loads((ROOT / "benchmarks/results/competitive_parity_all.json").read_text())
    for entry in results:
        found = counts.setdefault(entry["empty"], Counter())
        for passes, values in entry["passes"].items():
            law = "lost" if passes == "even" and entry["empty"] % 2 == 0 else "won"
            other = {"lost": "won", "won": "lost"}[law]
            found["law"] += values.get(law, 0)
            found["drawn"] += values.get("drawn", 0)
            found["other"] += values.get(other, 0)
    return [
        (
            f"{empty} empty, {sum(found.values()):,} boards",
            [100 * found[word] / sum(found.values()) for word in ("law", "drawn", "other")],
        )
        for empty, found in counts.items()
        if found
    ]


def claim_rows() -> list[tuple[str, list[float]]]:
    """For each document its claims that agree, are undecided, do not agree."""
    rows = read_rows((ROOT / "docs/results.md").read_text(encoding="utf-8"))
    words = Counter((row.document, row.word) for row in rows)
    return [
        (title, [words[document, word] for word in ("yes", "not decided", "no")])
        for document, title in DOCUMENTS.items()
    ]


def main() -> None:
    matplotlib.rcParams["svg.hashsalt"] = "findings"
    (TARGET / "connect4-won.svg").write_text(last_position(), encoding="utf-8")
    (TARGET / "codecup-six.svg").write_text(six_solutions(), encoding="utf-8")
    draw_bars(
        parity_rows(),
        ("as the law says", "drawn", "the other way"),
        "% of the boards",
        TARGET / "parity-law.svg",
    )
    draw_bars(
        claim_rows(),
        ("agree", "undecided", "do not agree"),
        "claims",
        TARGET / "claims.svg",
    )


if __name__ == "__main__":
    main()
