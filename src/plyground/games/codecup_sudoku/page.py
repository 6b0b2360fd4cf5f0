"""What the page shows of CodeCup Sudoku: its rules in pictures, its words, its levels."""

from __future__ import annotations

from plyground.core.limits import Limit
from plyground.core.page import DIGIT_KEYS, PENCIL_KEYS, GamePage, Level, RuleStep, Word
from plyground.games.codecup_sudoku.why import why

_NEARLY_UNIQUE = "1...35869...1....3...9.85715......4887.35.19.41.8..35.....83.1.3..5..982.8...1.35"


def _slipping(name: str, agent: str, slips: float, summary: str) -> Level:
    """A strong agent that now and then only sees wins in one."""
    return Level(name, agent, Limit(time=0.2), summary, careless="sample3", slips=slips)


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
    keys=(*DIGIT_KEYS, ("!", "claim with the next digit, or take that back"), *PENCIL_KEYS),
    levels=(
        Level("Beginner", "sample3", Limit(time=0.1), "never misses a win in one"),
        _slipping("Casual", "solution-search", 0.7, "looks ahead now and then"),
        _slipping("Club", "solution-search", 0.4, "third in the contest of 2024, on an off day"),
        Level("Strong", "solution-search", Limit(time=0.2), "third in the contest of 2024"),
        _slipping("Expert", "champion", 0.15, "solves endings, and slips before them"),
        Level("Champion", "champion", Limit(time=0.5), "solves the ending exactly"),
    ),
    won_by="a true claim: one solution is left",
    why=why,
    showcase="showcase.txt",
)
