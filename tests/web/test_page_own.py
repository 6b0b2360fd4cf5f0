"""The page of a server that was started for one file's game, which comes first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.conftest import Server, open_page

FILE = Path(__file__).parents[2] / "examples" / "games" / "tictactoe.py"
STICKS_OUT = """() => [...document.querySelectorAll(".card")].flatMap((card) => {
  const edge = card.getBoundingClientRect();
  return [...card.querySelectorAll("a, p, h2, svg")].filter((part) => {
    const box = part.getBoundingClientRect();
    return box.width && (
      box.left < edge.left - 1 || box.right > edge.right + 1 || box.bottom > edge.bottom + 1);
  }).map((part) => `${card.innerText.slice(0, 20)}: ${part.tagName} ${part.innerText ?? ""}`);
})"""


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("own"), str(FILE))
    running.start()
    yield running
    running.stop()


def checked_game(page: Any) -> str:
    page.get_by_role("radiogroup", name="Game", exact=True).wait_for()
    return str(page.locator('[name="game"]:checked + span').inner_text())


def test_the_terminal_prints_the_address_of_the_game(own: Server) -> None:
    assert own.process is not None and own.process.stdout is not None
    line = own.process.stdout.readline()
    assert line.strip().endswith(f"{own.address}/play?new=tictactoe.py")


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1920, 1080), (1000, 700), (390, 844)])
def test_no_card_of_five_games_sticks_out(
    browser: Any, own: Server, width: int, height: int
) -> None:
    for page in open_page(browser, own, viewport={"width": width, "height": height}):
        page.goto(own.address)
        page.locator(".card svg").nth(4).wait_for()
        assert page.locator(".card").count() == 5
        assert page.evaluate(STICKS_OUT) == []


def test_the_game_of_the_file_comes_first_and_is_chosen(browser: Any, own: Server) -> None:
    for page in open_page(browser, own):
        page.goto(own.address)
        assert page.locator(".card h2").first.inner_text() == "Tic-tac-toe"
        page.evaluate("localStorage.setItem('game', 'connect4')")
        page.goto(f"{own.address}/play")
        assert checked_game(page) == "Tic-tac-toe"
        page.goto(f"{own.address}/play?new=tictactoe.py")
        assert checked_game(page) == "Tic-tac-toe"
        page.goto(f"{own.address}/play?new=connect4")
        assert checked_game(page) == "Mean Connect 4"


def test_no_other_game_takes_the_place_of_an_unknown_one(browser: Any, own: Server) -> None:
    for page in open_page(browser, own):
        page.goto(f"{own.address}/play?new=nothing.py")
        page.get_by_text("There is no game “nothing.py”").wait_for()
        assert page.locator('[name="game"]').count() == 0


def test_a_message_on_a_phone_does_not_cover_what_starts_the_game(
    browser: Any, own: Server
) -> None:
    for page in open_page(browser, own, viewport={"width": 390, "height": 844}):
        page.goto(f"{own.address}/play?new=tictactoe.py")
        play = page.get_by_role("button", name="Play", exact=True)
        play.wait_for()
        page.evaluate(
            "document.dispatchEvent(new CustomEvent('toast', "
            "{detail: {text: 'something to say', kind: 'error'}}))"
        )
        note, below = page.locator(".toast").bounding_box(), play.bounding_box()
        assert note["y"] + note["height"] <= below["y"] or note["y"] >= below["y"] + below["height"]


def test_a_board_of_squares_is_played_by_the_keyboard_and_says_why_not(
    browser: Any, own: Server
) -> None:
    for page in open_page(browser, own):
        page.goto(f"{own.address}/play?new=tictactoe.py")
        page.locator('[name="level"][value=""]').check()
        page.get_by_role("button", name="Play", exact=True).click()
        page.wait_for_function("() => document.querySelector('game-screen')?.mayMove?.()")
        page.focus("game-board")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowDown")
        chosen = page.evaluate("document.querySelector('game-screen').input.cursor")
        assert chosen == "b2"
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.querySelector('game-screen').state.length === 1")
        page.wait_for_function("() => document.querySelector('game-screen').mayMove()")
        page.locator('game-board circle[data-cell="b2"]').click()
        page.get_by_text("b2 cannot be played now.").first.wait_for()
        page.keyboard.press("?")
        card = page.get_by_role("dialog")
        card.get_by_text("go from square to square, take one").wait_for()
        assert "the player who moves first" in card.inner_text()


def test_a_wrong_option_is_told_beside_the_button_and_its_field_is_marked(
    browser: Any, own: Server
) -> None:
    for page in open_page(browser, own):
        page.goto(f"{own.address}/play?new=connect4")
        page.get_by_text("More", exact=True).click()
        width = page.get_by_label("width")
        assert "4 to 12" in page.locator("option-fields").inner_text()
        width.fill("99")
        page.get_by_role("button", name="Play", exact=True).click()
        page.locator(".setup .wrong").get_by_text("must be at most 12").wait_for()
        assert width.get_attribute("aria-invalid") == "true"
        assert page.evaluate("document.activeElement.name") == "option-width"
