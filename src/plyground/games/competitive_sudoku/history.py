"""Do the fields of a board file agree: board, moves, taboo list, scores, current player?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NoReturn

from plyground.games.competitive_sudoku.position_data import PositionData
from plyground.games.competitive_sudoku.rewards import REWARDS

Fail = Callable[[int, str], NoReturn]


def reward(data: PositionData, cells: list[int], cell: int) -> int:
    """Points for filling this empty square, by the row, column and block that it completes."""
    complete = 0
    for unit in data.units(cell):
        others = (c for c in range(len(cells)) if c != cell and unit in data.units(c))
        complete += all(cells[other] for other in others)
    return int(REWARDS[complete])


def check_history(data: PositionData, lines: Mapping[str, int], fail: Fail) -> PositionData:
    """The position with what follows from its history filled in; `fail` where fields disagree.

    `lines` has the line of each field that was given.
    """
    for cell, value in data.taboo:
        if data.cells[cell] == value:
            fail(lines["taboo-moves"], f"taboo-moves: {_text(data, cell, value)} is on the board")
    if data.allowed is None and any(data.occupied):
        return data  # as the course reads it: the mode, and so who could play where, is not known
    if "moves" not in lines:
        return _check_without_moves(data, lines, fail)
    line = lines["moves"]
    cells = _starting_cells(data, lines, fail)
    start = PositionData(data.rows, data.columns, tuple(cells), allowed=data.allowed)
    scores, occupied, player = [0, 0], (set[int](), set[int]()), 0
    for number, (cell, value) in enumerate(data.moves, 1):
        own = (frozenset(occupied[0]), frozenset(occupied[1]))
        now = replace(start, cells=tuple(cells), occupied=own)
        player = player if now.squares_of(player) else 1 - player
        text = f"move {number}, {_text(data, cell, value)},"
        if cells[cell]:
            fail(line, f"{text} is on a square that was filled before")
        if cell not in now.squares_of(player):
            fail(line, f"{text} is on a square that player {player + 1} may not use")
        if (cell, value) not in data.taboo:
            if data.cells[cell] != value:
                fail(line, f"{text} is neither on the board nor taboo")
            scores[player] += reward(data, cells, cell)
            cells[cell] = value
            if data.allowed is not None:
                occupied[player].add(cell)
        player = 1 - player
    for cell, value in data.taboo:
        if (cell, value) not in data.moves:
            text = _text(data, cell, value)
            fail(lines["taboo-moves"], f"taboo-moves: {text} is not among the moves")
    if tuple(cells) != data.cells:
        fail(line, "the moves do not lead from the initial board to the board")
    if "scores" in lines and tuple(scores) != data.scores:
        fail(lines["scores"], f"scores are {list(data.scores)}, but the moves give {scores}")
    own = (frozenset(occupied[0]), frozenset(occupied[1]))
    if data.occupied not in ((frozenset(), frozenset()), own):
        fail(lines["board"], "the squares that players occupy do not follow from the moves")
    done = replace(data, scores=(scores[0], scores[1]), occupied=own, plies=len(data.moves))
    if not done.squares_of(player) and done.squares_of(1 - player):
        player = 1 - player
    over = not done.squares_of(player)
    if "current-player" in lines and data.player != player and not over:
        turn = f"player {player + 1} is to move after {len(data.moves)} moves"
        fail(lines["current-player"], f"current-player is {data.player + 1}, but {turn}")
    return replace(done, player=player)


def _starting_cells(data: PositionData, lines: Mapping[str, int], fail: Fail) -> list[int]:
    """The board before the moves: as given, or the board without what the moves placed."""
    if "initial-board" in lines:
        return list(data.initial)
    cells = list(data.cells)
    for cell, value in data.moves:
        if (cell, value) in data.taboo:
            continue
        if cells[cell] != value:
            text = _text(data, cell, value)
            fail(lines["moves"], f"move {text} is neither on the board nor taboo")
        cells[cell] = 0
    return cells


def _check_without_moves(data: PositionData, lines: Mapping[str, int], fail: Fail) -> PositionData:
    """Without a history, the points must be possible with the regions that are complete."""
    start = data.initial if "initial-board" in lines else (0,) * len(data.cells)
    complete = sum(
        _complete(data, data.cells, unit) and not _complete(data, start, unit)
        for unit in range(3 * data.size)
    )
    total = sum(data.scores)
    low = complete if "initial-board" in lines and "scores" in lines else 0
    if not low <= total <= 7 * complete / 3:
        fail(
            lines.get("scores", lines["board"]),
            f"scores of {data.scores[0]} and {data.scores[1]} are not possible "
            f"with {complete} completed regions",
        )
    return data


def _complete(data: PositionData, cells: tuple[int, ...], unit: int) -> bool:
    return all(value for cell, value in enumerate(cells) if unit in data.units(cell))


def _text(data: PositionData, cell: int, value: int) -> str:
    return f"({cell // data.size},{cell % data.size}) -> {value}"
