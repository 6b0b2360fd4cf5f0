"""Where the parts of a board game's position are in its row of words, and how moves are numbered.

Word 0 is who moves next (0: chance), word 1 `self.player`, word 2 the plies played; then a word
for each stored number, the stored lists (32 bits an entry), and the cells of the board (8 bits).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from plyground.board.description import PASS, BoardGame, number
from plyground.core.errors import GameFileError
from plyground.core.game import Words

TURN, PLAYER, PLIES, FIRST_FIELD = range(4)
MOST_CELLS = 4096
MOST_MOVES = 4096
LARGEST_CODE = 2**22


class Passing(tuple[int, ...]):
    """PASS in a game whose moves have several parts: equal to PASS, and to that many of them."""

    def __eq__(self, other: object) -> bool:
        return other == PASS or super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = tuple.__hash__


@dataclass(frozen=True)
class ListPlace:
    """A stored list: its first byte and its shape."""

    start: int
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many numbers."""
        return math.prod(self.shape)


@dataclass(frozen=True)
class Layout:
    """The places of everything; `arity` is the number of parts of a move."""

    shape: tuple[int, ...]
    numbers: dict[str, int]
    """Stored number -> its word."""
    bits: frozenset[str]
    """Those of the numbers that are words of 64 bits."""
    lists: dict[str, ListPlace]
    board_start: int
    words: int
    move_sizes: tuple[int, ...]
    max_moves: int

    @property
    def cells(self) -> int:
        """How many cells the board has."""
        return math.prod(self.shape)

    @property
    def arity(self) -> int:
        """How many numbers a move is made of."""
        return len(self.move_sizes)

    @property
    def pass_code(self) -> int:
        """The code of PASS, after all others."""
        return math.prod(self.move_sizes)

    # Moves --------------------------------------------------------------------------------

    def encode(self, move: Any) -> int:
        """The code of a move as the author yields it; GameFileError if it is none."""
        parts = tuple(move) if isinstance(move, (tuple, list)) else (move,)
        if any(isinstance(p, bool) or not isinstance(p, (int, np.integer)) for p in parts):
            raise GameFileError(f"a move is a whole number or a tuple of them, not {move!r}")
        if all(part == PASS for part in parts):
            return self.pass_code
        if len(parts) != self.arity:
            raise GameFileError(
                f"the move {move!r} has {len(parts)} parts, but others have {self.arity}"
            )
        code = 0
        for part, size in zip(parts, self.move_sizes, strict=True):
            if not 0 <= part < size:
                raise GameFileError(
                    f"the move {move!r} has a part outside 0..{size - 1}: "
                    "set move_sizes in the class (or give it a name, where moves have names)"
                )
            code = code * size + int(part)
        return code

    def decode(self, code: int) -> Any:
        """The move behind a code: a number, or a tuple of them."""
        if code == self.pass_code:
            return PASS if self.arity == 1 else Passing([PASS] * self.arity)
        parts: list[int] = []
        for size in reversed(self.move_sizes):
            code, part = divmod(code, size)
            parts.insert(0, part)
        return parts[0] if self.arity == 1 else tuple(parts)

    # Positions ----------------------------------------------------------------------------

    def pack(self, position: BoardGame) -> Words:
        """A plain position as a row of words."""
        state = np.zeros(self.words, np.uint64)
        signed, small = state.view(np.int64), state.view(np.int8)
        signed[TURN], signed[PLAYER] = position.turn, position.player  # type: ignore[attr-defined]
        signed[PLIES] = position.plies  # type: ignore[attr-defined]
        for name, word in self.numbers.items():
            value = getattr(position, name)
            (state if isinstance(value, np.uint64) else signed)[word] = value
        for name, place in self.lists.items():
            part = small[place.start : place.start + 4 * place.size].view(np.int32)
            part[:] = np.asarray(getattr(position, name)).reshape(-1)
        small[self.board_start : self.board_start + self.cells] = np.asarray(position.cells)
        return state

    def unpack(self, cls: type[BoardGame], state: Words) -> BoardGame:
        """A row of words as a plain position."""
        position = cls()
        signed, small = state.view(np.int64), state.view(np.int8)
        keep = object.__setattr__
        keep(position, "turn", int(signed[TURN]))
        keep(position, "player", int(signed[PLAYER]))
        keep(position, "plies", int(signed[PLIES]))
        for name, word in self.numbers.items():
            keep(
                position, name, number(int(signed[word]) if name not in self.bits else state[word])
            )
        for name, place in self.lists.items():
            part = small[place.start : place.start + 4 * place.size].view(np.int32)
            np.asarray(getattr(position, name)).reshape(-1)[:] = part
        board = small[self.board_start : self.board_start + self.cells]
        np.asarray(position.cells)[:] = board
        return position


def board_shape(cls: type[BoardGame]) -> tuple[int, ...]:
    """The size of the board; GameFileError if that is none."""
    shape = cls.shape if isinstance(cls.shape, tuple) else (cls.shape,)
    if not shape or len(shape) > 2 or not all(isinstance(n, int) and n > 0 for n in shape):
        raise GameFileError(
            f"{cls.__name__}.shape must be the size of the board, as in `shape = 8, 8`, "
            f"not {cls.shape!r}"
        )
    return shape


def _move_sizes(cls: type[BoardGame]) -> tuple[int, ...]:
    """What the class says of the parts of its moves: one number, or one for each part."""
    given = cls.move_sizes if isinstance(cls.move_sizes, (tuple, list)) else (cls.move_sizes,)
    if not all(isinstance(size, int) and size > 0 for size in given):
        raise GameFileError(
            f"{cls.__name__}.move_sizes must be how many values each part of a move has, as in "
            f"`move_sizes = 3, 8`, not {cls.move_sizes!r}"
        )
    return tuple(given)


def lay_out(cls: type[BoardGame], arity: int) -> Layout:
    """The layout of a class whose moves have this many parts; GameFileError if it cannot be."""
    shape = board_shape(cls)
    cells = math.prod(shape)
    if cells > MOST_CELLS:
        raise GameFileError(f"{cls.__name__}.shape has {cells} cells; at most {MOST_CELLS} work")
    numbers: dict[str, int] = {}
    lists: dict[str, ListPlace] = {}
    word = FIRST_FIELD
    for name, value in cls.fields.items():
        if not isinstance(value, list):
            numbers[name] = word
            word += 1
    start = 8 * word
    for name, value in cls.fields.items():
        if isinstance(value, list):
            array = np.array(value)
            if array.dtype.kind not in "iub" or array.ndim not in (1, 2) or not array.size:
                raise GameFileError(
                    f"{cls.__name__}.{name} must be a list of whole numbers (all rows of the "
                    "same length), for it is stored with every position; constants are CAPITAL"
                )
            lists[name] = ListPlace(start, array.shape)
            start += 4 * array.size
    start = (start + 7) // 8 * 8
    sizes = _move_sizes(cls) or ((len(cls.move_names),) if cls.move_names else ())
    sizes = sizes or (cells,) * arity
    if len(sizes) != arity:
        raise GameFileError(
            f"{cls.__name__}.move_sizes has {len(sizes)} numbers, but moves() yields {arity}"
        )
    codes = math.prod(sizes) + 1
    if codes > LARGEST_CODE:
        raise GameFileError(f"{cls.__name__}: {codes} different moves; at most {LARGEST_CODE} work")
    return Layout(
        shape=shape,
        numbers=numbers,
        bits=frozenset(name for name in numbers if isinstance(cls.fields[name], np.uint64)),
        lists=lists,
        board_start=start,
        words=(start + cells + 7) // 8,
        move_sizes=sizes,
        max_moves=cls.max_moves or min(codes, MOST_MOVES),
    )
