"""What a game gives the page: how it is played there, its rules in pictures, its levels.

Everything lies in the game's own folder and is found through `Game.page`; a game without one gets
a plain board and a list of its moves.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from plyground.core.limits import Limit

if TYPE_CHECKING:
    from plyground.core.game import Game


@dataclass(frozen=True)
class Level:
    """An opponent for people: a name, the agent behind it as on the command line, how it thinks."""

    name: str
    agent: str
    limit: Limit
    summary: str = ""

    @property
    def key(self) -> str:
        """The level as a seat of a game names it."""
        return f"level:{self.name.lower()}"


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
    seed_option: str = ""
    """The option that is drawn anew for every game unless somebody sets it."""


def page_folder(game: type[Game]) -> Path:
    """The folder of a game's module, where the files of its page are."""
    module = sys.modules.get(game.page_module or game.__module__)
    file = module.__file__ if module else None
    return Path(file or ".").resolve().parent


def find_level(game: type[Game], key: str) -> Level | None:
    """The level of this name (`level:beginner`), or None."""
    return next((level for level in game.page.levels if level.key == key.lower()), None)
