"""How tests play on the page as a person would: by pointer and by keyboard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.web.conftest import Server


def open_game(page: Any, identity: str) -> None:
    """Open a game and wait until its board is there."""
    page.goto(f"/play?game={identity}")
    page.wait_for_function("() => document.querySelector('game-screen')?.state?.latest")
    page.wait_for_selector("game-board svg [data-cell]")


BLUNDER = ("4", "4", "5", "5", "7", "7", "3", "6")
"""Connect 4 without mean moves: one of these gives the game away."""


def upload_connect4(server: Server, moves: Sequence[str]) -> str:
    """The identity of a finished or broken off game that was uploaded as a record."""
    record = {
        "version": 1,
        "game": "connect4",
        "options": {"mean": "none"},
        "players": ["one", "other"],
        "moves": [{"move": move, "player": number % 2} for number, move in enumerate(moves)],
    }
    status, made = server.request("/api/records", record)
    assert status == 201, made
    return str(made["id"])


def go_to_cell(page: Any, row: int, column: int, size: int) -> None:
    """Move the cell cursor of a square board by arrow keys."""
    page.keyboard.press("ArrowRight")
    here = page.evaluate("document.querySelector('game-screen').input.chosen")
    for _ in range((row - here["row"]) % size):
        page.keyboard.press("ArrowDown")
    for _ in range((column - here["column"]) % size):
        page.keyboard.press("ArrowRight")


def state(page: Any) -> dict[str, Any]:
    """What the page knows of the game."""
    found: dict[str, Any] = page.evaluate(
        """() => {
          const screen = document.querySelector('game-screen');
          const latest = screen.state.latest;
          return {moves: screen.state.moves.map((entry) => entry.move),
                  players: screen.state.moves.map((entry) => entry.player),
                  legal: latest.position.legal, turn: latest.position.turn,
                  text: latest.position.text, shown: screen.shown?.text,
                  over: latest.outcome !== null, outcome: latest.outcome,
                  mine: screen.mayMove(), thinking: latest.thinking, seats: latest.seats};
        }"""
    )
    return found


def wait_for_turn(page: Any) -> dict[str, Any]:
    """Wait until a person may move or the game is over."""
    page.wait_for_function(
        """() => {
          const screen = document.querySelector('game-screen');
          return screen?.state?.latest && (screen.mayMove() || screen.state.latest.outcome);
        }"""
    )
    return state(page)


def wait_for_change(page: Any, text: str) -> None:
    """Wait until the game has left the position with this text, or is over."""
    page.wait_for_function(
        "(text) => document.querySelector('game-screen').state.latest.position.text !== text"
        " || document.querySelector('game-screen').state.latest.outcome",
        arg=text,
    )


def wait_for_moves(page: Any, count: int) -> None:
    """Wait until so many moves have been played and shown."""
    page.wait_for_function(
        "(count) => document.querySelector('game-screen').state.moves.length >= count", arg=count
    )


def board_point(page: Any, x: float, y: float) -> tuple[float, float]:
    """A point of the board, in cells, as a point of the window."""
    found = page.evaluate(
        """([x, y]) => {
          const svg = document.querySelector('game-board svg');
          const point = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
          return [point.x, point.y];
        }""",
        [x, y],
    )
    return found[0], found[1]


def click_board(page: Any, x: float, y: float) -> None:
    """Click a point of the board given in cells."""
    page.mouse.click(*board_point(page, x, y))


def drag_board(page: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag from one point of the board to another, both in cells."""
    page.mouse.move(*board_point(page, *start))
    page.mouse.down()
    x1, y1 = board_point(page, *start)
    x2, y2 = board_point(page, *end)
    for step in range(1, 6):
        page.mouse.move(x1 + (x2 - x1) * step / 5, y1 + (y2 - y1) * step / 5)
    page.mouse.up()
