"""What the page shows of Mean Connect 4: its rules in pictures, its words, its levels."""

from __future__ import annotations

from plyground.core.limits import Limit
from plyground.core.page import GamePage, Level, RuleStep, Word
from plyground.games.connect4.why import why

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
        Level("Beginner", "mcts", Limit(nodes=100), "tries a few games in its head"),
        Level("Casual", "mcts", Limit(nodes=200), "sees a plain threat, seldom two"),
        Level("Club", "mcts", Limit(nodes=400), "sees most threats, mean ones too"),
        Level("Strong", "mcts", Limit(nodes=1_000), "plans a few turns ahead"),
        Level(
            "Expert",
            "champion",
            Limit(nodes=20_000),
            "searches deep, and slips now and then",
            careless="heuristic:depth=2",
            slips=0.2,
        ),
        Level("Champion", "champion", Limit(time=0.5), "moving first it is proven to win"),
    ),
    won_by="four in a line",
    why=why,
    showcase="showcase.txt",
)
