"""Tablebases of small boards: the exact value of every position, on disk and looked up.

A table has a byte per placement and side to move: 0 for a draw, 2d for a loss in d plies, 2d + 1
for a win in d. What a look at the board tells anyway is left out: finished games, wins at once,
and of two mirror images one. The rest is compressed in blocks; a lookup unpacks one block.
"""

from __future__ import annotations

import json
import os
import struct
import tempfile
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from plyground.core.errors import InputError, PlygroundError, UnsupportedError
from plyground.core.game import Game, Position
from plyground.core.paths import data_root
from plyground.games.connect4.solvers.tablebase_space import PlacementSpace
from plyground.search.retrograde import Layer, decide_all

MAGIC = b"plyground connect4 table 1\n"
BLOCK_BYTES = 1 << 16
CACHED_BLOCKS = 512
FARTHEST = 126
LARGEST = 1 << 32
"""Boards with more column numbers than this (W * (H + 1) bits) need too much memory."""

MEAN = {
    "none": (False, False),
    "first": (True, False),
    "second": (False, True),
    "both": (True, True),
}


class TableError(PlygroundError, kind="bad-table"):
    """A table file cannot be used; the message says why and how to make it again."""


@dataclass(frozen=True)
class Value:
    """The value for the side to move without regard to a limit of plies."""

    kind: str
    distance: int | None = None

    def within(self, plies_left: int) -> Value:
        """The value when only so many plies are left: later wins and losses are draws."""
        if self.distance is not None and self.distance > plies_left:
            return DRAW
        return self


DRAW = Value("draw")


@dataclass(frozen=True)
class TableKey:
    """The options that a table is made for. `swapped`: look up with the colours exchanged."""

    width: int
    height: int
    mean: str
    simultaneous: str
    swapped: bool = False

    @classmethod
    def of(cls, game: Game) -> TableKey:
        """The table that serves a game: one may serve several option sets."""
        options = game.options
        mean, simultaneous = str(options["mean"]), str(options["simultaneous"])
        width, height = int(options["width"]), int(options["height"])
        if mean == "none":
            simultaneous = "mover"  # only a mean move can give four to both
        swapped = mean == "second" and simultaneous != "first"
        return cls(width, height, "first" if swapped else mean, simultaneous, swapped)

    @property
    def path(self) -> Path:
        """Where the table lies in the user's data folder."""
        name = f"connect4-{self.width}x{self.height}-{self.mean}-{self.simultaneous}.table"
        return data_root() / "tablebases" / name

    @property
    def possible(self) -> bool:
        """Whether the board is small enough for a table."""
        return 1 << (self.width * (self.height + 1)) <= LARGEST and self.height <= 7


def build(
    key: TableKey, report: Callable[[str], None] | None = None, threads: int = 0
) -> list[Layer]:
    """Make the table of these options and put it in its place, whole or not at all."""
    tell = report or (lambda text: None)
    if not key.possible:
        raise UnsupportedError(
            f"a table of {key.width} x {key.height} is too large: "
            "width * (height + 1) may be at most 32, and height at most 7"
        )
    tell(f"{key.width} x {key.height}: laying out the finished games")
    space = PlacementSpace(key.width, key.height, MEAN[key.mean], key.simultaneous, threads)

    def tell_layer(layer: Layer) -> None:
        tell(f"distance {layer.distance}: {layer.wins:,} won, {layer.losses:,} lost")

    layers = decide_all(space, tell_layer, FARTHEST)
    if len(layers) >= FARTHEST:
        raise UnsupportedError(f"this board has wins in more than {FARTHEST} plies")
    tell("writing")
    _write(key, space, layers)
    tell(f"{key.path} ({key.path.stat().st_size:,} bytes)")
    return layers


def _write(key: TableKey, space: PlacementSpace, layers: list[Layer]) -> None:
    """Compress the table into a temporary file and rename it."""
    size = 1 << space.bits
    rows_a_block = max(1, BLOCK_BYTES // size)
    header: dict[str, Any] = {
        "width": key.width,
        "height": key.height,
        "mean": key.mean,
        "simultaneous": key.simultaneous,
        "rows": len(space.homes),
        "rows_a_block": rows_a_block,
        "symmetric": space.symmetric,
        "layers": [[layer.distance, layer.wins, layer.losses] for layer in layers],
    }
    blocks_a_side = -(-len(space.homes) // rows_a_block)

    def packed(number: int) -> bytes:
        side, place = divmod(number, blocks_a_side)
        begin = place * rows_a_block
        rows = space.distances[side][begin : begin + rows_a_block]
        space.kernel.forget_known(
            space.homes[begin : begin + rows_a_block], space.bits, space.partner, rows
        )
        return zlib.compress(rows.tobytes(), 3)

    key.path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".new-", dir=key.path.parent)
    try:
        with os.fdopen(handle, "wb") as file, ThreadPoolExecutor(space.threads) as pool:
            homes = zlib.compress(np.diff(space.homes, prepend=0).astype(np.uint32).tobytes(), 3)
            text = json.dumps(header).encode()
            file.write(MAGIC + struct.pack("<II", len(text), len(homes)) + text + homes)
            offsets = [file.tell()]
            for data in _ahead(pool, packed, blocks_a_side * len(space.sides), 4 * space.threads):
                file.write(data)
                offsets.append(file.tell())
            file.write(np.array(offsets, np.uint64).tobytes() + struct.pack("<Q", len(offsets)))
        Path(name).replace(key.path)
    finally:
        Path(name).unlink(missing_ok=True)


def _ahead(
    pool: ThreadPoolExecutor, work: Callable[[int], bytes], count: int, window: int
) -> Iterator[bytes]:
    """The results of `work(0), work(1), ...` in order, with only a few of them in memory."""
    waiting = [pool.submit(work, number) for number in range(min(window, count))]
    for number in range(count):
        yield waiting.pop(0).result()
        if number + window < count:
            waiting.append(pool.submit(work, number + window))


class Tablebase:
    """A table on disk, ready to be asked."""

    def __init__(self, key: TableKey) -> None:
        self.key = key
        try:
            with open(key.path, "rb") as file:
                self._read_header(file)
        except (OSError, ValueError, KeyError, struct.error, zlib.error) as error:
            raise TableError(
                f"the table {key.path} cannot be read ({error}); "
                "delete it and run `plyground tablebase` again"
            ) from error
        self.bits = key.height + 1
        self.inner = key.width // 2
        self.cache: OrderedDict[int, NDArray[np.uint8]] = OrderedDict()

    def _read_header(self, file: BinaryIO) -> None:
        if file.read(len(MAGIC)) != MAGIC:
            raise ValueError("not a table of this version")
        text_size, homes_size = struct.unpack("<II", file.read(8))
        self.header = json.loads(file.read(text_size))
        steps = np.frombuffer(zlib.decompress(file.read(homes_size)), np.uint32)
        self.homes = np.cumsum(steps, dtype=np.int64)
        file.seek(-8, os.SEEK_END)
        (count,) = struct.unpack("<Q", file.read(8))
        file.seek(-8 - 8 * count, os.SEEK_END)
        self.offsets = np.frombuffer(file.read(8 * count), np.uint64)
        if len(self.offsets) != count or len(self.homes) != self.header["rows"]:
            raise ValueError("the file is cut short")

    def lookup(self, first: int, second: int, side: int) -> Value:
        """The value of an unfinished placement without a win at once.

        Discs are the words of the rules; `side` is the player to move.
        """
        if self.key.swapped:
            first, second, side = second, first, 1 - side
        if side == 1 and self.header["symmetric"]:
            first, second, side = second, first, 0
        codes = self._column_codes(first, second)
        mark = self._mark(codes, side)
        if mark == 0:
            return DRAW
        return Value("win" if mark & 1 else "loss", mark >> 1)

    def _column_codes(self, first: int, second: int) -> list[int]:
        mask = (1 << self.bits) - 1
        codes = []
        for column in range(self.key.width):
            shift = column * self.bits
            discs, occupied = first >> shift & mask, (first | second) >> shift & mask
            codes.append(discs | (occupied + 1))
        return codes

    def _mark(self, codes: list[int], side: int) -> int:
        """The byte of a placement; its mirror image is asked where that is the one kept."""
        width = self.key.width
        if width % 2 == 0 and codes[width // 2] < codes[width // 2 - 1]:
            codes = codes[::-1]
        row = self._row(codes)
        if width % 2 == 1:
            row = min(row, self._row(codes[::-1]))
        home = int(np.searchsorted(self.homes, row))
        if home >= len(self.homes) or self.homes[home] != row:
            raise TableError(f"the table {self.key.path} has no entry for this position")
        rows_a_block = self.header["rows_a_block"]
        blocks_a_side = -(-len(self.homes) // rows_a_block)
        block = self._block(side * blocks_a_side + home // rows_a_block)
        return int(block[(home % rows_a_block << self.bits) + codes[self.inner]])

    def _row(self, codes: list[int]) -> int:
        outer = codes[: self.inner] + codes[self.inner + 1 :]
        return sum(code << (place * self.bits) for place, code in enumerate(outer))

    def _block(self, number: int) -> NDArray[np.uint8]:
        if number in self.cache:
            self.cache.move_to_end(number)
            return self.cache[number]
        begin, end = int(self.offsets[number]), int(self.offsets[number + 1])
        try:
            with open(self.key.path, "rb") as file:
                file.seek(begin)
                data = np.frombuffer(zlib.decompress(file.read(end - begin)), np.uint8)
        except (OSError, zlib.error) as error:
            raise TableError(
                f"the table {self.key.path} is damaged ({error}); delete it and build it again"
            ) from error
        self.cache[number] = data
        if len(self.cache) > CACHED_BLOCKS:
            self.cache.popitem(last=False)
        return data


def plies_left(position: Position) -> int:
    """Plies until the limit of the game."""
    plies = int(position.state[2]) >> 1 & 0x7FFF
    return int(position.game.options["ply_limit"]) - plies


def finished_value(position: Position) -> Value:
    """The value of a finished game for the side that would be to move."""
    outcome = position.outcome
    if outcome is None:
        raise InputError("the game is not over in this position")
    if outcome.winner is None:
        return DRAW
    return Value("win" if outcome.winner == position.turn else "loss", 0)


def value_of(table: Tablebase, position: Position) -> Value:
    """The exact value of a position for the side to move, under the limit of plies."""
    if position.is_over:
        return finished_value(position)
    for code in position.move_codes:
        child = position.play(code)
        if child.is_over and finished_value(child).kind == "loss":
            return Value("win", 1)
    first, second = int(position.state[0]), int(position.state[1])
    return table.lookup(first, second, position.turn).within(plies_left(position))


def move_value(table: Tablebase, position: Position, code: int) -> Value:
    """The exact value of a move for the side that plays it."""
    child = position.play(code)
    value = value_of(table, child)
    opposite = {"win": "loss", "loss": "win", "draw": "draw"}[value.kind]
    return Value(opposite, None if value.distance is None else value.distance + 1)


def open_for(game: Game) -> Tablebase | None:
    """The table of a game if it has been built."""
    if game.info.name != "connect4":
        return None
    key = TableKey.of(game)
    return Tablebase(key) if key.possible and key.path.exists() else None
