"""A submission in this process: imported once, built anew for each game, with what it sees."""

from __future__ import annotations

import os
import sys

from plyground.core.errors import InputError
from plyground.course.host.position import History, Placement, Position, read_move
from plyground.course.host.submission_base import prepare

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

OLDER, NEWER = "older", "newer"
"""The generations of the course's framework."""


class Submission:
    """The modules of a submission and of the course's framework that it was written for."""

    def __init__(self, folder: str, generation: str, package: str) -> None:
        # Names of files may be bytes that are no text.
        self.name = os.fsencode(os.path.basename(folder)).decode(errors="replace")
        self.generation = generation
        self.framework, self._module = _import_submission(folder, generation, package)

    def build(self) -> Any:
        """A new `SudokuAI`, as the course's runner makes one for a game."""
        try:
            return self._module.SudokuAI()
        except Exception as error:
            print_trace()
            reason = f"{type(error).__name__}: {error}"
            raise InputError(f"{self.name}: SudokuAI() fails: {reason}") from error

    def understudy(self) -> Any:
        """A `SudokuAI` of ours, which proposes the same move in every turn."""
        make, newer = self.framework.Move, self.generation == NEWER

        class Understudy(_import("competitive_sudoku.sudokuai").SudokuAI):  # type: ignore[misc]
            def compute_best_move(self, game_state: Any) -> None:
                self.propose_move(make((0, 0), 1) if newer else make(0, 0, 1))

        return Understudy()


class CourseGame:
    """A game as the submission sees it: its `SudokuAI` and what was played so far."""

    def __init__(
        self,
        submission: Submission,
        ai: Any,
        save_path: str,
        history: History,
        opening: list[str],
    ) -> None:
        self._submission = submission
        self.ai = ai
        self._save_path = save_path
        prepare(self.ai)
        self._history = history
        self._unread: list[str] = list(opening)
        self._played: list[tuple[Placement, bool]] = []
        self._newer = submission.generation == NEWER
        self._initial: Any = None
        self._moves: list[Any] = []

    def observe(self, move: str) -> None:
        """Take down a move; `!` at its end marks a pass."""
        self._unread.append(move)

    def seat(self, player: int) -> None:
        """Play as player 1 or 2: as in the course each has saves of its own."""
        self.ai.player_number = player
        self.ai._save_path = f"{self._save_path}-{player}"

    def game_state(self, position: Position) -> Any:
        """The position as the submission's own classes.

        Every turn has its own copy of the process: what stays the same in a game is made once.
        """
        size = position.size
        played = [read_move(size, text) for text in self._unread]
        self._unread.clear()
        self._played += played
        if self._initial is None:
            start = self._history.initial or self._start_of(position)
            self._initial = self._board(position, start)
            self._moves = [self._move(size, each, False) for each in self._history.moves]
        self._moves += [self._move(size, *each) for each in played]
        taboo = [placement for placement, is_pass in self._played if is_pass]
        taboo = [each for each in position.taboo if each not in taboo] + taboo
        common = (
            self._initial,
            self._board(position, position.cells),
            [self._move(size, each, True) for each in taboo],
            self._moves,
            position.scores,
            position.player + 1,
        )
        squares = self._squares(position) if self._newer and position.allowed is not None else ()
        return self._submission.framework.GameState(*common, *squares)

    def _board(self, position: Position, cells: list[int]) -> Any:
        board = self._submission.framework.SudokuBoard(position.rows, position.columns)
        board.squares = cells
        return board

    def _move(self, size: int, placement: Placement, is_pass: bool) -> Any:
        framework = self._submission.framework
        make = framework.TabooMove if is_pass else framework.Move
        square = divmod(placement[0], size)
        return make(square, placement[1]) if self._newer else make(*square, placement[1])

    def _start_of(self, position: Position) -> list[int]:
        """The board before all that was played."""
        start = list(position.cells)
        for (cell, _), is_pass in self._played:
            if not is_pass:
                start[cell] = 0
        return start

    def _squares(self, position: Position) -> list[list[tuple[int, int]]]:
        """The allowed squares of both players, and the occupied ones as they were filled."""
        assert position.allowed is not None
        when = {cell: turn for turn, ((cell, _), is_pass) in enumerate(self._played) if not is_pass}
        parts = [sorted(part) for part in (*position.allowed, *position.occupied)]
        for part in parts[2:]:
            part.sort(key=lambda cell: when.get(cell, -1))
        return [[divmod(cell, position.size) for cell in part] for part in parts]


def print_trace() -> None:
    """The trace of the error that is being handled, from its author's code on."""
    import traceback  # here: programs without mistakes do not wait for it

    kind, error, trace = sys.exc_info()
    ours = (os.path.dirname(__file__), "<frozen importlib")
    own = trace
    while own is not None and own.tb_frame.f_code.co_filename.startswith(ours):
        own = own.tb_next
    traceback.print_exception(kind, error, own or trace)


def _import_submission(folder: str, generation: str, package: str) -> tuple[ModuleType, ModuleType]:
    """The framework's module `sudoku` and the submission's module `sudokuai`.

    `package` is the end of the folder's path: more than its last name if it imports from above.
    """
    framework = os.path.join(os.path.dirname(__file__), generation)
    parent, name = os.path.split(folder)
    others = (*sys.modules, *getattr(sys, "stdlib_module_names", ()), "competitive_sudoku")
    taken = name in others
    # As in the course what lies beside it comes first, unless it hides a library by its own name.
    # Its own files are found too, after those of the same name that everybody means.
    sys.path[:0] = [framework] if taken else [framework, parent]
    sys.path += [folder, parent] if taken else [folder]
    whole = os.path.isfile(os.path.join(folder, "__init__.py"))
    if "/" in package and package.partition("/")[0] not in others:
        sys.path.insert(1, folder[: -len(package)])
        name = package.replace("/", ".")
    elif "." in name or taken or not whole:  # no name of a package, or perhaps that of another
        name = name.replace(".", "_") + "_" * taken
        sys.modules[name] = _package(name, folder)
    try:
        sudoku = _import("competitive_sudoku.sudoku")
        submission = _import_under_its_names(f"{name}.sudokuai", folder)
    except Exception as error:
        print_trace()
        raise InputError(
            f"course submission {name} cannot be imported: {type(error).__name__}: {error}"
        ) from error
    if not hasattr(submission, "SudokuAI"):
        raise InputError(f"course submission {name}: sudokuai.py has no class SudokuAI")
    return sudoku, submission


def _import(name: str) -> ModuleType:
    __import__(name)
    return sys.modules[name]


def _package(name: str, folder: str) -> ModuleType:
    """A package without code of its own."""
    package = type(sys)(name)
    package.__path__ = [folder]
    return package


def _import_under_its_names(name: str, folder: str) -> ModuleType:
    """The submission's module; it may call its own folder by a name that platforms have changed."""
    while True:
        try:
            return _import(name)
        except ModuleNotFoundError as error:
            called = error.name or ""
            if called in sys.modules or not _is_own_name(called, folder):
                raise
            sys.modules[called] = _package(called, folder)


def _is_own_name(name: str, folder: str) -> bool:
    """Whether modules in a folder import from a package of this name what lies in the folder."""
    import re  # here: only who fails waits for it

    wanted = re.compile(rf"^\s*(?:from|import)\s+{re.escape(name)}(?:\.|\s+import\s+)(\w+)", re.M)
    for file in (file for file in os.listdir(folder) if file.endswith(".py")):
        with open(os.path.join(folder, file), encoding="utf-8", errors="replace") as source:
            found = wanted.findall(source.read())
        if any(
            os.path.exists(os.path.join(folder, each + end))
            for each in found
            for end in ("", ".py")
        ):
            return True
    return False
