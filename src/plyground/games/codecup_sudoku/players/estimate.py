"""About how many solutions a grid has, and which part of them each move keeps, by sampling.

A random descent fills cells, those with fewest digits to choose from first. One that ends in a
solution stands for as many of them as the product of the choices it had on its way (Knuth 1975);
one that ends nowhere stands for none. The mean is right in expectation, and the scatter says how
far to trust it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from plyground.games.codecup_sudoku.pencil_marks import PEERS, pencil_marks
from plyground.games.codecup_sudoku.solvers.solutions import Digits

_PEERS = [[int(cell) for cell in row.nonzero()[0]] for row in PEERS]
_DIGITS = [[digit for digit in range(9) if mask >> digit & 1] for mask in range(512)]
_COUNTS = [len(digits) for digits in _DIGITS]


@dataclass
class Estimate:
    """What the descents from a grid have shown so far."""

    digits: Digits
    seed: int = 0
    descents: int = 0
    _sum: float = 0.0
    _squares: float = 0.0
    _kept: list[float] = field(default_factory=lambda: [0.0] * 729)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)
        marks = pencil_marks(self.digits)
        self.masks = [sum(1 << d for d in range(9) if marks[cell, d]) for cell in range(81)]
        self._empty = [cell for cell in range(81) if self.digits[cell] == 0]

    @property
    def solutions(self) -> float:
        """The estimated number of solutions."""
        return self._sum / max(1, self.descents)

    @property
    def error(self) -> float:
        """The standard error of the number, as a part of it; infinite while none was found."""
        if self._sum == 0.0:
            return math.inf
        count = self.descents
        variance = self._squares / count - self.solutions**2
        return math.sqrt(max(0.0, variance) / count) / self.solutions

    def parts(self, moves: Sequence[tuple[int, int]]) -> list[float]:
        """For each move (cell, digit): the part of the solutions that have the digit there.

        Drawn towards equal parts for the digits of a cell, as far as the differences between all
        moves are no larger than chance makes them (James and Stein).
        """
        if not self._sum:
            return [1.0 / max(1, _COUNTS[self.masks[cell]]) for cell, _ in moves]
        equal = [1.0 / _COUNTS[self.masks[cell]] for cell, _ in moves]
        found = [self._kept[9 * cell + digit - 1] / self._sum for cell, digit in moves]
        apart = sum((one - even) ** 2 for one, even in zip(found, equal, strict=True))
        noise = sum(one * (1.0 - one) for one in found) / self._independent
        trust = max(0.0, 1.0 - noise / apart) if apart else 0.0
        return [even + trust * (one - even) for one, even in zip(found, equal, strict=True)]

    @property
    def _independent(self) -> float:
        """So many solutions drawn evenly would tell as much."""
        return self._sum**2 / self._squares if self._squares else 1.0

    @property
    def resolution(self) -> float:
        """Parts of the solutions that differ by less are not told apart: about three errors."""
        return max(0.01, 3.0 * math.sqrt(0.1 / self._independent))

    def sample(self, descents: int) -> None:
        """Descend so many times more."""
        for _ in range(descents):
            self.descents += 1
            weight, path = self._descend()
            self._sum += weight
            self._squares += weight * weight
            if weight:
                for code in path:
                    self._kept[code] += weight

    def _descend(self) -> tuple[float, list[int]]:
        """A random way down: what it stands for, and `9 * cell + digit - 1` of each step."""
        masks, empty, weight = self.masks[:], set(self._empty), 1.0
        path: list[int] = []
        while empty:
            fewest, place = 10, -1
            for cell in empty:
                count = _COUNTS[masks[cell]]
                if count < fewest:
                    fewest, place = count, cell
                    if count <= 1:
                        break
            if fewest == 0:
                return 0.0, []
            digit = _DIGITS[masks[place]][int(self._random.random() * fewest)]
            weight *= fewest
            empty.discard(place)
            path.append(9 * place + digit)
            for peer in _PEERS[place]:
                masks[peer] &= ~(1 << digit)
        return weight, path


def in_words(number: float) -> str:
    """A large number for people: 6.7·10²¹, or 12,000."""
    if number < 1e6:
        digits = 0 if number < 100 else 1 - math.floor(math.log10(number))
        return f"{round(number, digits):,.0f}"
    exponent = math.floor(math.log10(number))
    raised = str(exponent).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{number / 10**exponent:.1f}·10{raised}"
