"""A few hostile visits of the page; `python -m tests.attack` makes thousands."""

from __future__ import annotations

import pytest

from tests.attack.visitors import Visitor, traces
from tests.web.conftest import SERVER_LOG, Server


@pytest.mark.slow
def test_no_visitor_finds_an_internal_error(tmp_path):
    server = Server(tmp_path / "page")
    server.start()
    try:
        visitor = Visitor(server.address.partition("//")[2], seed=5)
        assert [*visitor.requests(150), *visitor.messages(150)] == []
        assert server.request("/api/catalog")[0] == 200
    finally:
        server.stop()
    assert traces((tmp_path / "page" / SERVER_LOG).read_text()) == ""
