"""Judging one submission before it plays: does it load, propose in time, play by the rules?"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from plyground.arena.match import take_turn, tell
from plyground.arena.referee import Referee
from plyground.arena.results import FAILURES
from plyground.arena.task import MatchRules
from plyground.core.errors import PlygroundError
from plyground.core.game import Game, OptionValue
from plyground.core.limits import Limit
from plyground.core.outcome import Outcome, Termination
from plyground.core.registry import make_game
from plyground.course.host.detection import detect_generation
from plyground.course.submissions import MAIN_FILE, Submission
from plyground.engines.engine import Engine, EngineSettings, GameSetup
from plyground.engines.failure import EngineError
from plyground.engines.players import make_engine

GAME = "competitive-sudoku"
MOST_TURNS = 12
"""Turns that a submission plays on each board while it is judged."""

LOG_CHARACTERS = 4000
MUCH_OUTPUT = 50_000
"""A submission that prints more characters than this on one board is told so."""

LOST_SAVE = "save: not kept, cannot be pickled"
"""What the course's framework prints when something cannot be saved."""

ADVICE = {
    Termination.TIMEOUT: "propose some move at once (`self.propose_move`), then look for better",
    Termination.NO_MOVE: "call `self.propose_move(move)` at least once before returning",
    Termination.CRASH: "the traceback below shows where it fails; handle that case",
    Termination.ILLEGAL_MOVE: "check that the square is empty and allowed, and that the value is "
    "not yet in its row, column and block",
    Termination.TABOO_MOVE: "leave out moves that are in `game_state.taboo_moves`",
}


@dataclass(frozen=True)
class BoardCheck:
    """How a submission did on one board."""

    board: str
    turns: int
    slowest: float
    fault: str = ""
    advice: str = ""

    @property
    def ok(self) -> bool:
        return not self.fault


@dataclass(frozen=True)
class Remark:
    """Something that costs no game, but should be mended."""

    found: str
    advice: str


@dataclass(frozen=True)
class SubmissionVerdict:
    """All that was found out about a submission. `fault` is what keeps it from playing at all."""

    submission: Submission
    generation: str = ""
    fault: str = ""
    advice: str = ""
    boards: tuple[BoardCheck, ...] = ()
    remarks: tuple[Remark, ...] = ()
    log: str = field(default="", compare=False)

    @property
    def playable(self) -> bool:
        """Whether it can take part in a tournament: it loads, and moves on some board."""
        return not self.fault and any(check.turns for check in self.boards)

    @property
    def flawless(self) -> bool:
        """Whether nothing at all was found."""
        return not self.fault and not self.remarks and all(check.ok for check in self.boards)

    @property
    def summary(self) -> str:
        """One line for tables."""
        if self.fault:
            return self.fault
        bad = [check for check in self.boards if not check.ok]
        if not bad and self.remarks:
            return "plays by the rules, but " + "; ".join(one.found for one in self.remarks)
        if not bad:
            return "no faults found"
        return f"{bad[0].board}: {bad[0].fault}" + (
            f" (and on {len(bad) - 1} more boards)" if len(bad) > 1 else ""
        )


def judge(
    submission: Submission,
    boards: Sequence[str],
    limit: Limit,
    settings: EngineSettings,
    options: dict[str, OptionValue] | None = None,
) -> SubmissionVerdict:
    """Load a submission and let it play some turns on every board, in its own process."""
    if submission.folder is None:
        return SubmissionVerdict(
            submission, fault=submission.fault, advice=f"hand in one {MAIN_FILE}"
        )
    fault, advice = _read_source(submission)
    if fault:
        return SubmissionVerdict(submission, fault=fault, advice=advice)
    generation = detect_generation(submission.folder)
    checks: list[BoardCheck] = []
    remarks: dict[str, Remark] = {}
    log = ""
    engine = make_engine(GAME, player_text(submission), settings)
    try:
        for board in boards:
            game = make_game(GAME, {**(options or {}), "board": board})
            engine.start()
            checks.append(_play_turns(game, engine, board, limit))
            log = _tail(engine) or log
            remarks |= {remark.found: remark for remark in _read_output(engine.log_text())}
            if not checks[-1].ok:
                engine.close()  # the next board gets a fresh process
    except EngineError as error:
        log = _tail(engine)
        fault, advice = _explain_start(error, log)
        return SubmissionVerdict(submission, generation, fault, advice, tuple(checks), log=log)
    except PlygroundError as error:
        return SubmissionVerdict(submission, generation, str(error), "", tuple(checks), log=log)
    finally:
        engine.close()
    found = tuple(remarks.values())
    return SubmissionVerdict(submission, generation, boards=tuple(checks), remarks=found, log=log)


def player_text(submission: Submission) -> str:
    """The submission as a player of a match."""
    return f"course:{submission.folder}"


def _read_output(output: str) -> list[Remark]:
    """What the output of a submission tells about it."""
    found = []
    if LOST_SAVE in output:
        found.append(
            Remark(
                "what it saves cannot be pickled and is lost",
                "save plain data only (numbers, texts, lists, dictionaries): functions, lambdas "
                "and open files cannot be kept from turn to turn",
            )
        )
    if len(output) > MUCH_OUTPUT:
        found.append(
            Remark(
                "it prints very much",
                "take out the prints: they cost time to think, and only the first "
                f"{MUCH_OUTPUT // 1000} kB are kept",
            )
        )
    return found


def _tail(engine: Engine) -> str:
    return engine.log_text()[-LOG_CHARACTERS:]


def _read_source(submission: Submission) -> tuple[str, str]:
    """What can be said without running it: fault and advice, both empty if there is none."""
    assert submission.folder is not None
    path = submission.folder / MAIN_FILE
    try:
        tree = ast.parse(path.read_text(encoding="utf-8", errors="replace"))
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        where = f"{MAIN_FILE}, line {line}" if line else MAIN_FILE
        reason = getattr(error, "msg", str(error))
        return f"syntax error in {where}: {reason}", f"run `python {MAIN_FILE}` to see it"
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    main = next((node for node in classes if node.name == "SudokuAI"), None)
    if main is None:
        names = ", ".join(node.name for node in classes) or "none"
        return (
            f"{MAIN_FILE} has no class SudokuAI (its classes: {names})",
            "name the class SudokuAI and derive it from competitive_sudoku.sudokuai.SudokuAI",
        )
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    if not any(isinstance(n, functions) and n.name == "compute_best_move" for n in main.body):
        if len(main.bases) and not _derives_from_base_only(main):
            return "", ""
        return (
            "class SudokuAI has no method compute_best_move",
            "define compute_best_move(self, game_state) and call self.propose_move in it",
        )
    return "", ""


def _derives_from_base_only(node: ast.ClassDef) -> bool:
    """Whether the class derives from the framework's own base, so must define the method itself."""
    return all("SudokuAI" in ast.unparse(base) for base in node.bases)


def _explain_start(error: EngineError, log: str) -> tuple[str, str]:
    """Fault and advice for a submission that does not come up."""
    text = f"{error.detail}\n{log}"
    missing = re.search(r"No module named '([^']+)'", text)
    if missing:
        name = missing.group(1)
        return (
            f"it imports {name!r}, which is not installed here",
            f"remove the import, or ask for {name!r} to be installed on the course's machine",
        )
    return f"it does not load: {error.detail}", ADVICE.get(error.termination, "")


def _play_turns(game: Game, engine: Engine, board: str, limit: Limit) -> BoardCheck:
    """Let it make the moves of both sides; stops at the first fault."""
    rules = MatchRules(engine=engine.settings)
    referee = Referee(game, limits=(limit, limit), labels=("it", "it"), rules=rules)
    engine.new_game(
        GameSetup(
            id=f"check-{board}",
            game=game,
            start="",
            opening=(),
            position=referee.position,
            side=0,
            seed=0,
            limit=limit,
        )
    )
    turns, slowest = 0, 0.0
    while referee.outcome is None and turns < MOST_TURNS:
        try:
            ruling = take_turn(referee, engine)
        except EngineError as error:
            fault = f"{error.termination.value} in turn {turns + 1}: {error.detail}"
            return BoardCheck(board, turns, slowest, fault, ADVICE.get(error.termination, ""))
        assert ruling.answer is not None
        slowest = max(slowest, ruling.answer.elapsed)
        if not ruling.answer.moves:
            fault = f"no move in turn {turns + 1}"
            return BoardCheck(board, turns, slowest, fault, ADVICE[Termination.NO_MOVE])
        if ruling.outcome is not None and ruling.outcome.termination in FAILURES:
            return BoardCheck(board, turns, slowest, *_explain_forfeit(ruling.outcome, turns + 1))
        referee.accept(ruling)
        tell(engine, ruling)
        turns += 1
    return BoardCheck(board, turns, slowest)


def _explain_forfeit(outcome: Outcome, turn: int) -> tuple[str, str]:
    detail = f": {outcome.detail}" if outcome.detail else ""
    fault = f"{outcome.termination.value} in turn {turn}{detail}"
    return fault, ADVICE.get(outcome.termination, "")
