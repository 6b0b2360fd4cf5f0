"""Search speed of the course reports' agents: compiled kernels against the same search in Python.

    python benchmarks/competitive_speed.py [--seconds 3] [--output results.json]

Four sides search the same boards: nodes (moves applied) of the third report's alpha-beta, and
playouts of its tree search. `same` is the very code of the kernels, run by Python without Numba.
`report` is Python written as the report does it: move objects, a
matrix of legal moves that every placement updates, points by looking at the three regions, copies
of the whole state for every playout. `tuned` is the best that we could do in Python: sets, counts
of empty squares, no copies. CPU time, best of several interleaved rounds.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from copy import deepcopy
from math import log, sqrt
from pathlib import Path

from plyground import kernels
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.core.registry import make_game
from plyground.core.search import SearchResult
from plyground.games.competitive_sudoku.players import mcts_kernel, minimax_kernel
from plyground.games.competitive_sudoku.players.mcts import TreeAgent
from plyground.games.competitive_sudoku.players.reports import ThirdReportAgent
from script import read_options

NAME = "competitive-sudoku"
BOARDS = ("random-2x3", "random-3x3", "empty-3x3", "empty-3x4")
REWARDS = (0, 1, 3, 7)


class PythonBoard:
    """The board of the plain searches: lists, sets of used values, counts of empty squares."""

    def __init__(self, game: Game) -> None:
        data = game.data
        self.size = data.size
        self.units = [data.units(cell) for cell in range(self.size**2)]
        self.cells = list(data.cells)
        self.used = [set() for _ in range(3 * self.size)]
        self.room = [self.size] * (3 * self.size)
        for cell, value in enumerate(self.cells):
            if value:
                for unit in self.units[cell]:
                    self.used[unit].add(value)
                    self.room[unit] -= 1
        self.scores = [0, 0]

    def fits(self, cell: int, value: int) -> bool:
        if self.cells[cell]:
            return False
        row, column, block = self.units[cell]
        used = self.used
        return value not in used[row] and value not in used[column] and value not in used[block]

    def moves(self) -> list[tuple[int, int]]:
        return [
            (cell, value)
            for cell in range(self.size**2)
            for value in range(1, self.size + 1)
            if self.fits(cell, value)
        ]

    def place(self, cell: int, value: int, player: int) -> None:
        complete = 0
        for unit in self.units[cell]:
            self.used[unit].add(value)
            self.room[unit] -= 1
            complete += self.room[unit] == 0
        self.cells[cell] = value
        self.scores[player] += REWARDS[complete]

    def undo(self, cell: int, value: int, player: int) -> None:
        complete = 0
        for unit in self.units[cell]:
            self.used[unit].discard(value)
            complete += self.room[unit] == 0
            self.room[unit] += 1
        self.cells[cell] = 0
        self.scores[player] -= REWARDS[complete]


class Placement:
    """A move object, as the course has them."""

    def __init__(self, i: int, j: int, value: int) -> None:
        self.i, self.j, self.value = i, j, value


class ReportState:
    """Board, points and matrix of legal moves in the manner of the report."""

    def __init__(self, game: Game) -> None:
        data = game.data
        self.m, self.n, self.size = data.rows, data.columns, data.size
        self.squares = list(data.cells)
        self.scores = [0, 0]
        span = range(self.size)
        values = range(1, self.size + 1)
        self.initial = [Placement(i, j, v) for i in span for j in span for v in values]
        self.initial = [move for move in self.initial if self.is_free(move)]
        self.legal = [[[False] * (self.size + 1) for _ in span] for _ in span]
        for move in self.initial:
            self.legal[move.i][move.j][move.value] = True
        self.count = len(self.initial)

    def get(self, i: int, j: int) -> int:
        return self.squares[self.size * i + j]

    def block(self, i: int, j: int) -> Iterator[tuple[int, int]]:
        top, left = i // self.m * self.m, j // self.n * self.n
        for row in range(top, top + self.m):
            for column in range(left, left + self.n):
                yield row, column

    def is_free(self, move: Placement) -> bool:
        span = range(self.size)
        return (
            self.get(move.i, move.j) == 0
            and all(self.get(move.i, k) != move.value for k in span)
            and all(self.get(k, move.j) != move.value for k in span)
            and all(self.get(r, c) != move.value for r, c in self.block(move.i, move.j))
        )

    def points(self, move: Placement) -> int:
        row = all(self.get(move.i, column) for column in range(self.size))
        column = all(self.get(k, move.j) for k in range(self.size))
        block = all(self.get(r, c) for r, c in self.block(move.i, move.j))
        return REWARDS[row + column + block]

    def place(self, move: Placement, player: int) -> tuple[int, list[Placement]]:
        self.squares[self.size * move.i + move.j] = move.value
        points = self.points(move)
        self.scores[player] += points
        gone = []
        for k in range(self.size):
            for i, j, v in (
                (k, move.j, move.value),
                (move.i, k, move.value),
                (move.i, move.j, k + 1),
            ):
                if self.legal[i][j][v]:
                    self.legal[i][j][v] = False
                    gone.append(Placement(i, j, v))
        for i, j in self.block(move.i, move.j):
            if self.legal[i][j][move.value]:
                self.legal[i][j][move.value] = False
                gone.append(Placement(i, j, move.value))
        self.count -= len(gone)
        return points, gone

    def undo(self, move: Placement, player: int, points: int, gone: list[Placement]) -> None:
        for other in gone:
            self.legal[other.i][other.j][other.value] = True
        self.count += len(gone)
        self.scores[player] -= points
        self.squares[self.size * move.i + move.j] = 0


class ReportAlphaBeta:
    """Iterative deepening from depth 2 in the manner of the report."""

    def __init__(self, game: Game, seed: int) -> None:
        self.state = ReportState(game)
        random.Random(seed).shuffle(self.state.initial)
        self.nodes = 0

    def run(self, seconds: float) -> float:
        started = time.process_time()
        self.deadline = started + seconds
        for depth in range(2, self.state.squares.count(0) + 1):
            for move in self.state.initial:
                self.minimax(move, 0, depth - 1, -1e9, 1e9)
                if time.process_time() > self.deadline:
                    return self.nodes / (time.process_time() - started)
        return self.nodes / (time.process_time() - started)

    def minimax(self, move: Placement, player: int, depth: int, alpha: float, beta: float) -> float:
        state = self.state
        self.nodes += 1
        points, gone = state.place(move, player)
        other = 1 - player
        if depth == 0 or state.count == 0 or time.process_time() > self.deadline:
            best = float(state.scores[0] - state.scores[1])
        else:
            best = -1e9 if other == 0 else 1e9
            for reply in state.initial:
                if not state.legal[reply.i][reply.j][reply.value]:
                    continue
                value = self.minimax(reply, other, depth - 1, alpha, beta)
                if other == 0:
                    best = max(best, value)
                    alpha = max(alpha, best)
                else:
                    best = min(best, value)
                    beta = min(beta, best)
                if beta < alpha:
                    break
        state.undo(move, player, points, gone)
        return best


def report_playouts(game: Game, seed: int, seconds: float) -> float:
    """Playouts a second in the manner of the report (its tree's cost is left out)."""
    chance = random.Random(seed)
    original = ReportState(game)
    started = time.process_time()
    playouts = 0
    while time.process_time() < started + seconds:
        state = deepcopy(original)
        player = 0
        while state.count > 0:
            move = chance.choice(state.initial)
            if state.legal[move.i][move.j][move.value]:
                state.place(move, player)
                player = 1 - player
        playouts += 1
    return playouts / (time.process_time() - started)


class PythonAlphaBeta:
    """Iterative deepening from depth 2, moves ordered by regions completed."""

    def __init__(self, game: Game, seed: int) -> None:
        self.board = PythonBoard(game)
        self.moves = self.board.moves()
        random.Random(seed).shuffle(self.moves)
        self.moves.sort(key=self.completed, reverse=True)
        self.nodes = 0

    def completed(self, move: tuple[int, int]) -> int:
        return sum(self.board.room[unit] == 1 for unit in self.board.units[move[0]])

    def run(self, seconds: float) -> float:
        started = time.process_time()
        self.deadline = started + seconds
        depth = 2
        while time.process_time() < self.deadline and depth <= self.board.cells.count(0):
            alpha = -1e9
            for cell, value in self.moves:
                if not self.board.fits(cell, value):
                    continue
                alpha = max(alpha, self.after(cell, value, depth, alpha, 1e9, 0))
                if time.process_time() > self.deadline:
                    break
            depth += 1
        return self.nodes / (time.process_time() - started)

    def after(
        self, cell: int, value: int, depth: int, alpha: float, beta: float, player: int
    ) -> float:
        board = self.board
        self.nodes += 1
        board.place(cell, value, player)
        result = self.search(depth - 1, alpha, beta, 1 - player)
        board.undo(cell, value, player)
        return result

    def search(self, depth: int, alpha: float, beta: float, player: int) -> float:
        board = self.board
        if depth == 0 or (self.nodes % 1024 == 0 and time.process_time() > self.deadline):
            return board.scores[0] - board.scores[1]
        best = None
        for cell, value in self.moves:
            if not board.fits(cell, value):
                continue
            result = self.after(cell, value, depth, alpha, beta, player)
            if player == 0:
                best = result if best is None else max(best, result)
                alpha = max(alpha, best)
            else:
                best = result if best is None else min(best, result)
                beta = min(beta, best)
            if beta <= alpha:
                break
        return board.scores[0] - board.scores[1] if best is None else best


class PythonNode:
    """A node of the plain tree search."""

    __slots__ = ("children", "move", "parent", "player", "visits", "wins")

    def __init__(self, parent: PythonNode | None, move: tuple[int, int], player: int) -> None:
        self.parent, self.move, self.player = parent, move, player
        self.children: list[PythonNode] = []
        self.visits = self.wins = 0


def python_playouts(game: Game, seed: int, seconds: float) -> float:
    """Playouts a second of the report's tree search in Python."""
    chance = random.Random(seed)
    root = PythonNode(None, (0, 0), 1)
    started = time.process_time()
    playouts = 0
    while time.process_time() < started + seconds:
        board = PythonBoard(game)
        node = root
        while True:
            if node.children:
                visits = log(node.visits)
                node = max(
                    node.children,
                    key=lambda child: (
                        child.wins / child.visits + 2 * sqrt(visits / child.visits)
                        if child.visits
                        else float("inf")
                    ),
                )
            elif node.visits:
                node.children = [PythonNode(node, m, 1 - node.player) for m in board.moves()]
                if not node.children:
                    break
                node = chance.choice(node.children)
            else:
                break
            board.place(*node.move, node.player)
            if not node.visits:
                break
        moves = board.moves()
        player = 1 - node.player
        while moves:
            index = chance.randrange(len(moves))
            move = moves[index]
            moves[index] = moves[-1]
            moves.pop()
            if board.fits(*move):
                board.place(*move, player)
                player = 1 - player
        winner = (
            -1 if board.scores[0] == board.scores[1] else int(board.scores[1] > board.scores[0])
        )
        while node is not None:
            node.visits += 1
            node.wins += node.player == winner
            node = node.parent
        playouts += 1
    return playouts / (time.process_time() - started)


def agent_rate(
    agent: ThirdReportAgent | TreeAgent, game: Game, seconds: float, plain: bool = False
) -> float:
    """Nodes or playouts a second of an agent on the start position, all overhead included.

    `plain` runs its search kernels as Python.
    """
    agent.new_game(game, 1)
    if plain:
        module = minimax_kernel if isinstance(agent, ThirdReportAgent) else mcts_kernel
        agent.kernels = kernels.plain(module.__name__)
    started = time.process_time()
    clock_seconds = seconds
    result: SearchResult | None = None
    nodes = 0
    while time.process_time() - started < seconds:
        result = agent.search(game.start(), Limit(time=clock_seconds, by="cpu"))
        nodes += result.nodes
    return nodes / (time.process_time() - started)


def main() -> None:
    options = read_options(__doc__, seconds=2.0, rounds=3, output=Path)
    results = []
    names = ("same", "report", "tuned", "compiled")
    print(f"{'board':12} {'search':6}", *(f"{name + ' /s':>12}" for name in names), end="")
    print("   compiled to same, report, tuned")
    for board in BOARDS:
        game = make_game(NAME, {"board": board})
        third, tree = ThirdReportAgent(unsolvable=False), TreeAgent()
        for agent in (third, tree):
            agent.new_game(game, 1)
            agent.warm_up()
        rates = {"a3": [0.0] * 4, "mcts": [0.0] * 4}
        for seed in range(options.rounds):
            sides = {
                "a3": (
                    agent_rate(third, game, options.seconds, plain=True),
                    ReportAlphaBeta(game, seed).run(options.seconds),
                    PythonAlphaBeta(game, seed).run(options.seconds),
                    agent_rate(third, game, options.seconds),
                ),
                "mcts": (
                    agent_rate(tree, game, options.seconds, plain=True),
                    report_playouts(game, seed, options.seconds),
                    python_playouts(game, seed, options.seconds),
                    agent_rate(tree, game, options.seconds),
                ),
            }
            for search, new in sides.items():
                rates[search] = [max(pair) for pair in zip(rates[search], new, strict=True)]
        for search, best in rates.items():
            ratios = [best[3] / other for other in best[:3]]
            print(f"{board:12} {search:6}", *(f"{rate:12.0f}" for rate in best), end="  ")
            print(*(f"{ratio:7.0f}x" for ratio in ratios), flush=True)
            row = {"board": board, "search": search, **dict(zip(names, best, strict=True))}
            for name, ratio in zip(names, ratios, strict=False):
                row[f"ratio_to_{name}"] = ratio
            results.append(row)
    if options.output:
        options.output.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
