"""`plyground engine`: an agent on standard input and output."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from plyground.core.errors import LimitError, UnknownNameError
from plyground.core.registry import game_name
from plyground.engines.players import protocols


def engine(
    game: str,
    agent: str,
    *,
    protocol: Annotated[str, Parameter(help="What it speaks: jsonl, or codecup.")] = "jsonl",
    clock: Annotated[
        float | None, Parameter(help="Seconds for a whole game, where the protocol is silent.")
    ] = None,
) -> None:
    """Run an agent as an engine process (see docs/protocol.md).

    Example: plyground engine connect4 champion
    """
    known = protocols()
    if protocol not in known:
        raise UnknownNameError.of("protocol", protocol, known)
    if clock is not None and not clock > 0:
        raise LimitError(f"clock must be a number of seconds above 0, not {clock}")
    known[protocol](game_name(game), agent, clock)
