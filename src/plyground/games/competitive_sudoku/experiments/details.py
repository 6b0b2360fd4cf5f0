"""Document 000: search effort over time, single heuristics, and its footnotes on passes."""

from __future__ import annotations

import random
import statistics
from collections.abc import Sequence
from typing import Any

import numpy as np

from plyground.core.limits import Limit
from plyground.core.registry import make_game
from plyground.games.competitive_sudoku.experiments.agents import (
    GAME,
    OPENING_PLIES,
    SHORTER,
    SMALL_BOARDS,
    SMALLEST,
    pairs_of_games,
    swapped,
    times,
)
from plyground.lab.checks import decide
from plyground.lab.experiment import Claim, Finding, Item, Measure, Scale, experiment
from plyground.lab.results import Results
from plyground.report.page import Block, Plot

# Calls and iterations over time ------------------------------------------------------------

EFFORT_BOARDS = ("empty-2x2", "random-2x3", "hard-3x3", "empty-3x3")


@experiment("sudoku-effort", "000")
def effort(scale: Scale) -> list[Item]:
    """Minimax calls and MCTS iterations over time."""
    return [
        swapped(
            f"effort-{board}-{seconds:g}",
            ("a3", "mcts"),
            scale.pick(2, 6),
            Limit(time=seconds),
            board,
        )
        for board in EFFORT_BOARDS
        for seconds in times(scale)
    ]


def nodes_a_move(results: Results, player: str, board: str, seconds: float) -> float:
    """Mean nodes of a player's moves on a board at a time."""
    games = results.games(f"effort-{board}-{seconds:g}")
    counts = [
        nodes
        for game in games
        for mover, _, nodes in game.moves
        if (game.first, game.second)[mover] == player and nodes
    ]
    return statistics.fmean(counts) if counts else 0.0


def _growth(results: Results, player: str) -> dict[str, float]:
    line = times(results.scale)
    return {
        board: nodes_a_move(results, player, board, line[-1])
        / max(1.0, nodes_a_move(results, player, board, line[0]))
        for board in EFFORT_BOARDS
    }


def _show_growth(growth: dict[str, float]) -> str:
    return ", ".join(f"{board}: x {factor:.1f}" for board, factor in growth.items())


def _calls_grow(results: Results) -> Finding:
    growth = _growth(results, "a3")
    text = f"from the shortest to 20 times that: {_show_growth(growth)}"
    return Finding(text, statistics.median(growth.values()) > 3)


def _iterations_flat(results: Results) -> Finding:
    growth = _growth(results, "mcts")
    text = f"from the shortest to 20 times that: {_show_growth(growth)}"
    return Finding(text, statistics.median(growth.values()) < 2)


def _iterations_a_second(results: Results) -> str:
    line = times(results.scale)
    shown = ", ".join(
        f"{board}: "
        + " and ".join(
            f"{nodes_a_move(results, 'mcts', board, seconds) / seconds:,.0f}"
            for seconds in (line[0], line[-1])
        )
        for board in EFFORT_BOARDS
    )
    return f"iterations a second at the shortest and the longest time: {shown}."


def plot_effort(results: Results) -> Sequence[Block]:
    """Calls and iterations a move over time, one panel each."""
    from matplotlib.figure import Figure

    from plyground.report.figures import WIDTH, name_seconds, set_title, styled
    from plyground.report.theme import colour, marker

    line = times(results.scale)

    def draw() -> Figure:
        figure = Figure(figsize=(WIDTH, 3.4), layout="constrained")
        panels = figure.subplots(1, 2, sharey=True)
        names = {"a3": "minimax calls (a3)", "mcts": "MCTS iterations"}
        for ax, (player, title) in zip(panels, names.items(), strict=True):
            for number, board in enumerate(EFFORT_BOARDS):
                values = [nodes_a_move(results, player, board, seconds) for seconds in line]
                ax.plot(line, values, color=colour(number), marker=marker(number), label=board)
            ax.set_xscale("log")
            ax.set_yscale("log")
            ax.set_xticks(line, [name_seconds(seconds) for seconds in line])
            ax.minorticks_off()
            ax.set_xlabel("time a move")
            ax.set_title(title, fontsize=9)
        panels[0].set_ylabel("mean number a move")
        panels[1].legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=8.5)
        set_title(figure, "Search effort over thinking time")
        return figure

    figure = styled(draw)
    assert figure is not None
    about = "Mean minimax calls and MCTS iterations a move; late moves of a game have few left"
    return (Plot("sudoku-effort-calls", figure, about),)


effort.reduced = (
    f"{SHORTER}. The longest time is 20 times the shortest as in the document, and both claims are "
    "about that factor; at full scale it takes about an hour of one core."
)
effort.plots = plot_effort
effort.claims = (
    Claim(
        "minimax calls grow strongly with the time a move",
        _calls_grow,
        because="on the small boards the tree ends before the time does.",
    ),
    Claim(
        "MCTS iterations are almost flat over time",
        _iterations_flat,
        because="an iteration costs the same at any time, so their number must grow with "
        "it; the document's agent also writes its tree to disk during the turn.",
        tested=_iterations_a_second,
    ),
)

# One heuristic at a time -------------------------------------------------------------------

SWITCHES = (
    ("a2", "a2:priority=no", "A2 with its order of squares against without"),
    ("a2", "a2:prefer_empty=no", "A2 with its liking of empty regions against without"),
    ("a2", "a2:twos_last=no", "A2 with squares of two values last against without"),
    ("a3", "a3:unsolvable=no", "A3 with its list of unsolvable moves against without"),
    ("a3", "a3:order=no", "A3 with moves ordered by regions completed against without"),
    ("a3", "a3:start=1", "A3 that starts at depth 2 against one that starts at depth 1"),
)


MEDIUM_TIMES = {"a3:unsolvable=no": 0.02}
"""Listing unsolvable moves takes some milliseconds; all others have 5."""
MEDIUM_PAIRS = {
    "a2:priority=no": (90, 20),
    "a2:prefer_empty=no": (220, 30),
    "a2:twos_last=no": (90, 14),
    "a3:unsolvable=no": (40, 20),
    "a3:order=no": (360, 40),
    "a3:start=1": (360, 60),
}
"""Pairs on each of the two smallest boards, and on each of the others, fixed beforehand: by earlier
games from other starts each question is decided with a probability of 90 % and more, and those with
scores between 50 and 55 % whatever comes, as their intervals are shorter than these five points."""
NODE_LIMITS = (20, 2000)
"""Nodes a move for both: about what slow code has, and what an order or a list is worth when making
it costs nothing."""
SAME_PAIRS = 16
ONLY_ORDER = (
    "with fast code the depths that an order helps to finish are finished either way, and then it "
    "chooses between equal moves only."
)
BLAMED = {
    "a2:priority=no": "squares with few values first are tried before those that give points.",
    "a2:prefer_empty=no": "a tenth of a point decides between moves that are equal otherwise.",
    "a2:twos_last=no": ONLY_ORDER,
    "a3:unsolvable=no": "the passes that it makes A3 play are at fault, not the time it takes.",
    "a3:order=no": ONLY_ORDER,
    "a3:start=1": "with fast code depth 2 is finished in time either way.",
}


def medium_pairs(without: str, board: str) -> int:
    """Pairs of games on a board in a medium run."""
    return MEDIUM_PAIRS[without][board not in SMALLEST]


def switched_off(scale: Scale, player: str) -> list[Item]:
    """Games of a player with each of its heuristics against itself without."""
    chosen = [(with_it, without) for with_it, without, _ in SWITCHES if with_it == player]
    same_nodes = [
        swapped(
            f"{without}-{board}-{nodes}-nodes",
            players,
            2 * SAME_PAIRS,
            Limit(nodes=nodes),
            board,
            opening_plies=OPENING_PLIES,
        )
        for players in chosen
        for without in players[1:]
        for nodes in NODE_LIMITS
        for board in SMALLEST
    ]
    return [
        item
        for players in chosen
        for without in players[1:]
        for board in SMALL_BOARDS
        for seconds in scale.pick([0.02], [0.1, 0.5], [MEDIUM_TIMES.get(without, 0.005)])
        for item in pairs_of_games(
            scale, players, board, seconds, scale.pick(2, 10, medium_pairs(without, board))
        )
    ] + same_nodes


@experiment("sudoku-heuristics", "000")
def switches(scale: Scale) -> list[Item]:
    """Each heuristic of A2 switched off."""
    return switched_off(scale, "a2")


@experiment("sudoku-heuristics-a3", "000")
def a3_switches(scale: Scale) -> list[Item]:
    """Each heuristic of A3 switched off."""
    return switched_off(scale, "a3")


def _helps(without: str) -> Any:
    def check(results: Results) -> Finding:
        tally = results.tally_where(lambda item: item.second == without and bool(item.limit.time))
        return decide(tally.text, tally)

    return check


def _same_nodes(without: str) -> Any:
    def tested(results: Results) -> str:
        few, many = (
            results.tally_where(
                lambda item, n=nodes: item.second == without and item.limit.nodes == n  # type: ignore[misc]
            )
            for nodes in NODE_LIMITS
        )
        first, second = NODE_LIMITS
        return (
            f"with {first} nodes a move for both it scores {few.text}, with {second:,} {many.text}."
        )

    return tested


FIXED = (
    "fewer games (medium: more, from many boards, most of them small; their numbers were fixed "
    "beforehand so that each question is decided with a probability of 90 % and more, by what "
    "earlier games from other starts had shown). At full scale 160 games each, which take about 2 "
    "hours of one core, could not tell 53 from 50 %."
)
switches.reduced = f"20 ms (medium: 5) a move instead of 0.1 and 0.5 s, {FIXED}"
a3_switches.reduced = (
    "20 ms (medium: 5, with the list of unsolvable moves 20) a move instead of 0.1 and 0.5 s, "
    f"{FIXED}"
)


def _claims(player: str) -> tuple[Claim, ...]:
    return tuple(
        Claim(
            f"{text}: it helps (the documents keep it)",
            _helps(without),
            because=BLAMED[without],
            tested=_same_nodes(without),
        )
        for with_it, without, text in SWITCHES
        if with_it == player
    )


switches.claims, a3_switches.claims = _claims("a2"), _claims("a3")

# Footnotes on unsolvable moves -------------------------------------------------------------

BINS = 10


def block_row_test(cells: list[list[int]], rows: int, columns: int) -> bool:
    """The document's Algorithm 1: whether some block has no place left for some value.

    Looks at each row of each block: a value that is not in the block, stands in all other rows
    of the block's band, and in the columns of the row's empty cells, cannot be placed.
    """
    size = rows * columns
    row_values = [set(row) for row in cells]
    column_values = [{cells[r][c] for r in range(size)} for c in range(size)]
    for top in range(0, size, rows):
        for left in range(0, size, columns):
            block_rows = range(top, top + rows)
            inside = {cells[r][c] for r in block_rows for c in range(left, left + columns)}
            missing = set(range(1, size + 1)) - inside
            for row in block_rows:
                candidates = set(missing)
                for other in block_rows:
                    if other != row:
                        candidates &= row_values[other]
                for column in range(left, left + columns):
                    if cells[row][column] == 0:
                        candidates &= column_values[column]
                if candidates:
                    return True
    return False


def unsolvable_moves(board: str, games: int, seed: int) -> dict[str, Any]:
    """Passes by fill rate over random games: how many there are, and how many the test finds.

    `bins[k]` covers fill rates from k/10 on: positions, positions with a pass, positions where the
    test finds one, moves that fit, passes, passes that the test finds.
    """
    game = make_game(GAME, {"board": board})
    rows, columns = (int(part) for part in board.rsplit("-", 1)[1].split("x"))
    size = rows * columns
    chance = random.Random(seed)
    bins = [[0] * 6 for _ in range(BINS)]
    for _ in range(games):
        cells = np.zeros(size * size, np.int64)
        cells[:] = game.start().cells  # type: ignore[attr-defined]
        while (cells == 0).any():
            grid = cells.reshape(size, size).tolist()
            fits = _fitting(grid, rows, columns)
            good = game.answers.values(cells)  # type: ignore[attr-defined]
            passes = [(r, c, v) for r, c, v in fits if not int(good[r * size + c]) >> (v - 1) & 1]
            if chance.random() < 0.25:
                found = sum(_test_finds(grid, move, rows, columns) for move in passes)
                entry = bins[min(BINS - 1, int(BINS * np.count_nonzero(cells) / len(cells)))]
                facts = (1, bool(passes), found > 0, len(fits), len(passes), found)
                for place, number in enumerate(facts):
                    entry[place] += int(number)
            blocked = set(passes)
            row, column, value = chance.choice([move for move in fits if move not in blocked])
            cells[row * size + column] = value
    return {"bins": bins}


def _fitting(grid: list[list[int]], rows: int, columns: int) -> list[tuple[int, int, int]]:
    size = rows * columns
    row_values = [set(row) for row in grid]
    column_values = [{grid[r][c] for r in range(size)} for c in range(size)]
    block_values: dict[tuple[int, int], set[int]] = {}
    for r in range(size):
        for c in range(size):
            block_values.setdefault((r // rows, c // columns), set()).add(grid[r][c])
    return [
        (r, c, value)
        for r in range(size)
        for c in range(size)
        if grid[r][c] == 0
        for value in range(1, size + 1)
        if value not in row_values[r]
        and value not in column_values[c]
        and value not in block_values[r // rows, c // columns]
    ]


def _test_finds(grid: list[list[int]], move: tuple[int, int, int], rows: int, columns: int) -> bool:
    row, column, value = move
    grid[row][column] = value
    found = block_row_test(grid, rows, columns)
    grid[row][column] = 0
    return found


@experiment("sudoku-unsolvable", "000")
def unsolvable(scale: Scale) -> list[Item]:
    """Unsolvable moves: when there are some, and what the block-row test finds."""
    return [
        Measure(
            board,
            unsolvable_moves,
            {"board": board, "games": scale.pick(10, 100, 40), "seed": 5},
        )
        for board in ("empty-3x3", "empty-2x3")
    ]


def _rare_outside(results: Results) -> Finding:
    bins = results.value("empty-3x3")["bins"]
    shares = [entry[4] / entry[3] if entry[3] else 0.0 for entry in bins]
    outside = max(shares[0], shares[1])
    late = bins[8][4] + bins[9][4], bins[8][3] + bins[9][3]
    late_share = late[0] / max(1, late[1])
    inside = max(shares[2:8])
    listing = ", ".join(f"{10 * k} %: {100 * share:.1f}" for k, share in enumerate(shares))
    text = f"share of fitting moves that pass, in %, by fill rate: {listing}"
    return Finding(text, outside < inside / 5 and late_share < inside / 5)


def _finds_one(results: Results) -> Finding:
    shown = []
    shares = []
    for board in ("empty-3x3", "empty-2x3"):
        bins = results.value(board)["bins"][2:8]
        positions = sum(entry[1] for entry in bins)
        hits = sum(entry[2] for entry in bins)
        shares.append(hits / max(1, positions))
        shown.append(f"{board}: in {100 * shares[-1]:.0f} % of {positions} positions with a pass")
    return Finding(f"{'; '.join(shown)} (20 to 80 % full)", min(shares) > 0.9)


def _finds_share(results: Results) -> Finding:
    bins = results.value("empty-3x3")["bins"][2:8]
    passes, found = sum(entry[4] for entry in bins), sum(entry[5] for entry in bins)
    text = f"the test finds {100 * found / max(1, passes):.0f} % of {passes:,} unsolvable moves"
    return Finding(text, found < passes)


unsolvable.reduced = "fewer random games."
unsolvable.claims = (
    Claim(
        "unsolvable moves are very rare below 20 % and above 85 % fill",
        _rare_outside,
        because="a nearly full board has few moves at all, and many of those that fit "
        "contradict the rest.",
    ),
    Claim("the block-row test finds at least one almost always", _finds_one),
    Claim("it does not find all of them", _finds_share),
)
