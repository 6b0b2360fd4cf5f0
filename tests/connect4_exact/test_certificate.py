"""Certificates: the independent checker accepts what is right and nothing else."""

from __future__ import annotations

import lzma
import random

import numpy as np
import pytest

from plyground.core.errors import InputError
from plyground.core.registry import make_game
from plyground.games.connect4.solvers import certificate as files
from plyground.games.connect4.solvers.certificate_check import Checker, CheckError, Entries
from plyground.games.connect4.solvers.proof import Proof, complete
from plyground.search.proof import Answer, Strategy

CASES = [
    # options, the winner, plies
    ({"mean": "both"}, 0, 25),
    ({"mean": "both", "simultaneous": "first"}, 0, 25),
    ({"mean": "first"}, 0, 11),
    ({"mean": "second"}, 1, 14),
    ({"mean": "second", "simultaneous": "draw"}, 1, 24),
]


def certify(options, winner, plies):
    """The certificate of the empty 4x4 board."""
    game = make_game("connect4", {"width": 4, "height": 4, **options})
    proof = Proof(game.start(), winner, plies, megabytes=8)
    assert proof.run() is Answer.PROVEN
    return proof.certificate()


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    made = certify({"mean": "both"}, 0, 25)
    path = tmp_path_factory.mktemp("certificates") / "4x4.certificate"
    files.save(made, path)
    return files.load(path), path


def check(path):
    checker = Checker(Entries.read(path))
    checker.check()
    return checker


def rewritten(path, made, **parts):
    files.save(files.Certificate(made.claim, made.strategy._replace(**parts)), path)
    return path


@pytest.mark.parametrize(("options", "winner", "plies"), CASES, ids=str)
def test_the_checker_accepts_what_is_proven(options, winner, plies, tmp_path):
    made = certify(options, winner, plies)
    files.save(made, tmp_path / "made")
    checker = check(tmp_path / "made")
    positions = len(made.strategy.keys)
    assert checker.positions > positions > 50


def test_a_certificate_is_refused_under_other_rules(tmp_path):
    """The strategy of one rule fails under another, and a shorter claim fails too."""
    made = certify({"mean": "second"}, 1, 14)
    for change in (
        {"mean": "both"},
        {"plies": 12},
        {"winner": 0},
        {"also": ("draw",)},
        {"also": ("nobody",)},
    ):
        files.save(
            files.Certificate(files.Claim(**{**vars(made.claim), **change}), made.strategy),
            tmp_path / "other",
        )
        with pytest.raises(CheckError):
            check(tmp_path / "other")


@pytest.mark.parametrize(
    ("winner", "rule", "others"),
    [(0, "mover", ("first",)), (0, "draw", ("mover", "first")), (1, "mover", ())],
    ids=str,
)
def test_it_holds_under_every_rule_that_is_no_worse_for_the_winner(winner, rule, others, tmp_path):
    rights, plies = ("first", 13) if winner == 0 else ("second", 14)
    made = certify({"mean": rights, "simultaneous": rule}, winner, plies)
    assert made.claim.rules == (rule, *others)
    files.save(made, tmp_path / "made")
    check(tmp_path / "made")
    loaded = files.load(tmp_path / "made")
    for asked in ("mover", "first", "draw"):
        options = {"width": 4, "height": 4, "mean": rights, "simultaneous": asked}
        assert loaded.claim.holds_for(make_game("connect4", options)) == (asked in (rule, *others))


def test_every_entry_counts(both, tmp_path):
    """Without any one entry, or with another move or a bolder promise, the proof has a hole."""
    made, _ = both
    source = random.Random(5)
    keys, _moves, plies = made.strategy
    for entry in source.sample(range(len(keys)), 6):
        without = Strategy(*(np.delete(part, entry) for part in made.strategy))
        with pytest.raises(CheckError, match="without a promise"):
            check(rewritten(tmp_path / "hole", made, **without._asdict()))
    for entry in source.sample(np.flatnonzero(plies > 3).tolist(), 6):
        bolder = plies.copy()
        bolder[entry] = 3
        with pytest.raises(CheckError):
            check(rewritten(tmp_path / "bold", made, plies=bolder))
    illegal = np.full(len(keys), 16 * 1 + 0, np.uint8)
    with pytest.raises(CheckError, match="not legal"):
        check(rewritten(tmp_path / "illegal", made, moves=illegal))
    with pytest.raises(CheckError, match="not in order"):
        check(rewritten(tmp_path / "order", made, keys=keys[::-1].copy()))


def test_damaged_files_are_refused(both, tmp_path):
    _, path = both
    data = path.read_bytes()
    bomb = data.partition(b"\n")[0] + b"\n" + lzma.compress(bytes(64 << 20))
    for number, damaged in enumerate((b"", b"{}", data[:200], data[:-40], b"x" + data, bomb)):
        bad = tmp_path / f"bad{number}"
        bad.write_bytes(damaged)
        with pytest.raises(InputError, match="certificate"):
            files.load(bad)
        with pytest.raises(CheckError):
            check(bad)


def test_the_strategy_wins_every_game_in_time(both):
    """Against random replies, through the rules of the game, mirrored positions included."""
    made, _ = both
    game = make_game("connect4", {"width": 4, "height": 4})
    for seed in range(60):
        source = random.Random(seed)
        position, left = game.start(), 25
        while not position.is_over:
            if position.turn == 0:
                found = made.find(position)
                if found is None:
                    wins = [c for c in position.move_codes if position.play(c).is_over]
                    move = next(c for c in wins if position.play(c).outcome.winner == 0)
                else:
                    move, plies = found
                    assert plies <= left
            else:
                move = source.choice(position.move_codes)
            position = position.play(move)
            left -= 1
        assert position.outcome.winner == 0
        assert left >= 0


def test_it_is_silent_where_it_does_not_hold(both):
    made, _ = both
    assert made.find(make_game("connect4", {"width": 4, "height": 4}).start()) is not None
    for options in (
        {"simultaneous": "draw"},
        {"mean": "first"},
        {"width": 5},
        {"ply_limit": 24},
    ):
        game = make_game("connect4", {"width": 4, "height": 4, **options})
        assert made.find(game.start()) is None
    assert made.find(make_game("connect4", {"width": 4, "height": 4, "ply_limit": 25}).start())


def test_the_upper_part_is_completed(both, tmp_path):
    made, _ = both
    upper = made.upper_part(9)
    files.save(upper, tmp_path / "upper")
    assert len(upper.strategy.keys) < 0.3 * len(made.strategy.keys)
    with pytest.raises(CheckError):
        check(tmp_path / "upper")
    files.save(complete(files.load(tmp_path / "upper"), megabytes=8), tmp_path / "whole")
    check(tmp_path / "whole")


def test_questions_beyond_the_limit_of_plies_are_refused():
    game = make_game("connect4", {"width": 4, "height": 4, "ply_limit": 24})
    with pytest.raises(InputError, match="24 plies are left"):
        Proof(game.start(), 0, 25, megabytes=8)
