"""A position as plain values, between text and the kernels' row of words."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from plyground.core.errors import PositionError
from plyground.core.game import Words
from plyground.games.competitive_sudoku import rules
from plyground.sudoku.board import Board
from plyground.sudoku.geometry import Geometry, geometry

_SHIFTS = np.arange(int(rules.CELLS_PER_WORD), dtype=np.uint64) * rules.CELL_BITS

Placement = tuple[int, int]
"""A square (flat index) and a value."""

SMALLEST, LARGEST = 2, 5


@dataclass(frozen=True)
class PositionData:
    """A position. Squares are flat indices, values 1..N, 0 = empty, players 0 and 1.

    `allowed` is None when every empty square is open to both players. `moves` is the history
    where it is known (passes included), from the board `initial`; without it `plies` only counts.
    """

    rows: int
    columns: int
    cells: tuple[int, ...]
    scores: tuple[int, int] = (0, 0)
    player: int = 0
    plies: int = 0
    taboo: tuple[Placement, ...] = ()
    allowed: tuple[frozenset[int], frozenset[int]] | None = None
    occupied: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())
    initial: tuple[int, ...] = ()
    moves: tuple[Placement, ...] = field(default=(), compare=False)

    @property
    def size(self) -> int:
        """Values, and squares on a side."""
        return self.rows * self.columns

    @property
    def geometry(self) -> Geometry:
        """Rows, columns and blocks."""
        return geometry(self.rows, self.columns)

    @property
    def board(self) -> Board:
        """The values alone."""
        return Board(self.geometry, np.array(self.cells, np.uint8))

    def units(self, cell: int) -> tuple[int, int, int]:
        """Row, column and block of a square as numbers below 3N."""
        row, column, block = self.geometry.units_of[cell].tolist()
        return row, column, block

    def conflict(self) -> tuple[int, int] | None:
        """Two squares with the same value in one row, column or block."""
        clash = self.board.conflict()
        return None if clash is None else clash[:2]

    def squares_of(self, player: int, cells: tuple[int, ...] | None = None) -> list[int]:
        """The empty squares on which a player may play."""
        board = self.cells if cells is None else cells
        if self.allowed is None:
            return [cell for cell, value in enumerate(board) if not value]
        near = set(self.allowed[player])
        for cell in self.occupied[player]:
            near.update(neighbours(self.size, cell))
        return sorted(cell for cell in near if not board[cell])

    def with_mode(self, allowed: tuple[frozenset[int], frozenset[int]] | None) -> PositionData:
        """The same board with other allowed squares."""
        return replace(self, allowed=allowed)


def neighbours(size: int, cell: int) -> list[int]:
    """The squares around a square (a king's move away)."""
    row, column = divmod(cell, size)
    return [
        r * size + c
        for r in range(max(row - 1, 0), min(row + 2, size))
        for c in range(max(column - 1, 0), min(column + 2, size))
        if (r, c) != (row, column)
    ]


def check_block(rows: int, columns: int, where: str = "board") -> None:
    """PositionError unless blocks of this size are played."""
    if not (SMALLEST <= rows <= LARGEST and SMALLEST <= columns <= LARGEST):
        raise PositionError(
            f"{where}: blocks of {rows}x{columns} are not played; "
            f"rows and columns of a block are {SMALLEST} to {LARGEST}"
        )


def params_of(rows: int, columns: int, restricted: bool) -> Words:
    """The kernels' constants for a block size."""
    size = rows * columns
    cells = size * size
    taboo = rules.SQUARES + -(-cells // 12)
    occupied = taboo + -(-cells * size // 64)
    words = -(-cells // 64)
    return np.array(
        [rows, columns, size, cells, restricted, taboo, occupied, occupied + 2 * words, words],
        np.uint64,
    )


def state_words(params: Words) -> int:
    """Length of a position."""
    return int(params[rules.ALLOWED] + 2 * params[rules.SET_WORDS])


def pack(params: Words, data: PositionData) -> Words:
    """The row of words of a position. The mover is taken as given."""
    state = np.zeros(state_words(params), np.uint64)
    state[rules.HEAD] = data.player | data.plies << int(rules.PLY_SHIFT)
    state[rules.SCORES] = data.scores[0] | data.scores[1] << int(rules.SCORE_SHIFT)
    state[rules.EMPTIES] = sum(not value for value in data.cells)
    for cell, value in enumerate(data.cells):
        rules.set_square(state, np.uint64(cell), np.uint64(value))
    for cell, value in data.taboo:
        rules.set_bit(state, params[rules.TABOO], np.uint64(cell * data.size + value - 1))
    if data.allowed is not None:
        parts = (*data.occupied, *data.allowed)
        for index, squares in enumerate(parts):
            start = params[rules.OCCUPIED] + np.uint64(index) * params[rules.SET_WORDS]
            for cell in squares:
                rules.set_bit(state, start, np.uint64(cell))
    return state


def unpack(
    params: Words,
    state: Words,
    values: list[int] | None = None,
    initial: tuple[int, ...] = (),
) -> PositionData:
    """The position behind a row of words, whose `values` may be known; it has no moves."""
    size, count = int(params[rules.SIZE]), int(params[rules.CELLS])
    words = int(params[rules.SET_WORDS])
    if values is None:
        values = read_cells(params, state).tolist()
    taboo = _members(state, int(params[rules.TABOO]), -(-count * size // 64))
    allowed, occupied = None, (frozenset[int](), frozenset[int]())
    if params[rules.RESTRICTED]:
        sets = [
            frozenset(_members(state, int(params[rules.OCCUPIED]) + index * words, words))
            for index in range(4)
        ]
        allowed, occupied = (sets[2], sets[3]), (sets[0], sets[1])
    scores = int(state[rules.SCORES])
    return PositionData(
        int(params[rules.BLOCK_ROWS]),
        int(params[rules.BLOCK_COLUMNS]),
        tuple(values),
        scores=(scores & int(rules.SCORE_MASK), scores >> int(rules.SCORE_SHIFT)),
        player=int(state[rules.HEAD]) & 1,
        plies=int(state[rules.HEAD]) >> int(rules.PLY_SHIFT),
        taboo=tuple((index // size, index % size + 1) for index in taboo),
        allowed=allowed,
        occupied=occupied,
        initial=initial,
    )


def read_cells(params: Words, state: Words) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The values of all squares, 0 = empty."""
    count = int(params[rules.CELLS])
    used = state[rules.SQUARES : rules.SQUARES + -(-count // len(_SHIFTS))]
    return ((used[:, None] >> _SHIFTS) & rules.CELL_MASK).ravel()[:count].astype(np.int64)


def _members(state: Words, start: int, words: int) -> list[int]:
    out = []
    for word, bits in enumerate(state[start : start + words].tolist()):
        while bits:
            low = bits & -bits
            out.append(64 * word + low.bit_length() - 1)
            bits ^= low
    return out
