"""`plyground engine`: an agent on standard input and output."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from plyground.cli.app import app
from plyground.core.errors import UnknownNameError
from plyground.engines.players import protocols


@app.command
def engine(
    game: str,
    agent: str,
    *,
    protocol: Annotated[str, Parameter(help="What it speaks: jsonl, or codecup.")] = "jsonl",
) -> None:
    """Run an agent as an engine process (see docs/protocol.md)."""
    known = protocols()
    if protocol not in known:
        raise UnknownNameError.of("protocol", protocol, known)
    known[protocol](game, agent)
