"""Trees show what the searches did: values against brute force, visits against the arrays."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from plyground.cli import run
from plyground.core.errors import GameOverError
from plyground.core.game import Position
from plyground.core.limits import Limit
from plyground.core.registry import make_game
from plyground.report.tree_nodes import WIN, ReferenceWalk, TreeNode, mcts_tree


def brute(walker: ReferenceWalk, position: Position, depth: int, ply: int, player: int) -> float:
    if position.is_over or depth == 0:
        return walker._static(position, player, ply)
    values = []
    for code in position.move_codes:
        child = position.play(code)
        below = 1 - player if child.is_over else child.turn
        value = brute(walker, child, depth - 1, ply + 1, below)
        values.append(-value if below != player else value)
    return max(values)


def nodes(tree: TreeNode) -> Iterator[TreeNode]:
    yield tree
    for child in tree.children:
        yield from nodes(child)


@pytest.mark.parametrize("moves", ["", "1 2 1 2", "1 2 2 3 3 4 3 1-4", "4 4 3 3 2"])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_alpha_beta_walk_equals_brute_force(moves: str, depth: int) -> None:
    position = make_game("connect4", {"width": 4, "height": 4}).play_line(moves)
    walker = ReferenceWalk(position)
    root = walker.walk(position, depth)
    expected = brute(walker, position, depth, 0, position.turn)
    shown = root.lines[0].removeprefix("value ").replace("−", "-")
    if abs(expected) > WIN / 2:
        word = "won" if expected > 0 else "lost"
        assert shown == f"{word} in {WIN - abs(expected):g}"
    else:
        assert float(shown) == pytest.approx(expected)
    assert depth == 1 or walker.cut_offs > 0 or "won in 1" in shown
    cuts = [node for node in nodes(root) if node.mark == "cut"]
    assert len(cuts) == walker.cut_offs


def test_every_child_is_drawn_cut_off_or_counted() -> None:
    position = make_game("connect4").play_line("4 4 5")
    root = ReferenceWalk(position).walk(position, 2, width=3)

    def check(node: TreeNode, here: Position) -> None:
        if not node.children:
            return
        named = [child for child in node.children if "more" not in child.move]
        rest = sum(int(c.move.split()[0]) for c in node.children if "more" in c.move)
        assert len(named) <= 3 and len(named) + rest == len(here.legal_moves)
        assert any(child.mark == "best" for child in named)
        for child in named:
            check(child, here.play(child.move))

    check(root, position)


def test_mcts_tree_shows_visits_that_add_up() -> None:
    position = make_game("connect4", {"mean": "none"}).start()
    root = mcts_tree(position, Limit(nodes=500), depth=2, width=3, seed=1)
    assert root.lines[0] == "500 visits"
    visits = [int(child.lines[0].split()[-1].replace(",", "")) for child in root.children]
    assert sum(visits) == 500
    assert sorted(visits[:3], reverse=True) == visits[:3]
    assert [child.move for child in root.children][3] == "4 more"
    for child in root.children[:3]:
        assert abs(sum(n.share for n in root.children) - 1) <= 1 and child.share > 0


def test_no_tree_of_a_finished_game() -> None:
    position = make_game("connect4", {"mean": "none"}).play_line("1 2 1 2 1 2 1")
    with pytest.raises(GameOverError):
        ReferenceWalk(position)
    with pytest.raises(GameOverError):
        mcts_tree(position, Limit(nodes=1), 1, 1)


def test_command_writes_svg_and_refuses_nonsense(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "tree.svg"
    arguments = ["tree", "connect4", "--agent", "alphabeta", "--depth", "2", "--out", str(out)]
    assert run(arguments) == 0
    assert out.read_text(encoding="utf-8").startswith("<svg")
    assert run(["tree", "connect4", "--agent", "alphabeta", "--depth", "30"]) == 2
    assert run(["tree", "connect4", "--depth", "0"]) == 2
    wide = ["tree", "connect4", "--option", "mean=none", "--agent", "alphabeta", "--width", "99"]
    assert run([*wide, "--depth", "7", "--out", str(out)]) == 2
    assert "too many" in capsys.readouterr().err
