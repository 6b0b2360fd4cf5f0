"""A submission as an agent: imported once, forked for each turn, ended with its time.

A turn runs in a fork of the process that imported the submission, so that nothing survives it but
what was saved, as in the course. Its prints go to standard error.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import select
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

import numpy as np

from plyground.core.agent import Agent, Report, Stop, ignore_info, never_stop
from plyground.core.errors import InputError, PlygroundError
from plyground.core.game import Game, Position
from plyground.core.limits import Limit
from plyground.core.search import SearchInfo, SearchResult
from plyground.course.host.detection import NEWER
from plyground.games.competitive_sudoku import CompetitiveSudoku
from plyground.games.competitive_sudoku.setup import Placement, unpack

CLOCK_MARGIN = 0.002
OVERTIME = 5.0
"""Without a proposal the answer stays out for so long: the referee's clock decides."""


class CourseAgent(Agent):
    """One submission in this process."""

    name = "course"

    def __init__(self, folder: Path, generation: str, strict: bool = False) -> None:
        self.folder, self.generation, self.strict = folder, generation, strict
        self.framework, self.submission = _import_submission(folder, generation)
        self._saves = tempfile.TemporaryDirectory(prefix="plyground-course-")
        self._games = 0

    def new_game(self, game: Game, seed: int) -> None:
        if not isinstance(game, CompetitiveSudoku):
            raise InputError(f"course submissions play competitive-sudoku, not {game.info.name}")
        if game.setup.allowed is not None and self.generation != NEWER:
            raise InputError(
                f"{self.folder.name} is of the older generation, which knows the classic mode only"
            )
        super().new_game(game, seed)
        self._games += 1
        self.save_path = Path(self._saves.name) / f"game{self._games}.pickle"
        self.moves: list[Placement] = list(game.setup.moves)
        self.taboo: list[Placement] = list(game.setup.taboo)

    def warm_up(self) -> None:
        """Play a move and look at the outcome, so that no turn waits for a compiler."""
        position = self.game.start()
        if not position.is_over:
            assert isinstance(self.game, CompetitiveSudoku)
            setup = unpack(self.game.params, position.state)
            cell = setup.squares_of(setup.player)[0]
            solution = self.game.answers.solution(np.array(setup.cells, np.int64))
            assert solution is not None
            row, column = divmod(cell, setup.size)
            _ = position.play(f"{row},{column}={solution[cell]}").is_over

    def observe(self, position: Position, move: str) -> None:
        code = position.parse_move(move)
        placement = (code // 64, code % 64 // 2)
        self.moves.append(placement)
        if move.endswith("!"):
            self.taboo.append(placement)

    def search(
        self,
        position: Position,
        limit: Limit,
        report: Report = ignore_info,
        stop: Stop = never_stop,
    ) -> SearchResult:
        started = time.monotonic()
        seconds = limit.time
        if limit.clock is not None:
            share = limit.clock.remaining / 30 + limit.clock.increment * 0.8
            seconds = share if seconds is None else min(seconds, share)
        deadline = None if seconds is None else started + max(seconds - CLOCK_MARGIN, 0.001)
        reader, writer = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        child = os.fork()
        if child == 0:
            os.close(reader)
            self._play_turn(position, writer)
        os.close(writer)
        try:
            proposal, ended = self._follow(reader, deadline, report, stop)
        finally:
            os.close(reader)
            crashed = _end(child)
        if self.strict and deadline is not None:
            time.sleep(max(0.0, deadline - time.monotonic()))
        if not proposal:
            if ended and crashed:
                raise SubmissionError(f"{self.folder.name} crashed before its first proposal")
            if not ended:
                time.sleep(OVERTIME)
        return SearchResult(proposal, elapsed=time.monotonic() - started)

    def _follow(
        self, reader: int, deadline: float | None, report: Report, stop: Stop
    ) -> tuple[str, bool]:
        """Pass proposals on until the turn ends; the last one, and whether it ended by itself."""
        poll = select.poll()
        poll.register(reader, select.POLLIN)
        proposal, rest = "", b""
        while True:
            left = 3600.0 if deadline is None else deadline - time.monotonic()
            if left <= 0 or stop():
                return proposal, False
            if not poll.poll(min(left, 0.005) * 1000):
                continue
            data = os.read(reader, 1 << 16)
            if not data:
                return proposal, True
            *lines, rest = (rest + data).split(b"\n")
            if lines:
                proposal = lines[-1].decode()
                report(SearchInfo(proposal))

    def _play_turn(self, position: Position, writer: int) -> NoReturn:
        """In the forked process: one turn of the submission; never returns."""
        status = 1
        try:
            os.setpgid(0, 0)
            # Nothing that the turn does may reach the pipes of the process that plays the game.
            devnull = os.open(os.devnull, os.O_RDONLY)
            os.dup2(devnull, 0)
            ai = self.submission.SudokuAI()
            ai.player_number = position.turn + 1
            ai._save_path = self.save_path

            def send(row: Any, column: Any, value: Any) -> None:
                os.write(writer, f"({row},{column}) -> {value}\n".encode())

            ai._send = send
            ai.compute_best_move(self.game_state(position))
            status = 0
        except BrokenPipeError:
            status = 0  # the turn was over before this proposal
        except BaseException:
            traceback.print_exc()
        finally:
            with contextlib.suppress(Exception):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(status)

    def game_state(self, position: Position) -> Any:
        """The position as the submission's own classes."""
        setup = unpack(position.game.params, position.state)
        size = setup.size

        def board(cells: tuple[int, ...]) -> Any:
            out = self.framework.SudokuBoard(setup.rows, setup.columns)
            out.squares = list(cells)
            return out

        def squares(cells: frozenset[int]) -> list[tuple[int, int]]:
            return [divmod(cell, size) for cell in sorted(cells)]

        def moves(kind: str, placements: list[Placement]) -> list[Any]:
            make = getattr(self.framework, kind)
            pairs = ((divmod(cell, size), value) for cell, value in placements)
            if self.generation == NEWER:
                return [make(square, value) for square, value in pairs]
            return [make(*square, value) for square, value in pairs]

        assert isinstance(self.game, CompetitiveSudoku)
        start = self.game.setup
        common = (
            board(start.initial or start.cells),
            board(setup.cells),
            moves("TabooMove", self.taboo),
            moves("Move", self.moves),
            list(setup.scores),
            setup.player + 1,
        )
        if self.generation == NEWER and setup.allowed is not None:
            sets = [squares(part) for part in (*setup.allowed, *setup.occupied)]
            return self.framework.GameState(*common, *sets)
        return self.framework.GameState(*common)


class SubmissionError(PlygroundError):
    """The submission failed; the message is what the referee reports."""


def _end(child: int) -> bool:
    """Kill what is left of a turn; whether it had crashed by itself."""
    # Taken from the zombie state first: a turn that returned has its own exit code.
    finished, status = os.waitpid(child, os.WNOHANG)
    for _ in range(50):
        if finished:
            break
        time.sleep(0.0002)
        finished, status = os.waitpid(child, os.WNOHANG)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    if not finished:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return False
    return os.waitstatus_to_exitcode(status) != 0


def _import_submission(folder: Path, generation: str) -> tuple[ModuleType, ModuleType]:
    """The framework's module `sudoku` and the submission's module `sudokuai`."""
    framework = Path(__file__).with_name(generation)
    sys.path[:0] = [str(framework), str(folder.parent), str(folder)]
    try:
        sudoku = importlib.import_module("competitive_sudoku.sudoku")
        submission = importlib.import_module(f"{folder.name}.sudokuai")
    except Exception as error:
        traceback.print_exc()
        raise InputError(
            f"course submission {folder.name} cannot be imported: {type(error).__name__}: {error}"
        ) from error
    if not hasattr(submission, "SudokuAI"):
        raise InputError(f"course submission {folder.name}: sudokuai.py has no class SudokuAI")
    return sudoku, submission
