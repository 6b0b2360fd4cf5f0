"""What a stranger stumbled over on the page, mended."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web import play
from tests.web.conftest import Server

BOTH_GET_FOUR = "......./......./......./...o.../..oxo../xxxoo.. x 24"


def test_a_value_stands_under_every_column_however_alike_they_are(
    page: Any, server: Server
) -> None:
    page.goto("/analyse?game=connect4&position=4")
    page.wait_for_function("() => document.querySelectorAll('.value-chip text').length === 7")
    page.wait_for_function(
        """() => [...document.querySelectorAll('.value-chip text')]
            .every((one) => /^L/.test(one.textContent))"""
    )
    listed = page.locator("analysis-panel .lines button").all_inner_texts()
    assert set("1234567") <= set(listed), "the list has every column as well"
    assert page.locator(".heat .arrow").count() == 0, "arrows that are as good say nothing"
    assert "the bottom disc of column 4" in page.locator("analysis-panel .note").inner_text()


def test_the_value_of_an_arrow_stands_outside_the_ring_of_the_best_drop(
    page: Any, server: Server
) -> None:
    page.goto("/analyse?game=connect4&position=4453")
    page.wait_for_selector(".value-chip")
    for column, row in ((1, 4), (6, 0)):
        away = page.evaluate(
            """([x, y]) => {
              const board = document.querySelector('game-board');
              const boxes = [{ x, y, w: 1, h: 1 }];
              const value = { x: x + 0.5, y: 6.62 };
              const arrow = [3.5, 5.5, x + 0.5, y + 0.5];
              board.warm([{ place: { boxes, value }, value: 1, label: 'W1', best: true },
                          { place: { boxes, arrow }, value: 1, label: 'W1', best: false }]);
              const chip = board.querySelector('.heat .arrow rect');
              const top = Number(chip.getAttribute('y'));
              const bottom = top + Number(chip.getAttribute('height'));
              return Math.max(y + 0.5 - bottom, top - y - 0.5);
            }""",
            [column, row],
        )
        assert away > 0.43, "the radius of the ring"
    inside = page.evaluate(
        """() => {
          const board = document.querySelector('game-board');
          const boxes = [{ x: 1, y: 4, w: 1, h: 1 }];
          board.warm([{ place: { boxes, arrow: [3.5, 5.5, 1.5, 4.5] }, value: 1, label: 'W1' }]);
          const chip = board.querySelector('.heat .arrow rect');
          return Number(chip.getAttribute('y')) + Number(chip.getAttribute('height')) / 2;
        }"""
    )
    assert inside == 4.5, "else it stands where the disc will lie"


def test_next_mistake_and_accuracy_are_above_the_fold(page: Any, server: Server) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    play.open_game(page, play.upload_connect4(server, play.BLUNDER))
    page.get_by_role("button", name="More").click()
    page.locator(".menu").get_by_role("button", name="Review").click()
    page.wait_for_selector(".toast:has-text('Review done')")
    page.get_by_role("button", name="Next mistake").click()
    page.wait_for_selector(".mark-hint", state="attached")
    page.wait_for_timeout(300)
    bars = page.locator(".side .moves").bounding_box()
    for name in ("button:has-text('Next mistake')", ".said", ".accuracy"):
        box = page.locator(f"review-panel {name}").bounding_box()
        assert box["y"] + box["height"] <= min(800, bars["y"]), name


def test_the_pieces_of_a_blockudoku_turn_have_a_colour_and_the_number_of_the_tray(
    page: Any, server: Server
) -> None:
    page.goto("/analyse?game=blockudoku")
    page.wait_for_selector("analysis-panel .lines li")
    seen = page.evaluate(
        """() => {
          const read = (badges) => [...badges].map((one) => [one.textContent,
            getComputedStyle(one.querySelector('circle')).fill]).sort();
          return [read(document.querySelectorAll('.badge:not(.tag)')),
                  read(document.querySelectorAll('.badge.tag'))];
        }"""
    )
    assert seen[0] == seen[1]
    assert [number for number, _ in seen[0]] == ["1", "2", "3"]
    assert len({colour for _, colour in seen[0]}) == 3
    assert page.locator(".lines .pv").first.inner_text() == "best cost"
    note = page.locator("analysis-panel .note").inner_text()
    first = page.evaluate("document.querySelector('analysis-panel').found.move.split(' ')[0]")
    piece, row, column = first[0], first[2], first[4]
    assert f"top left corner of piece {piece} in row {row}, column {column}" in note
    assert "Cost: " in note
    assert page.locator("game-board .edge-number").count() == 17
    # Pointing at another turn shows that one.
    boxes = "JSON.stringify([...document.querySelectorAll('.marks rect')].map((r) => r.outerHTML))"
    page.get_by_text("done", exact=False).first.wait_for(timeout=40_000)
    before = page.evaluate(boxes)
    page.locator(".lines button").nth(3).hover()
    assert page.evaluate(boxes) != before
    page.locator("analysis-panel h2").hover()
    assert page.evaluate(boxes) == before


def test_a_win_by_fours_for_both_says_so(page: Any, server: Server) -> None:
    identity = server.new_game("connect4", ["", ""], position=BOTH_GET_FOUR)
    play.open_game(page, identity)
    page.evaluate("document.querySelector('game-screen').play('4-2')")
    page.get_by_text("both players got one at once, and the mover's counts").first.wait_for()


@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_a_message_on_the_phone_leaves_the_score_in_sight(
    phone: Any, server: Server, size: tuple[int, int]
) -> None:
    phone.set_viewport_size({"width": size[0], "height": size[1]})
    play.open_game(phone, server.new_game("competitive-sudoku", ["", "random"]))
    phone.evaluate(
        """(text) => document.dispatchEvent(
            new CustomEvent('toast', { detail: { kind: 'info', text } }))""",
        "This is not the latest position, or not your turn. Play from here opens a new game.",
    )
    note = phone.locator(".toast").bounding_box()
    for strip in phone.locator("player-strip").all():
        box = strip.bounding_box()
        apart = note["y"] + note["height"] <= box["y"] or note["y"] >= box["y"] + box["height"]
        assert apart or note["x"] >= box["x"] + box["width"]


def test_an_answer_waits_until_the_move_before_it_has_arrived(page: Any, server: Server) -> None:
    play.open_game(page, server.new_game("connect4", ["", "random"], seed=1))
    play.wait_for_turn(page)
    page.evaluate(
        """() => {
          const board = document.querySelector('game-board');
          const draw = board.draw.bind(board);
          window.drawn = [];
          board.draw = (shown) => {
            const discs = shown.shapes.filter((one) => /first|second/.test(one.style)).length;
            const before = window.drawn.at(-1)?.[0] ?? 0;
            if (discs > before) window.drawn.push([discs, performance.now()]);
            draw(shown);
          };
        }"""
    )
    play.click_board(page, 3.5, 1)
    page.wait_for_function("() => window.drawn.length === 2")
    (one, first), (two, second) = page.evaluate("window.drawn")
    assert (one, two) == (1, 2)
    assert second - first >= 300


def test_only_open_games_are_to_go_on_with(page: Any, server: Server) -> None:
    finished = play.upload_connect4(server, play.BLUNDER)
    ended = server.new_game("connect4", ["", "random"], options={"mean": "none"})
    play.open_game(page, ended)
    page.evaluate("document.querySelector('game-screen').play('4')")
    play.wait_for_moves(page, 2)
    page.evaluate("document.querySelector('game-screen').state.send({ type: 'resign' })")
    page.locator("end-card h2").wait_for()
    going = server.new_game("connect4", ["", "random"], options={"mean": "none"})
    play.open_game(page, going)
    page.evaluate("document.querySelector('game-screen').play('4')")
    play.wait_for_moves(page, 2)
    page.goto("/")
    on = page.get_by_role("region", name="Go on with")
    on.wait_for()
    assert on.locator(f'a[href*="{going}"]').count() == 1
    again = page.get_by_role("region", name="Look at again")
    for identity in (ended, finished):
        assert on.locator(f'a[href*="{identity}"]').count() == 0
        assert again.locator(f'a[href*="{identity}"]').count() == 1


def test_no_button_moves_when_a_pass_becomes_taboo(page: Any, server: Server) -> None:
    options = {"board": "2x2 1.../..2./..../4... first 0-0"}
    play.open_game(page, server.new_game("competitive-sudoku", ["", ""], options=options))
    found = play.wait_for_turn(page)
    places = """() => [...document.querySelectorAll('.tools button, game-actions .icon')]
        .map((one) => Math.round(one.getBoundingClientRect().top))"""
    before = page.evaluate(places)
    passing = next(move for move in found["legal"] if move.endswith("!"))
    page.evaluate("(move) => document.querySelector('game-screen').play(move)", passing)
    page.get_by_text("Taboo, loses").wait_for()
    assert page.evaluate(places) == before
    assert len(play.state(page)["moves"]) == 1


def test_the_page_offers_no_files(server: Server) -> None:
    _, games = server.request("/api/catalog")
    for game in games:
        for option in game["options"]:
            assert "file" not in option["help"], (game["name"], option["name"])


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_game_and_analysis_fit_the_window_whatever_is_open(
    page: Any, server: Server, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    higher = "document.documentElement.scrollHeight - innerHeight"
    play.open_game(page, server.new_game("connect4", ["", "random"]))
    play.wait_for_turn(page)
    assert page.evaluate(higher) <= 0
    page.goto("/analyse?game=connect4")
    page.wait_for_selector(".value-chip")
    page.keyboard.press("e")
    page.get_by_role("radio", name="Let yellow move").wait_for()
    assert page.evaluate(higher) <= 0
    page.get_by_role("radio", name="Let yellow move").click()
    page.get_by_role("radio", name="Let red move").wait_for()


def test_sharing_a_finished_game_moves_nothing(page: Any, server: Server) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    share = page.locator("end-card").get_by_role("button", name="Share")
    play.open_game(page, server.new_game("connect4", ["", ""], position=BOTH_GET_FOUR))
    page.evaluate("document.querySelector('game-screen').play('4-2')")
    share.wait_for()
    page.wait_for_timeout(400)
    before = share.bounding_box()
    share.click()
    page.get_by_text("The link is in the clipboard.").wait_for()
    assert share.bounding_box() == before
    assert "pos=" in page.evaluate("navigator.clipboard.readText()")


def test_a_review_says_of_a_position_what_the_analysis_says(page: Any, server: Server) -> None:
    """After 4 the certificate knows that every answer loses: none is a mistake."""
    play.open_game(page, server.new_game("connect4", ["", ""]))
    for count, move in enumerate(("4", "6"), 1):
        page.evaluate("(move) => document.querySelector('game-screen').play(move)", move)
        play.wait_for_moves(page, count)
    page.evaluate("document.querySelector('game-screen').state.send({ type: 'resign' })")
    page.locator("end-card").get_by_role("button", name="Review").click()
    page.wait_for_selector(".toast:has-text('Review done')")
    found = page.evaluate("document.querySelector('game-screen').reviewing")
    assert [entry["score"]["short"][0] for entry in found[:2]] == ["W", "W"], "red wins all along"
    assert not any(entry["mark"] for entry in found)


def test_a_pasted_game_is_imported_with_its_moves(page: Any, server: Server) -> None:
    page.goto("/analyse?game=connect4")
    page.wait_for_selector(".value-chip")
    page.locator(".position-box summary").click()
    for text, moves in (("44533", "4 4 5 3 3"), ("4, 4-2", "4 4-2")):
        page.locator("textarea").fill(text)
        page.get_by_role("button", name="Set up").click()
        page.wait_for_function(
            "(moves) => document.querySelector('analyse-screen').current.path()"
            ".map((one) => one.move).join(' ') === moves",
            arg=moves,
        )
    page.locator("textarea").fill("banana")
    page.get_by_role("button", name="Set up").click()
    said = page.locator(".position-box .wrong")
    said.get_by_text("'banana' is not a move").wait_for()
    assert said.bounding_box()["y"] > page.locator("textarea").bounding_box()["y"]


def test_the_search_tree_shows_the_position_that_one_chooses(page: Any, server: Server) -> None:
    page.goto("/analyse?game=connect4&position=4")
    page.wait_for_selector(".value-chip")
    page.get_by_role("button", name="Search tree").click()
    tree = page.get_by_role("dialog")
    discs = "document.querySelectorAll('.tree-board .s-first, .tree-board .s-second').length"
    page.wait_for_function(f"() => {discs} === 1")
    tree.locator(".node").first.click()
    page.wait_for_function(f"() => {discs} === 2")
    widths = page.evaluate(
        """[...document.querySelectorAll('.tree-picture > ul > li')]
            .map((one) => one.style.getPropertyValue('--thick'))"""
    )
    assert len(set(widths)) > 1
