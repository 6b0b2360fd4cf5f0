"""An error in compiled functions of a board game: whose it is, and where.

Compiled code names the line of a wrong index itself. Other errors (a list without the value that is
to be removed, a failed `assert`) come as they are; the same error in plain Python has a line.
"""

from __future__ import annotations

from pathlib import Path

import plyground
from plyground.board.diagnosis import sentence
from plyground.board.game import DescribedGame
from plyground.board.trial import find_fault
from plyground.core.errors import GameFileError

SEARCH_SECONDS = 2.0
HOUSE = Path(plyground.__file__).parent


def authors_fault(error: BaseException) -> GameFileError | None:
    """What to tell the author of the game that was played when this happened; None if none was."""
    game = _game_in(error)
    if game is None or _raised_by_the_house(error):
        return None
    if type(error).__module__.startswith("numba."):
        return GameFileError(sentence(str(error), game.generated, game.source))
    found = find_fault(game.described, game.layout, SEARCH_SECONDS)
    return found or GameFileError(
        f"{game.source.short}: {type(error).__name__} in a compiled function: {error}. Random "
        "games in plain Python do not meet it; `plyground check` with more of them may"
    )


def _raised_by_the_house(error: BaseException) -> bool:
    """Whether plain code of plyground itself raised it: compiled code has frames of its own."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    own = trace is not None and Path(trace.tb_frame.f_code.co_filename).is_relative_to(HOUSE)
    return own and not type(error).__module__.startswith("numba.")


def _game_in(error: BaseException) -> DescribedGame | None:
    """The described game whose kernel was called last, from the frames of the error."""
    trace, found = error.__traceback__, None
    while trace is not None:
        local = trace.tb_frame.f_locals
        holder = local.get("self")
        for value in (local.get("game"), getattr(holder, "game", None), holder):
            if isinstance(value, DescribedGame):
                found = value
        trace = trace.tb_next
    return found
