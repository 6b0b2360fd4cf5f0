"""What the page shows of Mean Connect 4: its rules in pictures, its words, its levels."""

from __future__ import annotations

from plyground.core.limits import Limit
from plyground.core.page import GamePage, Level, RuleStep, Word

PAGE = GamePage(
    input="input.js",
    rules=(
        RuleStep(
            "Drop a disc into any column that is not full. It falls on top of what lies there.",
            "......./......./......./......./...o.../..xxo.. x 4",
            ("6",),
        ),
        RuleStep(
            "Or be mean: take an opponent's disc from the bottom row and drop it on another "
            "column. Everything above it falls one row.",
            "......./......./......./...x.../...o.../..xoo.. x 5",
            ("4-1",),
        ),
        RuleStep(
            "Four of your discs in a line win: across, up or diagonal. A mean move may make a "
            "line for either side; whose four it is wins, and if both get one, the mover.",
            "......./......./...x.../..xo.../.xoo.../xoox..o x 10",
        ),
        RuleStep("After 100 turns without a line, or with a full board, the game is a draw."),
    ),
    words=(
        Word("red", "discs of the player who moves first", "first"),
        Word("yellow", "discs of the other player", "second"),
        Word("green ring", "the four that won", "mark"),
        Word("dashed ring", "an opponent's disc that you may take away"),
    ),
    keys=(
        ("← →", "choose a column"),
        ("Enter", "drop a disc there"),
        ("1 – 9", "drop into that column at once"),
        ("M", "lift the opponent's bottom disc; Enter drops it on another column"),
        ("Esc", "put it back"),
    ),
    levels=(
        Level("Beginner", "montecarlo:playouts=30", Limit(time=0.5), "guesses by random games"),
        Level("Casual", "minimax:depth=2", Limit(depth=2), "sees two turns ahead"),
        Level("Club", "heuristic:depth=4", Limit(depth=4), "sees four turns ahead, likes threes"),
        Level("Expert", "mcts", Limit(time=0.15), "thinks in thousands of games"),
        Level("Champion", "champion", Limit(time=1.0), "deep search, perfect where it can be"),
    ),
    showcase="showcase.txt",
)
