"""What the page shows of CodeCup Sudoku: its rules in pictures, its words, its levels."""

from __future__ import annotations

from plyground.core.limits import Limit
from plyground.core.page import GamePage, Level, RuleStep, Word

_NEARLY_UNIQUE = "1...35869...1....3...9.85715......4887.35.19.41.8..35.....83.1.3..5..982.8...1.35"

PAGE = GamePage(
    input="input.js",
    rules=(
        RuleStep(
            "Take turns writing a digit into an empty cell of one common grid. A digit may stand "
            "only once in its row, column and box.",
            "." * 30 + "5" + "." * 20 + "2" + "." * 29,
            ("Ee7",),
        ),
        RuleStep(
            "Every digit must rule something out, and at least one way to finish the grid must "
            "remain. A digit that breaks this loses at once."
        ),
        RuleStep(
            "When only one way to finish the grid is left, say so: claim with the digit that "
            "makes it unique, and you win. A claim that is not true loses.",
            _NEARLY_UNIQUE,
            ("Ga2!",),
        ),
        RuleStep(
            "If your opponent made the grid unique and did not notice, claim it before you move."
        ),
    ),
    words=(
        Word("claim", "you say that exactly one solution is left"),
        Word("red digit", "placed by the player who moves first", "ink-first"),
        Word("yellow digit", "placed by the other player", "ink-second"),
        Word("solutions", "how many ways there are to finish the grid"),
    ),
    keys=(
        ("arrows", "choose a cell"),
        ("1 – 9", "play that digit"),
        ("!", "claim with the next digit, or take that back"),
        ("P", "pencil: digits become marks of your own, until P again"),
        ("C", "show the digits that fit everywhere"),
        ("Esc", "choose nothing"),
    ),
    levels=(
        Level("Beginner", "sample1", Limit(time=0.1), "any legal digit, never claims"),
        Level("Casual", "sample2", Limit(time=0.1), "any legal digit, claims when it can"),
        Level("Club", "sample3", Limit(time=0.2), "never misses a win in one"),
        Level("Expert", "solution-search", Limit(time=0.5), "third in the contest of 2024"),
        Level("Champion", "champion", Limit(time=1.0), "solves the ending exactly"),
    ),
    showcase="showcase.txt",
)
