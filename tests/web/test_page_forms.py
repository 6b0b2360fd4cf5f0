"""Forms of the page with empty, wrong and far too long input."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.conftest import Server


def fill_folded(page: Any, name: str, text: str) -> None:
    """Write into a field, and fold away what it stands in."""
    field = page.locator(f'[name="{name}"]')
    field.evaluate("(field) => { field.closest('details').open = true; }")
    field.fill(text)
    field.evaluate("(field) => { field.closest('details').open = false; }")


def test_what_was_refused_is_not_offered_again(page: Any, server: Server) -> None:
    page.goto("/play?new=connect4")
    page.wait_for_selector(".setup h1")
    fill_folded(page, "option-width", "7.5")
    page.locator('[type="submit"]').click()
    page.get_by_text("Width must be a whole number.").wait_for()
    assert page.evaluate("document.activeElement.name") == "option-width", "it is in sight"
    fill_folded(page, "option-width", "12")
    page.locator('[type="submit"]').click()
    page.locator(".wrong:has-text('64')").wait_for()  # a board has room for so many places
    for screen in ("play", "watch"):
        page.goto(f"/{screen}?new=connect4")
        page.wait_for_selector(".setup h1")
        assert page.locator('[name="option-width"]').input_value() == "7"


REFUSED = [
    ("rounds", "", "Rounds must be a number."),
    ("rounds", "201", "Rounds must be at most 200."),
    ("seconds", "0", "Seconds a move must be at least 0.005."),
    ("option-width", "", "Width must be a number."),
]


@pytest.mark.parametrize(("name", "text", "said"), REFUSED)
def test_a_tournament_that_cannot_begin_says_why(
    page: Any, server: Server, name: str, text: str, said: str
) -> None:
    page.goto("/tournaments?game=connect4")
    page.wait_for_selector(".checks input")
    if name.startswith("option-"):
        fill_folded(page, name, text)
    else:
        page.locator(f'[name="{name}"]').fill(text)
    page.get_by_role("button", name="Start").click()
    page.get_by_role("alert").get_by_text(said).wait_for()
    assert page.evaluate("document.activeElement.name") == name
    assert page.locator(f'[name="{name}"]').is_visible()
    assert "/run" not in page.url


def test_a_player_with_wrong_parameters_is_not_added(page: Any, server: Server) -> None:
    page.goto("/tournaments?game=connect4")
    page.wait_for_selector(".checks input")
    before = page.locator(".checks input").count()
    page.get_by_text("With other parameters").click()
    page.locator('agent-choice [name="option-megabytes"]').evaluate(
        "(field) => { field.closest('details').open = true; field.value = ''; }"
    )
    page.get_by_role("button", name="Add").click()
    page.get_by_role("alert").get_by_text("Megabytes must be a number.").wait_for()
    assert page.locator(".checks input").count() == before


def test_the_number_of_the_deals_is_told_without_names_of_fields(page: Any, server: Server) -> None:
    page.goto("/play?new=blockudoku")
    page.wait_for_selector(".setup h1")
    for text, said in (("-1", "Number must be at least 0."), ("1.5", "must be a whole number.")):
        fill_folded(page, "seed", text)
        page.locator('[type="submit"]').click()
        page.get_by_role("alert").get_by_text(said).wait_for()
        assert "$" not in page.locator(".wrong").inner_text()


def test_a_message_does_not_repeat_a_page_of_what_was_pasted(page: Any, server: Server) -> None:
    page.goto("/analyse?game=connect4")
    page.wait_for_selector(".value-chip")
    page.locator(".position-box summary").click()
    page.locator("textarea").fill("nonsense " * 500)
    page.get_by_role("button", name="Set up").click()
    said = page.locator(".position-box .wrong")
    said.get_by_text("…'").wait_for()
    assert len(said.inner_text()) < 400


@pytest.mark.parametrize("address", ["/", "/tournaments", "/class", "/play", "/analyse", "/lab"])
def test_a_screen_without_its_server_says_so(browser: Any, server: Server, address: str) -> None:
    context = browser.new_context(base_url=server.address)
    page = context.new_page()
    page.route("**/api/**", lambda route: route.abort())
    page.goto(address)
    page.get_by_text("The server cannot be reached.").first.wait_for()
    page.unroute("**/api/**")
    page.locator("main").get_by_role("link").first.click()
    page.get_by_text("The server cannot be reached.").first.wait_for(state="detached")
    context.close()
