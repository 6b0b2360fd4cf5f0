"""What one sees: nothing dead or hidden where a person looks next, no values that say nothing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import plyground.games.blockudoku as blockudoku
from plyground.games.blockudoku.pieces import CELLS
from tests.web.conftest import Server, open_page
from tests.web.play import click_board, open_game, wait_for_moves, wait_for_turn

QUICK_WIN = (1, 2, 1, 2, 1, 2, 1)
SIZES = {
    "desktop": {"width": 1280, "height": 800},
    "phone": {"width": 390, "height": 844},
    "phone on its side": {"width": 844, "height": 390},
}


def bottom_of(page: Any, selector: str) -> float:
    """Where an element ends, in pixels from the top of the window."""
    box = page.locator(selector).first.bounding_box()
    return float(box["y"] + box["height"])


@pytest.mark.parametrize("size", SIZES)
def test_the_end_stands_where_one_looks(browser: Any, server: Server, size: str) -> None:
    """Result and rematch are on the screen with the board; so is a mistake and what was better."""
    height = SIZES[size]["height"]
    for page in open_page(browser, server, viewport=SIZES[size], reduced_motion="reduce"):
        open_game(page, server.new_game("connect4", ["", ""], options={"mean": "none"}))
        for count, column in enumerate(QUICK_WIN, 1):
            click_board(page, column - 0.5, 1)
            wait_for_moves(page, count)
        page.locator("end-card h2").wait_for()
        assert bottom_of(page, "end-card .primary") <= height
        page.get_by_role("button", name="Review").last.click()
        page.wait_for_selector(".toast:has-text('Review done')")
        page.get_by_role("button", name="Next mistake").click()
        page.wait_for_selector("game-board .mark-hint", state="attached")
        page.evaluate("scrollTo(0, 0)")
        assert bottom_of(page, "review-panel .said") <= height
        assert page.locator("game-board").first.bounding_box()["y"] >= 0


def test_nobody_is_offered_keys_that_do_nothing(page: Any, server: Server) -> None:
    """The digits are there for a person who plays, and not for one who watches."""
    open_game(page, server.new_game("competitive-sudoku", ["", "random"]))
    wait_for_turn(page)
    assert page.locator(".picker").is_visible()
    open_game(page, server.new_game("competitive-sudoku", ["random", "random"]))
    page.wait_for_selector("game-screen.hands-off")
    assert not page.locator(".picker").is_visible()


def test_values_that_are_all_alike_do_not_cover_the_board(page: Any, server: Server) -> None:
    page.goto("/analyse?game=codecup-sudoku")
    page.wait_for_selector("analysis-panel .lines li")
    page.wait_for_selector("game-board .best-ring", state="attached")
    assert page.locator("game-board .heat rect:not(.best-ring)").count() == 0


def test_every_piece_can_be_picked_by_its_picture(page: Any, server: Server) -> None:
    page.goto("/analyse?game=blockudoku")
    page.wait_for_selector("analysis-panel .lines li")
    page.get_by_role("button", name="Edit the position").click()
    page.get_by_role("radio", name="Piece 2").click()
    choices = page.locator("dialog .choices button")
    assert choices.count() == len(CELLS) + 1
    choices.nth(32).click()
    page.wait_for_function(
        """() => document.querySelectorAll('game-board svg rect[data-cell="slot2"]').length === 5"""
    )


def test_pieces_of_the_editor_are_those_of_the_game() -> None:
    source = Path(blockudoku.__file__).with_name("input.js").read_text(encoding="utf-8")
    listed = re.search(r"const PIECES = \((.*?)\)\.split", source, re.DOTALL)
    assert listed is not None
    text = "".join(re.findall(r'"([^"]*)"', listed[1]))
    found = [
        tuple((int(cell[0]), int(cell[1])) for cell in piece.split()) for piece in text.split("|")
    ]
    assert found == list(CELLS)


def test_own_given_and_other_digits_differ(page: Any, server: Server) -> None:
    """Three colours of ink, and a shade behind what was given."""
    open_game(page, server.new_game("competitive-sudoku", ["random", "random"]))
    page.wait_for_selector("game-board text.by-0", state="attached")
    page.wait_for_selector("game-board text.by-1", state="attached")
    inks = page.evaluate(
        """() => ['text.by-0', 'text.by-1', 'text[data-cell]:not(.by-0):not(.by-1)'].map((one) =>
          getComputedStyle(document.querySelector(`game-board ${one}`)).fill)"""
    )
    assert len(set(inks)) == 3
    assert page.locator("game-board rect.is-given").count() > 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_best_move_is_framed_visibly(browser: Any, server: Server, theme: str) -> None:
    """The frame is broad and has a dark rim, so that it shows on light and dark boards."""
    for page in open_page(browser, server, color_scheme=theme):
        page.goto("/analyse?game=competitive-sudoku")
        page.wait_for_selector("game-board .best-ring", state="attached")
        ring = page.evaluate(
            """() => {
              const style = getComputedStyle(document.querySelector('game-board .best-ring'));
              const { filter, stroke } = style;
              return {width: parseFloat(style.strokeWidth), filter, stroke};
            }"""
        )
        assert ring["width"] >= 0.08 and ring["stroke"] != "none"
        assert "drop-shadow" in ring["filter"]


def test_a_first_run_tells_how_far_it_is(page: Any, server: Server) -> None:
    page.route(
        "**/api/preparing",
        lambda route: route.fulfill(json={"label": "search", "done": 3, "total": 12}),
    )
    page.goto("/class")
    page.wait_for_selector("class-screen .panel")
    page.evaluate(
        """() => {
          const line = document.createElement('preparing-line');
          document.querySelector('main').append(line);
          line.show('champion');
        }"""
    )
    told = page.locator("preparing-line", has_text="3 of 12 parts")
    told.wait_for()
    assert "first run only" in told.text_content() and "No clock runs" in told.text_content()


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_nothing_moves_for_whoever_wants_no_motion(
    browser: Any, server: Server, motion: str
) -> None:
    for page in open_page(browser, server, reduced_motion=motion):
        open_game(page, server.new_game("connect4", ["", ""], options={"mean": "none"}))
        name = page.evaluate(
            """() => {
              const mark = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
              mark.classList.add('arrives');
              document.querySelector('game-board svg').append(mark);
              return getComputedStyle(mark).animationName;
            }"""
        )
        assert (name == "none") == (motion == "reduce")


def test_a_hint_in_a_game_for_one_tells_no_cost(page: Any, server: Server) -> None:
    open_game(page, server.new_game("blockudoku", [""]))
    wait_for_turn(page)
    page.keyboard.press("h")
    said = page.wait_for_selector(".game-status:has-text('Hint')").inner_text()
    assert re.fullmatch(r"Hint: piece [123] at row \d, column \d", said)


def test_keys_reach_the_board_from_anywhere(page: Any, server: Server) -> None:
    """Nothing has to be clicked before a key plays; a digit without a cell is answered."""
    open_game(page, server.new_game("connect4", ["", ""]))
    wait_for_turn(page)
    page.evaluate("document.activeElement?.blur()")
    page.keyboard.press("4")
    wait_for_moves(page, 1)
    open_game(page, server.new_game("competitive-sudoku", ["", ""]))
    wait_for_turn(page)
    page.keyboard.press("5")
    page.wait_for_selector(".toast:has-text('Choose a cell first')")


def test_the_analysis_does_not_move_the_board(page: Any, server: Server) -> None:
    open_game(page, server.new_game("connect4", ["", ""]))
    wait_for_turn(page)
    page.keyboard.press("a")
    page.wait_for_selector("game-board .value-chip", state="attached")
    page.keyboard.press("a")
    before = page.locator("game-board svg").first.bounding_box()
    strip = page.locator("player-strip").last.bounding_box()
    page.keyboard.press("a")
    page.locator("eval-bar").wait_for()
    after = page.locator("game-board svg").first.bounding_box()
    assert (after["x"], after["y"]) == pytest.approx((before["x"], before["y"]), abs=1)
    assert page.locator("player-strip").last.bounding_box() == strip


def test_the_sheet_stays_where_it_is_when_another_game_is_chosen(page: Any, server: Server) -> None:
    page.goto("/play?new=connect4")
    place = page.locator(".setup").bounding_box()["x"]
    for game in ("blockudoku", "codecup-sudoku"):
        page.locator(f"input[name=game][value={game}]").check()
        page.wait_for_selector(f"input[value={game}]:checked")
        page.wait_for_timeout(200)
        assert page.locator(".setup").bounding_box()["x"] == pytest.approx(place, abs=1)


@pytest.mark.parametrize("width", [320, 390])
def test_names_of_games_fit_their_cards(browser: Any, server: Server, width: int) -> None:
    for page in open_page(browser, server, viewport={"width": width, "height": 640}):
        page.goto("/")
        page.wait_for_selector(".card h2")
        wide = "(all) => Math.max(...all.map((e) => e.scrollWidth - e.clientWidth))"
        assert page.locator(".card h2").evaluate_all(wide) <= 0


def test_the_score_stands_above_the_board_and_pieces_in_the_middle(
    phone: Any, server: Server
) -> None:
    open_game(phone, server.new_game("blockudoku", [""]))
    wait_for_turn(phone)
    chips = phone.locator(".chips").bounding_box()
    board = phone.locator("game-board svg").first.bounding_box()
    assert chips["y"] + chips["height"] <= board["y"]
    for slot in (1, 2, 3):
        cells = phone.evaluate(
            "(slot) => Array.from(document.querySelectorAll(`[data-cell=slot${slot}]`),"
            " (e) => [e.x.baseVal.value, e.x.baseVal.value + e.width.baseVal.value])",
            slot,
        )
        middle = (min(cell[0] for cell in cells) + max(cell[1] for cell in cells)) / 2
        assert middle == pytest.approx(3 * slot - 1.5, abs=0.05)


def test_analysis_and_hint_say_the_same_of_a_proven_game(page: Any, server: Server) -> None:
    """What a certificate knows is in the first seconds of an analysis, not only at its end."""
    page.goto("/analyse?game=connect4")
    page.wait_for_selector("analysis-panel .headline:has-text('win in 31')")
    assert page.locator(".lines li").first.inner_text().split()[0] == "4"
    open_game(page, server.new_game("connect4", ["", ""]))
    wait_for_turn(page)
    page.keyboard.press("h")
    page.wait_for_selector(".game-status:has-text('Hint: column 4: a win in 31')")


def test_an_empty_lab_says_how_to_fill_it(page: Any, server: Server) -> None:
    page.goto("/lab")
    page.wait_for_selector("lab-screen pre:has-text('plyground reproduce')")
