"""The picture of the four games for the README: `python docs/generate/pictures.py`."""

from __future__ import annotations

from pathlib import Path

from plyground.core.game import Position
from plyground.core.registry import make_game

TARGET = Path(__file__).parents[1] / "images" / "games.svg"
SIDE, GAP, TITLE = 230, 24, 30


def positions() -> list[Position]:
    """One position of each game, made by its own rules."""
    connect4 = make_game("connect4").parse_position("4 3 4 4 5 3 3 5 2 6 2 2 6-1")
    competitive = make_game("competitive-sudoku", {"board": "random-3x3"}).start()
    codecup = make_game("codecup-sudoku").parse_position("Ee5 Aa1 Ii9 Bd7 Fg2 Hc3 Ch8 Db4")
    blockudoku = make_game("blockudoku")
    block = blockudoku.start()
    for _ in range(4):
        block = blockudoku.apply_chance(block, blockudoku.chance_event(block, 3))
        for _ in range(3):
            block = block.play(block.legal_moves[len(block.legal_moves) // 7])
    block = blockudoku.apply_chance(block, blockudoku.chance_event(block, 3))
    return [connect4, competitive, codecup, block]


def compose(boards: list[Position]) -> str:
    """The boards side by side with their titles, each fitted into a square."""
    width = len(boards) * (SIDE + GAP) + GAP
    height = SIDE + TITLE + 2 * GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="system-ui, sans-serif" font-size="17">'
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
    ]
    for index, board in enumerate(boards):
        x = GAP + index * (SIDE + GAP)
        picture = board.view.svg()
        head, _, rest = picture.partition(">")
        view_box = head.split('viewBox="')[1].split('"')[0]
        parts.append(
            f'<text x="{x + SIDE / 2}" y="{GAP + 14}" text-anchor="middle" fill="#111827">'
            f"{board.game.info.title}</text>"
            f'<svg x="{x}" y="{GAP + TITLE}" width="{SIDE}" height="{SIDE}" viewBox="{view_box}">'
            + rest
        )
    return "".join(parts) + "</svg>\n"


if __name__ == "__main__":
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(compose(positions()), encoding="utf-8")
    print(TARGET)
