"""Values in searches: whole numbers, in thousandths of a point or win unless a game says otherwise.

A win after n plies from the root is worth WIN - n, a loss n - WIN.
"""

from __future__ import annotations

import numpy as np

WIN = np.int64(1_000_000)
PROVEN = np.int64(900_000)
"""Values beyond this are proven wins, below its negative proven losses."""
INFINITE = np.int64(2_000_000)
UNKNOWN = np.int64(3_000_000)
"""In place of a value: nothing is known yet."""
POINT = np.int64(1000)
"""A point of margin in games that count points."""
