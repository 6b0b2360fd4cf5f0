"""What people hear who do not see the board, and where the keyboard is after each step."""

from __future__ import annotations

import re
from typing import Any

from tests.web import play
from tests.web.conftest import Server

FOCUSED = """() => {
  const { activeElement } = document;
  return activeElement.getAttribute("aria-label") ?? activeElement.tagName;
}"""


def heard(page: Any, pattern: str) -> None:
    """Wait until the board says what matches."""
    said = page.locator("game-board > [aria-live]")
    said.filter(has_text=re.compile(pattern)).wait_for(state="attached")


def test_the_moves_of_agents_and_the_result_are_told(page: Any, server: Server) -> None:
    play.open_game(page, server.new_game("connect4", ["", "random"], seed=1))
    play.wait_for_turn(page)
    heard(page, "^x .* to move after 0 plies$")
    page.keyboard.press("4")
    play.wait_for_moves(page, 2)
    answer = play.state(page)["moves"][1]
    told = f"column {answer}" if "-" not in answer else "the bottom disc of column"
    heard(page, rf"^random: {told}.*\. x .* to move after 2 plies$")
    page.keyboard.press("u")
    heard(page, "^x .* to move after 0 plies$")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    heard(page, r"random won\. You resigned\.$")


def test_a_column_that_is_not_there_is_said(page: Any, server: Server) -> None:
    play.open_game(page, server.new_game("connect4", ["", "random"], seed=1))
    play.wait_for_turn(page)
    page.keyboard.press("9")
    heard(page, r"^The board has 7 columns\.$")


def test_a_piece_in_hand_is_told_by_its_form_and_place(page: Any, server: Server) -> None:
    play.open_game(page, server.new_game("blockudoku", [""], position=f"{'.' * 81} 5 0 -", seed=1))
    play.wait_for_turn(page)
    assert page.get_by_role("button", name="Piece 1: a line of 3 across").count() == 1
    assert page.get_by_role("button", name="Piece 2: a single cell").count() == 1
    page.focus("game-board")
    page.keyboard.press("1")
    heard(page, r"^Piece 1: a line of 3 across, in hand over row 0, column 0\.$")


def test_a_value_that_has_the_focus_keeps_it_and_what_was_refused_is_forgotten(
    page: Any, server: Server
) -> None:
    play.open_game(page, server.new_game("codecup-sudoku", ["", "random"], seed=3))
    play.wait_for_turn(page)
    page.keyboard.press("5")
    refusal = page.locator("toast-area .toast.info", has_text="Choose a cell first")
    refusal.wait_for()
    page.focus("game-board")
    play.go_to_cell(page, 4, 4, 9)
    page.get_by_role("button", name="play 5").focus()
    page.keyboard.press("Enter")
    play.wait_for_moves(page, 1)
    assert refusal.count() == 0
    play.wait_for_moves(page, 2)
    play.wait_for_turn(page)
    assert page.evaluate(FOCUSED) == "5 cannot be played"


def test_a_game_that_begins_has_the_focus_and_escape_closes_its_menu(
    page: Any, server: Server
) -> None:
    page.goto("/play?new=connect4")
    page.locator('[type="submit"]').focus()
    page.keyboard.press("Enter")
    play.wait_for_turn(page)
    assert page.evaluate(FOCUSED) == "MAIN"
    menu = page.locator("game-actions .menu")
    page.get_by_role("button", name="More", exact=True).press("Enter")
    assert menu.is_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    assert not menu.is_visible() and page.evaluate(FOCUSED) == "More"
