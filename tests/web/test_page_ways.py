"""Whole games of all four by keyboard and by touch (by mouse: `test_page_games`)."""

from __future__ import annotations

import re
from typing import Any

from tests.web import play
from tests.web.conftest import Server
from tests.web.test_page_games import cell_middle, replayed

SMALL_SUDOKU = {"board": "random-2x2", "seed": 3}
LARGE_PIECES = {"pieces": "32-46"}


def finish(page: Any, found: dict[str, Any]) -> dict[str, Any]:
    """Wait until the move that was just made has arrived."""
    play.wait_for_change(page, found["text"])
    return play.wait_for_turn(page)


def test_competitive_sudoku_by_keyboard(page: Any, server: Server) -> None:
    identity = server.new_game("competitive-sudoku", ["", "random"], options=SMALL_SUDOKU)
    play.open_game(page, identity)
    page.focus("game-board")
    found = play.wait_for_turn(page)
    while not found["over"]:
        row, column, value = (int(part) for part in re.findall(r"\d+", found["legal"][-1]))
        play.go_to_cell(page, row, column, size=4)
        page.keyboard.press(str(value))
        found = finish(page, found)
    assert replayed("competitive-sudoku", found, SMALL_SUDOKU) == found["text"]


def test_blockudoku_by_keyboard(page: Any, server: Server) -> None:
    play.open_game(page, server.new_game("blockudoku", [""], options=LARGE_PIECES, seed=1))
    page.focus("game-board")
    found = play.wait_for_turn(page)
    while not found["over"]:
        slot, row, column = (int(part) for part in re.findall(r"\d+", found["legal"][0]))
        page.keyboard.press(str(slot))
        here = page.evaluate("document.querySelector('game-screen').input.cursor")
        for key, steps in (("Arrow", (row - here["row"], column - here["column"])),):
            down, right = steps
            for _ in range(abs(down)):
                page.keyboard.press(f"{key}{'Down' if down > 0 else 'Up'}")
            for _ in range(abs(right)):
                page.keyboard.press(f"{key}{'Right' if right > 0 else 'Left'}")
        page.keyboard.press("Enter")
        found = finish(page, found)
    assert replayed("blockudoku", found, LARGE_PIECES) == found["text"]


def test_connect4_by_touch(phone: Any, server: Server) -> None:
    options = {"mean": "none"}
    play.open_game(phone, server.new_game("connect4", ["", "random"], options=options, seed=5))
    found = play.wait_for_turn(phone)
    turn = 0
    while not found["over"]:
        drops = found["legal"]
        phone.touchscreen.tap(*play.board_point(phone, int(drops[turn % len(drops)]) - 0.5, 1.5))
        turn += 1
        found = finish(phone, found)
    assert replayed("connect4", found, options) == found["text"]


def test_competitive_sudoku_by_touch(phone: Any, server: Server) -> None:
    identity = server.new_game("competitive-sudoku", ["", "random"], options=SMALL_SUDOKU)
    play.open_game(phone, identity)
    found = play.wait_for_turn(phone)
    while not found["over"]:
        row, column, value = (int(part) for part in re.findall(r"\d+", found["legal"][0]))
        phone.touchscreen.tap(*play.board_point(phone, column + 1, row + 1))
        phone.locator(".picker button").nth(value - 1).tap()
        found = finish(phone, found)
    assert replayed("competitive-sudoku", found, SMALL_SUDOKU) == found["text"]


def test_codecup_sudoku_by_touch(phone: Any, server: Server) -> None:
    play.open_game(phone, server.new_game("codecup-sudoku", ["", "random"], seed=6))
    found = play.wait_for_turn(phone)
    turn = 0
    while not found["over"]:
        claims = [move for move in found["legal"] if move.endswith("!")]
        if found["legal"] == ["!"]:
            phone.get_by_role("button", name="Claim now").tap()
            phone.get_by_role("dialog").get_by_role("button", name="Claim").tap()
        else:
            move = claims[0] if claims else found["legal"][(13 * turn) % len(found["legal"])]
            row, column = "ABCDEFGHI".index(move[0]), "abcdefghi".index(move[1])
            phone.touchscreen.tap(*play.board_point(phone, *cell_middle(phone, row, column)))
            if move.endswith("!"):
                phone.get_by_role("button", name="Claim with my move").tap()
            phone.locator(".picker button").nth(int(move[2]) - 1).tap()
        turn += 1
        found = finish(phone, found)
    assert found["outcome"]["winner"] is not None


def test_blockudoku_by_touch(phone: Any, server: Server) -> None:
    """Tap a piece, then the board: what a finger does without dragging."""
    play.open_game(phone, server.new_game("blockudoku", [""], options=LARGE_PIECES, seed=2))
    found = play.wait_for_turn(phone)
    while not found["over"]:
        slot, row, column = (int(part) for part in re.findall(r"\d+", found["legal"][0]))
        piece = phone.evaluate(
            "(slot) => document.querySelector('game-screen').input.piece(slot)", slot
        )
        x, y = piece["box"]["x"], piece["box"]["y"]
        phone.touchscreen.tap(*play.board_point(phone, x + 0.25, y + 0.25))
        middle = column + piece["columns"] / 2, row + piece["rows"] / 2
        phone.touchscreen.tap(*play.board_point(phone, *middle))
        found = finish(phone, found)
    assert replayed("blockudoku", found, LARGE_PIECES) == found["text"]


def test_a_sudoku_cell_can_be_reached_by_keys_alone(page: Any, server: Server) -> None:
    play.open_game(page, server.new_game("codecup-sudoku", ["", "random"], seed=3))
    play.wait_for_turn(page)
    page.focus("game-board")
    play.go_to_cell(page, 4, 4, size=9)
    page.keyboard.press("p")
    page.keyboard.press("7")
    assert page.locator(".overlay .pencilled").count() == 1
    page.keyboard.press("p")
    page.keyboard.press("7")
    play.wait_for_moves(page, 2)
    assert play.state(page)["moves"][0] == "Ee7"
