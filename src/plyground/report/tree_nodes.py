"""Search trees as plain nodes, ready to be drawn.

MCTS trees are read off the arrays of a finished search. Alpha-beta is walked again by a small
reference search in plain Python, which notes the bounds of every node and what was cut off; the
compiled search stays free of such bookkeeping. Both see the game only through positions.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field

from plyground import kernels
from plyground.core.agent import Agent
from plyground.core.errors import GameOverError, InputError, UnsupportedError
from plyground.core.files import short_name
from plyground.core.game import Position, Scoring
from plyground.core.limits import Limit
from plyground.core.search import MoveValue
from plyground.search import mcts_kernel
from plyground.search.mcts import MonteCarloTreeSearch
from plyground.search.values import POINT

WIN = 1000.0
"""Value of a win now; one ply later it is worth one less."""

MOST_WALKED = 30_000
"""Nodes of a reference walk: plain Python takes some seconds for them."""
MOST_SECONDS = 60.0


@dataclass
class TreeNode:
    """A node with its lines of text. `mark` is empty, `best`, `win`, `loss`, `draw` or `cut`."""

    move: str
    lines: tuple[str, ...] = ()
    share: float = 0.0
    """How much of its parent's attention it got, 0 to 1: drawn as the thickness of the edge."""
    mark: str = ""
    children: list[TreeNode] = field(default_factory=list)

    def count(self) -> int:
        """Nodes of this subtree."""
        return 1 + sum(child.count() for child in self.children)


def summary_node(number: int, why: str) -> TreeNode:
    """Stands for moves that are not drawn one by one."""
    moves = "1 more" if number == 1 else f"{number} more"
    return TreeNode(moves, (why,) if why else (), mark="cut" if "cut" in why else "rest")


def mcts_tree(
    position: Position,
    limit: Limit,
    depth: int,
    width: int,
    exploration: float = 1.4,
    seed: int = 0,
) -> TreeNode:
    """Search, then read the tree: per node visits and mean result for the player who moved."""
    if position.is_over:
        raise GameOverError("the game is over in this position: there is nothing to search")
    search = MonteCarloTreeSearch(position.game, exploration=exploration)
    search.warm_up()
    search.start(seed)
    result = search.search(position, limit)
    root = _mcts_node(search, position, 0, depth, width)
    root.move = "root"
    root.lines = (f"{int(search.tree.visits[0]):,} visits", f"best {result.move}")
    return root


def _mcts_node(
    search: MonteCarloTreeSearch, position: Position, node: int, depth: int, width: int
) -> TreeNode:
    tree = search.tree
    drawn = TreeNode("")
    visits = int(tree.visits[node])
    if node:
        proofs = {
            int(mcts_kernel.WON): "win",
            int(mcts_kernel.LOST): "loss",
            int(mcts_kernel.DRAWN): "draw",
        }
        drawn.mark = proofs.get(int(tree.proofs[node]), "")
        mean = f"{100 * tree.mean(node):.1f} %" if visits else "unvisited"
        drawn.lines = (f"n {visits:,}", f"{mean} {drawn.mark}".strip())
    children = sorted(tree.children(node), key=lambda child: -int(tree.visits[child]))
    if depth == 0 or not children:
        return drawn
    total = max(1, sum(int(tree.visits[child]) for child in children))
    for child in children[:width]:
        code = int(tree.moves[child])
        below = _mcts_node(search, position.play(code), child, depth - 1, width)
        below.move = position.format_move(code)
        below.share = int(tree.visits[child]) / total
        drawn.children.append(below)
    if drawn.children and not drawn.children[0].mark:
        drawn.children[0].mark = "best"
    rest = children[width:]
    if rest:
        seen = sum(int(tree.visits[child]) for child in rest)
        drawn.children.append(summary_node(len(rest), f"n {seen:,}"))
    return drawn


class ReferenceWalk:
    """Plain alpha-beta to a fixed depth that keeps the tree it walked. Small depths only."""

    def __init__(self, position: Position) -> None:
        game = position.game
        if not game.info.for_two_without_chance:
            raise UnsupportedError(
                "alpha-beta needs a two-player game without chance, not "
                f"{short_name(game.info.name)}"
            )
        if position.is_over:
            raise GameOverError("the game is over in this position: there is nothing to search")
        self.game = game
        self.evaluation = kernels.plain(game.evaluation_module)
        self.ordering = kernels.plain(game.ordering_module)
        self.nodes = 0
        self.cut_offs = 0
        self._deadline = time.monotonic() + MOST_SECONDS

    def walk(self, position: Position, depth: int, width: int = 10**9) -> TreeNode:
        """The tree to a depth; of each node at most `width` children, the best among them."""
        root = TreeNode("root")
        value = self._visit(position, depth, -math.inf, math.inf, 0, position.turn, root, width)
        root.lines = (f"value {_show(value)}", f"{self.nodes:,} nodes, {self.cut_offs:,} cut-offs")
        return root

    def _visit(
        self,
        position: Position,
        depth: int,
        alpha: float,
        beta: float,
        ply: int,
        player: int,
        node: TreeNode,
        width: int,
    ) -> float:
        """The value for a player (the one to move, unless the game is over), fail-soft."""
        if position.is_over or depth == 0:
            value = self._static(position, player, ply)
            node.lines = (f"value {_show(value)}", "end" if position.is_over else "evaluated")
            return value
        window = f"[{_show(alpha)}, {_show(beta)}]"
        best = -math.inf
        best_node: TreeNode | None = None
        codes = self._ordered(position)
        searched: list[TreeNode] = []
        for code in codes:
            following = position.play(code)
            self.nodes += 1
            if self.nodes > MOST_WALKED or time.monotonic() > self._deadline:
                raise InputError(
                    f"alpha-beta to this depth has more than {self.nodes - 1:,} nodes: "
                    "too many to walk, use a smaller --depth or a later position"
                )
            child = TreeNode(position.format_move(code), share=1.0 / len(codes))
            below = 1 - player if following.is_over else following.turn
            flips = below != player
            low, high = (-beta, -alpha) if flips else (alpha, beta)
            value = self._visit(following, depth - 1, low, high, ply + 1, below, child, width)
            value = -value if flips else value
            searched.append(child)
            if value > best:
                best, best_node = value, child
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        node.children = searched[:width]
        if best_node is not None and not any(child is best_node for child in node.children):
            node.children[-1] = best_node
        if len(searched) > width:
            node.children.append(summary_node(len(searched) - width, "not drawn"))
        if left := len(codes) - len(searched):
            node.children.append(summary_node(left, "cut off"))
            self.cut_offs += 1
        if best_node is not None and not best_node.mark:
            best_node.mark = "best"
        node.lines = (f"value {_show(best)}", window)
        return best

    def _static(self, position: Position, player: int, ply: int) -> float:
        """An end or an evaluated position for a player."""
        outcome = position.outcome
        if outcome is None:
            return int(self.evaluation.evaluate(self.game.params, position.state)) / int(POINT)
        if self.game.info.scoring is Scoring.POINTS and outcome.margin is not None:
            return outcome.margin if player == 0 else -outcome.margin
        if outcome.winner is None:
            return 0.0
        return WIN - ply if outcome.winner == player else ply - WIN

    def _ordered(self, position: Position) -> list[int]:
        def promise(code: int) -> int:
            return int(self.ordering.promise(self.game.params, position.state, code))

        return sorted(position.move_codes, key=promise, reverse=True)


def _show(value: float) -> str:
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if abs(value) > WIN / 2:
        return ("won in " if value > 0 else "lost in ") + f"{WIN - abs(value):g}"
    return f"{value + 0.0:g}".replace("-", "−")  # adding 0 turns minus zero into zero


MOST_OPINIONS = 4
"""Plies to which an agent is asked; each node of the tree is a search of its own."""


def opinion_tree(
    position: Position, agent: Agent, limit: Limit, depth: int, width: int, move: str = ""
) -> TreeNode:
    """What an agent says about a position and, to a depth, about those after its best moves."""
    if position.is_over or depth == 0:
        return TreeNode(move, (position.view.caption,) if position.is_over else ())
    result = agent.analyse(position, limit)
    valued = [entry for entry in result.moves if entry.score is not None]
    valued.sort(key=lambda entry: -entry.score.expectation if entry.score else 2.0)
    moves = valued or [MoveValue(result.move, result.score)]
    children = []
    for entry in moves[:width]:
        child = opinion_tree(position.play(entry.move), agent, limit, depth - 1, width, entry.move)
        if entry.score is not None:
            child.lines = (str(entry.score), *child.lines)
        child.mark = "best" if entry.move == result.move else ""
        child.share = 1.0 / len(moves)
        children.append(child)
    said = () if result.score is None else (str(result.score),)
    return TreeNode(move, said if not move else (), children=children)
