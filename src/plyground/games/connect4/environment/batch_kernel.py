"""Boards of many games of Connect 4 as planes."""

from __future__ import annotations

import numpy as np

from plyground.games.connect4.rules import HEIGHT, STRIDE, WIDTH
from plyground.kernels import kernel
from plyground.kernels.words import ONE


@kernel
def draw_planes(
    params: np.ndarray, states: np.ndarray, players: np.ndarray, planes: np.ndarray
) -> None:
    """Write planes (games, 3, cells): discs of the player to move, of the other, empty cells.

    Cells are numbered by rows from the top, as `Connect4Encoding.planes` does.
    """
    width, height = np.int64(params[WIDTH]), np.int64(params[HEIGHT])
    stride = np.int64(params[STRIDE])
    for game in range(states.shape[0]):
        mine = states[game, players[game]]
        other = states[game, 1 - players[game]]
        for row in range(height):
            for column in range(width):
                cell = row * width + column
                bit = np.uint64(column * stride + height - 1 - row)
                first, second = (mine >> bit) & ONE, (other >> bit) & ONE
                planes[game, 0, cell] = np.int8(first)
                planes[game, 1, cell] = np.int8(second)
                planes[game, 2, cell] = np.int8(ONE - first - second)
