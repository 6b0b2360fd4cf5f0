"""The report opens from disk in a real browser: no errors, no requests, replays work."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_report_opens_without_errors_or_network(browser: Any, written: Path, theme: str) -> None:
    problems: list[str] = []
    requests: list[str] = []
    page = browser.new_page(color_scheme=theme)
    try:
        page.on("console", lambda message: problems.append(message.text))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(written.as_uri())
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert paper == ("rgb(255, 255, 255)" if theme == "light" else "rgb(18, 22, 28)")
        replay = page.locator(".replay").first
        replay.locator("summary").click()
        last = replay.locator(".caption").inner_text()
        replay.get_by_label("back").click()
        assert replay.locator(".caption").inner_text() != last
        assert replay.locator("svg circle").count() > 0
        assert page.locator("figure svg").count() >= 7
        page.get_by_label("Switch between light and dark").click()
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") != paper
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    finally:
        page.close()
    assert problems == []
    assert requests == [written.as_uri()]
