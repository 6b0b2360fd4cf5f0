"""Pockets: rectangles in the corners of the board that one player can close off for good.

A player may only play beside squares of its own, so a rectangle whose wall (the squares around it)
is the player's is out of the opponent's reach. Its squares are filled last, by their owner: waiting
moves, and all regions that end there. A pocket counts as soon as the player can close its wall
before the opponent reaches a gap.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from plyground.games.competitive_sudoku.position_data import PositionData
from plyground.kernels import kernel

if TYPE_CHECKING:
    from plyground.games.competitive_sudoku.solvers.many_solutions_board import ManySolutions

LARGEST = 3
FAR = np.int64(99)


class Pockets(NamedTuple):
    """The pockets of one root position, their squares by slot (its empty squares by number)."""

    wall: np.ndarray
    """(pockets, squares): empty squares of the wall, then -1."""
    inside: np.ndarray
    """(pockets, squares): empty squares inside, then -1."""
    barred: np.ndarray
    """(2, pockets): 1 where a stone of the opponent keeps the player from having it."""
    owner: np.ndarray
    """(slots): who filled a square during the search."""
    claimed: np.ndarray
    """(slots): 1 in a pocket of the mover, -1 in one of the opponent, as last marked."""


def find_pockets(data: PositionData, slot_of: npt.NDArray[np.int64], empty: int) -> Pockets:
    """The pockets that are not full yet; none where squares are free."""
    walls, insides, barred = [], [], []
    for inside, wall in _rectangles(data.size) if data.allowed is not None else ():
        slots = _empty(slot_of, inside)
        if slots:
            insides.append(slots)
            walls.append(_empty(slot_of, wall))
            rivals = (data.occupied[1], data.occupied[0])
            barred.append([not stones.isdisjoint(inside + wall) for stones in rivals])
    return Pockets(
        _padded(walls, 2 * LARGEST + 1),
        _padded(insides, LARGEST * LARGEST),
        np.array(barred, np.int64).reshape(-1, 2).T.copy(),
        np.zeros(empty, np.int64),
        np.zeros(empty, np.int64),
    )


def _rectangles(size: int) -> Iterator[tuple[list[int], list[int]]]:
    """Corner rectangles of 2 squares and more, up to LARGEST on a side: squares inside and wall."""
    lengths = range(1, min(LARGEST, size // 2) + 1)
    for height, width, low, right in product(lengths, lengths, (False, True), (False, True)):
        if height * width == 1:
            continue
        inside: list[int] = []
        wall: list[int] = []
        for row, column in product(range(height + 1), range(width + 1)):
            across = size - 1 - row if low else row
            along = size - 1 - column if right else column
            squares = wall if row == height or column == width else inside
            squares.append(size * across + along)
        yield inside, wall


def _empty(slot_of: npt.NDArray[np.int64], squares: list[int]) -> list[int]:
    return [int(slot_of[square]) for square in squares if slot_of[square] >= 0]


def _padded(rows: list[list[int]], width: int) -> npt.NDArray[np.int64]:
    table = np.full((len(rows), width), -1, np.int64)
    for number, slots in enumerate(rows):
        table[number, : len(slots)] = slots
    return table


@kernel(lean=True)
def mark_claims(positions: ManySolutions, player: np.int64) -> None:
    """Find the pockets that the mover (distances in row 0) or the opponent can close in time."""
    pockets = positions.pockets
    claimed = pockets.claimed
    for slot in range(claimed.shape[0]):
        claimed[slot] = 0
    for pocket in range(pockets.wall.shape[0]):
        for side in range(2):
            owner = player if side == 0 else 1 - player
            if pockets.barred[owner, pocket] == 0 and can_close(
                positions, np.int64(pocket), owner, np.int64(side)
            ):
                for index in range(pockets.inside.shape[1]):
                    slot = pockets.inside[pocket, index]
                    if slot < 0:
                        break
                    claimed[slot] = 1 - 2 * side


@kernel(inline=True, lean=True)
def can_close(positions: ManySolutions, pocket: np.int64, owner: np.int64, side: np.int64) -> bool:
    """Whether the owner (0: the mover) closes the wall before the other reaches a gap."""
    pockets, filled = positions.pockets, positions.filled
    near, distance = positions.near, positions.distance
    rival = 1 - owner
    for index in range(pockets.inside.shape[1]):
        slot = pockets.inside[pocket, index]
        if slot < 0:
            break
        if filled[slot] != 0:
            if pockets.owner[slot] == rival:
                return False
        elif near[rival, slot] > 0:
            return False
    needed = np.int64(0)
    farthest = np.int64(0)
    nearest = FAR
    for index in range(pockets.wall.shape[1]):
        slot = pockets.wall[pocket, index]
        if slot < 0:
            break
        if filled[slot] != 0:
            if pockets.owner[slot] == rival:
                return False
            continue
        needed += 1
        farthest = max(farthest, distance[side, slot] + 1)
        nearest = min(nearest, distance[1 - side, slot])
    needed = max(needed, farthest)
    return bool(needed <= nearest + 1 - side)
