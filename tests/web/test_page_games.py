"""Whole games of each kind, played through the page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from plyground.core.game import CHANCE
from plyground.core.registry import games, make_game
from tests.web.conftest import Server
from tests.web.play import (
    board_point,
    click_board,
    drag_board,
    go_to_cell,
    open_game,
    state,
    wait_for_change,
    wait_for_moves,
    wait_for_turn,
)


def replayed(name: str, found: dict[str, Any], options: dict[str, Any] | None = None) -> str:
    """The position that the rules reach with the moves of the page."""
    game = make_game(name, options)
    position = game.start()
    for move, player in zip(found["moves"], found["players"], strict=True):
        dealt = player == CHANCE
        position = game.apply_chance(position, move) if dealt else position.play(move)
    return position.text


def play_connect4(page: Any, lift: Callable[[int, int], None], drop: Callable[[int], None]) -> None:
    """Play a whole game with one mean move in it, as soon as there is one, and check its end."""
    lifted = False
    for turn in range(60):
        found = wait_for_turn(page)
        if found["over"]:
            break
        mean = [move for move in found["legal"] if "-" in move]
        if mean and not lifted:
            move, lifted = mean[-1], True
            source, target = move.split("-")
            lift(int(source), int(target))
        else:
            drops = [move for move in found["legal"] if "-" not in move]
            move = drops[2 * turn % len(drops)]
            drop(int(move))
        wait_for_moves(page, len(found["moves"]) + 1)
        assert state(page)["moves"][len(found["moves"])] == move
    found = state(page)
    assert lifted and found["over"]
    assert replayed("connect4", found, {"mean": "first"}) == found["text"]


@pytest.mark.animated
def test_connect4_by_pointer(page: Any, server: Server) -> None:
    options = {"mean": "first"}
    open_game(page, server.new_game("connect4", ["", "random"], options=options, seed=5))
    play_connect4(
        page,
        lambda source, target: drag_board(page, (source - 0.5, 5.5), (target - 0.5, 2.0)),
        lambda column: click_board(page, column - 0.5, 0.5),
    )
    assert page.locator(".game-status.over").inner_text()


def test_connect4_by_keyboard_alone(page: Any, server: Server) -> None:
    options = {"mean": "first"}
    open_game(page, server.new_game("connect4", ["", "random"], options=options, seed=8))
    page.focus("game-board")
    chosen = "document.querySelector('game-screen').input.column"

    def lift(source: int, target: int) -> None:
        for column, last in ((source, "m"), (target, "Enter")):
            for _ in range(20):
                if page.evaluate(chosen) == column - 1:
                    break
                page.keyboard.press("ArrowRight")
            page.keyboard.press(last)

    play_connect4(page, lift, lambda column: page.keyboard.press(str(column)))


def test_connect4_shows_the_disc_under_the_pointer_and_the_winning_line(
    page: Any, server: Server
) -> None:
    open_game(page, server.new_game("connect4", ["", ""], options={"mean": "none"}))
    page.mouse.move(*board_point(page, 2.5, 3.0))
    ghost = page.locator("game-board .ghost")
    assert (ghost.get_attribute("cx"), ghost.get_attribute("cy")) == ("2.5", "5.5")
    for count, column in enumerate((1, 2, 1, 2, 1, 2, 1), 1):
        click_board(page, column - 0.5, 1)
        wait_for_moves(page, count)
    page.wait_for_selector(".game-status.over")
    assert page.locator("game-board svg .k-mark").count() == 4


@pytest.mark.animated
def test_competitive_sudoku_by_pointer(page: Any, server: Server) -> None:
    options = {"board": "random-2x3", "seed": 0}
    open_game(page, server.new_game("competitive-sudoku", ["", "random"], options=options))
    for _ in range(60):
        found = wait_for_turn(page)
        if found["over"]:
            break
        placements = [move for move in found["legal"] if not move.endswith("!")]
        row, column, value = (int(part) for part in re.findall(r"\d+", placements[0]))
        page.locator(f'game-board rect[data-cell="{row},{column}"]').click()
        page.locator(".picker button").nth(value - 1).click()
        wait_for_moves(page, len(found["moves"]) + 1)
    found = state(page)
    assert found["over"] and found["outcome"]["scores"]
    assert replayed("competitive-sudoku", found, options) == found["text"]


def test_competitive_sudoku_shades_the_squares_of_the_rows_mode(page: Any, server: Server) -> None:
    options = {"board": "empty-2x2", "mode": "rows"}
    identity = server.new_game("competitive-sudoku", ["", ""], options=options)
    open_game(page, identity)
    assert page.locator("game-board .s-shade-first").count() == 4
    assert page.locator("game-board .s-shade-second").count() == 4
    page.focus("game-board")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("1")
    wait_for_moves(page, 1)
    assert re.findall(r"\d+", state(page)["moves"][0]) == ["0", "0", "1"]


def codecup_moves(page: Any, stride: int) -> Iterator[str]:
    """Moves for the person to make on the page, until the game is over: claims where there are."""
    for turn in range(60):
        found = wait_for_turn(page)
        if found["over"]:
            return
        if found["legal"] == ["!"]:
            page.get_by_role("button", name="Claim now").click()
            page.get_by_role("dialog").get_by_role("button", name="Claim").click()
            page.wait_for_selector(".game-status.over")
            return
        claims = [move for move in found["legal"] if move.endswith("!")]
        yield claims[0] if claims else found["legal"][(stride * turn) % len(found["legal"])]
        wait_for_change(page, found["text"])


@pytest.mark.skipif("codecup-sudoku" not in games(), reason="the game is not registered")
def test_codecup_sudoku_by_keyboard(page: Any, server: Server) -> None:
    open_game(page, server.new_game("codecup-sudoku", ["", "random"], seed=3))
    page.focus("game-board")
    page.keyboard.press("c")
    assert page.locator(".overlay .candidate").count() == 9 * 81
    for move in codecup_moves(page, 7):
        go_to_cell(page, "ABCDEFGHI".index(move[0]), "abcdefghi".index(move[1]), 9)
        if move.endswith("!"):
            page.keyboard.press("!")
        page.keyboard.press(move[2])
    assert state(page)["outcome"]["winner"] is not None


@pytest.mark.skipif("codecup-sudoku" not in games(), reason="the game is not registered")
def test_codecup_sudoku_by_pointer(page: Any, server: Server) -> None:
    open_game(page, server.new_game("codecup-sudoku", ["", "random"], seed=4))
    claim = page.get_by_role("button", name="Claim with my move")
    claimed = False
    for move in codecup_moves(page, 11):
        row, column = "ABCDEFGHI".index(move[0]), "abcdefghi".index(move[1])
        click_board(page, *cell_middle(page, row, column))
        if move.endswith("!"):
            claim.click()
            assert claim.get_attribute("aria-pressed") == "true"
            claimed = True
        page.locator(".picker button").nth(int(move[2]) - 1).click()
    assert state(page)["outcome"]["winner"] is not None
    assert not claimed or state(page)["outcome"]["winner"] == 0


def cell_middle(page: Any, row: int, column: int) -> tuple[float, float]:
    """The middle of a cell of the board, in cells."""
    box = page.evaluate(
        """([row, column]) => {
          const screen = document.querySelector('game-screen');
          return screen.board.boxOf(screen.input.cellName(row, column));
        }""",
        [row, column],
    )
    return box["x"] + box["w"] / 2, box["y"] + box["h"] / 2


@pytest.mark.animated
def test_blockudoku_by_dragging(page: Any, server: Server) -> None:
    open_game(page, server.new_game("blockudoku", [""], options={"pieces": "32-46"}, seed=1))
    for _ in range(80):
        found = wait_for_turn(page)
        if found["over"]:
            break
        move = found["legal"][0]
        slot, row, column = (int(part) for part in re.findall(r"\d+", move))
        piece = page.evaluate(
            "(slot) => document.querySelector('game-screen').input.piece(slot)", slot
        )
        start = (piece["box"]["x"] + 0.25 + 0.5 * piece["cells"][0][1], piece["box"]["y"] + 0.25)
        drop = (column + piece["columns"] / 2, row + piece["rows"] / 2)
        drag_board(page, start, drop)
        wait_for_moves(page, len(found["moves"]) + 1)
        assert state(page)["moves"][len(found["moves"])] == move
    found = state(page)
    assert found["over"]
    assert replayed("blockudoku", found, {"pieces": "32-46"}) == found["text"]


def test_blockudoku_previews_what_clears_and_greys_what_does_not_fit(
    page: Any, server: Server
) -> None:
    board = "########." + "." * 63 + "#.#.#.#.#"
    identity = server.new_game("blockudoku", [""], position=f"{board} 0 32 -", seed=1)
    open_game(page, identity)
    page.focus("game-board")
    page.keyboard.press("1")
    for _ in range(10):
        page.keyboard.press("ArrowRight")
    for _ in range(10):
        page.keyboard.press("ArrowUp")
    assert page.locator(".overlay .will-clear").count() == 9
    page.keyboard.press("Enter")
    wait_for_moves(page, 1)
    assert state(page)["text"].startswith("." * 72)
    full = "##.##.##.#.##.##.#.##.##.##" * 3
    open_game(page, server.new_game("blockudoku", [""], position=f"{full} 32 0 -", seed=1))
    assert page.locator(".overlay .does-not-fit").count() == 5
    assert page.get_by_role("button", name="Piece 1").is_disabled()


def test_blockudoku_click_to_place(page: Any, server: Server) -> None:
    open_game(page, server.new_game("blockudoku", [""], seed=2))
    found = wait_for_turn(page)
    move = next(move for move in found["legal"] if re.search(r"@3,3$", move))
    slot = int(move[0])
    piece = page.evaluate("(slot) => document.querySelector('game-screen').input.piece(slot)", slot)
    click_board(page, piece["box"]["x"] + 0.25, piece["box"]["y"] + 0.25)
    click_board(page, 3 + piece["columns"] / 2, 3 + piece["rows"] / 2)
    wait_for_moves(page, len(found["moves"]) + 1)
    assert state(page)["moves"][-1] == move


def test_blockudoku_by_touch_on_a_phone(phone: Any, server: Server) -> None:
    open_game(phone, server.new_game("blockudoku", [""], seed=4))
    found = wait_for_turn(phone)
    width = phone.evaluate("document.documentElement.scrollWidth")
    assert width <= 390, "the page must not scroll sideways on a phone"
    phone.evaluate(
        """() => {
          const screen = document.querySelector('game-screen'), board = screen.board;
          const piece = screen.input.pieces.find((one) => one.fits);
          const at = (x, y) => new DOMPoint(x, y).matrixTransform(board.svg.getScreenCTM());
          const fire = (type, x, y) => {
            const point = at(x, y);
            board.dispatchEvent(new PointerEvent(type, {pointerId: 1, pointerType: 'touch',
              clientX: point.x, clientY: point.y, button: type === 'pointermove' ? -1 : 0,
              bubbles: true, cancelable: true}));
          };
          board.setPointerCapture = () => {};
          fire('pointerdown', piece.box.x + 0.3, piece.box.y + 0.3);
          for (let step = 0; step <= 10; step++) {
            fire('pointermove', 4.5, 10 - 0.4 * step);
          }
          fire('pointerup', 4.5, 6);
        }"""
    )
    wait_for_moves(phone, len(found["moves"]) + 1)
    assert len(state(phone)["moves"]) > len(found["moves"])
