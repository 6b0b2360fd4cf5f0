"""The pictures of the gallery of games for docs/gallery.md: `python docs/generate/gallery.py`."""

from __future__ import annotations

import random
from pathlib import Path

import plyground as pg
from plyground.core.game import CHANCE, Position

DOCS = Path(__file__).parents[1]
GALLERY = DOCS.parent / "examples" / "games"
TARGET = DOCS / "images" / "gallery"
PLIES = {
    "nine_mens_morris": 22,
    "othello": 24,
    "othello_bitboards": 24,
    "twenty48": 240,
    "kalah": 9,
}
"""How many moves of a random game are shown, where it is not a third of the cells."""


def position(path: Path) -> Position:
    """A position from the middle of a random game."""
    game = pg.game(str(path))
    source = random.Random(7)
    here = game.start()
    cells = {shape.cell for shape in here.view.shapes}
    for _ in range(PLIES.get(path.stem, max(4, len(cells) // 3))):
        if here.turn == CHANCE:
            following = game.apply_chance(here, game.chance_event(here, 7))
        else:
            following = here.play(source.choice(here.move_codes))
        if following.is_over:
            break
        here = following
    return here


def main() -> None:
    TARGET.mkdir(parents=True, exist_ok=True)
    for path in sorted(GALLERY.glob("*.py")):
        file = TARGET / f"{path.stem}.svg"
        file.write_text(position(path).view.svg() + "\n", encoding="utf-8")
        print(file)


if __name__ == "__main__":
    main()
