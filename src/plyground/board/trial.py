"""Before anything is compiled: is the class complete, and do a few random games work?"""

from __future__ import annotations

import ast
import inspect
import random

from plyground.board import plain
from plyground.board.description import BoardGame
from plyground.board.layout import Layout, board_shape
from plyground.board.source import GameSource
from plyground.core.errors import GameFileError

GAMES, MOST_GAMES = 3, 20
ENOUGH_PLIES = 100
MOST_PLIES = 400
NEEDED = {
    "moves": "def moves(self): ... yields the moves of self.player",
    "play": "def play(self, move): ... changes the board",
    "result": "def result(self): ... returns None, the winner, or 0 for a draw",
}
WITHOUT_PARAMETERS = ("setup", "moves", "result", "evaluate", "chance")
WITH_ONE_PARAMETER = ("play", "order", "deal")


def check_class(source: GameSource, cls: type[BoardGame]) -> None:
    """A GameFileError if the class misses something or says something impossible."""
    where = f"{source.short}:{source.classes[cls.__name__].lineno}"
    for name, hint in NEEDED.items():
        if name == "result" and cls.stuck in ("loses", "wins", "draws"):
            continue
        if source.method(name) is None:
            raise GameFileError(f"{where}: {cls.__name__} needs a function {name}: {hint}")
    for name in (*WITHOUT_PARAMETERS, *WITH_ONE_PARAMETER):
        expected = int(name in WITH_ONE_PARAMETER)
        found = source.method(name)
        if found is None:
            continue
        given = len(inspect.signature(getattr(cls, name)).parameters) - 1
        if given != expected:
            what = "self and one more" if expected else "self alone"
            raise GameFileError(
                f"{source.short}:{found[1].lineno}: {name} must have {what} as parameters"
            )
    if (source.method("chance") is None) != (source.method("deal") is None):
        raise GameFileError(f"{where}: chance() and deal() go together: one of them is missing")
    allowed = {
        "players": (1, 2),
        "scoring": ("win/loss", "points"),
        "stuck": ("", "loses", "wins", "draws", "passes"),
    }
    for name, values in allowed.items():
        if getattr(cls, name) not in values:
            listing = " or ".join(repr(value) for value in values if value != "")
            raise GameFileError(f"{where}: {name} must be {listing}, not {getattr(cls, name)!r}")
    try:
        board_shape(cls)
    except GameFileError as error:
        raise GameFileError(f"{where}: {error}") from None
    _check_results(source, cls)
    if not isinstance(cls.pieces, str) or not cls.pieces:
        raise GameFileError(f"{where}: pieces must be a text with a letter for each number")


def _check_results(source: GameSource, cls: type[BoardGame]) -> None:
    """Constants that `result` cannot return; what it computes is checked in games."""
    found = source.method("result")
    for node in ast.walk(found[1]) if found else ():
        if not isinstance(node, ast.Return) or not isinstance(node.value, ast.Constant):
            continue
        value = node.value.value
        whole = value is None or (isinstance(value, int) and not isinstance(value, bool))
        winner = cls.scoring == "points" or cls.players == 1 or value in (None, 0, 1, 2)
        if not (whole and winner):
            wanted = "a whole number" if cls.scoring == "points" else "0 (a draw), 1 or 2"
            raise GameFileError(
                f"{source.short}:{node.lineno}: result() must return None, or {wanted}, "
                f"not {value!r}"
            )


def try_out(cls: type[BoardGame], layout: Layout, games: int = GAMES) -> None:
    """Play random games by the author's functions, every answer checked; more if they are short."""
    played = 0
    for seed in range(MOST_GAMES):
        if seed >= games and played >= ENOUGH_PLIES:
            break
        source = random.Random(seed)
        position = plain.start(cls)
        for _ in range(MOST_PLIES):
            if plain.result(position, layout) is not None:
                break
            if position.turn == 0:  # type: ignore[attr-defined]
                events, weights = zip(*plain.events(position), strict=True)
                position = plain.deal(position, source.choices(events, weights)[0])
                continue
            codes = plain.legal_codes(position, layout)
            if not codes:
                raise GameFileError(
                    f"{plain.file_of(cls).rsplit('/', 1)[-1]}:{plain.line_of(cls, 'moves')}: a "
                    "position goes on but has no moves: set stuck in the class ('loses', 'wins', "
                    "'draws' or 'passes'), or let result() end the game. The position: "
                    + str(position.board.tolist()).replace(" ", "")
                )
            position = plain.play(position, layout, source.choice(codes))
            played += 1
