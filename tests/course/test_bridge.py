"""What submissions find in their process: the course's names, its solver's words, its runner."""

from __future__ import annotations

import ast
import sys
import venv
from pathlib import Path

import numpy as np
import pytest

from plyground.core.errors import InputError, MoveError, OptionError
from plyground.core.limits import Limit
from plyground.core.registry import make_game
from plyground.course.bridge import checked_interpreter, split_options
from plyground.course.host.oracle import answer
from plyground.course.host.position import read_position
from plyground.course.host.turn import describe_move
from plyground.engines.engine import EngineSettings, GameSetup
from plyground.engines.players import make_engine
from plyground.games.competitive_sudoku.notation import parse_position
from processes import run_python

GAME = "competitive-sudoku"
LIMIT = Limit(time=5.0)
BOARD = """2 2
 1 2 3 4
 3 4 . 2
 2 1 . 3
 . . . 1
"""
HEAD = """
import competitive_sudoku.sudokuai
from competitive_sudoku.sudoku import *


class SudokuAI(competitive_sudoku.sudokuai.SudokuAI):
"""


def first_move(
    folder: Path, source: str, extra: str = "", mode: str = "classic", moves: tuple[str, ...] = ()
) -> str:
    """What a submission with this source answers on an empty board, or after these moves."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sudokuai.py").write_text(source)
    game = make_game(GAME, {"board": "empty-2x2", "mode": mode})
    engine = make_engine(GAME, f"course:{folder}{extra}", EngineSettings())
    try:
        engine.start()
        engine.new_game(
            GameSetup(
                id="one", game=game, start="", opening=(), position=game.start(), side=0, seed=0,
                limit=LIMIT,
            )
        )  # fmt: skip
        position = game.start()
        for number, move in enumerate(moves):
            position = position.play(move)
            engine.observe(position, move, number % 2)
        return engine.think(position, LIMIT, lambda info: None).moves[0]
    finally:
        engine.close()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("", "The sudoku has a solution."),
        ("--move '6 1'", "The score is 3 (valid move '6 1')."),
        ("--move '10 4'", "The score is 1 (valid move '10 4')."),
        ("--move '6 9'", "Invalid move '6 9'."),
        ("--move '-1 2'", "Invalid move '-1 2'."),
        ("--move '0 1'", "Illegal move '0 1'."),
        ("--move '6 2'", "Illegal move '6 2'."),
        ("--move '6 1' --allowed='10'", "Illegal move '6 1'."),
        ("--move '6 1 4'", "The score is 3 (valid move '6 1 4')."),
        ("--move '7'", "Could not parse a move from '7'."),
        ("--greedy", "Generated move (6,1)."),
        ("--greedy --allowed=''", "Generated move (6,1)."),
        ("--random --allowed='6' --taboo='1 2 1'", "Error: could not find a legal move."),
        (
            "--print",
            "The sudoku has a solution.\n2 2\n   1   2   3   4\n   3   4   1   2\n"
            "   2   1   4   3\n   4   3   2   1",
        ),
    ],
)
def test_the_solver_answers_in_the_words_of_the_course(options: str, words: str) -> None:
    assert answer(BOARD, options) == words


def test_the_solver_on_boards_without_a_solution() -> None:
    top = "2 2\n 1 2 . .\n . . . .\n . . . .\n . . . .\n"
    assert answer(top, "--move '6 3'") == "The sudoku has no solution after move '6 3')."
    assert answer(top.replace("1 2 .", "1 1 ."), "--print") == "The sudoku has no solution."


STAR_NEWER = (
    HEAD
    + """
    def compute_best_move(self, game_state):
        names = (copy, io, random, List, Tuple, Union, Any, Optional, Iterator, Square,
                 SudokuSettings, TabooMove, SudokuBoard, GameState, parse_properties,
                 print_sudoku_board, pretty_print_sudoku_board, parse_sudoku_board,
                 pretty_print_game_state, generate_random_tuples, allowed_squares)
        again = parse_game_state(print_game_state(game_state), "rows")
        assert again.allowed_squares1 == game_state.allowed_squares1
        assert len(set(generate_random_tuples(4))) == 8
        self.propose_move(Move(copy.deepcopy(game_state).player_squares()[0], 1))
"""
)
STAR_OLDER = (
    HEAD
    + """
    def compute_best_move(self, game_state):
        names = (copy, io, random, List, Tuple, Union, load_sudoku_from_text, print_board)
        self.propose_move(Move(0, 0, 1))
"""
)
ASSIGNING = (
    HEAD
    + """
    def __init__(self):
        self.own = 3  # the base class is not called

    def compute_best_move(self, game_state):
        self.best_move[0], self.best_move[1], self.best_move[2] = 0, 0, 1
        self.best_move[1] = self.own
        assert game_state.board.rc2f(0, 1) == 1
"""
)
THREADS = (
    HEAD
    + """
    def compute_best_move(self, game_state):
        import threading, time
        def search():
            time.sleep(0.2)
            self.propose_move(Move(0, 2, 1))
        self.propose_move(Move(0, 0, 1))
        threading.Thread(target=search).start()  # goes on after this has returned
"""
)
NOTHING = (
    HEAD
    + """
    def compute_best_move(self, game_state):
        self.propose_move(Move(0, 0, 1))
        self.propose_move(Move(0, 2, 0))  # no value: the last proposal all the same
"""
)
FLOATS = (
    HEAD
    + """
    def compute_best_move(self, game_state):
        self.propose_move(Move(0, 2, 1.0))
"""
)
EQUALITY = (
    HEAD
    + """
    def compute_best_move(self, game_state):
        def fails(trial):
            try: trial()
            except (TypeError, AttributeError): return True
        same = Move(0, 0, 1) == TabooMove(0, 0, 1) and Move(0, 0, 1) != Move(0, 0, 2)
        odd = fails(lambda: {Move(0, 0, 1)}) and fails(lambda: Move(0, 0, 1) == None)
        self.propose_move(Move(0, int(same), 1 + odd))
"""
)


@pytest.mark.parametrize(
    ("source", "mode", "move"),
    [
        (STAR_NEWER, "rows", "(0,0) -> 1"),
        (STAR_OLDER, "classic", "(0,0) -> 1"),
        (ASSIGNING, "classic", "(0,3) -> 1"),
        (THREADS, "classic", "(0,2) -> 1"),
        (NOTHING, "classic", "(0,2) -> 0"),
        (FLOATS, "classic", "(0,2) -> 1"),
        (EQUALITY, "classic", "(0,1) -> 2"),
    ],
)
def test_names_of_the_course_and_moves_by_assignment(tmp_path, source, mode, move) -> None:
    assert first_move(tmp_path / "team", source, mode=mode) == move


def test_moves_are_whole_numbers_as_the_solver_of_the_course_reads_them():
    assert describe_move(0, 2, 1) == describe_move(np.int64(0), np.uint8(2), np.float64(1.0))
    assert describe_move(0, 2, 1.0) == "(0,2) -> 1"
    for odd in ((0, 2, 1.5), (0, 2, "1"), ("0", 2, 1), (0.0, 2, 1), (0, 2, None), (0, 2, 1e400)):
        with pytest.raises(MoveError):
            make_game(GAME, {"board": "empty-2x2"}).start().play(describe_move(*odd))


def test_moves_come_in_their_order_and_passes_as_taboo_moves(tmp_path) -> None:
    source = (
        HEAD
        + """
    def compute_best_move(self, game_state):
        assert [isinstance(move, TabooMove) for move in game_state.moves] == [0, 0, 0, 1]
        assert game_state.taboo_moves == [Move((2, 3), 1)]
        assert game_state.occupied_squares() == [(0, 1), (0, 0)]
        self.propose_move(Move(game_state.player_squares()[0], 3))
"""
    )
    moves = ("(0,1) -> 2", "(3,3) -> 2", "(0,0) -> 1", "(2,3) -> 1!")
    assert first_move(tmp_path / "team", source, mode="rows", moves=moves) == "(0,2) -> 3"


def test_another_interpreter_brings_its_own_libraries(tmp_path) -> None:
    venv.create(tmp_path / "env", symlinks=True)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    library = tmp_path / "env" / "lib" / version / "site-packages"
    (library / "numpy.py").write_text("__version__ = '0.1'\n")
    source = "import numpy\nassert numpy.__version__ == '0.1'\n" + STAR_OLDER
    python = tmp_path / "env" / "bin" / "python"
    assert first_move(tmp_path / "old, numpy", source, f",python={python}") == "(0,0) -> 1"


def test_what_lies_beside_a_submission_can_be_imported(tmp_path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "tools.py").write_text("import more\nMOVE = more.MOVE\n")
    (tmp_path / "more.py").write_text("MOVE = (0, 0, 1)\n")
    source = STAR_OLDER.replace("Move(0, 0, 1)", "Move(*MOVE)")
    source = "from shared.tools import MOVE\n" + source
    assert first_move(tmp_path / "team", source) == "(0,0) -> 1"


def test_a_submission_may_import_from_above_its_folder(tmp_path) -> None:
    (tmp_path / "agents" / "shared").mkdir(parents=True)
    (tmp_path / "agents" / "shared" / "tools.py").write_text("from .more import MOVE\n")
    (tmp_path / "agents" / "shared" / "more.py").write_text("MOVE = (0, 0, 1)\n")
    (tmp_path / "agents" / "best.py").write_text("from .shared import tools\n")
    source = STAR_OLDER.replace("Move(0, 0, 1)", "Move(*best.tools.MOVE)")
    folder = tmp_path / "agents" / "versions" / "new"
    assert first_move(folder, "from ... import best\n" + source) == "(0,0) -> 1"
    source = source.replace("best.tools", "tools")
    assert first_move(folder, "from ...shared import tools\n" + source) == "(0,0) -> 1"


def test_a_submission_finds_what_lies_beside_the_program_of_the_course(tmp_path) -> None:
    (tmp_path / "simulate_game.py").touch()
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "__init__.py").write_text("ROW = 0\n")
    (tmp_path / "weights.txt").write_text("1")
    folder = tmp_path / "versions" / "best"
    move = "Move(tools.ROW, here.COLUMN, int(open(FILE).read()))"
    source = STAR_OLDER.replace("Move(0, 0, 1)", move)
    folder.mkdir(parents=True)
    (folder / "here.py").write_text("COLUMN = 0\n")
    source = f"import tools\nimport versions.best.here as here\nFILE = 'weights.txt'\n{source}"
    assert first_move(folder, source) == "(0,0) -> 1"
    (folder / "value.txt").write_text("2")
    source = source.replace("weights.txt", "versions/best/value.txt")
    assert first_move(folder, source) == "(0,0) -> 2"


def test_data_beside_a_submission_is_found_as_in_the_course(tmp_path) -> None:
    (tmp_path / "weights").mkdir()
    (tmp_path / "weights" / "best.txt").write_text("1")
    (tmp_path / "more.txt").write_text("0")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "sudokuai.py").write_text("secret = 1\n")
    source = STAR_OLDER.replace("Move(0, 0, 1)", "Move(0, int(more), int(best))")
    source = source.replace(
        "        self.prop",
        """        best, more = open('weights/best.txt').read(), open('./more.txt').read()
        open('weights/best.txt', 'a').write('x')  # a copy of its own
        there = os.path.dirname(os.path.realpath('team'))
        if os.environ['HOME'] == '/home/player':  # in a sandbox
            assert not os.path.exists(there + '/other/sudokuai.py')
        self.prop""",
    )
    assert first_move(tmp_path / "team", "import os\n" + source) == "(0,0) -> 1"
    assert (tmp_path / "weights" / "best.txt").read_text() == "1"


def test_files_of_a_submission_hide_no_library(tmp_path) -> None:
    (tmp_path / "random").mkdir()
    (tmp_path / "random" / "__init__.py").touch()
    (tmp_path / "random" / "queue.py").write_text("MOVE = (0, 0, 1)\n")
    (tmp_path / "random" / "own.py").write_text("from .queue import MOVE\n")
    source = "import queue, random\nfrom .own import MOVE\n"
    source += "assert queue.Queue and random.choice\n"
    source += STAR_OLDER.replace("Move(0, 0, 1)", "Move(*MOVE)")
    assert first_move(tmp_path / "random", source) == "(0,0) -> 1"


def test_options_after_a_folder(tmp_path) -> None:
    assert split_options("team,strict=yes,generation=older") == (
        "team",
        {"strict": "yes", "generation": "older"},
    )
    odd = tmp_path / "team 4, b=c"
    odd.mkdir()
    assert split_options(f"{odd},strict=no") == (str(odd), {"strict": "no"})
    with pytest.raises(OptionError, match="speed=9"):
        split_options("team,speed=9")
    (tmp_path / "sudokuai.py").touch()
    with pytest.raises(InputError, match="no such program"):
        make_engine(GAME, f"course:{tmp_path},python=no-such-python", EngineSettings())


def test_an_interpreter_that_cannot_run_submissions_blames_none_of_them(tmp_path) -> None:
    assert checked_interpreter(sys.executable) == sys.executable
    old = tmp_path / "python2"
    for words, said in (("echo False 2.7.18", "it is Python 2.7.18; 3.9"), ("true", "no Python")):
        old.write_text(f"#!/bin/sh\n{words}\n")
        old.chmod(0o755)
        with pytest.raises(InputError, match=said):
            checked_interpreter(str(old))


def test_the_host_can_be_read_by_older_interpreters() -> None:
    import plyground.course.host

    for path in Path(plyground.course.host.__file__).parent.rglob("*.py"):
        ast.parse(path.read_text(), feature_version=(3, 9))


def test_the_process_of_a_submission_loads_little():
    """Every turn is a fork of it, which costs the more the more is there."""
    program = """
import sys
before = set(sys.modules)
import plyground.course.host.__main__ as host
sys.path.insert(0, host.__file__.replace("__main__.py", "newer"))
import competitive_sudoku.sudokuai
print(sorted(name for name in set(sys.modules) - before if "plyground" not in name))
"""
    ours = {"competitive_sudoku", "competitive_sudoku.sudoku", "competitive_sudoku.sudokuai"}
    loaded = set(ast.literal_eval(run_python("-c", program, timeout=60).stdout))
    assert loaded - ours <= {"__future__", "_json", "_operator", "gc", "select"}


def test_what_the_modules_of_the_course_import_is_found_there(tmp_path) -> None:
    source = STAR_NEWER.replace(
        "        names = (",
        """        from competitive_sudoku.sudokuai import List, datetime, math, os, pickle
        from competitive_sudoku import sudokuai
        assert math.pi > 3 and datetime.now() and pickle.dumps(1) and os.getpid()
        assert not hasattr(sudokuai, "nothing") and sudokuai.math is math
        names = (""",
    )
    assert first_move(tmp_path / "team", source, mode="rows") == "(0,0) -> 1"


def test_a_submission_is_built_once_for_a_game(tmp_path) -> None:
    source = (
        HEAD
        + """
    built = played = 0

    def __init__(self):
        super().__init__()
        type(self).built += 1

    def compute_best_move(self, game_state):
        type(self).played += 1
        assert self.player_number == 1 and self.load() is None
        self.propose_move(Move((0, self.built), self.played))
"""
    )
    assert first_move(tmp_path / "team", source, mode="rows") == "(0,1) -> 1"


@pytest.mark.parametrize("mode", ["classic", "rows", "border"])
def test_positions_are_read_as_the_game_reads_them(mode: str) -> None:
    game = make_game(GAME, {"board": "random-2x3", "mode": mode, "seed": 5})
    position, seed = game.start(), 3
    while not position.is_over:
        found, data = read_position(position.text), parse_position(position.text)
        assert (found.rows, found.columns, found.player) == (data.rows, data.columns, data.player)
        assert (tuple(found.cells), tuple(found.scores)) == (data.cells, data.scores)
        assert (tuple(found.taboo), found.allowed) == (data.taboo, data.allowed)
        assert found.occupied == data.occupied
        seed = seed * 7 % 1009
        position = position.play(position.legal_moves[seed % len(position.legal_moves)])
