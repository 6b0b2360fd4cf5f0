"""The certificates that come along: checked, played, and answered from."""

from __future__ import annotations

import csv
import json
import random

import pytest

from plyground.cli import run
from plyground.core.errors import PlygroundError
from plyground.core.limits import Limit
from plyground.core.registry import make_agent, make_game
from plyground.engines.messages import read_score, wire_score
from plyground.games.connect4.solvers import certificate as files
from plyground.games.connect4.solvers.certificate import shipped
from plyground.games.connect4.solvers.certified import CertifiedPlay
from plyground.games.connect4.solvers.proof import Proof, search_for, state_of
from plyground.games.connect4.solvers.proof_values import value_by_proof
from plyground.games.connect4.solvers.tablebase import (
    Tablebase,
    TableKey,
    build,
    move_value,
    value_of,
)
from plyground.search.proof import Answer
from positions import random_position

from .naive import Naive
from .test_proof import columns_of

SMALL = [made for made in shipped() if len(made.strategy.keys) < 5000]


def answer(capsys, command: str, code: int = 0, position: str = ""):
    more = ["--position", position] if position else []
    assert run([*command.split(), *more, "--json"]) == code
    return json.loads(capsys.readouterr().out.splitlines()[-1])


def test_claims_are_those_of_the_documents():
    claims = {
        (c.width, c.height, c.mean): (c.winner, c.plies) for c in (m.claim for m in shipped())
    }
    assert claims[7, 6, "first"] == (0, 11)
    assert claims[7, 6, "second"] == (1, 14)
    assert claims[7, 6, "both"] == (0, 31)
    assert claims[5, 6, "both"] == (0, 27)
    assert claims[5, 7, "both"] == (0, 25)
    assert claims[6, 6, "both"] == (0, 29)
    assert claims[7, 4, "both"] == (0, 27)
    assert all("first" in made.claim.rules for made in shipped() if made.claim.winner == 0)


@pytest.mark.parametrize("made", SMALL, ids=lambda made: made.claim.name)
def test_verify_accepts_them_and_they_are_as_short_as_can_be(made, capsys):
    claim = made.claim
    result = answer(capsys, f"verify {claim.name}")
    assert result["proven"] is True
    assert result["within"] == claim.plies
    game = make_game("connect4", claim.options)
    search = search_for(game, claim.winner)
    root = game.parse_position(claim.root)
    sooner = search.prove(state_of(root), root.turn == claim.winner, claim.plies - 2)
    assert sooner is Answer.REFUTED


def test_a_written_strategy_wins_in_the_plies_that_it_says(capsys, tmp_path):
    """Its moves, looked up by the board alone, against every reply that the rules allow."""
    made = SMALL[0]
    claim = made.claim
    table = tmp_path / "strategy.csv"
    answer(capsys, f"verify {claim.name} --write {table}")
    with open(table, encoding="utf-8") as file:
        strategy = {row["board"]: row for row in csv.DictReader(file)}

    def mirrored(board: str) -> str:
        return "/".join(row[::-1] for row in board.split("/"))

    def mirrored_move(move: str) -> str:
        return "-".join(str(claim.width + 1 - int(part)) for part in move.split("-"))

    met = set()

    def follow(position, plies: int) -> None:
        if position.is_over:
            assert position.outcome.winner == claim.winner
            return
        assert plies > 0
        if position.turn != claim.winner:
            for move in position.legal_moves:
                follow(position.play(move), plies - 1)
            return
        board = position.text.split()[0]
        row, move = strategy.get(board), None
        if row is not None:
            move = row["move"]
        elif mirrored(board) in strategy:
            row = strategy[mirrored(board)]
            move = mirrored_move(row["move"])
        if row is None:
            won = [m for m in position.legal_moves if position.play(m).is_over]
            assert any(position.play(m).outcome.winner == claim.winner for m in won)
            return
        assert int(row["plies"]) <= plies
        if board in met:
            return
        met.add(board)
        follow(position.play(move), int(row["plies"]) - 1)

    game = make_game("connect4", claim.options)
    follow(game.parse_position(claim.root), claim.plies)
    assert met
    error = answer(capsys, f"verify --write {table}", code=2)["error"]
    assert "one certificate" in error["message"]


def test_verify_fails_on_a_false_claim_and_on_unknown_names(capsys, tmp_path):
    made = SMALL[0]
    false = files.Claim(**{**vars(made.claim), "plies": made.claim.plies - 2})
    files.save(files.Certificate(false, made.strategy), tmp_path / "false")
    error = answer(capsys, f"verify {tmp_path / 'false'}", code=1)["error"]
    assert error["kind"] == "unproven"
    assert answer(capsys, "verify nonsense", code=2)["error"]["kind"] == "unknown-name"


@pytest.mark.parametrize("made", shipped(), ids=lambda made: made.claim.name)
def test_the_champion_wins_every_game_by_its_certificate(made):
    claim = made.claim
    game = make_game("connect4", claim.options)
    agent = make_agent("connect4", "champion")
    for seed in range(12):
        agent.new_game(game, seed)
        source = random.Random(seed)
        position = game.start()
        while not position.is_over:
            if position.turn == claim.winner:
                result = agent.search(position, Limit(nodes=1))
                assert result.score.value == "win"
                position = position.play(result.move)
            else:
                position = position.play(source.choice(position.move_codes))
        assert position.outcome.winner == claim.winner
        assert int(position.state[2]) >> 1 & 0x7FFF <= claim.plies


def test_the_full_board_is_a_win_for_the_first_player(capsys):
    empty = answer(capsys, "solve connect4")
    assert (empty["value"], empty["best"], empty["nodes"]) == ("win", ["4"], 0)
    assert empty["distance"] <= 31
    line = empty["line"]
    mean_move = next(n for n, move in enumerate(line) if "-" in move)
    later = answer(capsys, "solve connect4", position=" ".join(line[: mean_move + 1]))
    assert later["value"] == ("win" if mean_move % 2 else "loss")
    assert later["nodes"] == 0
    outside = answer(capsys, "solve connect4 --position 112233")
    assert (outside["value"], outside["distance"]) == ("win", 1)


def test_solve_answers_from_a_certificate_for_both_sides(capsys):
    empty = answer(capsys, "solve connect4 --option width=5 --option height=6")
    assert (empty["value"], empty["distance"], empty["nodes"]) == ("win", 27, 0)
    after = answer(
        capsys, f"solve connect4 --option width=5 --option height=6 --position {empty['best'][0]}"
    )
    assert (after["value"], after["distance"]) == ("loss", 26)
    assert len(after["moves"]) == 9
    assert len(after["line"]) <= 26


def test_a_distance_of_a_certificate_is_told_as_a_bound(capsys):
    """But for the root, where a search has found that nobody wins sooner, by the same rule."""
    board = "--option width=5 --option height=6"
    assert run(["solve", "connect4", *board.split()]) == 0
    assert "win in 27" in capsys.readouterr().out
    assert run(["solve", "connect4", *board.split(), "--option", "simultaneous=first"]) == 0
    assert "win within 27" in capsys.readouterr().out
    assert run(["solve", "connect4", *board.split(), "--position", "112233"]) == 0
    assert "win in 1" in capsys.readouterr().out
    agent = make_agent("connect4", "champion")
    for rule, said in (("mover", "in 27"), ("first", "within 27")):
        game = make_game("connect4", {"width": 5, "height": 6, "simultaneous": rule})
        agent.new_game(game, 0)
        score = agent.search(game.start(), Limit(nodes=1)).score
        assert str(read_score(wire_score(score), 0)) == f"win {said}", "also over the protocol"
        assert str(score.seen_by(1)) == f"loss {said}"
        second = game.play_line("1 1")
        found = CertifiedPlay(game).solve(second)
        assert found is None or found.score.at_most
        told = CertifiedPlay(game).solve(game.start())
        assert ("perhaps sooner" in told.note) == told.score.at_most == (rule == "first")


@pytest.mark.parametrize("name", ["7x6-first-mover-11", "7x6-second-mover-14"])
def test_no_win_comes_sooner_than_a_certificate_says(name):
    claim = next(made.claim for made in shipped() if made.claim.name == name)
    game = make_game("connect4", claim.options)
    question = Proof(game.start(), claim.winner, claim.refuted, megabytes=64)
    assert claim.refuted == claim.plies - 2
    assert question.run() is Answer.REFUTED


def test_solve_answers_wherever_a_game_by_the_certificate_leads(capsys):
    """Also where mean moves were played and the winner wins at once, given as a board."""
    chance = random.Random(7)
    game = make_game("connect4", {"width": 5, "height": 6})
    certified = CertifiedPlay(game)
    asked = 0
    while asked < 12:
        position = game.start()
        for _ in range(chance.randrange(1, 16)):
            if position.is_over:
                break
            found = certified.winning_move(position) if position.turn == 0 else None
            position = position.play(found[0] if found else chance.choice(position.move_codes))
        discs = sum(position.text.count(letter) for letter in "xo") - 1
        if position.is_over or discs == int(position.text.split()[-1]):
            continue
        asked += 1
        command = "solve connect4 --option width=5 --option height=6"
        value = answer(capsys, command, position=position.text)["value"]
        assert value == ("win" if position.turn == 0 else "loss"), position.text


def test_an_analysis_shows_what_is_proven_beside_the_values_of_the_other_moves():
    agent = make_agent("connect4", "champion")
    game = make_game("connect4", {"width": 5, "height": 6})
    agent.new_game(game, 0)
    result = agent.analyse(game.start(), Limit(nodes=3000))
    assert (result.score.value, result.score.distance) == ("win", 27)
    assert result.moves[0].move == result.move
    assert {entry.move for entry in result.moves} == set(game.start().legal_moves)
    lost = game.start().play(result.move)
    result = agent.analyse(lost, Limit(nodes=3000))
    assert {entry.score.value for entry in result.moves} == {"loss"}
    assert {entry.move for entry in result.moves} == set(lost.legal_moves)


def test_prove_makes_a_certificate_that_serves_at_once(capsys):
    options = "--option width=4 --option height=5 --option mean=first --option simultaneous=draw"
    made = answer(capsys, f"prove {options} --within 13 --megabytes 8")
    assert made["answer"] == "proven"
    assert answer(capsys, "verify 4x5-first-draw-13")["positions"] == made["positions"]
    solved = answer(capsys, f"solve connect4 {options}")
    assert (solved["value"], solved["nodes"]) == ("win", 0)
    assert solved["distance"] <= 13
    assert answer(capsys, f"prove {options} --within 5 --megabytes 8")["answer"] == "refuted"
    stopped = answer(capsys, "prove --within 41 --megabytes 64 --seconds 0")
    assert stopped["answer"] == "open"


def test_a_proof_from_another_position_leaves_that_of_the_empty_board_alone(
    capsys, tmp_path, monkeypatch
):
    monkeypatch.setenv("PLYGROUND_DATA_DIR", str(tmp_path))
    ask = "prove --option width=4 --option height=4 --option mean=first --within 11 --megabytes 8"
    empty = answer(capsys, ask)
    later = answer(capsys, ask, position="4141")
    assert later["answer"] == "proven"
    assert later["certificate"] != empty["certificate"]
    assert answer(capsys, "verify 4x4-first-mover-11")["positions"] == empty["positions"]
    name = later["certificate"].split("/")[-1].removesuffix(files.SUFFIX)
    assert answer(capsys, f"verify {name}")["root"] == "..../..../o..x/o..x x 4"


def test_a_damaged_file_stops_neither_the_champion_nor_other_proofs(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("PLYGROUND_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(files, "_shipped_files", lambda: ["7x6-first-mover-11.certificate"])
    (tmp_path / "certificates").mkdir()
    for number, content in enumerate(["a letter", '"text"', "[]", "{}"]):
        (tmp_path / "certificates" / f"{number}{files.SUFFIX}").write_text(content)
    game = make_game("connect4", {"mean": "first"})
    agent = make_agent("connect4", "champion")
    agent.new_game(game, 0)
    assert agent.search(game.start(), Limit(nodes=1)).score.distance == 11
    assert answer(capsys, "verify 7x6-first-mover-11")["proven"]
    assert "cannot read the certificate" in answer(capsys, "verify", 2)["error"]["message"]


@pytest.mark.parametrize(
    "bad",
    [
        "--within 0",
        "--within 99",
        "--winner 3",
        "--within many",
        "--seconds -1",
        "--seconds nan",
        "--certificate /",
        "--certificate /proc/none/file",
    ],
)
def test_prove_refuses_bad_input(capsys, bad):
    assert answer(capsys, f"prove --megabytes 8 {bad}", code=2)["error"]["message"]


def test_values_by_proof_are_those_of_the_tablebase():
    game = make_game("connect4", {"width": 4, "height": 4})
    key = TableKey.of(game)
    if not key.path.exists():
        build(key)
    table = Tablebase(key)
    source = random.Random(8)
    kinds = set()
    while len(kinds) < 2:
        position = random_position(game, source, 10)
        if position.is_over:
            continue
        value = value_of(table, position)
        if value.distance is None or value.distance > 12 or value.distance < 4:
            continue
        kinds.add(value.kind)
        result = value_by_proof(position, Limit(), lambda text: None)
        assert (result.score.value, result.score.distance) == (value.kind, value.distance)
        assert move_value(table, position, position.parse_move(result.move)) == value


@pytest.mark.parametrize("simultaneous", ["mover", "first", "draw"])
@pytest.mark.parametrize("mean", ["first", "second", "both"])
def test_the_best_move_of_a_drawn_position_holds_the_draw(mean, simultaneous):
    naive = Naive(4, 4, mean, simultaneous)
    source = random.Random(5)
    asked = 0
    while asked < 4:
        left = source.randrange(2, 5)
        options = {"mean": mean, "simultaneous": simultaneous, "ply_limit": 60}
        game = make_game("connect4", {"width": 4, "height": 4, **options})
        columns = [source.choices("xo", k=source.randrange(5)) for _ in range(4)]
        rows = ["".join((*c, *"....")[row] for c in columns) for row in reversed(range(4))]
        try:
            position = game.parse_position(f"{'/'.join(rows)} {source.choice('xo')} {60 - left}")
        except PlygroundError:  # both have four
            continue
        if position.is_over or naive.value(columns_of(position), position.turn, left) != 0:
            continue
        children = [position.play(code) for code in position.move_codes]
        holding = {
            move
            for move, child in zip(position.legal_moves, children, strict=True)
            if (child.outcome is not None and child.outcome.winner is None)
            or (
                not child.is_over
                and naive.value(columns_of(child), 1 - position.turn, left - 1) == 0
            )
        }
        if position.legal_moves[0] in holding:
            continue
        asked += 1
        result = value_by_proof(position, Limit(), lambda text: None)
        assert result.score.value == "draw"
        assert result.move in holding, position.text


@pytest.mark.parametrize(
    "options",
    [{"mean": "both", "simultaneous": "draw"}, {"mean": "none"}, {"ply_limit": 10}],
    ids=str,
)
def test_other_rules_have_no_certificate(options):
    game = make_game("connect4", {"mean": "first", **options})
    assert CertifiedPlay(game).solve(game.start()) is None


@pytest.mark.parametrize("simultaneous", ["mover", "first", "draw"])
@pytest.mark.parametrize(("mean", "value"), [("first", ("win", 11)), ("second", ("loss", 14))])
def test_mean_moves_of_one_side_decide_under_every_rule(mean, value, simultaneous):
    game = make_game("connect4", {"mean": mean, "simultaneous": simultaneous})
    score = CertifiedPlay(game).solve(game.start()).score
    assert (score.value, score.distance) == value


def test_tables_answer_before_certificates_with_every_move(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("PLYGROUND_DATA_DIR", str(tmp_path))
    board = "--option width=4 --option height=4"
    proven = answer(capsys, f"prove {board} --within 25 --megabytes 8")
    assert proven["answer"] == "proven"
    solved = answer(capsys, f"solve connect4 {board}")
    assert (solved["value"], solved["distance"], len(solved["line"])) == ("win", 25, 25)
    assert len(solved["moves"]) == 4


def test_asking_for_simultaneous_fours_means_mean_moves(capsys):
    plain = answer(capsys, "solve connect4", position="44444412")
    assert plain["note"].startswith("plain Connect 4")
    command = "solve connect4 --option simultaneous=draw --time 0.2"
    asked = answer(capsys, command, 2, "44444412")
    assert asked["error"]["kind"] == "unsupported", "no answer is better than another game's"


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("--megabytes 8 --table {0}/t", "go on with --megabytes 4"),
        ("--megabytes 4 --table {0}/t --option simultaneous=draw", "other rules"),
        ("--megabytes 4 --table {0}/none/t", "cannot use the proof table"),
        ("--megabytes -1", "megabytes must be"),
        ("--megabytes 99999999", "megabytes must be"),
        ("--megabytes 4 --table {0}/other", "is no proof table"),
    ],
)
def test_proofs_say_what_does_not_fit(capsys, tmp_path, monkeypatch, more, words):
    monkeypatch.setenv("PLYGROUND_DATA_DIR", str(tmp_path / "data"))
    (tmp_path / "other").write_text("a letter")
    ask = "prove --option width=4 --option height=4 --within 11"
    answer(capsys, f"{ask} --megabytes 4 --table {tmp_path}/t")
    error = answer(capsys, f"{ask} {more.format(tmp_path)}", code=2)["error"]
    assert words in error["message"]
    assert not (tmp_path / "none").exists()
