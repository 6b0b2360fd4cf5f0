"""What the page shows of Blockudoku: its rules in pictures, its words, its levels."""

from __future__ import annotations

from functools import partial

from plyground.core.limits import Limit
from plyground.core.page import GamePage, Level, RuleStep, Word

_ROW = "." * 36 + "######..." + "." * 36
_STUCK = "##.##.##.#.##.##.#.##.##.##" * 3


_slipping = partial(Level, agent="champion", limit=Limit(nodes=1), careless="occupancy")
"""The learned evaluation, which now and then only keeps the board empty."""

PAGE = GamePage(
    input="input.js",
    rules=(
        RuleStep(
            "Each turn deals three pieces. Drag them onto the board in any order; they cannot be "
            "turned.",
            _ROW + " 5 15 26",
            ("1@4,6",),
        ),
        RuleStep(
            "A full row, column or box clears. Several at once, or clears one after another, "
            "score more.",
            "#######.." + "......#.." + "......###" + "." * 54 + " 15 5 26",
            ("1@0,7",),
        ),
        RuleStep(
            "The game is over when none of the pieces in hand fits. Survive as long as you can.",
            _STUCK + " 32 15 42",
        ),
    ),
    words=(
        Word("green", "lines that will clear if you let go here", "mark"),
        Word("faded piece", "fits nowhere now"),
        Word("turn", "three pieces placed"),
        Word("streak", "placements in a row that cleared something"),
    ),
    keys=(
        ("1 2 3", "take a piece"),
        ("arrows", "move it"),
        ("Enter", "place it"),
        ("Esc", "put it back"),
    ),
    levels=(
        Level("Beginner", "occupancy", Limit(nodes=1), "keeps the board empty, sees no shapes"),
        _slipping("Casual", summary="sees a shape now and then", slips=0.8),
        _slipping("Club", summary="sees shapes two times in five", slips=0.6),
        _slipping("Strong", summary="sees shapes more often than not", slips=0.45),
        _slipping("Expert", summary="lets three placements in ten slip", slips=0.3),
        Level("Champion", "champion", Limit(time=0.1), "learned shapes, samples the next deals"),
    ),
    showcase="showcase.txt",
    won_by="the pieces in hand do not fit any more",
    tally=(("score", 0), ("turns", 0), ("streak", 0)),
    move_name="piece",
    same_deals=True,
)
