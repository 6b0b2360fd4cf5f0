"""The solver of plain Connect 4 against plain negamax and known results."""

from __future__ import annotations

import random
import zlib
from functools import cache

import pytest

from plyground import kernels
from plyground.core.errors import InputError
from plyground.games.connect4.solvers import book
from plyground.games.connect4.solvers.perfect import Interrupted, PerfectSolver, distance_of


def play(text: str, height: int = 6) -> tuple[int, int]:
    own = mask = 0
    for letter in text:
        after = mask | mask + (1 << (int(letter) - 1) * (height + 1))
        own, mask = own ^ mask, after
    return own, mask


def naive_score(width: int, height: int):
    """Negamax without any trick: half the discs left at the end, rounded up, for the winner."""

    @cache
    def score(own: int, mask: int) -> int:
        best = -100
        for child in book.children(width, height, own, mask):
            if child is None:
                return (width * height + 1 - mask.bit_count()) // 2
            best = max(best, -score(*child))
        return 0 if best == -100 else best

    return score


@pytest.mark.parametrize(("width", "height"), [(4, 4), (5, 4), (4, 5), (6, 4), (9, 4), (4, 7)])
def test_scores_equal_plain_negamax(width, height):
    naive = naive_score(width, height)
    solver = PerfectSolver(width, height, index_bits=18)
    rng = random.Random(width * 10 + height)
    checked = 0
    while checked < 40:
        own = mask = 0
        for _ in range(rng.randrange(width * height - 12, width * height)):
            options = book.children(width, height, own, mask)
            choice = rng.choice(options) if options else None
            if choice is None:
                break
            own, mask = choice
        else:
            assert solver.searched_score(own, mask) == naive(own, mask)
            checked += 1


def test_game_end_and_wins_at_once():
    solver = PerfectSolver(index_bits=18)
    assert solver.searched_score(*play("112233")) == 18
    assert distance_of(18, 6, 42) == 1
    assert distance_of(-17, 7, 42) == 2


def test_the_search_can_be_interrupted_and_resumed_from_its_table():
    solver = PerfectSolver(index_bits=18)
    position = play("4444443265")
    slices = []

    def one_slice(nodes: int) -> bool:
        slices.append(nodes)
        return False

    with pytest.raises(Interrupted):
        solver.searched_score(*position, one_slice)
    assert len(slices) == 1
    whole = PerfectSolver(index_bits=18)
    assert solver.searched_score(*position) == whole.searched_score(*position)


def test_mirror_images_score_the_same():
    solver = PerfectSolver(index_bits=18)
    rng = random.Random(3)
    for _ in range(10):
        text = "".join(rng.choice("1234567") for _ in range(18))
        if any(text.count(letter) > 6 for letter in text):
            continue
        own, mask = play(text)
        turned = play("".join(str(8 - int(letter)) for letter in text))
        assert solver.searched_score(own, mask) == solver.searched_score(*turned)


def test_plain_and_compiled_kernels_agree():
    module = "plyground.games.connect4.solvers.perfect_kernel"
    results = []
    for twin in (kernels.compiled(module), kernels.plain(module)):
        solver = PerfectSolver(4, 4, index_bits=12)
        solver.kernel = twin
        results.append((solver.searched_score(*play("112", 4)), solver.nodes))
    assert results[0] == results[1]


def test_the_book_of_a_small_board_is_exact_and_reaches_the_start(tmp_path, monkeypatch):
    monkeypatch.setenv("PLYGROUND_DATA_DIR", str(tmp_path))
    solver = PerfectSolver(5, 4, index_bits=18)
    stops = []

    def solve(own: int, mask: int) -> int:
        if len(stops) == 5:
            raise KeyboardInterrupt
        stops.append(mask)
        return solver.searched_score(own, mask)

    with pytest.raises(KeyboardInterrupt):
        book.generate(5, 4, 3, solve)
    path = book.generate(5, 4, 3, solver.searched_score)
    assert path.exists()
    loaded = book.load(5, 4)
    assert loaded is not None and loaded.plies == 3
    for level in book.positions_by_ply(5, 4, 3):
        for own, mask in level.values():
            assert loaded.score(own, mask) == solver.searched_score(own, mask)
    assert loaded.score(*play("11223", 4)) is None
    book.load.cache_clear()


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"something else",
        lambda data: data[:-4],
        lambda data: book.MAGIC + zlib.compress(b"\x03" + bytes(9)),
    ],
    ids=["another file", "cut off", "positions missing"],
)
def test_a_damaged_book_is_named(tmp_path, monkeypatch, damage):
    monkeypatch.setenv("PLYGROUND_DATA_DIR", str(tmp_path))
    path = book.generate(4, 4, 1, lambda own, mask: 0)
    path.write_bytes(damage(path.read_bytes()))
    book.load.cache_clear()
    with pytest.raises(InputError, match=r"connect4-4x4\.book.*plyground book"):
        book.load(4, 4)
    book.load.cache_clear()


def test_the_shipped_book_knows_the_empty_board():
    shipped = book.load(7, 6)
    assert shipped is not None
    # Published: the first player wins with its last disc but one, and only in the middle.
    assert shipped.score(0, 0) == 1
    first_moves = [shipped.score(*play(column)) for column in "1234567"]
    assert first_moves == [2, 1, 0, -1, 0, 1, 2]
    # After a first disc in the middle the second player loses, latest by one on top of it.
    replies = [shipped.score(*play("4" + column)) for column in "1234567"]
    assert replies == [4, 2, 2, 1, 2, 2, 4]
