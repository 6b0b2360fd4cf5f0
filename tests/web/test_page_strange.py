"""What contradicted itself, or was offered and did nothing, on a second walk by a stranger."""

from __future__ import annotations

from typing import Any

from tests.web.conftest import Server


def test_a_move_that_nobody_has_looked_at_is_not_shown_as_the_best(
    page: Any, server: Server
) -> None:
    """A search names a move to play in need at once; until it has values, it says nothing."""
    page.goto("/analyse?game=connect4&position=33")
    page.wait_for_selector(".value-chip")
    shown = page.evaluate(
        """(told) => {
          const panel = document.querySelector('analysis-panel');
          panel.restart();
          panel.take({ move: '1', done: false });
          const early = [panel.headline.textContent, document.querySelectorAll('.heat *').length];
          panel.take({ move: '1', done: true });
          return [...early, panel.headline.textContent];
        }"""
    )
    assert shown == ["Thinking…", 0, "1 no value is known"]
