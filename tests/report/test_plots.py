"""Plots stay readable from one condition to a hundred."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import pytest
from tests.report.conftest import fill_store

from plyground.report import plots
from plyground.report.figures import Row, as_svg, rows_with_intervals, shorten, styled
from plyground.report.games import load_run
from plyground.report.theme import for_page
from plyground.report.tree_drawing import as_dot, draw_tree
from plyground.report.tree_nodes import TreeNode
from plyground.stats.kaplan_meier import kaplan_meier
from plyground.store import Store


@pytest.mark.parametrize("number", [1, 2, 36, 37, 100, 128])
def test_labels_never_overlap(number: int) -> None:
    rows = [Row(f"random-4x4, {k} s a move", 0.5, 0.4, 0.6, "n=2") for k in range(number)]
    figure = styled(lambda: rows_with_intervals({"a3 – a2": rows}, "Score", "score", 0.5))
    assert figure is not None
    figure.draw_without_rendering()
    drawn = 0
    for ax in (ax for ax in figure.axes if ax.get_visible()):
        boxes = [label.get_window_extent() for label in ax.get_yticklabels()]
        boxes.sort(key=lambda box: -box.y0)
        drawn += len(boxes)
        assert all(above.y0 >= below.y1 - 1 for above, below in itertools.pairwise(boxes))
        assert all(box.x0 >= 0 for box in boxes)
    assert drawn == number


def test_labels_of_neighbouring_panels_stay_apart() -> None:
    groups = {
        f"agent{k} – opponent": [Row(f"empty-3x3, {t} s a move", 0.5, 0.3, 0.7) for t in range(5)]
        for k in range(7)
    }
    figure = styled(lambda: rows_with_intervals(groups, "Score", "score", 0.5, (0, 1), True))
    assert figure is not None
    figure.draw_without_rendering()
    visible = [ax for ax in figure.axes if ax.get_visible()]
    assert len(visible) == 7
    for left, right in itertools.pairwise(visible):
        if math.isclose(left.get_position().y0, right.get_position().y0):
            edge = min(label.get_window_extent().x0 for label in right.get_yticklabels())
            assert left.get_window_extent().x1 <= edge


def test_page_colours_follow_the_theme() -> None:
    figure = styled(lambda: plots.histogram({"ann": [1.0, 2.0, 2.0]}, "Lengths", "plies"))
    assert figure is not None
    inline = for_page(as_svg(figure, "x"))
    assert inline.startswith("<svg") and "var(--ink)" in inline and "#1b2330" not in inline


def test_long_names_are_shortened_in_the_middle() -> None:
    assert shorten("abc", 5) == "abc"
    assert shorten("abcdefghij", 7) == "abc…hij"


def test_tree_drawing_places_every_node_once() -> None:
    leaves = [TreeNode(f"{k}", ("n 1", "50 %"), share=0.5) for k in range(4)]
    root = TreeNode("root", ("n 4",), children=[TreeNode("a<b", ("n 2",), children=leaves[:2])])
    root.children += [TreeNode('q"', ("n 2",), mark="best", children=leaves[2:])]
    svg = draw_tree(root, "A & B", layout="own")
    assert svg.count("<rect") == 1 + root.count() and svg.count("<path") == root.count() - 1
    assert "a&lt;b" in svg and "A &amp; B" in svg
    dot = as_dot(root, 'say "x"')
    assert dot.count("->") == root.count() - 1 and '\\"x\\"' in dot


def test_survival_counts_capped_games_as_alive() -> None:
    # By hand: 4 games, deaths after 1 and 3 turns, caps at 2 and 5.
    turns, alive, capped = kaplan_meier([(1, True), (2, False), (3, True), (5, False)])
    assert turns == [0, 1, 3, 5] and capped == [2, 5]
    assert alive == pytest.approx([1.0, 0.75, 0.375, 0.375])


@pytest.mark.parametrize(("players", "rows"), [(3, 3), (7, 7)])
def test_many_pairs_are_shown_player_by_player(tmp_path: Path, players: int, rows: int) -> None:
    fill_store(tmp_path / "games.sqlite", tuple(f"p{n}" for n in range(players)), pairs=1)
    with Store(tmp_path / "games.sqlite") as store:
        games = load_run(store, "cup")
    for draw in (plots.margins, plots.lengths):
        figure = draw(games)
        assert figure is not None
        titles = [ax.get_title() for ax in figure.axes]
        assert len(titles) == rows
        assert ("against" in titles[0] or " – " in titles[0]) == (players == 3)
