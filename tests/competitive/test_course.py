"""Course submissions of both generations in full games: verdicts, saves, logs, no process left."""

from __future__ import annotations

import time
from pathlib import Path

import psutil
import pytest

from plyground.core.errors import InputError, OptionError
from plyground.core.limits import Limit
from plyground.core.outcome import Termination
from plyground.core.registry import make_game
from plyground.course.host.detection import detect_generation
from plyground.course.host.submission import NEWER, OLDER
from plyground.engines.engine import EngineSettings, GameSetup
from plyground.engines.failure import EngineError
from plyground.engines.players import make_engine

GAME = "competitive-sudoku"
FOLDER = Path(__file__).parent / "submissions"
LIMIT = Limit(time=0.15)


def player(name: str, extra: str = "") -> str:
    return f"course:{FOLDER / name}{extra}"


@pytest.fixture(scope="module")
def pool():
    """Engines by player and seat, used for many games; in the end no process is left."""
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    engines = {}
    yield engines
    for engine in engines.values():
        engine.close()
    deadline = time.monotonic() + 5
    left = before
    while left and time.monotonic() < deadline:
        left = {c.pid for c in psutil.Process().children(recursive=True)} - before
        time.sleep(0.02)
    assert not left


def play(
    pool,
    first: str,
    second: str,
    mode: str = "classic",
    board: str = "random-2x3",
    limit: Limit = LIMIT,
):
    """The outcome of a game, the answers of both seats, and the engines' logs."""
    game = make_game(GAME, {"board": board, "mode": mode})
    settings = EngineSettings(margin=0.3)
    keys = [(first, 0), (second, 1)]
    for key in keys:
        if key not in pool:
            pool[key] = make_engine(GAME, key[0], settings)
    engines = [pool[key] for key in keys]
    answers = ([], [])
    position = game.start()
    for seat, engine in enumerate(engines):
        engine.start()
        engine.new_game(
            GameSetup(
                id=f"{mode} on {board}",
                game=game,
                position=position,
                side=seat,
                seed=0,
                limit=limit,
            )
        )
    outcome = None
    while outcome is None:
        seat = position.turn
        try:
            answer = engines[seat].think(position, limit, lambda info: None)
        except EngineError as error:
            outcome = game.forfeit(position, seat, error.termination, error.detail)
            break
        answers[seat].append(answer)
        verdict = game.judge(position, answer.moves[0])
        outcome = verdict.outcome
        if outcome is None:
            position = verdict.position
            outcome = position.outcome
            for engine in engines:
                engine.observe(position, verdict.move, seat)
    logs = [engine.log_text() for engine in engines]
    if outcome.termination in (Termination.CRASH, Termination.TIMEOUT):
        pool.pop(keys[1 - outcome.winner]).close()
    return outcome, answers, logs


@pytest.mark.parametrize(
    ("name", "generation"),
    [
        ("older_steady", OLDER),
        ("older_endless", OLDER),
        ("older_broken", OLDER),
        ("newer_steady", NEWER),
        ("newer_endless", NEWER),
        ("newer_broken", NEWER),
    ],
)
def test_the_generation_is_read_off_the_code(name: str, generation: str) -> None:
    assert detect_generation(FOLDER / name) == generation


def test_a_full_game_between_the_generations(pool) -> None:
    outcome, answers, logs = play(pool, player("older_steady"), player("newer_steady"))
    assert outcome.termination == Termination.NORMAL
    assert sum(outcome.scores) > 0
    assert "proposing" in logs[0]
    # Nobody waits for the full time.
    assert all(answer.elapsed < 0.12 for answer in (*answers[0][1:], *answers[1][1:]))


@pytest.mark.parametrize("mode", ["rows", "border", "random"])
def test_a_full_game_on_restricted_squares(pool, mode: str) -> None:
    outcome, _, _ = play(pool, player("newer_steady"), player("newer_steady"), mode)
    assert outcome.termination == Termination.NORMAL


def test_the_last_proposal_of_an_endless_submission_counts(pool) -> None:
    outcome, answers, _ = play(
        pool, player("older_endless"), player("older_steady"), board="random-2x2"
    )
    assert outcome.termination == Termination.NORMAL
    assert all(0.1 < answer.elapsed < 0.45 for answer in answers[0])


def test_strict_mode_lasts_the_full_time(pool) -> None:
    _, answers, _ = play(
        pool, player("older_steady", ",strict=yes"), player("older_steady"), board="random-2x2"
    )
    assert all(answer.elapsed > 0.13 for answer in answers[0])


def test_a_crash_before_a_proposal_loses_but_not_one_after_it(pool) -> None:
    outcome, answers, logs = play(pool, player("older_broken"), player("older_steady"))
    assert outcome.winner == 1
    assert outcome.termination == Termination.CRASH
    assert len(answers[0]) == 2
    assert "lost the thread" in logs[0]
    assert "cannot be pickled" in logs[0]


def test_no_proposal_in_time_loses_and_its_processes_end(pool) -> None:
    outcome, _, _ = play(pool, player("newer_steady"), player("newer_endless"))
    assert outcome.winner == 0
    assert outcome.termination == Termination.TIMEOUT


def test_submissions_are_charged_by_the_processor(pool) -> None:
    limit = Limit(time=0.15, by="cpu")
    outcome, _, _ = play(pool, player("older_steady"), player("newer_steady"), limit=limit)
    assert outcome.termination == Termination.NORMAL
    outcome, _, _ = play(pool, player("newer_endless"), player("newer_steady"), limit=limit)
    assert (outcome.winner, outcome.termination) == (1, Termination.TIMEOUT)
    assert "of processor time" in outcome.detail


def test_squares_off_the_board_lose_whatever_their_flat_index(pool) -> None:
    outcome, _, _ = play(
        pool, player("newer_broken"), player("newer_steady"), "border", "empty-2x2"
    )
    assert outcome.winner == 1
    assert outcome.termination == Termination.ILLEGAL_MOVE


def test_bad_players_are_refused_with_a_reason(tmp_path: Path) -> None:
    settings = EngineSettings()
    with pytest.raises(InputError, match="no folder"):
        make_engine(GAME, f"course:{tmp_path / 'nobody'}", settings)
    with pytest.raises(InputError, match=r"no sudokuai\.py"):
        make_engine(GAME, f"course:{tmp_path}", settings)
    with pytest.raises(OptionError):
        make_engine(GAME, player("older_steady", ",speed=9"), settings)
    with pytest.raises(OptionError):
        make_engine(GAME, player("older_steady", ",generation=ancient"), settings)
    with pytest.raises(InputError):
        make_engine("connect4", player("older_steady"), settings)
    (tmp_path / "sudokuai.py").write_text("import nothing_of_this_name\n")
    engine = make_engine(GAME, f"course:{tmp_path}", settings)
    try:
        with pytest.raises(EngineError, match="nothing_of_this_name"):
            engine.start()
    finally:
        engine.close()


OLDER_HELPERS = """
import competitive_sudoku.sudokuai
from competitive_sudoku.execute import solve_sudoku
from competitive_sudoku.sudoku import (
    GameState, Move, SudokuBoard, TabooMove, load_sudoku, load_sudoku_from_text, print_board,
    save_sudoku,
)


class SudokuAI(competitive_sudoku.sudokuai.SudokuAI):
    def compute_best_move(self, game_state):
        board = game_state.board
        assert load_sudoku_from_text(print_board(board)).squares == board.squares
        assert str(board).split()[:2] == [str(board.m), str(board.n)]
        assert "has a solution" in solve_sudoku(self.solve_sudoku_path, str(board))
        mover = game_state.current_player()
        game_state.moves.append(Move(0, 0, 1))
        assert game_state.current_player() == 3 - mover
        taboo = " ".join(f"{m.i} {m.j} {m.value}" for m in game_state.taboo_moves)
        text = solve_sudoku(self.solve_sudoku_path, str(board), f'--greedy --taboo="{taboo}"')
        k, value = text[text.index("(") + 1 : text.index(")")].split(",")
        judged = solve_sudoku("", str(board), f'--move "{k} {value}"')
        assert "The score is" in judged or "has no solution" in judged
        self.propose_move(Move(*board.f2rc(int(k)), int(value)))
"""

NEWER_HELPERS = """
import competitive_sudoku.sudokuai
from competitive_sudoku.execute import solve_sudoku
from competitive_sudoku.sudoku import (
    GameState, Move, Square, SudokuBoard, SudokuSettings, TabooMove, allowed_squares,
    parse_game_state, parse_sudoku_board, pretty_print_game_state, pretty_print_sudoku_board,
    print_game_state, print_sudoku_board,
)


class SudokuAI(competitive_sudoku.sudokuai.SudokuAI):
    def compute_best_move(self, game_state):
        board = game_state.board
        assert parse_sudoku_board(print_sudoku_board(board)).squares == board.squares
        assert pretty_print_sudoku_board(board) in pretty_print_game_state(game_state)
        again = parse_game_state(print_game_state(game_state), "rows")
        assert again.board.squares == board.squares
        assert again.player_squares() == game_state.player_squares()
        assert allowed_squares(board, "rows") == (again.allowed_squares1, again.allowed_squares2)
        allowed = " ".join(str(board.square2index(s)) for s in game_state.player_squares())
        taboo = " ".join(f"{m.square[0]} {m.square[1]} {m.value}" for m in game_state.taboo_moves)
        options = f'--random --taboo="{taboo}" --allowed="{allowed}"'
        text = solve_sudoku(self.solve_sudoku_path, str(board), options)
        k, value = text[text.index("(") + 1 : text.index(")")].split(",")
        self.propose_move(Move(board.index2square(int(k)), int(value)))
"""


@pytest.mark.parametrize(
    ("code", "mode", "generation"),
    [(OLDER_HELPERS, "classic", OLDER), (NEWER_HELPERS, "rows", NEWER)],
)
def test_the_framework_helpers_work(
    pool, tmp_path: Path, code: str, mode: str, generation: str
) -> None:
    folder = tmp_path / f"{generation}_helpers"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "sudokuai.py").write_text(code)
    assert detect_generation(folder) == generation
    outcome, _, logs = play(pool, f"course:{folder}", f"course:{folder}", mode)
    assert outcome.termination == Termination.NORMAL, logs


LIGHT = """
import sys
import competitive_sudoku.sudokuai
from competitive_sudoku.execute import solve_sudoku
from competitive_sudoku.sudoku import Move


class SudokuAI(competitive_sudoku.sudokuai.SudokuAI):
    def __init__(self):
        super().__init__()
        print("built", file=sys.stderr)
        self.turns = 0

    def compute_best_move(self, game_state):
        heavy = {"numpy", "numba", "msgspec", "plyground.games", "plyground.sudoku"}
        print("loaded", sorted(heavy & set(sys.modules)), file=sys.stderr)
        print("turn", self.turns, len(game_state.moves), file=sys.stderr)
        self.turns += 1
        assert str(game_state).startswith("rows = ")
        board = game_state.board
        answer = solve_sudoku("", str(board), "--greedy --allowed=" + repr(" ".join(
            str(board.square2index(square)) for square in game_state.player_squares())))
        k, value = answer[answer.index("(") + 1 : answer.index(")")].split(",")
        self.propose_move(Move(board.index2square(int(k)), int(value)))
"""


def test_a_submission_is_built_once_a_game_and_waits_for_no_library_of_ours(pool, tmp_path):
    folder = tmp_path / "newer_light"
    folder.mkdir()
    (folder / "sudokuai.py").write_text(LIGHT)
    for number in (1, 2):
        players = (f"course:{folder}", player("newer_steady"))
        _, answers, _ = play(pool, *players, "border", f"random-{number + 1}x3")
        played = len(answers[0])
        engine = pool[players[0], 0]  # it keeps what was said in this game
        deadline = time.monotonic() + 10
        while engine.log_text().count("turn ") < played and time.monotonic() < deadline:
            time.sleep(0.01)
        log = engine.log_text()
        assert log.count("built") == 1
        turns = [line for line in log.splitlines() if line.startswith("turn")]
        # Every turn begins with the object as it was built, as in the course.
        assert len(turns) == played and all(line.startswith("turn 0 ") for line in turns)
        assert turns[0] == "turn 0 0"
        assert log.count("loaded []") == log.count("loaded [") == played > 2
