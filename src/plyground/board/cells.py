"""The board of a plain position: an array that refuses what compiled code would not notice."""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.core.errors import GameFileError


class Cells(np.ndarray[Any, Any]):
    """Small whole numbers. An index must be in range and not negative; a cell is a Python int."""

    @classmethod
    def zeros(cls, shape: tuple[int, ...]) -> Cells:
        """An empty board: numbers from -128 to 127."""
        return np.zeros(shape, np.int8).view(cls)

    @classmethod
    def numbers(cls, values: Any) -> Cells:
        """A stored list: 32-bit numbers."""
        return np.array(values, np.int32).view(cls)

    def _check(self, index: Any) -> None:
        parts = index if isinstance(index, tuple) else (index,)
        for axis, part in enumerate(parts):
            if not isinstance(part, (int, np.integer)) or axis >= self.ndim:
                continue
            if not 0 <= part < self.shape[axis]:
                raise GameFileError(
                    f"index {part} is out of range 0..{self.shape[axis] - 1} "
                    "(negative numbers do not count from the end here)"
                )

    def freed(self) -> np.ndarray[Any, Any]:
        """A copy as a usual array, for those who read a position and do not make one."""
        return np.array(self, np.int64)

    def __repr__(self) -> str:  # NumPy's own looks at index -1
        return repr(np.asarray(self))

    def __str__(self) -> str:
        return str(np.asarray(self))

    def __getitem__(self, index: Any) -> Any:
        self._check(index)
        value = super().__getitem__(index)
        return value if isinstance(value, np.ndarray) else int(value)

    def __iter__(self) -> Any:
        if self.ndim == 1:
            return iter(self.tolist())
        return iter([super(Cells, self).__getitem__(row) for row in range(len(self))])

    def __setitem__(self, index: Any, value: Any) -> None:
        self._check(index)
        given = np.asarray(value)
        if given.dtype.kind not in "iub":
            raise GameFileError(f"a cell holds a whole number, not {value!r}")
        limits = np.iinfo(self.dtype if self.dtype.kind in "iu" else np.int64)
        if given.size and (given.min() < limits.min or given.max() > limits.max):
            raise GameFileError(f"a cell holds {limits.min} to {limits.max}, not {value!r}")
        super().__setitem__(index, value)
