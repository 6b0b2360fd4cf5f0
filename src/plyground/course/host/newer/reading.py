"""Board files of the newer format as its submissions read them: lenient, in plain Python.

Nothing is checked beyond what the course's own reader checks: these are texts that a submission
brings itself. What the referee plays on is read by the game's own reader.
"""

from __future__ import annotations

Square = tuple[int, int]
Placement = tuple[Square, int]


class StateText:
    """The fields of a board file. Squares of players are None in a classic game."""

    def __init__(self, rows: int, columns: int, board: list[int]) -> None:
        self.rows, self.columns, self.board = rows, columns, board
        self.initial: list[int] | None = None
        self.moves: list[Placement] = []
        self.taboo: list[Placement] = []
        self.scores: list[int] | None = None
        self.player = 1
        self.allowed: tuple[list[Square] | None, list[Square] | None] = (None, None)
        self.occupied: tuple[list[Square] | None, list[Square] | None] = (None, None)


def read_properties(text: str) -> dict[str, str]:
    """`key = value` lines; lines that begin with a space go on with the value before them."""
    properties: dict[str, str] = {}
    key = ""
    for line in text.splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if line.startswith(" "):
            properties[key] = f"{properties.get(key, '')}\n{line.strip()}".strip()
        else:
            key, _, value = (part.strip() for part in line.partition("="))
            properties[key] = value
    return properties


def read_state(text: str, playmode: str) -> StateText:
    """A board file; where it says nothing, the mode sets the allowed squares."""
    properties = read_properties(text)
    rows, columns = int(properties["rows"]), int(properties["columns"])
    size = rows * columns

    def board(name: str) -> tuple[list[int], tuple[list[Square], list[Square]]]:
        cells: list[int] = []
        owned: tuple[list[Square], list[Square]] = ([], [])
        for word in properties[name].split():
            if word[-1] in "+-":
                owned["+-".index(word[-1])].append(divmod(len(cells), size))
            cells.append(0 if word == "." else int(word.rstrip("+-")))
        if len(cells) != size * size:
            raise ValueError(f"a board of this size has {size * size} squares, not {len(cells)}")
        return cells, owned

    import re  # here: most submissions read no board files

    def numbers(name: str) -> list[int]:
        return [int(number) for number in re.findall(r"\d+", properties.get(name, ""))]

    def placements(name: str) -> list[Placement]:
        found = numbers(name)
        return [((r, c), v) for r, c, v in zip(found[::3], found[1::3], found[2::3])]  # noqa: B905

    cells, owned = board("board")
    state = StateText(rows, columns, cells)
    state.moves, state.taboo = placements("moves"), placements("taboo-moves")
    state.scores = numbers("scores") or None
    state.player = int(properties.get("current-player", "1"))
    if playmode == "classic":
        return state
    state.initial = board("initial-board")[0] if "initial-board" in properties else None
    state.occupied = owned
    given = [numbers(f"allowed-squares{player}") for player in (1, 2)]
    if "allowed-squares1" in properties and "allowed-squares2" in properties:
        first, second = (list(zip(one[::2], one[1::2])) for one in given)  # noqa: B905
        state.allowed = (first, second)
    else:
        state.allowed = squares_of_mode(size, playmode)
    return state


def squares_of_mode(size: int, playmode: str) -> tuple[list[Square], list[Square]]:
    """The squares on which either player may begin; empty lists in classic mode."""
    squares = [(row, column) for row in range(size) for column in range(size)]
    if playmode == "rows":
        return squares[:size], squares[-size:]
    if playmode == "border":
        border = [square for square in squares if {0, size - 1} & set(square)]
        return border, list(border)
    if playmode == "random":
        import random  # here: it makes the fork of every turn dearer

        drawn = random.sample(squares, 2 * size)
        return drawn[:size], drawn[size:]
    return [], []
