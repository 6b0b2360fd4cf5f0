"""The report opens from disk in a real browser: no errors, no requests, replays work."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_report_opens_without_errors_or_network(written: Path, theme: str) -> None:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    problems: list[str] = []
    requests: list[str] = []
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            page = browser.new_page(color_scheme=theme)
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
            browser.close()
    assert problems == []
    assert requests == [written.as_uri()]
