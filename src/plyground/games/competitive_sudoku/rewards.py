"""What completing regions is worth."""

from __future__ import annotations

import numpy as np

REWARDS = np.array([0, 1, 3, 7], np.int64)
"""Points for a move that completes no region, one, two or three at once."""
