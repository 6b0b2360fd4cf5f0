"""What all commands share: options, limits, output."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from plyground.core.errors import LimitError, OptionError, UnsupportedError
from plyground.core.terminal import printable

if TYPE_CHECKING:  # a command loads what it uses
    from plyground.core.agent import Agent
    from plyground.core.game import Game, Position
    from plyground.core.limits import Limit


class SafeConsole(Console):
    """A console on which the texts of programs and files cannot steer the terminal.

    Nor are they markup: a player may be called `[/]`. Our own colours are `Text` with a style.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(markup=False, emoji=False, **settings)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterator[Segment]:
        for segment in super().render(renderable, options):
            text = segment.text if segment.control else printable(segment.text)
            yield segment if text == segment.text else Segment(text, segment.style)


console = SafeConsole()
notes = SafeConsole(stderr=True)
"""Progress and remarks go to standard error, results to standard output."""

Options = Annotated[
    list[str] | None,
    Parameter(
        name="--option", help="An option of the game, key=value; may be repeated.", negative=""
    ),
]
Json = Annotated[bool, Parameter(name="--json", help="Print the result as JSON.", negative="")]
Database = Annotated[
    Path | None,
    Parameter(name="--database", help="Database file (default: in the data folder)."),
]


def parse_options(options: list[str] | None) -> dict[str, str]:
    """`key=value` texts as a mapping."""
    parsed = {}
    for text in options or []:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise OptionError(f"option {text!r} is not of the form key=value")
        parsed[key.strip()] = value.strip()
    return parsed


def open_game(name: str, options: list[str] | None, *, match: bool = False) -> Game:
    """The game with the options of the command line; a match may have defaults of its own.

    The name may be that of a file: use `info.name` of what comes back.
    """
    from plyground.core.registry import find_game, game_name

    given = parse_options(options)
    made = find_game(game_name(name))
    return made({**made.match_options, **given} if match else given)


def open_position(game: Game, text: str | None) -> Position:
    """The position given on the command line, or the start."""
    return game.parse_position(text) if text else game.start()


def open_agent(game: Game, text: str, seed: int = 0) -> Agent:
    """An agent that is ready to search in this process: programs of their own only play matches."""
    from plyground.core.registry import make_agent

    if ":" in text:
        from plyground.engines.players import split_player

        if split_player(text)[0]:
            raise UnsupportedError(
                f"{text}: programs play in match and tournament; here name an agent or its file "
                "(mybot.py)"
            )
    agent = make_agent(game.info.name, text)
    agent.new_game(game, seed)
    agent.warm_up()
    return agent


@Parameter(name="*")
@dataclass(frozen=True)
class Thinking:
    """How long a player may think."""

    time: Annotated[float | None, Parameter(help="Seconds a move.")] = None
    nodes: Annotated[int | None, Parameter(help="Nodes (or simulations) a move.")] = None
    depth: Annotated[int | None, Parameter(help="Depth in plies.")] = None
    clock: Annotated[str | None, Parameter(help="Game clock, BASE or BASE+INC seconds.")] = None
    time_by: Annotated[
        Literal["wall", "cpu"],
        Parameter(
            name=["--time-by", "--clock-by"],
            help="Whose seconds: the wall's, or those of processors that work for the player.",
        ),
    ] = "wall"
    threads: Annotated[
        int | None,
        Parameter(help="Threads that search at once (1; all cores where time limits an analysis)."),
    ] = None

    def limit(self, default: Limit | None = None) -> Limit:
        """The limit they describe; the default when nothing was given."""
        import msgspec

        from plyground.core.limits import Clock, Limit

        clock = Clock.parse(self.clock) if self.clock else None
        threads = 1 if self.threads is None else self.threads
        limit = Limit(self.time, self.nodes, self.depth, clock, self.time_by, threads)
        if not limit.endless:
            return limit
        if default is None:
            raise LimitError("give a limit: --time, --nodes, --depth or --clock")
        return msgspec.structs.replace(default, by=self.time_by, threads=threads)

    def analysis_limit(self, default: Limit) -> Limit:
        """The same for an analysis, which has all cores unless told otherwise."""
        limit = self.limit(default)
        return limit if self.threads is not None else limit.on_all_cores()


def print_json(value: Any) -> None:
    """One JSON value on standard output."""
    import msgspec

    spelled_out = (sys.stdout.encoding or "").lower() not in ("utf-8", "utf8")
    print(json.dumps(msgspec.to_builtins(value), ensure_ascii=spelled_out))


def print_board(position: Position, screen: Console = console) -> None:
    """The board, in colour where the output is a terminal."""
    view = position.view
    print(view.ansi() if screen.is_terminal else view.text(), file=screen.file)
