"""32 lanes of 16 bits as one value, in plain Python; `band_vectors_native` has registers.

The lanes carry the 27 pairs (band, digit) of a 9x9 board. Lanes 8b .. 8b+7 belong to the digits
1 to 8 of band b; the digit 9 of band b has lane 24 + 2b. The other five lanes stay zero. So a
band is one 128-bit quarter, and going from band to band moves whole 32-bit pieces.

Values of this type support `& | ^ + -` with each other and `<< >>` by a `np.uint16`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from plyground.kernels import kernel

LANES = 32
Lanes = npt.NDArray[np.uint16]

# Moves of 32-bit pieces (pairs of lanes); pieces from 16 on belong to a second value.
NEXT_BAND = np.array([*range(4, 12), *range(4), 13, 14, 12, 15])
SWAP_HALVES = np.array([piece ^ 2 for piece in range(16)])


@kernel(lean=True)
def load(array: np.ndarray, offset: np.uint64) -> Lanes:
    """32 consecutive entries of a one-dimensional uint16 array."""
    start = int(offset)
    return np.array(array[start : start + LANES])


@kernel(lean=True)
def store(array: np.ndarray, offset: np.uint64, lanes: Lanes) -> None:
    """Write all lanes to consecutive entries of a one-dimensional uint16 array."""
    start = int(offset)
    array[start : start + LANES] = lanes


@kernel
def splat(value: np.uint16) -> Lanes:
    """The same value in every lane."""
    return np.full(LANES, value, np.uint16)


@kernel
def without(lanes: Lanes, mask: Lanes) -> Lanes:
    """The bits of `lanes` that are not in `mask`."""
    return lanes & ~mask


@kernel
def if_zero(test: Lanes, then: Lanes, otherwise: Lanes) -> Lanes:
    """Lane by lane: `then` where `test` is zero, else `otherwise`."""
    return np.where(test == 0, then, otherwise)


@kernel
def zero_lanes(lanes: Lanes) -> np.uint32:
    """Bit i is set when lane i is zero."""
    return np.uint32(int.from_bytes(np.packbits(lanes == 0, bitorder="little").tobytes(), "little"))


@kernel
def any_bit(lanes: Lanes) -> bool:
    """Whether some lane is not zero."""
    return bool(lanes.any())


@kernel
def next_band(lanes: Lanes) -> Lanes:
    """Each band gets the lanes of the band below it, the last those of the first."""
    return lanes.view(np.uint32)[NEXT_BAND].view(np.uint16)


@kernel
def band_after_next(lanes: Lanes) -> Lanes:
    """`next_band` twice."""
    return next_band(next_band(lanes))


@kernel
def swap_halves(lanes: Lanes) -> Lanes:
    """Exchange digits 1-4 with 5-8 in every band."""
    return lanes.view(np.uint32)[SWAP_HALVES].view(np.uint16)


@kernel
def swap_neighbours(lanes: Lanes) -> Lanes:
    """Exchange neighbouring digits in every band (1 with 2, 3 with 4, ...)."""
    return lanes.reshape(-1, 2)[:, ::-1].ravel()


@kernel
def low_halves(first: Lanes, second: Lanes) -> Lanes:
    """In every band digits 1-4 of the first value, then digits 1-4 of the second."""
    quarters = [value.reshape(4, 8)[:, :4] for value in (first, second)]
    return np.hstack(quarters).ravel()


@kernel
def high_halves(first: Lanes, second: Lanes) -> Lanes:
    """In every band digits 5-8 of the first value, then digits 5-8 of the second."""
    quarters = [value.reshape(4, 8)[:, 4:] for value in (first, second)]
    return np.hstack(quarters).ravel()


@kernel
def even_pieces(first: Lanes, second: Lanes) -> Lanes:
    """In every band the 32-bit pieces 0 and 2 of the first value, then those of the second."""
    quarters = [value.view(np.uint32).reshape(4, 4)[:, ::2] for value in (first, second)]
    return np.hstack(quarters).ravel().view(np.uint16)


@kernel
def odd_pieces(first: Lanes, second: Lanes) -> Lanes:
    """In every band the 32-bit pieces 1 and 3 of the first value, then those of the second."""
    quarters = [value.view(np.uint32).reshape(4, 4)[:, 1::2] for value in (first, second)]
    return np.hstack(quarters).ravel().view(np.uint16)


@kernel
def ninths(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
    """In every band the pieces of digit 9 of the three values, the last one twice."""
    pieces = [value.view(np.uint32)[12:16] for value in (a, b, c, c)]
    return np.stack(pieces, axis=1).ravel().view(np.uint16)


@kernel
def spread_first(lanes: Lanes) -> Lanes:
    """Piece 0 of every band in all lanes of the band, those of digit 9 included."""
    return _spread(lanes, 0)


@kernel
def spread_second(lanes: Lanes) -> Lanes:
    """Piece 1 of every band in all lanes of the band, those of digit 9 included."""
    return _spread(lanes, 1)


@kernel
def spread_third(lanes: Lanes) -> Lanes:
    """Piece 2 of every band in all lanes of the band, those of digit 9 included."""
    return _spread(lanes, 2)


def _spread(lanes: Lanes, piece: int) -> Lanes:
    chosen = lanes.view(np.uint32)[piece:12:4]
    return np.concatenate([np.repeat(chosen, 4), chosen, lanes.view(np.uint32)[15:]]).view(
        np.uint16
    )


@kernel
def bit_counts(lanes: Lanes) -> Lanes:
    """Number of set bits of each lane."""
    return np.bitwise_count(lanes).astype(np.uint16)


@kernel(lean=True)
def filled_cells(grid: np.ndarray, offset: np.uint64) -> np.uint64:
    """Bit i is set when entry offset + i of a uint8 array is not zero, for 64 entries."""
    start = int(offset)
    filled = grid[start : start + 64] != 0
    return np.uint64(int.from_bytes(np.packbits(filled, bitorder="little").tobytes(), "little"))
