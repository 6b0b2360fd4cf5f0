"""32 lanes of 16 bits as one value, in plain Python; `lanes_native` has vector registers for it.

The lanes carry the 27 pairs (band, digit) of a 9x9 board. Lanes 8b .. 8b+7 belong to the digits
1 to 8 of band b; the digit 9 of band b has lane 24 + 2b. The other five lanes stay zero. So a
band is one 128-bit quarter, and going from band to band moves whole 32-bit pieces.

Values of this type support `& | ^ -` with each other and `<< >>` by a `np.uint16`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from plyground.kernels import kernel

LANES = 32
Lanes = npt.NDArray[np.uint16]

NEXT_BAND = np.array(
    [*range(8, 24), *range(8), 26, 27, 28, 29, 24, 25, 30, 31],
)
HALVES = np.array([lane ^ 4 for lane in range(LANES)])
PAIRS = np.array([lane ^ 2 for lane in range(LANES)])
NEIGHBOURS = np.array([lane ^ 1 for lane in range(LANES)])


@kernel
def load(array: np.ndarray, offset: np.uint64) -> Lanes:
    """32 consecutive entries of a one-dimensional uint16 array."""
    start = int(offset)
    return np.array(array[start : start + LANES])


@kernel
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
    return np.take(lanes, NEXT_BAND)


@kernel
def band_after_next(lanes: Lanes) -> Lanes:
    """`next_band` twice."""
    twice: Lanes = np.take(lanes, NEXT_BAND[NEXT_BAND])
    return twice


@kernel
def swap_halves(lanes: Lanes) -> Lanes:
    """Exchange digits 1-4 with 5-8 in every band."""
    return np.take(lanes, HALVES)


@kernel
def swap_pairs(lanes: Lanes) -> Lanes:
    """Exchange neighbouring pairs of digits in every band (1-2 with 3-4, 5-6 with 7-8)."""
    return np.take(lanes, PAIRS)


@kernel
def swap_neighbours(lanes: Lanes) -> Lanes:
    """Exchange neighbouring digits in every band (1 with 2, 3 with 4, ...)."""
    return np.take(lanes, NEIGHBOURS)


@kernel
def ninth_to_bands(lanes: Lanes) -> Lanes:
    """The digit 9 of each band in the lane of its digit 1; all other lanes zero."""
    out = np.zeros(LANES, np.uint16)
    out[[0, 8, 16]] = lanes[[24, 26, 28]]
    return out


@kernel
def bands_to_ninth(lanes: Lanes) -> Lanes:
    """The lanes of the digit 9 overwritten by those of digit 1 (and their neighbours by 2)."""
    out = lanes.copy()
    out[24:30] = lanes[[0, 1, 8, 9, 16, 17]]
    return out


@kernel
def filled_cells(grid: np.ndarray, offset: np.uint64) -> np.uint64:
    """Bit i is set when entry offset + i of a uint8 array is not zero, for 64 entries."""
    start = int(offset)
    filled = grid[start : start + 64] != 0
    return np.uint64(int.from_bytes(np.packbits(filled, bitorder="little").tobytes(), "little"))
