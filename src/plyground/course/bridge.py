"""Course submissions as players: `course:FOLDER[,generation=older|newer][,strict=yes]`.

The submission runs unmodified in its own process, with the project's own `competitive_sudoku`
modules. A turn ends when the submission returns; with `strict=yes` it lasts its full time, as in
the course's own runner.
"""

from __future__ import annotations

import os
import sys

from plyground.core.errors import InputError, OptionError
from plyground.course.host.detection import (
    NEWER,
    OLDER,
    detect_generation,
    find_submission,
)
from plyground.engines.engine import Engine, EngineSettings
from plyground.engines.failure import Interrupt
from plyground.engines.json_conversation import JsonConversation
from plyground.engines.players import register_player_kind
from plyground.engines.program import ProgramEngine
from plyground.engines.sandbox import sandboxed

GAME = "competitive-sudoku"
_YES = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


def split_options(text: str) -> tuple[str, dict[str, str]]:
    """The folder and the options written after it, separated by commas."""
    path, *rest = text.split(",")
    options = {}
    for item in rest:
        key, equals, value = item.partition("=")
        if not equals or key not in ("generation", "strict"):
            raise OptionError(f"player course:{text}: {item!r} is not generation= or strict=")
        options[key] = value
    return path, options


@register_player_kind("course")
def make_course_engine(
    game: str, text: str, settings: EngineSettings, interrupt: Interrupt
) -> Engine:
    """The engine of a submission; InputError if there is none, or for another game."""
    if game != GAME:
        raise InputError(f"player course:{text}: submissions play {GAME}, not {game}")
    path, options = split_options(text)
    folder = find_submission(path)
    generation = options.get("generation") or detect_generation(folder)
    if generation not in (OLDER, NEWER):
        raise OptionError(f"player course:{text}: generation is {OLDER} or {NEWER}")
    strict = options.get("strict", "no")
    if strict not in _YES:
        raise OptionError(f"player course:{text}: strict is yes or no")
    mode = "strict" if _YES[strict] else "early"
    command = [
        sys.executable,
        "-m",
        "plyground.course.host",
        str(folder),
        generation,
        mode,
    ]
    if settings.sandbox:
        command = sandboxed(command)
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    return ProgramEngine(
        f"course:{text}",
        command,
        settings,
        interrupt,
        JsonConversation,
        startup=settings.loading,
        pauses=True,
        env=environment,
    )
