"""Settings for the whole suite."""

from __future__ import annotations

import contextlib
import os
import signal
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-software-rasterizer",
    "--disable-extensions",
]
LONGEST = "tests/docs"
"""Few tests that take minutes: they begin first, or one process would end long after the other."""

# The first example of a test may compile a kernel; time says nothing about correctness here.
settings.register_profile("plyground", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("plyground")

# Users have their output buffered and their modules compiled, whatever is set where tests run.
for _variable in ("PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE"):
    os.environ.pop(_variable, None)

# A suite that was started in the background ignores Ctrl-C and hands that on to the programs that
# it starts; some tests interrupt them.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Tests of a folder run in one process, for they compile and load the same kernels.

    Those in a browser are apart from the other tests of the page, and share their browser.
    """
    from xdist.scheduler import LoadScopeScheduling

    class ByFolder(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            folder, _, name = nodeid.partition("::")[0].rpartition("/")
            return f"{folder} in a browser" if name.startswith("test_page") else folder

        def _assign_work_unit(self, node: Any) -> None:
            if LONGEST in self.workqueue:
                self.workqueue.move_to_end(LONGEST, last=False)
            super()._assign_work_unit(node)

    return ByFolder(config, log)


_browser = contextlib.ExitStack()
_chromium: list[Any] = []


@pytest.fixture
def browser() -> Any:
    """Headless Chromium, the same for tests that follow each other.

    While it runs no other event loop can, so it ends before a test that does not ask for it.
    """
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    from plyground.cli.doctor import find_tool

    path = find_tool("chromium")
    if path is None:
        pytest.skip("no Chromium on this machine (Debian: apt-get install chromium-headless-shell)")
    if not _chromium or not _chromium[0].is_connected():
        _close_browser()
        driver = _browser.enter_context(playwright.sync_playwright())
        _chromium.append(driver.chromium.launch(executable_path=path, args=FLAGS))
        _browser.callback(_chromium[0].close)
    return _chromium[0]


def _close_browser() -> None:
    _chromium.clear()
    _browser.close()


def pytest_runtest_setup(item: pytest.Item) -> None:
    if "browser" not in getattr(item, "fixturenames", ()):
        _close_browser()


def pytest_sessionfinish() -> None:
    _close_browser()
