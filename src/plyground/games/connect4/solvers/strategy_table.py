"""A whole winning strategy as a table that any program can read: board, move, plies."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from plyground.core.errors import InputError
from plyground.core.writing import check_target
from plyground.games.connect4.notation import format_move
from plyground.games.connect4.solvers.certificate import Certificate
from plyground.games.connect4.solvers.certificate_check import Board

CHUNK = 1 << 15


def write_table(complete: Certificate, path: Path) -> None:
    """Write a strategy as CSV, whole or not at all; of mirror images one stands for both.

    `board` has its rows from the top, as in positions, with the winner to move; `move` wins within
    `plies`, itself included. Positions that are won at once are left out.
    """
    claim = complete.claim
    board = Board(claim.width, claim.height, claim.mean, claim.simultaneous, claim.winner)
    squares = np.array(
        [
            [column * board.step + row for column in range(claim.width)]
            for row in reversed(range(claim.height))
        ],
        np.uint64,
    )
    letters = np.frombuffer(b".xo" if claim.winner == 0 else b".ox", np.uint8)
    keys, moves, plies = complete.strategy
    check_target(path)
    temporary = path.with_name(f".new-{os.getpid()}-{path.name}")
    try:
        with open(temporary, "w", encoding="utf-8") as out:
            out.write("board,move,plies\n")
            for first in range(0, len(keys), CHUNK):
                part = slice(first, first + CHUNK)
                own, other = (
                    (discs[:, None, None] >> squares) & np.uint64(1)
                    for discs in board.discs(keys[part])
                )
                drawn = np.full((*own.shape[:2], claim.width + 1), ord("/"), np.uint8)
                drawn[:, :, :-1] = letters[own + 2 * other]
                rows = drawn.reshape(len(own), -1)[:, :-1]
                for text, move, left in zip(rows, moves[part], plies[part], strict=True):
                    out.write(f"{text.tobytes().decode()},{format_move(int(move))},{left}\n")
        temporary.replace(path)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error
    finally:
        temporary.unlink(missing_ok=True)
