"""The page's files: compressed where that can be read, sent once while they are the same."""

from __future__ import annotations

import gzip
import urllib.error
import urllib.request

import pytest

from plyground.web.app import STATIC
from tests.web.conftest import Server

FILE = "js/components/game-board.js"


def fetch(server: Server, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of a file."""
    request = urllib.request.Request(f"{server.address}/static/{path}")
    for name, value in headers.items():
        request.add_header(name.replace("_", "-"), value)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, dict(answer.headers), answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, dict(error.headers), error.read()


def test_a_file_is_compressed_and_sent_once(server: Server) -> None:
    status, headers, body = fetch(server, FILE)
    assert (status, body) == (200, (STATIC / FILE).read_bytes())
    assert headers["content-type"].startswith("text/javascript")
    status, packed_headers, packed = fetch(server, FILE, accept_encoding="gzip")
    assert status == 200 and gzip.decompress(packed) == body and len(packed) < len(body) / 2
    assert packed_headers["content-encoding"] == "gzip"
    status, _, nothing = fetch(server, FILE, if_none_match=headers["etag"])
    assert (status, nothing) == (304, b"")


@pytest.mark.parametrize("path", ["", "js", "js/none.js", "../app.py", "%2e%2e/app.py"])
def test_nothing_else_is_sent(server: Server, path: str) -> None:
    assert fetch(server, path)[0] == 404
