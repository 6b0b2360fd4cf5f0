"""Course submissions as players: `course:FOLDER`, with options after commas.

They are `generation=older|newer`, `strict=yes` and `python=INTERPRETER`.
The submission runs unmodified in its own process, with the project's own `competitive_sudoku`
modules. A turn ends when the submission returns; with `strict=yes` it lasts its full time, as in
the course's own runner.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from plyground.core.errors import InputError, OptionError
from plyground.course.host import start
from plyground.course.host.__main__ import HANDED_IN, contents
from plyground.course.host.detection import (
    detect_generation,
    find_siblings,
    find_submission,
    package_name,
)
from plyground.course.host.submission import NEWER, OLDER
from plyground.engines.engine import Engine, EngineSettings
from plyground.engines.failure import Interrupt
from plyground.engines.json_conversation import JsonConversation
from plyground.engines.players import register_player_kind
from plyground.engines.program import ProgramEngine
from plyground.engines.sandbox import confine

GAME = "competitive-sudoku"
MOST_STRANGERS = 1000
LOADING_SECONDS = 120.0
"""A submission that has not come up after so long never will."""

MOST_WRITABLE = 64 << 20
"""Bytes of a submission that gets a copy of its folder, which it may write to."""

OPTIONS = ("generation", "strict", "python")
_YES = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


def split_options(text: str) -> tuple[str, dict[str, str]]:
    """The folder (which may have commas in its name) and the options after it."""
    path, options = text, dict[str, str]()
    while "," in path:
        rest, _, item = path.rpartition(",")
        key, equals, value = item.partition("=")
        if Path(path).exists() or not equals:
            break
        if key not in OPTIONS:
            raise OptionError(f"player course:{text}: {item!r} is not {'=, '.join(OPTIONS)}=")
        path, options[key] = rest, value
    return path, options


def find_interpreter(text: str) -> str:
    """The path of a Python interpreter; InputError if there is none."""
    found = shutil.which(text)
    if found is None:
        raise InputError(f"{text!r} is no Python interpreter: there is no such program")
    # Not resolved: a virtual environment is a link to its interpreter.
    return str(Path(found).absolute())


def checked_interpreter(text: str) -> str:
    """The same, once it has said that it can run submissions; InputError if it cannot."""
    path = find_interpreter(text)
    question = "import sys; print(sys.version_info[:2] >= (3, 9), sys.version.split()[0])"
    try:
        answer = subprocess.run(
            [path, "-c", question], capture_output=True, text=True, timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError(f"{text!r} cannot be run: {error}") from error
    able, _, version = answer.stdout.strip().partition(" ")
    if able == "True":
        return path
    found = f"it is Python {version}" if able == "False" else "it is no Python"
    raise InputError(f"{text!r} cannot run submissions: {found}; 3.9 or newer is needed")


def _beside(folder: Path) -> tuple[list[Path], set[Path]]:
    """What lies beside a submission: its own, and what it must not see because of that.

    The sandbox shows a file with its folder. Where too much lies there its files are left out.
    """
    siblings = find_siblings(folder)
    own = [folder, *siblings]
    strangers = {
        path
        for place in {sibling.parent for sibling in siblings if sibling.is_file()}
        for path in place.iterdir()
        if not any(mine.is_relative_to(path) for mine in own)
    }
    if len(strangers) > MOST_STRANGERS:
        return [path for path in siblings if path.is_dir()], set()
    return siblings, strangers


def _emptied(folder: Path) -> dict[str, str]:
    """The submission's own folder, if it is not too large to be copied for each of its processes.

    As in the course it may then write into it; what it writes is gone with the process.
    """
    try:
        size = sum(Path(path).lstat().st_size for path in contents(str(folder)))
    except OSError:
        return {}
    return {str(folder): HANDED_IN} if size <= MOST_WRITABLE else {}


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
    python = find_interpreter(options.get("python", sys.executable))
    command = [python, str(Path(start.__file__)), str(folder), generation, mode]
    command.append(package_name(folder))
    # What a command names can be seen in the sandbox.
    siblings, strangers = _beside(folder)
    command += map(str, siblings)
    private = (*settings.private, *map(str, strangers))
    # Bound at once, calls of libraries are not looked up again after every turn's fork.
    environment = {**os.environ, "PYTHONHASHSEED": "0", "LD_BIND_NOW": "1"}
    return ProgramEngine(
        f"course:{text}",
        confine(command, settings.sandbox, private, _emptied(folder)),
        settings,
        interrupt,
        JsonConversation,
        startup=min(settings.loading, LOADING_SECONDS),
        pauses=True,
        env=environment,
    )
