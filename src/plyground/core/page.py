"""What a game gives the page: how it is played there, its rules in pictures, its levels.

Everything lies in the game's own folder and is found through `Game.page`; a game without one gets
a plain board and a list of its moves.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from plyground.core.limits import Limit

if TYPE_CHECKING:
    from plyground.core.game import Game, Position


PREFIX = "level:"
"""How the name of a player begins that is a level."""


@dataclass(frozen=True)
class Level:
    """An opponent for people: a name, the agent behind it as on the command line, how it thinks.

    With the probability `slips` a move is left to the agent `careless`.
    """

    name: str
    agent: str
    limit: Limit
    summary: str = ""
    careless: str = ""
    slips: float = 0.0

    @property
    def key(self) -> str:
        """The level as a player's name: `level:club`."""
        return f"{PREFIX}{self.name.lower()}"

    @property
    def made_of(self) -> str:
        """What plays, in words."""
        slips = f", {100 * self.slips:g} % of its moves by {self.careless}" if self.slips else ""
        return f"{self.agent}, {self.limit}{slips}"


@dataclass(frozen=True)
class RuleStep:
    """One sentence or two of the rules, with a board that shows it.

    `position` is a text for `Game.sketch`; `moves` are drawn on it, as on the analysis board.
    """

    text: str
    position: str = ""
    moves: tuple[str, ...] = ()


@dataclass(frozen=True)
class Word:
    """A word or colour that people meet on the board, and what it means.

    `style` is the style of the shapes (`core.view`) that it explains, if it is a colour.
    """

    word: str
    meaning: str
    style: str = ""


DIGIT_KEYS = ("arrows", "choose a square"), ("1 – 9", "play that digit")
PENCIL_KEYS = (
    ("P", "pencil: digits become marks of your own, until P again"),
    ("C", "show the digits that fit everywhere"),
    ("Esc", "choose nothing"),
)
"""Both are what the page's input for boards of digits understands."""


@dataclass(frozen=True)
class GamePage:
    """What the page shows of a game besides its board."""

    input: str = ""
    """The module in the game's folder that turns pointer and keys into moves."""
    rules: tuple[RuleStep, ...] = ()
    words: tuple[Word, ...] = ()
    keys: tuple[tuple[str, str], ...] = ()
    """Keys on the board and what they do."""
    levels: tuple[Level, ...] = ()
    """From the weakest to the strongest."""
    showcase: str = ""
    """A file in the game's folder: a game worth watching, one position a line."""
    won_by: str = ""
    """How a game is won by the rules, or how one for one player ends, in a few words."""
    why: Callable[[Position, str, str], str] | None = None
    """Of a mistake: what is wrong with the move played beside the better one, in a sentence.

    Called with the position, the move and the better move; empty where there is nothing to say.
    """
    tally: tuple[tuple[str, int], ...] = ()
    """Numbers in the text of a one-player position that the page shows, each with its value where
    the text leaves it out."""
    move_name: str = "move"
    """What a move is called at the end of a one-player game."""
    same_deals: bool = False
    """Whether the random events depend on the seed alone, so that two players can be compared."""
    seed_option: str = ""
    """The option that is drawn anew for every game unless somebody sets it."""


def page_folder(game: type[Game]) -> Path:
    """The folder of a game's module, where the files of its page are."""
    module = sys.modules.get(game.page_module or game.__module__)
    file = module.__file__ if module else None
    return Path(file or ".").resolve().parent
