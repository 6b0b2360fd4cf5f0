"""Judging one submission before it plays: does it load, propose in time, play by the rules?"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from plyground.arena.match import take_turn, tell
from plyground.arena.referee import Referee
from plyground.arena.results import FAILURES
from plyground.arena.task import MatchRules
from plyground.core.errors import PlygroundError
from plyground.core.game import OptionValue
from plyground.core.limits import Limit
from plyground.core.outcome import Outcome, Termination
from plyground.core.registry import make_game
from plyground.course.attempts import Remark, attempts_in, read_attempts
from plyground.course.boards import (
    CLASSIC,
    GAME,
    TABOO,
    board_name,
    check_boards,
    taboo_opening,
)
from plyground.course.bridge import checked_interpreter
from plyground.course.host.detection import detect_generation, read_source
from plyground.course.host.submission import OLDER
from plyground.course.host.watch import MARK
from plyground.course.output import last_error, own_paths, read_output, tail
from plyground.course.submissions import MAIN_FILE, Submission
from plyground.engines.engine import Engine, EngineSettings, GameSetup
from plyground.engines.failure import EngineError
from plyground.engines.pool import one_engine

ROWS = "rows"

MOST_TURNS = 12
"""Turns that a submission plays on each board while it is judged."""

_FAULTS_OF_MODE = {
    True: (Termination.CRASH.value, Termination.NO_MOVE.value),
    False: (
        Termination.CRASH.value,
        Termination.NO_MOVE.value,
        Termination.ILLEGAL_MOVE.value,
        Termination.TABOO_MOVE.value,
    ),
}
"""How a submission fails that was written for another mode, in classic mode and in others: it has
no squares of its own, or takes those that are not."""

ADVICE = {
    Termination.TIMEOUT: "propose some move at once (`self.propose_move`), then look for better",
    Termination.NO_MOVE: "call `self.propose_move(move)` at least once before returning",
    Termination.CRASH: "the traceback in its output shows where it fails; handle that case",
    Termination.ILLEGAL_MOVE: "check that the square is empty and allowed, and that the value is "
    "from 1 to N and not yet in its row, column and block",
    Termination.TABOO_MOVE: "leave out moves that are in `game_state.taboo_moves`",
}


ADVICE_WITHOUT_TRACE = (
    "its process ended without an error of Python's: look for `os._exit`, `os.kill`, and for more "
    "memory than there is"
)
NO_FILE = "FileNotFoundError"
ADVICE_ON_FILES = "hand the file in with it, and open it by a path from `__file__`"
ADVICE_OF_START = "look for what it does while it is imported, and in `SudokuAI()`"


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

    @property
    def kind(self) -> str:
        """What its fault begins with: `crash`, `timeout`."""
        return self.fault.split(" in turn")[0]


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
        return can_play(self.fault, self.boards)

    @property
    def flawless(self) -> bool:
        """Whether nothing at all was found."""
        return not self.fault and not self.remarks and all(check.ok for check in self.boards)

    @property
    def kinds(self) -> list[str]:
        """Its faults by their kind, for an overview."""
        if self.fault:
            return [re.split(r":| in sudokuai| \(|, in ", self.fault)[0]]
        broken = [check.kind for check in self.boards if not check.ok]
        return [*dict.fromkeys(broken), *(remark.kind or remark.found for remark in self.remarks)]

    @property
    def summary(self) -> str:
        """One line for tables."""
        if self.fault:
            return self.fault
        bad = [check for check in self.boards if not check.ok]
        remarks = [remark.found for remark in self.remarks]
        if bad:
            return "; ".join((f"{bad[0].board}: {bad[0].fault}{_more(bad)}", *remarks))
        return f"plays by the rules, but {'; '.join(remarks)}" if remarks else "no faults found"


def can_play(fault: str, boards: Iterable[BoardCheck]) -> bool:
    """Whether a submission can take part in a tournament: it loads, and moves on some board."""
    return not fault and any(check.turns for check in boards)


def _more(bad: list[BoardCheck]) -> str:
    """On how many boards it failed like on the first, and how on others."""
    kinds = Counter(check.kind for check in bad[1:])
    told = [
        f"and on {count} more board{'s' * (count > 1)}"
        if kind == bad[0].kind
        else f"{kind} on {count} more"
        for kind, count in kinds.items()
    ]
    return f" ({', '.join(told)})" if told else ""


@dataclass(frozen=True)
class Trial:
    """How submissions are judged: `options` are those of the game but for the board.

    `python` is the interpreter that runs them, empty for our own.
    """

    boards: tuple[str, ...]
    limit: Limit
    settings: EngineSettings
    options: dict[str, OptionValue]
    python: str = ""
    restricted: bool = False
    """Whether the board itself, without a mode, says where players may begin."""

    @property
    def mode(self) -> str:
        return str(self.options.get("mode", "board" if self.restricted else CLASSIC))

    @property
    def classic(self) -> bool:
        return self.mode in ("board", CLASSIC) and not self.restricted

    def in_mode(self, mode: str) -> Trial:
        """The same trial in another mode, on one board that the course can load in it."""
        options = {**self.options, "mode": mode}
        return replace(self, boards=check_boards(mode)[:1], options=options, restricted=False)

    def player(self, submission: Submission) -> str:
        """The submission as a player of a match."""
        return f"course:{submission.folder}" + (f",python={self.python}" if self.python else "")


def make_trial(
    options: dict[str, OptionValue], limit: Limit, settings: EngineSettings, python: str = ""
) -> Trial:
    """The trial that goes with the options of a game, on its board and some more.

    InputError for a board that cannot be played in this mode: no submission is to blame for it.
    """
    rest = {name: value for name, value in options.items() if name != "board"}
    boards = check_boards(str(rest.get("mode", CLASSIC)), str(options.get("board", "")))
    restricted = "allowed1=" in make_game(GAME, {**rest, "board": boards[0]}).start().text
    restricted = restricted and rest.get("mode", "board") == "board"
    boards = boards[:1] if restricted else boards  # the others are of another mode
    interpreter = checked_interpreter(python) if python else ""
    return Trial(boards, limit, settings, rest, interpreter, restricted)


def judge(
    submission: Submission, trial: Trial, tell: Callable[[str], object] = str
) -> SubmissionVerdict:
    """Load a submission and let it play some turns on every board, in its own process.

    Whatever goes wrong meanwhile is what is found out about this one, never the end of a ranking.
    `tell` hears of each board before it is tried.
    """
    if submission.folder is None:
        advice = f"hand in a folder or a zip file with one {MAIN_FILE} in it"
        return SubmissionVerdict(submission, fault=submission.fault, advice=advice)
    try:
        return _judge(submission, trial, tell)
    except Exception as error:
        reason = own_paths(f"{type(error).__name__}: {error}", submission)
        return SubmissionVerdict(submission, fault=f"it cannot be judged: {reason}"[:500])


def _judge(
    submission: Submission, trial: Trial, tell: Callable[[str], object]
) -> SubmissionVerdict:
    assert submission.folder is not None
    fault, advice = _read_source(submission)
    if fault:
        return SubmissionVerdict(submission, fault=fault, advice=advice)
    classic = trial.classic
    generation = detect_generation(submission.folder)
    if generation == OLDER and not classic:
        return SubmissionVerdict(
            submission,
            generation,
            f"it is of the older generation, which knows mode {CLASSIC} only",
            f"play it with --option mode={CLASSIC}",
        )
    verdict = _try_boards(submission, generation, trial, tell)
    faults = _FAULTS_OF_MODE[classic]
    if verdict.fault or not all(check.fault.startswith(faults) for check in verdict.boards):
        return verdict
    if generation == OLDER or (classic and verdict.playable):
        return verdict
    return _with_other_mode(verdict, trial, tell)


def _with_other_mode(
    verdict: SubmissionVerdict, trial: Trial, tell: Callable[[str], object]
) -> SubmissionVerdict:
    """The verdict on a submission that fails everywhere, if it does better in another mode."""
    this, other = (CLASSIC, ROWS) if trial.classic else (trial.mode, CLASSIC)
    there = _try_boards(verdict.submission, verdict.generation, trial.in_mode(other), tell)
    if not there.playable:
        return verdict
    squares = "None, and every empty square is allowed"
    advice = (
        f"in mode {this} `game_state.player_squares()` is "
        f"{squares if this == CLASSIC else 'the squares to choose from'}: handle that, or have it "
        f"played with --option mode={other}"
    )
    if not verdict.playable:
        fault = f"it plays in mode {other}, but not in mode {this}: {verdict.summary}"
        return replace(verdict, fault=fault, advice=advice)
    if not all(check.ok for check in there.boards):
        return verdict
    remark = Remark(f"it keeps the rules in mode {other} only", advice)
    return replace(verdict, remarks=(*verdict.remarks, remark))


def _try_boards(
    submission: Submission, generation: str, trial: Trial, tell: Callable[[str], object]
) -> SubmissionVerdict:
    checks: list[BoardCheck] = []
    remarks: dict[str, Remark] = {}
    attempts: dict[str, None] = {}
    fault = advice = log = ""

    def listen(engine: Engine) -> str:
        output = engine.log_text()
        attempts.update(attempts_in(output))
        remarks.update(
            {remark.kind or remark.found: remark for remark in read_output(output, submission)}
        )
        return tail(output, submission)

    with one_engine(GAME, trial.player(submission), trial.settings) as engine:
        try:
            for board in trial.boards:
                tell(board_name(board))
                engine.start()
                check = _play_turns(engine, board, trial)
                checks.append(replace(check, fault=own_paths(check.fault, submission)))
                if not checks[-1].ok:
                    engine.close()  # the next board gets a fresh process, and the log is whole
                log = listen(engine) or log
        except EngineError as error:
            engine.close()
            log = listen(engine)
            fault, advice = _explain_start(error, log)
            fault = own_paths(fault, submission)
        except PlygroundError as error:
            fault = str(error)
    found = (*remarks.values(), *read_attempts(attempts, trial.settings))
    return SubmissionVerdict(submission, generation, fault, advice, tuple(checks), found, log)


def with_games(
    verdict: SubmissionVerdict, outputs: Iterable[str], settings: EngineSettings
) -> SubmissionVerdict:
    """The verdict with what it tried in its games only, by what it put out in them."""
    lines = {line: None for text in outputs for line in attempts_in(text)}
    known = {remark.kind for remark in verdict.remarks}
    later = [each for each in read_attempts(lines, settings) if each.kind not in known]
    later = [replace(each, found=f"in games {each.found}") for each in later]
    return replace(verdict, remarks=(*verdict.remarks, *later))


def _read_source(submission: Submission) -> tuple[str, str]:
    """What can be said without running it: fault and advice, both empty if there is none."""
    assert submission.folder is not None
    try:
        tree = read_source(submission.folder / MAIN_FILE)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        where = f"{MAIN_FILE}, line {line}" if line else MAIN_FILE
        reason = getattr(error, "msg", str(error))
        if "null bytes" in reason:
            return f"{where} is no text in UTF-8", f"save {MAIN_FILE} as UTF-8, not as UTF-16"
        return f"syntax error in {where}: {reason}", f"run `python {MAIN_FILE}` to see it"
    if tree is None:
        return "", ""
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    mains = [node for node in classes if node.name == "SudokuAI"]  # the last one counts
    main = mains[-1] if mains else None
    if main is None and not _names(tree, "SudokuAI"):
        names = ", ".join(node.name for node in classes) or "none"
        return (
            f"{MAIN_FILE} has no class SudokuAI (its classes: {names})",
            "name the class SudokuAI and derive it from competitive_sudoku.sudokuai.SudokuAI",
        )
    bases = [ast.unparse(base) for base in main.bases] if main else []
    own = not bases or bases == ["competitive_sudoku.sudokuai.SudokuAI"]
    method = "compute_best_move"
    if main and own and not (_names(tree, method) or _mentions(tree, method)):
        return (
            "class SudokuAI has no method compute_best_move",
            "define compute_best_move(self, game_state) and call self.propose_move in it",
        )
    return "", ""


def _names(tree: ast.AST, name: str) -> bool:
    """Whether code defines or imports a name, or may do so by a star."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == name:
            return True
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store):
            return True
        if isinstance(node, ast.alias) and (node.asname or node.name) in (name, "*"):
            return True
    return False


def _mentions(tree: ast.AST, name: str) -> bool:
    """Whether a name stands anywhere in code, as what or in whatever way it is set."""
    fields = ("name", "id", "attr", "value", "arg")
    return any(getattr(node, field, None) == name for node in ast.walk(tree) for field in fields)


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
    reason = re.sub(r"^(at start: )?(says: )?(.* cannot be imported: )?", "", error.detail)
    advice = ADVICE.get(error.termination, "") if "Traceback" in log else ADVICE_OF_START
    advice = ADVICE_ON_FILES if NO_FILE in reason else advice
    return f"it does not load: {reason}", advice


def _play_turns(engine: Engine, board: str, trial: Trial) -> BoardCheck:
    """Let it make the moves of both sides; stops at the first fault."""
    rules = MatchRules(engine=engine.settings)
    start, *passes = board.split(TABOO)
    options = {**trial.options, "board": start}
    game = make_game(GAME, options)
    opening = taboo_opening(options) if passes else ()
    limits = (trial.limit, trial.limit)
    referee = Referee(game, opening=opening, limits=limits, labels=("it", "it"), rules=rules)
    engine.new_game(
        GameSetup(
            id=f"check-{board}",
            game=game,
            position=referee.position,
            side=0,
            seed=0,
            limit=trial.limit,
            opening=opening,
        )
    )
    board = board_name(board)
    turns, slowest = 0, 0.0
    while referee.outcome is None and turns < MOST_TURNS:
        try:
            ruling = take_turn(referee, engine)
        except EngineError as error:
            reason, advice = explain_failure(error, engine)
            fault = f"{error.termination.value} in turn {turns + 1}: {reason}"
            return BoardCheck(board, turns, slowest, fault, advice)
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


def explain_failure(error: EngineError, engine: Engine) -> tuple[str, str]:
    """Why it failed and what to do: of a crash the error at the end of its trace, and its line."""
    advice = ADVICE.get(error.termination, "")
    if error.termination is Termination.NO_MOVE:
        return "it returned without a proposal", advice
    if error.termination is not Termination.CRASH:
        return error.detail, advice
    engine.close()  # then its log is whole, on a busy machine too
    log = engine.log_text()
    if error.detail.startswith("says: ") and (reason := last_error(log)):
        return reason, ADVICE_ON_FILES if reason.startswith(NO_FILE) else advice
    if "Traceback" not in log:
        advice = ADVICE_WITHOUT_TRACE
    return re.sub(rf":? *{re.escape(MARK)}.*", "", error.detail).removeprefix("says: "), advice


def _explain_forfeit(outcome: Outcome, turn: int) -> tuple[str, str]:
    detail = f": {outcome.detail}" if outcome.detail else ""
    fault = f"{outcome.termination.value} in turn {turn}{detail}"
    return fault, ADVICE.get(outcome.termination, "")
