"""What the page shows of Competitive Sudoku: its rules in pictures, its words, its levels."""

from __future__ import annotations

from functools import partial

from plyground.core.limits import Limit
from plyground.core.page import DIGIT_KEYS, PENCIL_KEYS, GamePage, Level, RuleStep, Word
from plyground.games.competitive_sudoku.why import why

_slipping = partial(Level, agent="champion", limit=Limit(nodes=1_500), careless="greedy")
"""The champion, who now and then just takes the points that lie there."""

PAGE = GamePage(
    input="input.js",
    rules=(
        RuleStep(
            "Take turns writing a digit into an empty square. As in Sudoku it may stand only once "
            "in its row, column and block.",
            "2x2 1..4/..1./2.../.... first 0-0",
            ("0,1=3",),
        ),
        RuleStep(
            "You score when your digit fills a region: one region 1 point, two at once 3, all "
            "three 7. Who has more points when the board is full wins.",
            "2x2 1234/341./2.4./..21 first 0-0",
            ("1,3=2",),
        ),
        RuleStep(
            "A digit that would leave the Sudoku without a solution is not placed: your turn "
            "passes. That pass is then taboo for both.",
            "2x2 1.../..2./..../4... first 0-0",
            ("0,1=3",),
        ),
        RuleStep(
            "So count squares: whoever must open a region that the other can fill gives points "
            "away, and a pass turns the tables."
        ),
    ),
    words=(
        Word("grey square", "a digit that was given at the start", "given-shade"),
        Word("red digit", "placed by the player who moves first", "ink-first"),
        Word("yellow digit", "placed by the other player", "ink-second"),
        Word("orange tint", "squares that complete a row, column or block, or nearly do"),
        Word("pass", "a digit that leaves no solution: nothing is placed, the turn goes on"),
        Word("taboo", "a pass that was used already; playing it loses at once"),
        Word("pink or yellow square", "where only one player may play (modes with territory)"),
    ),
    keys=DIGIT_KEYS + PENCIL_KEYS,
    levels=(
        Level("Beginner", "greedy", Limit(time=0.1), "takes the points that lie there"),
        _slipping("Casual", summary="counts now and then", slips=0.8),
        _slipping("Club", summary="counts, and then forgets to", slips=0.55),
        _slipping("Strong", summary="counts parity most of the time", slips=0.3),
        _slipping("Expert", summary="slips once or twice a game", slips=0.12),
        Level("Champion", "champion", Limit(time=0.5), "parity, passes and exact endings"),
    ),
    won_by="more points when nothing can be placed any more",
    why=why,
    showcase="showcase.txt",
    seed_option="seed",
)
