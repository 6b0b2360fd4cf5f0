"""Players as written on the command line, and the engines behind them.

`name` or `name:key=value,...` is a built-in agent; `mybot.py:Class` an agent in a file;
`exec:COMMAND` a program that speaks the project's protocol. Further kinds (`codecup:`, `course:`)
are modules named `bridge` in the folder of a game or of the course; they register themselves with
`register_player_kind`.
"""

from __future__ import annotations

import importlib
import os
import re
import shlex
import shutil
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from plyground.core import rooms
from plyground.core.agent import Agent, check_agent
from plyground.core.errors import InputError
from plyground.core.files import FileName, PickleName, Source
from plyground.core.paths import is_file
from plyground.core.registry import agent_options, agents, find_game, is_built_in, make_agent
from plyground.engines.engine import Engine, EngineSettings
from plyground.engines.failure import Interrupt
from plyground.engines.json_conversation import JsonConversation
from plyground.engines.nursery import Cradle, Nursery
from plyground.engines.program import ProgramEngine
from plyground.engines.sandbox import confine

EngineFactory = Callable[[str, str, EngineSettings, Interrupt], Engine]
"""Makes an engine, not yet started, from (game name, text after the colon, settings, interrupt).

It raises InputError for a text that cannot be right (a file that is not there)."""

HostLoop = Callable[[str, str, float | None], None]
"""Serves an agent on standard input and output: (game name, agent text, seconds for a game).

The seconds matter only to protocols that do not tell the time; None is their usual clock."""

_kinds: dict[str, EngineFactory] = {}
_without_openings: set[str] = set()
_protocols: dict[str, HostLoop] = {}
_discovered = False
_discovery = threading.RLock()


def register_player_kind(
    kind: str, *, openings: bool = True
) -> Callable[[EngineFactory], EngineFactory]:
    """Decorator: players written `kind:...` are made by this function.

    `openings` says whether such a player can be put into the middle of a game.
    """

    def add(factory: EngineFactory) -> EngineFactory:
        _kinds[kind] = factory
        if not openings:
            _without_openings.add(kind)
        return factory

    return add


def register_protocol(name: str) -> Callable[[HostLoop], HostLoop]:
    """Decorator: `plyground engine --protocol NAME` runs this loop."""

    def add(loop: HostLoop) -> HostLoop:
        _protocols[name] = loop
        return loop

    return add


def _discover() -> None:
    global _discovered
    with _discovery:
        if _discovered:
            return
        for module in rooms.modules("bridge"):
            importlib.import_module(module)
        _discovered = True


def player_kinds() -> list[str]:
    """The prefixes that mark a program instead of a built-in agent."""
    _discover()
    return sorted(_kinds)


def protocols() -> dict[str, HostLoop]:
    """The protocols that built-in agents can speak as a process."""
    _discover()
    return dict(sorted(_protocols.items()))


def split_player(text: str) -> tuple[str, str]:
    """The kind of a player (empty for a built-in agent) and the rest of its text."""
    prefix, colon, rest = text.partition(":")
    if colon and prefix in player_kinds():
        return prefix, rest
    return "", text


def accepts_openings(text: str) -> bool:
    """Whether a player can be put into the middle of a game."""
    return split_player(text)[0] not in _without_openings


def make_engine(
    game: str,
    text: str,
    settings: EngineSettings,
    interrupt: Interrupt | None = None,
    nursery: Nursery | None = None,
) -> Engine:
    """The engine of a player, not yet started. InputError if there can be no such player.

    An agent of our own for a game of our own comes from the nursery, if there is one.
    """
    kind, rest = split_player(text)
    switch = interrupt or Interrupt()
    if kind:
        engine = _kinds[kind](game, rest, settings, switch)
        engine.name = text
        return engine
    agent, source = pin_agent(game, text)
    if source is not None:
        source.keep()
    foreign = {
        module
        for module in (type(make_agent(game, agent)).__module__, find_game(game).__module__)
        if not module.startswith("plyground.")
    }
    command = [sys.executable, "-m", "plyground.engines.host", game, agent]
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    engine = ProgramEngine(
        text,
        command,
        settings,
        switch,
        JsonConversation,
        startup=settings.loading,
        env=environment,
        cradle=None if nursery is None or foreign else Cradle(nursery, game, agent),
    )
    engine.logged = bool(foreign)
    engine.built_in = type(make_agent(game, agent)).__module__.startswith("plyground.")
    return engine


def pin_player(game: str, text: str) -> tuple[str, Source | None]:
    """A player's text with its source fixed by content, and that source; programs stay as they are.

    `mybot.py:Careful` becomes `mybot.py@DIGEST:Careful`, which any process that has the source
    plays the same, whatever becomes of the file. InputError if there can be no such player.
    """
    return (text, None) if split_player(text)[0] else pin_agent(game, text)


def carry(player: type[Agent] | Agent) -> tuple[str, str]:
    """An agent of this program as a player: its text, and the label that people know it by.

    InputError if a process of its own could not have it.
    """
    made = player if isinstance(player, type) else type(player)
    if not issubclass(made, Agent):
        raise InputError(f"{player!r} is no player: give a name, a subclass of Agent or an agent")
    check_agent(made)
    label = name = made.name or made.__name__
    if not isinstance(player, type):
        changed = [
            f"{key}={value}"
            for key, option in agent_options(made).items()
            if (value := getattr(player, key, option.default)) != option.default
        ]
        label += f":{','.join(changed)}" if changed else ""
    source = Source.pickled(re.sub(r"[^\w.-]", "_", name), player)
    source.keep()
    return f"{source.name.removesuffix('.pickle')}@{source.digest}", label


def pin_agent(game: str, text: str) -> tuple[str, Source | None]:
    """The same for a player that is no program."""
    name, _, rest = text.partition(":")
    known = agents(game)
    if name in known:
        if is_built_in(known[name]):
            return text, None
        source = Source.pickled(name, known[name])
        return f"{name}@{source.digest}" + (f":{rest}" if rest else ""), source
    file = FileName.parse(text)
    if file is not None:
        source = file.source()
        return file.pinned(source), source
    pickled = PickleName.parse(text)
    return text, pickled.source() if pickled else None


def split_command(text: str, what: str) -> list[str]:
    """A command line as words, its program found and files by their whole path.

    InputError says what is missing.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise InputError(f"player {what}:{text}: {error}") from None
    if not words:
        raise InputError(f"player {what}: needs a command, as in {what}:./mybot")
    if any("\0" in word for word in words):
        raise InputError(f"player {what}: a command has no null characters")
    program = shutil.which(words[0])
    if program is None:
        if not is_file(words[0]) and words[0].endswith("/"):
            reason = "is a folder"
        elif is_file(words[0]):
            reason = "is not executable (chmod +x)"
        else:
            reason = "does not exist"
        raise InputError(f"player {what}:{text}: {words[0]!r} {reason}")
    return [str(Path.cwd() / program), *map(_whole_path, words[1:])]


def _whole_path(word: str) -> str:
    """A word that names a file, for programs that work in a folder of their own."""
    return str(Path.cwd() / word) if word and is_file(word) else word


def files_of(text: str) -> tuple[str, ...]:
    """The files that a player is made of, as far as its text names them; not what runs them."""
    kind, rest = split_player(text)
    if not kind:
        file = FileName.parse(text)
        return (str(Path(file.path).resolve()),) if file is not None else ()
    try:
        words = split_command(rest, kind)
    except InputError:
        return ()
    return tuple(
        word
        for word in words
        if word.startswith("/") and Path(word).parent.name not in ("bin", "shims")
    )


@register_player_kind("exec")
def make_exec_engine(
    game: str, text: str, settings: EngineSettings, interrupt: Interrupt
) -> Engine:
    """A program that speaks the project's protocol, suspended while it is not its turn."""
    command = confine(split_command(text, "exec"), settings.sandbox, settings.private)
    return ProgramEngine(
        f"exec:{text}",
        command,
        settings,
        interrupt,
        JsonConversation,
        startup=settings.startup,
        pauses=True,
    )


@register_protocol("jsonl")
def serve_jsonl(game: str, agent: str, seconds: float | None = None) -> None:
    """The project's own protocol; it tells the time itself."""
    from plyground.engines.host import serve

    serve(game, agent)
