"""Imports the modules that register games and agents, each part when it is asked for.

A process that plays Connect 4 imports neither the other games nor other people's packages, unless
somebody asks for a name that it does not know, or for all names.
"""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Callable
from functools import partial

from plyground.core import rooms

imported: set[str] = set()
"""Modules that came with plug-ins: every process that looks for plug-ins has them."""

_begun: set[str] = set()
_lock = threading.RLock()


def import_game(name: str) -> None:
    """Import the game of this name if it is one of our own."""
    folder = _folder(name)
    if folder in rooms.games():
        _once(folder, partial(importlib.import_module, folder))


def import_games() -> None:
    """Import all games, our own and those of other packages."""
    for folder in rooms.games():
        _once(folder, partial(importlib.import_module, folder))
    import_plug_ins()


def import_players(game: str) -> None:
    """Import our own agents of a game, those of every game among them."""
    for name in rooms.own_modules("players"):
        if name.startswith((f"{_folder(game)}.", "plyground.search.")):
            _once(name, partial(importlib.import_module, name))


def import_plug_ins() -> None:
    """Import games and agents of other packages; one that is broken is only reported."""
    _once("plug-ins", _import_plug_ins)


def leave_plug_ins_out() -> None:
    """Let this process know our own games and agents only."""
    with _lock:
        _begun.add("plug-ins")


def _folder(game: str) -> str:
    return f"plyground.games.{game.replace('-', '_')}"


def _once(part: str, load: Callable[[], object]) -> None:
    """Do it unless it is done; other threads wait, modules that ask while imported do not."""
    with _lock:
        if part in _begun:
            return
        _begun.add(part)
        try:
            load()
        except BaseException:
            _begun.discard(part)
            raise


def _import_plug_ins() -> None:
    from importlib.metadata import entry_points

    for entry in [*rooms.guests(), *entry_points(group="plyground.agents")]:
        _try_import(entry.value, entry.load)
    for name in rooms.guest_modules("players"):
        _try_import(name, partial(importlib.import_module, name))


def _try_import(name: str, load: Callable[[], object]) -> None:
    """Import what is somebody else's; if that fails, say so and go on."""
    before = set(sys.modules)
    try:
        load()
        imported.update(set(sys.modules) - before, [name.partition(":")[0]])
    except Exception as error:
        print(f"plyground: plug-in {name} does not load: {error}", file=sys.stderr)
