"""Symmetries that the author of a board game declares: boards that are worth the same.

Each is a permutation of the cells: entry c is the cell whose piece comes to cell c. What is stored
beside the board must not depend on the cells; `check_symmetries` tries that on positions of games.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from plyground.board import plain
from plyground.board.description import BoardGame
from plyground.board.layout import Layout
from plyground.core.errors import GameFileError

Permutation = tuple[int, ...]

NAMES = ("left-right", "up-down", "half-turn", "quarter-turn", "diagonal")
MOST_IMAGES = 64


def declared(cls: type[BoardGame], shape: tuple[int, ...]) -> dict[str, Permutation]:
    """The symmetries of the class by name; GameFileError for one that this board cannot have."""
    given = cls.symmetries
    wanted = (given,) if isinstance(given, str) else tuple(given)
    return {
        entry if isinstance(entry, str) else f"number {place}": _permutation(entry, shape)
        for place, entry in enumerate(wanted, 1)
    }


def _permutation(entry: Any, shape: tuple[int, ...]) -> Permutation:
    rows, columns = shape if len(shape) == 2 else (1, shape[0])
    cells = np.arange(rows * columns).reshape(rows, columns)
    if not isinstance(entry, str):
        made = tuple(int(cell) for cell in entry)
        if sorted(made) != list(range(cells.size)):
            raise GameFileError(
                f"a symmetry of your own must name each of the {cells.size} cells once"
            )
        return made
    if entry not in NAMES:
        raise GameFileError(f"symmetries are {', '.join(NAMES)}, or a list of cells; not {entry!r}")
    if entry in ("quarter-turn", "diagonal") and rows != columns:
        raise GameFileError(f"the symmetry {entry} needs a square board, not {rows}x{columns}")
    image = {
        "left-right": cells[:, ::-1],
        "up-down": cells[::-1],
        "half-turn": cells[::-1, ::-1],
        "quarter-turn": np.rot90(cells),
        "diagonal": cells.T,
    }[entry]
    return tuple(image.reshape(-1).tolist())


def images(cls: type[BoardGame], shape: tuple[int, ...]) -> list[Permutation]:
    """All that the declared symmetries make together, but for the one that changes nothing."""
    same = tuple(range(math.prod(shape)))
    generators = declared(cls, shape).values()
    found, waiting = {same}, [same]
    while waiting:
        image = waiting.pop()
        for generator in generators:
            following = tuple(image[cell] for cell in generator)
            if following not in found:
                found.add(following)
                waiting.append(following)
        if len(found) > MOST_IMAGES:
            raise GameFileError(f"the symmetries make more than {MOST_IMAGES} images of a board")
    return sorted(found - {same})


def check_symmetries(position: BoardGame, layout: Layout) -> None:
    """GameFileError if the image of a position has other moves, another result or another worth."""
    cls = type(position)
    for name, permutation in declared(cls, layout.shape).items():
        twin = plain.clone(position)
        np.asarray(twin.cells)[:] = np.asarray(position.cells)[list(permutation)]
        if _facts(position, layout) != _facts(twin, layout):
            raise GameFileError(
                f"{plain.file_of(cls).rsplit('/', 1)[-1]}:{plain.line_of(cls, 'moves')}: the "
                f"symmetry {name} does not hold: a position and its image have different moves, "
                "results or values"
            )


def _facts(position: BoardGame, layout: Layout) -> tuple[object, ...]:
    """What must be the same for a position and its images."""
    result = plain.result(position, layout)
    if result is not None:
        return (result,)
    children = [plain.play(position, layout, code) for code in plain.legal_codes(position, layout)]
    worth = position.evaluate() if hasattr(position, "evaluate") else 0
    results = (plain.result(child, layout) for child in children)
    forms = (_canonical(child, layout) for child in children)
    return worth, sorted(zip(forms, map(str, results), strict=True))


def _canonical(position: BoardGame, layout: Layout) -> bytes:
    """The same bytes for a position and all its images."""
    state = layout.pack(position)
    board = np.array(position.cells)
    found = []
    for image in (range(layout.cells), *images(type(position), layout.shape)):
        small = state.view(np.int8)
        small[layout.board_start : layout.board_start + layout.cells] = board[list(image)]
        found.append(state.tobytes())
    return min(found)
