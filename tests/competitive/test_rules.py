"""The rules against an independent referee, and the kernels against their plain twins."""

from __future__ import annotations

import random

import numpy as np
import pytest

from plyground.core.errors import GameOverError, IllegalMoveError, OptionError, PositionError
from plyground.core.outcome import Termination
from plyground.core.registry import make_game
from plyground.games.competitive_sudoku.modes import MODES
from plyground.games.competitive_sudoku.notation import format_position
from plyground.games.competitive_sudoku.position_data import PositionData
from plyground.sudoku import named_board
from plyground.sudoku.solvability import solvability
from plyground.testing import check_plain_python_agrees

from .referee import Referee

NAME = "competitive-sudoku"
VERDICTS = {"taboo": Termination.TABOO_MOVE, "illegal": Termination.ILLEGAL_MOVE}


def make(board: str, mode: str = "board", seed: int = 0):
    return make_game(NAME, {"board": board, "mode": mode, "seed": seed})


def referee_of(game) -> Referee:
    data = game.data
    return Referee(data.rows, data.columns, data.cells, data.allowed)


def compare(position, referee: Referee) -> None:
    data = position.data
    assert data.scores == tuple(referee.scores)
    assert position.is_over == referee.over
    if not referee.over:
        assert position.turn == referee.player
    size = data.size
    assert set(data.taboo) == {(r * size + c, v) for (r, c), v in referee.taboo}
    assert {divmod(k, size): v for k, v in enumerate(data.cells) if v} == referee.board
    if data.allowed is not None:
        owned = [{divmod(k, size) for k in part} for part in data.occupied]
        assert owned == referee.occupied


def play_out(game, chance: random.Random, wild: float) -> int:
    """Random proposals, some of them wild, judged by both; the number of passes."""
    position, referee = game.start(), referee_of(game)
    size = game.data.size
    passes = 0
    compare(position, referee)
    while not referee.over:
        if referee.taboo and chance.random() < wild / 4:
            (row, column), value = chance.choice(sorted(referee.taboo))
        elif chance.random() < wild:
            row, column = chance.randrange(-1, size + 1), chance.randrange(-1, size + 1)
            value = chance.randrange(0, size + 2)
        else:
            fitting = [
                (*square, value)
                for square in sorted(referee.squares(referee.player))
                for value in range(1, size + 1)
                if referee.fits(square, value) and (square, value) not in referee.taboo
            ]
            row, column, value = chance.choice(fitting)
        text = (
            f"({row},{column}) -> {value}" if chance.random() < 0.5 else f"{row},{column}={value}"
        )
        mover = referee.player
        expected = referee.judge(row, column, value)
        verdict = game.judge(position, text)
        if expected in VERDICTS:
            assert verdict.outcome is not None
            assert verdict.outcome.winner == 1 - mover
            assert verdict.outcome.termination == VERDICTS[expected]
            continue
        assert verdict.outcome is None
        assert verdict.move.endswith("!") == (expected == "pass")
        passes += expected == "pass"
        position = verdict.position
        compare(position, referee)
    outcome = position.outcome
    first, second = referee.scores
    assert outcome.scores == (first, second)
    assert outcome.winner == (None if first == second else int(second > first))
    return passes


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("board", "games"),
    [("empty-2x2", 40), ("easy-2x2", 20), ("random-2x3", 12), ("random-3x2", 12), ("easy-3x3", 2)],
)
def test_the_referee_agrees_on_whole_games(board: str, mode: str, games: int) -> None:
    passes = 0
    for seed in range(games):
        passes += play_out(make(board, mode, seed), random.Random(f"{mode}{seed}"), wild=0.2)
    assert passes > 0


SIZES = [(rows, columns) for rows in range(2, 6) for columns in range(2, 6)]
LEAST_FILL = {4: 0.0, 6: 0.3, 8: 0.4, 9: 0.4, 10: 0.5, 12: 0.6, 15: 0.7, 16: 0.7, 20: 0.8, 25: 0.85}
"""By the number of values: emptier boards take the referee's naive solver too long."""


def random_start(rows: int, columns: int, mode: str, seed: int, chance: random.Random):
    """A game on a random solvable board, filled to a share that suits its size."""
    half = named_board(f"random-{rows}x{columns}", seed)
    solution = solvability(half.geometry).solution(half.digits.astype(np.int64))
    fill = chance.uniform(LEAST_FILL[rows * columns], 0.97)
    cells = tuple(int(value) if chance.random() < fill else 0 for value in solution)
    return make(format_position(PositionData(rows, columns, cells)), mode, seed)


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_the_referee_agrees_on_every_size(rows: int, columns: int) -> None:
    """`play_out` compares both after every proposal."""
    for mode in MODES:
        chance = random.Random(f"{rows}{columns}{mode}")
        play_out(random_start(rows, columns, mode, 0, chance), chance, wild=0.2)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("board", ["empty-2x2", "random-2x3", "random-3x2", "random-3x3"])
def test_the_referee_agrees_on_legal_moves(board: str, mode: str) -> None:
    chance = random.Random(board + mode)
    game = make(board, mode, seed=3)
    position, referee = game.start(), referee_of(game)
    for _ in range(8 if board == "random-3x3" else 25):
        if referee.over:
            break
        expected = {f"({r},{c}) -> {v}{'!' * p}" for r, c, v, p in referee.legal()}
        assert set(position.legal_moves) == expected
        buffer = np.zeros(game.max_moves, np.int64)
        count = game.rules.legal_moves(game.params, position.state, buffer)
        assert buffer[:count].tolist() == position.move_codes
        move = chance.choice(sorted(expected))
        row, column, value, _ = next(
            m for m in referee.legal() if f"({m[0]},{m[1]}) -> {m[2]}{'!' * m[3]}" == move
        )
        referee.judge(row, column, value)
        position = position.play(move)


@pytest.mark.parametrize("board", ["random-3x4", "random-4x4", "random-4x5", "random-5x5"])
@pytest.mark.parametrize("mode", ["classic", "border"])
def test_large_boards_are_judged_like_the_general_solver(board: str, mode: str) -> None:
    from plyground.sudoku import Board, geometry, solvable

    game = make(board, mode)
    shape = geometry(game.data.rows, game.data.columns)
    chance = random.Random(board)
    position = game.start()
    fitting = np.zeros(len(position.cells), np.uint64)
    game.rules.fitting_values(game.params, position.cells, fitting)
    for _ in range(8):
        cell = chance.choice(position.data.squares_of(position.turn))
        value = chance.choice(
            [v for v in range(1, game.data.size + 1) if int(fitting[cell]) >> (v - 1) & 1]
        )
        row, column = divmod(cell, game.data.size)
        trial = position.cells.copy()
        trial[cell] = value
        verdict = game.judge(position, f"{row},{column}={value}")
        if verdict.outcome is None:
            passed = verdict.move.endswith("!")
            assert passed != solvable(Board(shape, trial.astype(np.uint8)))
            position = verdict.position
            game.rules.fitting_values(game.params, position.cells, fitting)


def test_compiled_and_plain_rules_agree() -> None:
    check_plain_python_agrees(make("random-2x3", "rows", 5), seed=5, most_plies=100)


def test_a_full_board_is_a_draw_and_a_hopeless_one_is_refused() -> None:
    full = make("2x2 1234/3412/2143/4321 first 0-0")
    assert full.start().outcome.winner is None
    assert full.start().outcome.scores == (0, 0)
    with pytest.raises(GameOverError):
        full.start().play("0,0=1")
    with pytest.raises(PositionError, match="no solution"):
        make("2x2 12../...3/..3./4... first 0-0")
    with pytest.raises(PositionError, match="twice"):
        make("2x2 11../..../..../.... first 0-0")


def test_taboo_moves_are_refused_with_their_own_reason() -> None:
    game = make("2x2 12../..../...3/.... first 0-0")
    position = game.start()
    passes = [move for move in position.legal_moves if move.endswith("!")]
    assert passes
    after = position.play(passes[0])
    assert after.turn == 1
    assert after.cells.tolist() == position.cells.tolist()
    assert passes[0] not in after.legal_moves
    verdict = game.judge(after, passes[0])
    assert verdict.outcome.termination == Termination.TABOO_MOVE
    assert verdict.outcome.winner == 0
    with pytest.raises(IllegalMoveError, match="taboo"):
        after.play(passes[0])


def test_a_stuck_player_is_passed_over_at_its_first_turn() -> None:
    game = make("2x2 1234/..../..../.... first 0-0 allowed1=0,0;0,1 allowed2=3,0")
    position = game.start()
    assert position.turn == 1
    position = position.play("3,0=2")
    assert position.turn == 1
    while not position.is_over:
        position = position.play(next(m for m in position.legal_moves if not m.endswith("!")))
    assert position.outcome.scores[0] == 0


def test_rewards_are_0_1_3_7() -> None:
    game = make("2x2 123./3412/2143/432. first 0-0")
    position = game.start().play("0,3=4")
    assert position.data.scores == (3, 0)
    assert position.play("3,3=1").outcome.scores == (3, 7)
    middle = make("2x2 123./34../2143/43.. first 0-0").start()
    assert middle.play("0,3=4").data.scores == (1, 0)
    assert middle.play("1,2=1").data.scores == (0, 0)


def test_modes_give_the_squares_of_the_rules() -> None:
    rows = make("empty-2x3", "rows").data
    assert rows.allowed == (frozenset(range(6)), frozenset(range(30, 36)))
    border = make("empty-2x3", "border").data
    assert border.allowed[0] == border.allowed[1]
    assert len(border.allowed[0]) == 20
    first = [make("empty-2x3", "random", seed).data.allowed for seed in range(40)]
    assert all(len(a) == len(b) == 6 and not a & b for a, b in first)
    # Every square belongs to somebody sooner or later, and to either player.
    assert set().union(*(a for a, _ in first)) == set(range(36))
    assert make("empty-2x3", "random", 7).data.allowed == first[7]
    with pytest.raises(OptionError):
        make("empty-2x3", "diagonal")


@pytest.mark.parametrize("mode", ["classic", "rows"])
def test_following_a_judged_move_is_playing_it(mode):
    chance = random.Random(11)
    passes = 0
    for seed in range(6):
        position = make_game(NAME, {"board": "random-2x3", "mode": mode, "seed": seed}).start()
        while not position.is_over:
            move = position.format_move(chance.choice(position.move_codes))
            passes += move.endswith("!")
            played = position.play(move)
            followed = position.follow(played.last_move)
            assert followed == played
            assert followed.last_move == played.last_move
            position = played
        with pytest.raises(GameOverError):
            position.follow(move)
    assert passes > 0
    start = make_game(NAME, {"board": "random-2x3", "mode": mode}).start()
    with pytest.raises(IllegalMoveError, match="off the board"):
        start.follow("(0,9) -> 1")


@pytest.mark.parametrize("mode", ["classic", "rows"])
def test_what_a_judged_position_knows_is_what_its_state_says(mode):
    game = make_game("competitive-sudoku", {"board": "random-2x3", "mode": mode, "seed": 2})
    chance = random.Random(4)
    position = game.start()
    while not position.is_over:
        move = chance.choice(position.legal_moves)
        following = game.judge(position, move.rstrip("!")).position
        assert following is not None and following.last_move == move
        again = type(following)(game, following.state)
        assert following.values == again.values and following.text == again.text
        assert np.array_equal(following.cells, again.cells)
        position = following
