"""A new submission: a small agent that works in plyground and in the course's own runner."""

from __future__ import annotations

import re
from pathlib import Path

from plyground.core.errors import InputError

START = '''"""A submission: proposes a legal move at once, then the one that scores most."""

import random

import competitive_sudoku.sudokuai
from competitive_sudoku.sudoku import GameState, Move, SudokuBoard, TabooMove


class SudokuAI(competitive_sudoku.sudokuai.SudokuAI):
    def compute_best_move(self, game_state: GameState) -> None:
        moves = self.possible_moves(game_state)
        self.propose_move(random.choice(moves))  # always have a proposal before thinking
        best = max(moves, key=lambda move: self.regions_completed(game_state.board, move))
        self.propose_move(best)

    def possible_moves(self, game_state: GameState) -> list:
        board = game_state.board
'''

OLDER = (
    START
    + """        return [
            Move(i, j, value)
            for i in range(board.N)
            for j in range(board.N)
            if board.get(i, j) == SudokuBoard.empty
            for value in range(1, board.N + 1)
            if self.fits(board, i, j, value)
            and TabooMove(i, j, value) not in game_state.taboo_moves
        ]

    def regions(self, board: SudokuBoard, i: int, j: int) -> list:
        top, left = i - i % board.m, j - j % board.n
        row = [(i, k) for k in range(board.N)]
        column = [(k, j) for k in range(board.N)]
        block = [(top + k // board.n, left + k % board.n) for k in range(board.N)]
        return [row, column, block]

    def fits(self, board: SudokuBoard, i: int, j: int, value: int) -> bool:
        return all(
            board.get(*square) != value
            for region in self.regions(board, i, j)
            for square in region
        )

    def regions_completed(self, board: SudokuBoard, move: Move) -> int:
        return sum(
            sum(board.get(*square) == SudokuBoard.empty for square in region) == 1
            for region in self.regions(board, move.i, move.j)
        )
"""
)

NEWER = (
    START
    + """        squares = game_state.player_squares()
        if squares is None:  # a classic game: every square is allowed
            squares = [(i, j) for i in range(board.N) for j in range(board.N)]
        return [
            Move(square, value)
            for square in squares
            if board.get(square) == SudokuBoard.empty
            for value in range(1, board.N + 1)
            if self.fits(board, square, value)
            and TabooMove(square, value) not in game_state.taboo_moves
        ]

    def regions(self, board: SudokuBoard, square: tuple) -> list:
        i, j = square
        top, left = i - i % board.m, j - j % board.n
        row = [(i, k) for k in range(board.N)]
        column = [(k, j) for k in range(board.N)]
        block = [(top + k // board.n, left + k % board.n) for k in range(board.N)]
        return [row, column, block]

    def fits(self, board: SudokuBoard, square: tuple, value: int) -> bool:
        return all(
            board.get(other) != value for region in self.regions(board, square) for other in region
        )

    def regions_completed(self, board: SudokuBoard, move: Move) -> int:
        return sum(
            sum(board.get(square) == SudokuBoard.empty for square in region) == 1
            for region in self.regions(board, move.square)
        )
"""
)

TEMPLATES = {"older": OLDER, "newer": NEWER}


def create(folder: Path, generation: str) -> Path:
    """Write a new submission; its `sudokuai.py`. InputError if that would overwrite something."""
    if not re.fullmatch(r"[A-Za-z_]\w*", folder.name):
        raise InputError(
            f"{folder.name!r} cannot be the name of a submission: "
            "letters, digits and _ only, as in team42_A1"
        )
    if folder.exists():
        raise InputError(f"{folder} exists already")
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    main = folder / "sudokuai.py"
    main.write_text(TEMPLATES[generation])
    return main
