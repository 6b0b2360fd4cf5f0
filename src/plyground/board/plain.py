"""Playing a board game by the author's functions as they are: plain Python, every answer checked.

This is the judge of what compiled code must do, and what finds an author's mistakes: an error in
these functions is reported as `file:line: what is wrong`.
"""

from __future__ import annotations

import copy
import ctypes
import inspect
import threading
import time
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from plyground.board.description import CHANCE, BoardGame, not_declared
from plyground.board.layout import Layout
from plyground.core.errors import GameFileError, PlygroundError
from plyground.core.terminal import printable

LONGEST_CALL = 5.0
"""Seconds that one function of an author may take in plain Python before it counts as endless."""

WATCH_EVERY = 0.1

_running: dict[object, tuple[int, float]] = {}
"""The calls that go on: their threads, and when they have taken too long."""
_watcher: threading.Thread | None = None

MOST_TEXT = 10_000
"""Bytes that a caption or the text of a move may have."""

MOST_ORDER = 1000
MOST_VALUE = 900_000
"""What searches take for a value; beyond are proven wins."""

ROW_HINT = " (this is a row of the board; a cell is self.board[row, col] or self.cells[cell])"


class _EndlessError(Exception):
    """Raised inside a function that does not end."""


@contextmanager
def deadline() -> Iterator[None]:
    """Interrupt this thread's Python code with _EndlessError after LONGEST_CALL seconds."""
    global _watcher
    call = object()
    _running[call] = threading.get_ident(), time.monotonic() + LONGEST_CALL
    watcher = _watcher
    if watcher is None or not watcher.is_alive():  # none lives in a process that was forked
        _watcher = watcher = threading.Thread(target=_watch, daemon=True)
        watcher.start()
    try:
        yield
    finally:
        _running.pop(call, None)


def _watch() -> None:
    """Interrupts calls whose time is over, as long as there are any: one thread for all of them."""
    global _watcher
    while True:
        time.sleep(WATCH_EVERY)
        for call, (thread, due) in list(_running.items()):
            if time.monotonic() >= due and _running.pop(call, None) is not None:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(thread), ctypes.py_object(_EndlessError)
                )
        if not _running:
            _watcher = None
            if not _running:  # a call that came meanwhile has seen no watcher, or is seen here
                return


def file_of(cls: type) -> str:
    """The file that defines a class."""
    try:
        return inspect.getfile(cls)
    except (TypeError, OSError):
        return f"<{cls.__name__}>"


@contextmanager
def blamed(cls: type[BoardGame]) -> Iterator[None]:
    """Turn any exception of the author's functions into a GameFileError with their line."""
    try:
        yield
    except PlygroundError as error:
        if isinstance(error, GameFileError) and (line := _line_in(cls, error)):
            raise GameFileError(f"{_short(cls)}:{line}: {error}") from None
        raise
    except _EndlessError as error:
        raise GameFileError(
            f"{_place(cls, error)}: this has run for {LONGEST_CALL:g} s: does it ever end?"
        ) from None
    except RecursionError as error:
        raise GameFileError(
            f"{_short(cls)}:{_line_in(cls, error)}: functions call each other without end"
        ) from None
    except AttributeError as error:
        if not isinstance(error.obj, BoardGame):
            raise _with_line(cls, error) from None
        message = not_declared(str(error.name), cls.fields)
        raise GameFileError(f"{_short(cls)}:{_line_in(cls, error)}: {message}") from None
    except NotImplementedError as error:
        if line := _line_in(cls, error):
            raise GameFileError(f"{_short(cls)}:{line}: not implemented: {error}") from None
        raise
    except BaseException as error:
        # Whoever presses Ctrl-C interrupts the main thread; a call of sys.exit ends nothing here.
        if isinstance(error, KeyboardInterrupt) and in_main_thread():
            raise
        raise _with_line(cls, error) from None


def in_main_thread() -> bool:
    """Whether Ctrl-C interrupts what runs here."""
    return threading.current_thread() is threading.main_thread()


def _with_line(cls: type[BoardGame], error: BaseException) -> GameFileError:
    hint = ROW_HINT if str(error).startswith("The truth value of an array") else ""
    return GameFileError(f"{_place(cls, error)}: {type(error).__name__}: {error}{hint}")


def _place(cls: type[BoardGame], error: BaseException) -> str:
    """File and line of an error; the file alone where the error has no line in it."""
    return ":".join(str(part) for part in (_short(cls), _line_in(cls, error)) if part)


def _short(cls: type) -> str:
    return file_of(cls).rsplit("/", 1)[-1].rsplit("\\", 1)[-1]


def _line_in(cls: type, error: BaseException) -> int | None:
    """The last line of the author's file in a traceback."""
    name = file_of(cls)
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == name
    ]
    return lines[-1] if lines else None


def line_of(cls: type[BoardGame], name: str) -> int:
    """The line where a function of the class begins."""
    function = getattr(cls, name)
    return int(function.__code__.co_firstlineno)


def _complain(cls: type[BoardGame], function: str, message: str) -> GameFileError:
    return GameFileError(f"{_short(cls)}:{line_of(cls, function)}: {message}")


# What a position answers ---------------------------------------------------------------------


def start(cls: type[BoardGame]) -> BoardGame:
    """The position at the start."""
    with blamed(cls), deadline():
        position = cls()
        following = position.setup()
    _next(position, "setup", following, 1)
    return position


def clone(position: BoardGame) -> BoardGame:
    """A copy that shares nothing."""
    twin = copy.copy(position)
    for name in ("board", *(n for n, v in position.fields.items() if isinstance(v, list))):
        object.__setattr__(twin, name, getattr(position, name).copy())
    object.__setattr__(twin, "cells", twin.board.reshape(-1))
    return twin


def moves(position: BoardGame, layout: Layout | None = None) -> list[Any]:
    """The moves as the author yields them, checked against the layout if there is one."""
    cls = type(position)
    found: list[Any] = []
    with blamed(cls), deadline():
        source = position.moves()
        if not isinstance(source, Iterable):
            raise _complain(cls, "moves", "moves() must yield moves, or return a list of them")
        for move in source:
            if layout is not None:
                try:
                    layout.encode(move)
                except GameFileError as error:
                    frame = getattr(source, "gi_frame", None)
                    line = frame.f_lineno if frame is not None else line_of(cls, "moves")
                    raise GameFileError(f"{_short(cls)}:{line}: {error}") from None
            found.append(tuple(move) if isinstance(move, list) else move)
    return found


def legal_codes(position: BoardGame, layout: Layout) -> list[int]:
    """The codes of all legal moves of an ongoing position, the forced pass included."""
    before = layout.pack(position)
    codes = [layout.encode(move) for move in moves(position, layout)]
    cls = type(position)
    _must_be_as_before(before, position, layout, "moves")
    if len(set(codes)) != len(codes):
        twice = next(code for code in codes if codes.count(code) > 1)
        raise _complain(cls, "moves", f"moves() yields {layout.decode(twice)!r} twice")
    if len(codes) > layout.max_moves:
        raise _complain(
            cls,
            "moves",
            f"moves() yields {len(codes)} moves: set max_moves in the class to the most there "
            f"can be (now {layout.max_moves})",
        )
    if not codes and cls.stuck == "passes":
        return [layout.pass_code]
    return codes


def _must_be_as_before(
    before: np.ndarray, position: BoardGame, layout: Layout, function: str
) -> None:
    """A GameFileError if a function has changed what only setup, play and deal may change."""
    if not np.array_equal(before, layout.pack(position)):
        message = f"{function}() must leave the position as it was"
        raise _complain(type(position), function, message)


def check_advice(position: BoardGame, layout: Layout, codes: list[int]) -> None:
    """A GameFileError if `evaluate` or `order` answer with anything but numbers in their range."""
    cls = type(position)
    calls: list[tuple[str, tuple[Any, ...]]] = [("evaluate", ())]
    calls += [("order", (layout.decode(code),)) for code in codes if code != layout.pass_code]
    for name, given in calls:
        function = getattr(position, name, None)
        if function is None:
            continue
        before = layout.pack(position)
        with blamed(cls), deadline():
            value = function(*given)
        _must_be_as_before(before, position, layout, name)
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
            raise _complain(cls, name, f"{name}() must return a whole number, not {value!r}")
        if name == "order" and not 0 <= int(value) <= MOST_ORDER:
            raise _complain(cls, name, f"order() must return 0 to {MOST_ORDER}, not {value}")
        if name == "evaluate" and cls.players == 2 and abs(int(value)) > MOST_VALUE:
            raise _complain(
                cls,
                name,
                f"evaluate() must return -{MOST_VALUE} to {MOST_VALUE} (thousandths of a win, or "
                f"of a point), not {value}: more would count as a proven win",
            )


def check_letters(position: BoardGame) -> None:
    """A GameFileError if the class has letters for its pieces, but none for one on the board."""
    cls = type(position)
    letters = cls.__dict__.get("pieces", "")
    if hasattr(cls, "picture") or not letters or letters[1:].isdigit():
        return
    highest = int(np.max(np.asarray(position.cells)))
    if highest >= len(letters):
        raise _complain(
            cls,
            "play",
            f"the board holds {highest}, but pieces = {letters!r} has letters for 0 to "
            f"{len(letters) - 1} only: add one",
        )


def picture(position: BoardGame, layout: Layout) -> np.ndarray:
    """The numbers to draw, one for each cell."""
    own = getattr(position, "picture", None)
    if own is None:
        return np.asarray(position.board).reshape(-1)
    cls = type(position)
    with blamed(cls), deadline():
        found = np.asarray(own())
    if found.size != layout.cells or found.dtype.kind not in "iub":
        raise _complain(
            cls,
            "picture",
            f"picture() must give a whole number for each of the {layout.cells} cells",
        )
    return found.reshape(-1)


def caption(position: BoardGame) -> str:
    """What the author says below the board; empty where nothing is said."""
    own = getattr(position, "caption", None)
    if own is None:
        return ""
    cls = type(position)
    with blamed(cls), deadline():
        found = own()
    if not isinstance(found, str):
        raise _complain(cls, "caption", f"caption() must return a text, not {found!r:.60}")
    return _checked_text(cls, "caption", found)


def format_move(position: BoardGame, move: Any) -> str:
    """A move as the author writes it."""
    cls = type(position)
    with blamed(cls), deadline():
        found = str(position.format_move(move))  # type: ignore[attr-defined]
    return _checked_text(cls, "format_move", found)


def parse_move(position: BoardGame, text: str) -> Any:
    """The move of a text as the author reads it; None where it is none."""
    with blamed(type(position)), deadline():
        return position.parse_move(text)  # type: ignore[attr-defined]


def _checked_text(cls: type[BoardGame], function: str, text: str) -> str:
    """The text that a function returned, without what would steer a terminal.

    A GameFileError for what no page and no file takes.
    """
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise _complain(cls, function, f"{function}() must return text in UTF-8") from None
    if size > MOST_TEXT:
        raise _complain(
            cls, function, f"{function}() returns {size} bytes; at most {MOST_TEXT} are shown"
        )
    return printable(text)


def play(position: BoardGame, layout: Layout, code: int) -> BoardGame:
    """The position after a move."""
    child = clone(position)
    cls = type(position)
    if cls.counts_plies():
        object.__setattr__(child, "plies", child.plies + 1)  # type: ignore[attr-defined]
    if code == layout.pass_code and cls.stuck == "passes":
        _next(child, "play", None, 3 - child.player)
        return child
    with blamed(cls), deadline():
        following = child.play(layout.decode(code))
    _next(child, "play", following, 3 - child.player if cls.players == 2 else 1)
    return child


def deal(position: BoardGame, event: int) -> BoardGame:
    """The position after a random event."""
    child = clone(position)
    cls = type(position)
    with blamed(cls), deadline():
        following = child.deal(event)  # type: ignore[attr-defined]
    _next(child, "deal", following, 3 - child.player if cls.players == 2 else 1)
    return child


def events(position: BoardGame) -> list[tuple[int, int]]:
    """The random events that may come now, each with its weight."""
    cls = type(position)
    found: list[tuple[int, int]] = []
    with blamed(cls), deadline():
        for pair in position.chance():  # type: ignore[attr-defined]
            if not (isinstance(pair, tuple) and len(pair) == 2 and min(map(int, pair)) >= 0):
                raise _complain(cls, "chance", f"chance() yields (event, weight), not {pair!r}")
            if not all(isinstance(part, int | np.integer) for part in pair):
                raise _complain(
                    cls,
                    "chance",
                    f"events and their weights are whole numbers, not {pair!r}: a weight of 3 "
                    "beside one of 1 is three times as likely",
                )
            found.append((int(pair[0]), int(pair[1])))
    if not found or sum(weight for _, weight in found) <= 0:
        raise _complain(cls, "chance", "chance() yields no event")
    return found


def _next(position: BoardGame, function: str, following: Any, usual: int) -> None:
    cls = type(position)
    if following is None:
        following = usual
    if isinstance(following, bool) or not isinstance(following, (int, np.integer)):
        raise _complain(
            cls, function, f"{function}() must return the next player or nothing, not {following!r}"
        )
    if following == CHANCE:
        if not hasattr(cls, "chance") or not hasattr(cls, "deal"):
            raise _complain(
                cls,
                function,
                f"{function}() returns 0 (chance), but there is no chance() and deal()",
            )
        object.__setattr__(position, "turn", 0)
        return
    if not 1 <= following <= cls.players:
        raise _complain(
            cls,
            function,
            f"{function}() must return a player from 1 to {cls.players}, "
            f"or 0 for chance, not {following}",
        )
    object.__setattr__(position, "turn", int(following))
    object.__setattr__(position, "player", int(following))


def result(position: BoardGame, layout: Layout) -> int | None:
    """The kernel's outcome of a position: first player's 1, 0, -1, or the points; None: goes on."""
    cls = type(position)
    if position.turn == 0:  # type: ignore[attr-defined]
        return None  # the game goes on at least until the random event
    before = layout.pack(position)
    with blamed(cls), deadline():
        value = position.result()
    _must_be_as_before(before, position, layout, "result")
    if value is None:
        return _result_without(position, layout)
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise _complain(
            cls, "result", f"result() must return None or a whole number, not {value!r}"
        )
    if cls.scoring == "points" or cls.players == 1:
        return int(value)
    if value not in (0, 1, 2):
        raise _complain(
            cls, "result", f"result() must return None, 0 (draw), 1 or 2, not {value!r}"
        )
    return (0, 1, -1)[int(value)]


def _result_without(position: BoardGame, layout: Layout) -> int | None:
    """The result by the class's own rules for players who cannot move and for long games."""
    cls = type(position)
    if cls.max_plies and position.plies >= cls.max_plies:  # type: ignore[attr-defined]
        return 0
    if cls.stuck in ("loses", "wins", "draws") and position.turn:  # type: ignore[attr-defined]
        with blamed(cls), deadline():
            before = layout.pack(position)
            stuck = not position.can_move(position.player)
        _must_be_as_before(before, position, layout, "moves")
        if stuck:
            lost = -1 if position.player == 1 else 1
            return {"loses": lost, "wins": -lost, "draws": 0}[cls.stuck]
    return None
