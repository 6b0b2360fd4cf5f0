"""Positions, moves and board files as the referee writes them, read into plain values.

The referee has checked all of it, so nothing is checked again here.
"""

from __future__ import annotations

Placement = tuple[int, int]
"""A square (flat index) and a value."""

_LETTERS = b".123456789ABCDEFGHIJKLMNOP"
_VALUES = bytes(max(0, _LETTERS.find(letter)) for letter in range(256))
_OWNERS = "+-"


class Position:
    """A position. `allowed` is None when every empty square is open to both players."""

    allowed: tuple[set[int], set[int]] | None = None

    def __init__(self, rows: int, columns: int, cells: list[int]) -> None:
        self.rows = rows
        self.columns = columns
        self.cells = cells
        self.scores = [0, 0]
        self.player = 0
        self.taboo: list[Placement] = []
        self.occupied: tuple[set[int], set[int]] = (set(), set())

    @property
    def size(self) -> int:
        """Values, and squares on a side."""
        return self.rows * self.columns


class History:
    """The moves before the first one that was announced, and the board before them (or nothing)."""

    def __init__(self, moves: list[Placement], initial: list[int]) -> None:
        self.moves = moves
        self.initial = initial


def read_position(text: str) -> Position:
    """The one-line form of a position (`2x3 1..4../... first 0-0 taboo=... allowed1=...`)."""
    shape, board, player, scores, *rest = text.split()
    letters = board.replace("/", "")
    plain = letters.replace("+", "").replace("-", "")
    rows, _, columns = shape.partition("x")
    position = Position(int(rows), int(columns), list(plain.encode().translate(_VALUES)))
    if plain != letters:
        position.occupied = _owned(letters)
    first, _, second = scores.partition("-")
    position.scores = [int(first), int(second)]
    position.player = int(player == "second")
    size = position.size
    words = {}
    for word in rest:
        name, _, words[name] = word.partition("=")
    if words.get("taboo"):
        for item in words["taboo"].split(";"):
            square, _, value = item.partition("=")
            position.taboo.append((_square(size, square), int(value)))
    if "allowed1" in words:
        position.allowed = _squares(size, words["allowed1"]), _squares(size, words["allowed2"])
    return position


def _owned(letters: str) -> tuple[set[int], set[int]]:
    """The squares whose values have the sign of either player."""
    owned: tuple[set[int], set[int]] = (set(), set())
    cell = -1
    for letter in letters:
        if letter in _OWNERS:
            owned[_OWNERS.index(letter)].add(cell)
        else:
            cell += 1
    return owned


def _squares(size: int, text: str) -> set[int]:
    return {_square(size, item) for item in text.split(";") if item}


def _square(size: int, text: str) -> int:
    row, column = text.split(",")
    return int(row) * size + int(column)


def read_move(size: int, text: str) -> tuple[Placement, bool]:
    """A move `(r,c) -> v`, and whether it is marked as a pass by `!`."""
    square, _, value = text.rstrip("!").partition("->")
    return (_square(size, square.strip("() ")), int(value)), text.endswith("!")


def read_history(text: str) -> History:
    """What a board file of the newer format tells of earlier moves; nothing in the older one."""
    if "=" not in text:
        return History([], [])
    import re  # here: named boards need none

    keys: dict[str, str] = {}
    for line in re.sub(r"#.*", "", text).replace("\n ", " ").replace("\n\t", " ").split("\n"):
        key, equals, value = line.partition("=")
        if equals:
            keys[key.strip()] = value
    initial = [
        0 if word == "." else int(word.rstrip(_OWNERS))
        for word in keys.get("initial-board", "").split()
    ]
    if "moves" not in keys:
        return History([], initial)
    size = int(keys["rows"]) * int(keys["columns"])
    moves = [
        (int(row) * size + int(column), int(value))
        for row, column, value in re.findall(
            r"\(\s*(\d+)\s*,\s*(\d+)\s*\)\s*->\s*(\d+)", keys["moves"]
        )
    ]
    return History(moves, initial)
