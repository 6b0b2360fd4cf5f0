"""Before anything is compiled: is the class complete, and do a few random games work?"""

from __future__ import annotations

import ast
import contextlib
import difflib
import inspect
import random
import time
from typing import TypeGuard

from plyground.board import plain
from plyground.board.description import SETTINGS, TAKEN, BoardGame
from plyground.board.drawing import draw
from plyground.board.layout import Layout, board_shape
from plyground.board.notation import Notation
from plyground.board.source import GameSource
from plyground.board.symmetry import check_symmetries, declared
from plyground.core.errors import GameFileError

GAMES, MOST_GAMES = 3, 20
ENOUGH_PLIES = 100
MOST_PLIES = 400
ENDLESS = 5000
SYMMETRY_PLIES = 8
NEEDED = {
    "moves": "def moves(self): ... yields the moves of self.player",
    "play": "def play(self, move): ... changes the board",
    "result": "def result(self): ... returns None, the winner, or 0 for a draw; or, if a player "
    "without a move ends the game, the line stuck = 'loses' ('wins', 'draws') in the class",
}
WITHOUT_PARAMETERS = ("setup", "moves", "result", "evaluate", "chance")
WITH_ONE_PARAMETER = ("play", "order", "deal")
OTHER_FUNCTIONS = ("picture", "caption", "draw", "parse_move", "format_move")


def check_class(source: GameSource, cls: type[BoardGame]) -> None:
    """A GameFileError if the class misses something or says something impossible."""
    where = f"{source.short}:{source.classes[cls.__name__].lineno}"
    if cls.shape == ():
        raise GameFileError(
            f"{where}: {cls.__name__} has no board: write `shape = 8, 8` (rows and columns) or "
            "`shape = 5` (a row of cells) in the class"
        )
    _check_settings(where, cls)
    _check_names(source, cls)
    for name, hint in NEEDED.items():
        if name == "result" and cls.stuck in ("loses", "wins", "draws"):
            continue
        if source.method(name) is None:
            _check_functions(source, cls)
            raise GameFileError(f"{where}: {cls.__name__} needs a function {name}: {hint}")
    for name in (*WITHOUT_PARAMETERS, *WITH_ONE_PARAMETER):
        expected = int(name in WITH_ONE_PARAMETER)
        found = source.method(name)
        if found is None:
            continue
        if not inspect.isfunction(getattr(cls, name)):
            raise GameFileError(
                f"{source.short}:{found[1].lineno}: {name} must be a plain function: "
                "decorators are not possible here"
            )
        given = len(inspect.signature(getattr(cls, name)).parameters) - 1
        if given != expected:
            what = "self and one more" if expected else "self alone"
            hint = ""
            if given > 1 and name in ("play", "order"):
                parts = ", ".join(list(inspect.signature(getattr(cls, name)).parameters)[1:])
                hint = f": a move of several numbers comes as one: def {name}(self, move), then "
                hint += f"{parts} = move"
            raise GameFileError(
                f"{source.short}:{found[1].lineno}: {name} must have {what} as parameters{hint}"
            )
    if (source.method("chance") is None) != (source.method("deal") is None):
        raise GameFileError(f"{where}: chance() and deal() go together: one of them is missing")
    try:
        declared(cls, board_shape(cls))
    except GameFileError as error:
        raise GameFileError(f"{where}: {error}") from None
    _check_results(source, cls)
    _check_functions(source, cls)
    if not isinstance(cls.pieces, str) or not cls.pieces:
        raise GameFileError(f"{where}: pieces must be a text with a letter for each number")


def _check_settings(where: str, cls: type[BoardGame]) -> None:
    """Settings that have one of a few values."""
    allowed = {
        "players": (1, 2),
        "scoring": ("win/loss", "points"),
        "stuck": ("", "loses", "wins", "draws", "passes"),
    }
    for name in ("max_plies", "max_moves"):
        value = getattr(cls, name)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise GameFileError(f"{where}: {name} must be a whole number, not {value!r}")
    if cls.owners is not None and not (
        isinstance(cls.owners, str) and set(cls.owners) <= set("012")
    ):
        raise GameFileError(
            f"{where}: owners must be a text with 0, 1 or 2 for each number, as in '01212', "
            f"not {cls.owners!r}"
        )
    for name, values in allowed.items():
        if getattr(cls, name) not in values:
            listing = " or ".join(repr(value) for value in values if value != "")
            raise GameFileError(f"{where}: {name} must be {listing}, not {getattr(cls, name)!r}")


def _check_functions(source: GameSource, cls: type[BoardGame]) -> None:
    """A function that is asked by nobody and has nearly the name of one that would be."""
    known = (*WITHOUT_PARAMETERS, *WITH_ONE_PARAMETER, *OTHER_FUNCTIONS)
    body = source.classes[cls.__name__].body
    used = {n.attr for node in body for n in ast.walk(node) if isinstance(n, ast.Attribute)}
    for node in body:
        if not isinstance(node, ast.FunctionDef) or node.name in used or node.name in known:
            continue
        near = difflib.get_close_matches(node.name, known, 1, 0.75)
        if near and source.method(near[0]) is None:
            raise GameFileError(
                f"{source.short}:{node.lineno}: nobody calls {node.name}: did you mean {near[0]}?"
            )


def _check_names(source: GameSource, cls: type[BoardGame]) -> None:
    """Names of the class that mean something else, or nothing."""
    for node in source.classes[cls.__name__].body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        for name in (n.id for target in targets for n in ast.walk(target) if _is_stored(n)):
            where = f"{source.short}:{node.lineno}"
            if name in TAKEN:
                raise GameFileError(
                    f"{where}: {name} has a meaning of its own here: choose another name"
                )
            value = cls.__dict__.get(name)
            unknown = name not in SETTINGS and name == name.lower() and not name.startswith("_")
            if unknown and isinstance(value, (str, float)):
                near = difflib.get_close_matches(name, sorted(SETTINGS), 1, 0.75)
                if near:
                    message = f"there is no setting {name}; did you mean {near[0]}?"
                else:
                    message = f"{name} would be stored with every position, as whole numbers "
                    message += f"and lists of them are, not {value!r}; constants are CAPITAL"
                raise GameFileError(f"{where}: {message}")


def _is_stored(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _check_results(source: GameSource, cls: type[BoardGame]) -> None:
    """Constants that `result` cannot return; what it computes is checked in games."""
    found = source.method("result")
    returns = [n for n in ast.walk(found[1]) if isinstance(n, ast.Return)] if found else []
    if found and not any(node.value is not None for node in returns):
        raise GameFileError(
            f"{source.short}:{found[1].lineno}: result() never returns anything: "
            "write `return` and the winner"
        )
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


def find_fault(cls: type[BoardGame], layout: Layout, seconds: float) -> GameFileError | None:
    """Play random games by the author's functions for some time; the error that one of them met."""
    end = time.monotonic() + seconds
    seed = MOST_GAMES
    while time.monotonic() < end:
        try:
            _play_game(cls, layout, seed)
        except GameFileError as error:
            return error
        seed += 1
    return None


def try_out(cls: type[BoardGame], layout: Layout, games: int = GAMES) -> None:
    """Play random games by the author's functions, every answer checked; more if they are short."""
    start = plain.start(cls)
    plain.picture(start, layout)
    plain.caption(start)
    if plain.result(start, layout) is not None:
        function = "result" if start.result() is not None else "moves"
        raise GameFileError(
            f"{plain.file_of(cls).rsplit('/', 1)[-1]}:{plain.line_of(cls, function)}: the game is "
            "over at the start: "
            + ("result() must be None there" if function == "result" else "there is no move")
        )
    if cls.symmetries:
        _try_symmetries(cls, layout)
    played, ended = 0, False
    for seed in range(MOST_GAMES):
        if seed >= games and played >= ENOUGH_PLIES:
            break
        length = _play_game(cls, layout, seed)
        played, ended = played + length, ended or length < MOST_PLIES
    if not ended and _play_game(cls, layout, 0, ENDLESS) >= ENDLESS:
        raise GameFileError(
            f"{plain.file_of(cls).rsplit('/', 1)[-1]}:{plain.line_of(cls, 'play')}: a random game "
            f"goes on after {ENDLESS} moves: let result() end it, or set max_plies in the class"
        )


def _try_symmetries(cls: type[BoardGame], layout: Layout) -> None:
    """Compare positions of random games with their images."""
    for seed in range(GAMES):
        _try_symmetries_in(cls, layout, seed)


def _try_symmetries_in(cls: type[BoardGame], layout: Layout, seed: int) -> None:
    source, position = random.Random(seed), plain.start(cls)
    for _ in range(SYMMETRY_PLIES):
        over = plain.result(position, layout) is not None
        if over or position.turn == 0:  # type: ignore[attr-defined]
            return
        try:
            check_symmetries(position, layout)
        except GameFileError as error:
            _add_picture(error, position, layout)
            raise
        codes = plain.legal_codes(position, layout)
        if not codes:
            return
        position = plain.play(position, layout, source.choice(codes))


def _play_game(cls: type[BoardGame], layout: Layout, seed: int, most: int = MOST_PLIES) -> int:
    """A random game, or the beginning of a long one; how many moves and events it had.

    The position in which a mistake was met is drawn in a note of the error.
    """
    source = random.Random(seed)
    position = plain.start(cls)
    for played in range(most):
        try:
            if plain.result(position, layout) is not None:
                return played
            position = _next(position, layout, source)
        except GameFileError as error:
            _add_picture(error, position, layout)
            raise
    return most


def _next(position: BoardGame, layout: Layout, source: random.Random) -> BoardGame:
    """The position after a random move or event."""
    cls = type(position)
    if position.turn == 0:  # type: ignore[attr-defined]
        events, weights = zip(*plain.events(position), strict=True)
        return plain.deal(position, source.choices(events, weights)[0])
    codes = plain.legal_codes(position, layout)
    if not codes:
        raise GameFileError(
            f"{plain.file_of(cls).rsplit('/', 1)[-1]}:{plain.line_of(cls, 'moves')}: a "
            "position goes on but has no moves: set stuck in the class ('loses', 'wins', "
            "'draws' or 'passes'), or let result() end the game. The position: "
            + str(position.board.tolist()).replace(" ", "")
        )
    plain.check_advice(position, layout, codes)
    plain.check_letters(position)
    return plain.play(position, layout, source.choice(codes))


def _add_picture(error: GameFileError, position: BoardGame, layout: Layout) -> None:
    """Draw the position in a note, unless its picture is what is wrong."""
    with contextlib.suppress(GameFileError):
        caption = f"player {position.player} to move"
        error.add_note(draw(position, Notation(type(position), layout), caption).text())
