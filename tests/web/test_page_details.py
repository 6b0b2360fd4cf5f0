"""Small things on the page that a player notices at once."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.web import play
from tests.web.conftest import Server


def test_a_slow_drag_places_the_piece(page: Any, server: Server) -> None:
    """A finger that goes a few points from one event to the next drags all the same."""
    play.open_game(page, server.new_game("blockudoku", [""], position=f"{'.' * 81} 0 0 0", seed=2))
    play.wait_for_turn(page)
    x2, y2 = play.board_point(page, 4.5, 4.5)
    box = page.evaluate("document.querySelector('game-screen').input.piece(1).box")
    x1, y1 = play.board_point(page, box["x"] + 0.25, box["y"] + 0.25)
    page.mouse.move(x1, y1)
    page.mouse.down()
    for step in range(1, 61):
        page.mouse.move(x1 + (x2 - x1) * step / 60, y1 + (y2 - y1) * step / 60)
    page.mouse.up()
    play.wait_for_moves(page, 1)
    assert play.state(page)["moves"][0] == "1@4,4"


def test_a_click_on_the_line_between_cells_chooses_one(page: Any, server: Server) -> None:
    play.open_game(page, server.new_game("codecup-sudoku", ["", "random"]))
    play.wait_for_turn(page)
    left = page.locator('game-board rect[data-cell="Ec"]').bounding_box()
    page.mouse.click(left["x"] + left["width"], left["y"] + left["height"] / 2)
    chosen = page.evaluate("document.querySelector('game-screen').input.chosen")
    assert chosen["row"] == 4 and chosen["column"] in (2, 3)


def test_a_tap_does_not_light_up_the_whole_board(phone: Any, server: Server) -> None:
    play.open_game(phone, server.new_game("codecup-sudoku", ["", "random"]))
    colour = "getComputedStyle(document.querySelector('game-board')).webkitTapHighlightColor"
    assert phone.evaluate(colour) == "rgba(0, 0, 0, 0)"
    analysis = phone.get_by_role("button", name="Analysis (A)")
    analysis.tap()
    phone.locator("analysis-panel h2").wait_for()
    analysis.tap()
    phone.locator("analysis-panel h2").wait_for(state="hidden")
    look = """(name) =>
        getComputedStyle(document.querySelector(`[aria-label^="${name}"]`)).borderColor"""
    phone.wait_for_timeout(300)
    assert phone.evaluate(look, "Analysis") == phone.evaluate(look, "Rules"), "it is off again"


def test_an_own_digit_has_its_colour_before_the_answer_comes(page: Any, server: Server) -> None:
    play.open_game(page, server.new_game("codecup-sudoku", ["", "random"], seed=3))
    move = play.wait_for_turn(page)["legal"][0]
    page.evaluate(
        """() => {
          const board = document.querySelector('game-board');
          window.seen = [];
          const look = () => {
            const texts = board.shapes.filter((one) => one.kind === 'text' && one.cell);
            const coloured = [...board.querySelectorAll('.by-0, .by-1')];
            window.seen.push([texts.filter((one) => one.text).length,
                              coloured.filter((one) => one.textContent).length]);
            requestAnimationFrame(look);
          };
          look();
        }"""
    )
    page.evaluate("(move) => document.querySelector('game-screen').play(move)", move)
    page.wait_for_function("() => window.seen.some(([digits]) => digits === 2)")
    seen = page.evaluate("window.seen")
    assert [1, 1] in seen and all(digits == coloured for digits, coloured in seen)


def test_games_of_every_notation_can_be_pasted(page: Any, server: Server) -> None:
    page.goto("/analyse?game=competitive-sudoku")
    page.wait_for_selector("analysis-panel .lines li")
    legal = page.evaluate("document.querySelector('analyse-screen').current.snapshot.legal")
    first = next(move for move in legal if not move.endswith("!"))
    passing = next(move for move in legal if move.endswith("!"))
    path = "document.querySelector('analyse-screen').current.path().map((one) => one.move)"
    page.locator(".position-box summary").click()
    listed = f"1 {passing.replace('->', '→').replace('!', ' pass')} 2 {first.replace('->', '→')}"
    row, column, value = re.findall(r"\d+", first)
    for text, moves in ((listed, [passing, first]), (f"{row},{column}={value}", [first])):
        page.locator("textarea").fill(text)
        page.get_by_role("button", name="Set up").click()
        page.wait_for_function(f"(moves) => String({path}) === String(moves)", arg=moves)
    page.locator("textarea").fill(f"{first} {first}")
    page.get_by_role("button", name="Set up").click()
    page.locator(".position-box .wrong:has-text('occupied')").wait_for()


def test_a_blockudoku_turn_can_be_pasted_over_the_position_it_belongs_to(
    page: Any, server: Server
) -> None:
    page.goto(f"/analyse?game=blockudoku&position={'.' * 81}+5+0+1")
    page.wait_for_selector("analysis-panel .lines li")
    page.locator(".position-box summary").click()
    page.locator("textarea").fill("1 at 0,0, then 2@5,5")
    page.get_by_role("button", name="Set up").click()
    path = (
        "document.querySelector('analyse-screen').current.path().map((one) => one.move).join(' ')"
    )
    page.wait_for_function(f"() => {path} === '1@0,0 2@5,5'")


def test_the_axis_of_the_ratings_keeps_its_minus_signs(phone: Any, server: Server) -> None:
    phone.goto("/tournaments")
    phone.wait_for_selector(".checks input")
    least = phone.evaluate(
        """() => {
          const graph = document.createElement('elo-graph');
          document.querySelector('main').append(graph);
          const rows = [{ name: 'a', elo: [400, 0, 1400] }, { name: 'b', elo: [-400, -1400, 0] }];
          graph.show(['a', 'b'], [[1, [400, -400]], [2, [400, -400]]], rows);
          const left = graph.querySelector('svg').getBoundingClientRect();
          const ticks = [...graph.querySelectorAll('.tick')];
          return Math.min(...ticks.map((one) => one.getBoundingClientRect().left - left.left),
                          ...ticks.map((one) => one.getBoundingClientRect().top - left.top));
        }"""
    )
    assert least >= 0


def test_a_phone_on_its_side_has_the_button_that_begins(phone: Any, server: Server) -> None:
    phone.set_viewport_size({"width": 844, "height": 390})
    phone.goto("/play?new=connect4")
    box = phone.locator('[type="submit"]').bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] <= 390


@pytest.mark.parametrize("width", [390, 1280])
def test_the_name_of_the_game_is_not_cut_off(page: Any, server: Server, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.goto("/analyse?game=competitive-sudoku")
    select = page.locator("select.game")
    select.wait_for()
    needed = select.evaluate(
        """(select) => {
          const context = document.createElement('canvas').getContext('2d');
          const style = getComputedStyle(select);
          context.font = style.font;
          const padding = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
          const room = select.clientWidth - padding;
          return context.measureText(select.selectedOptions[0].text).width - room;
        }"""
    )
    assert needed <= 0


def test_a_picture_that_is_compiled_first_says_so(page: Any, server: Server) -> None:
    waiting: list[Any] = []

    def hold(route: Any) -> None:
        waiting.append(route)

    page.route("**/api/pictures/connect4", hold)
    page.goto("/play?new=connect4")
    line = page.locator(".preview preparing-line")
    line.get_by_text("Mean Connect 4").wait_for()
    for route in waiting:
        route.continue_()
    page.wait_for_selector(".preview game-board svg [data-cell]")
    line.wait_for(state="hidden")


def test_a_review_begins_with_the_first_moves_in_sight(page: Any, server: Server) -> None:
    page.set_viewport_size({"width": 1280, "height": 620})
    play.open_game(page, play.upload_connect4(server, list("121212212121343434434343565656656565")))
    page.wait_for_function("() => document.querySelector('move-list').scrollTop > 0")
    page.keyboard.press("Home")
    page.wait_for_function("() => document.querySelector('move-list').scrollTop === 0")
