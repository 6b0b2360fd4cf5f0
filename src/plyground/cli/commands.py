"""Finds the commands without loading them, and gives the ones that are asked for to cyclopts.

A command is a module of this folder, or of the folder `commands` of a game, whose first line says
so: its docstring begins with "`plyground NAME`: what it does." Such a module has a function, or a
group of commands, of its own name. Nobody keeps a list.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from plyground import __version__
from plyground.core.errors import UnknownNameError
from plyground.core.rooms import HOUSE

if TYPE_CHECKING:
    import cyclopts

_HEADLINE = re.compile(r'"""`plyground ([a-z-]+)`: (.+?)"""')


class Command(NamedTuple):
    """A command's module and attribute as an import path, and its line in the list of commands."""

    path: str
    line: str


class UnknownCommandError(UnknownNameError, kind="usage"):
    """There is no such command."""


@cache
def find_commands() -> dict[str, Command]:
    """All commands by name, read off the first lines of the modules here."""
    found = {}
    for path in sorted([*HOUSE.glob("cli/*.py"), *HOUSE.glob("games/*/commands/*.py")]):
        with path.open(encoding="utf-8") as file:
            headline = _HEADLINE.match(file.readline())
        if headline is not None:
            name, line = headline.groups()
            module = ".".join(("plyground", *path.relative_to(HOUSE).with_suffix("").parts))
            found[name] = Command(f"{module}:{path.stem}", line[0].upper() + line[1:])
    return found


def check_command(arguments: Sequence[str]) -> None:
    """UnknownCommandError if the first word is neither a command nor an option."""
    if arguments and not arguments[0].startswith("-") and arguments[0] not in find_commands():
        raise UnknownCommandError.of("command", arguments[0], find_commands())


def make_app(arguments: Sequence[str] = ()) -> cyclopts.App:
    """The command line. Only commands named in `arguments` are loaded, and only when it runs.

    Those explain themselves by their docstrings; all others are listed by their first lines. With
    no arguments all are loaded when somebody looks at them, as documentation does.
    """
    import cyclopts

    app = cyclopts.App(
        name="plyground",
        help="A laboratory for game-playing programs.",
        version=__version__,
        help_format="plaintext",
        help_on_error=False,
        help_epilogue=(
            "Every command also takes --quiet (no progress or remarks) and --log-file FILE (a copy "
            "of them, with times). `plyground --install-completion` sets up the shell's completion."
        ),
    )
    for name, command in find_commands().items():
        listed = bool(arguments) and name not in arguments
        text = command.line if listed else None
        if not listed and not {"--help", "-h"}.isdisjoint(arguments):
            text = _explain(command.path)
        app.command(command.path, name=name, help=text)
    if not arguments or "--install-completion" in arguments:  # loading it takes its time
        app.register_install_completion_command()
    return app


def _explain(path: str) -> str | None:
    """What a command's docstring says about it, each paragraph a line for the terminal to break."""
    module, _, name = path.partition(":")
    command = getattr(import_module(module), name)
    if not inspect.isfunction(command):
        return None
    said = inspect.cleandoc(command.__doc__ or "").split("\n\nParameters\n")[0]
    return re.sub(r"(?<=\S)\n(?=\S)", " ", said)
