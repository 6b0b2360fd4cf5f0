"""Schedules are complete, fair and repeatable; openings are legal and all different."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.arena.openings import OpeningBook, read_openings
from plyground.arena.schedule import Schedule, pair_neighbours
from plyground.core.errors import InputError, PositionError
from plyground.core.registry import make_game

GAME = make_game("connect4")


def play_out(schedule, strength=lambda player: -player):
    """All rounds when the stronger player always wins."""
    scores, rounds = {}, []
    for games in schedule.rounds(scores):
        rounds.append(games)
        for game in games:
            first, second = (strength(player) for player in game.seats)
            scores[game.id] = (float(first > second), float(second > first))
    return rounds


@given(st.integers(2, 7), st.integers(1, 6))
def test_round_robin_is_balanced(players, each):
    (games,) = play_out(Schedule(players=players, games=each))
    assert len(games) == each * players * (players - 1) // 2
    assert len({game.id for game in games}) == len(games)
    met = Counter(frozenset(game.seats) for game in games)
    assert set(met.values()) == {each}
    if each % 2 == 0:
        firsts = Counter(game.seats[0] for game in games)
        assert len(set(firsts.values())) == 1


def test_pairs_share_an_opening_and_swap_sides():
    (games,) = play_out(Schedule(players=3, games=4))
    pairs = {}
    for game in games:
        pairs.setdefault(game.pair_id, []).append(game)
    for first, second in pairs.values():
        assert first.seats == second.seats[::-1]
        assert first.opening == second.opening
    openings = {pair_id: games[0].opening for pair_id, games in pairs.items()}
    assert Counter(openings.values()) == {0: 3, 1: 3}


def test_gauntlet_is_one_against_all():
    (games,) = play_out(Schedule(players=4, games=2, format="gauntlet"))
    assert all(0 in game.seats for game in games)
    assert len(games) == 6


@pytest.mark.parametrize("players", [4, 7, 8, 13])
def test_swiss_finds_the_best_and_nobody_meets_twice(players):
    rounds = play_out(Schedule(players=players, games=2, format="swiss"))
    met = [frozenset(game.seats) for games in rounds for game in games if game.id.endswith("a")]
    assert len(met) == len(set(met))
    for games in rounds:
        seats = [player for game in games if game.id.endswith("a") for player in game.seats]
        assert len(seats) == len(set(seats)) == players - players % 2
    wins = Counter(
        max(game.seats, key=lambda player: -player) for games in rounds for game in games
    )
    assert wins[0] == 2 * len([games for games in rounds if any(0 in s.seats for s in games)])


def test_swiss_byes_go_round():
    rounds = play_out(Schedule(players=5, games=2, format="swiss", swiss_rounds=4))
    sitting = []
    for games in rounds:
        playing = {player for game in games for player in game.seats}
        sitting += sorted(set(range(5)) - playing)
    assert len(sitting) == len(set(sitting)) == 4


def test_contest_ends_with_a_double_round_robin_of_the_top_half():
    rounds = play_out(Schedule(players=8, games=2, format="contest"))
    final = rounds[-1]
    finalists = {player for game in final for player in game.seats}
    assert {0, 1, 2} < finalists
    assert len(finalists) == 4
    assert len(final) == 12
    assert all(game.id.startswith("f/") for game in final)


def test_rounds_are_the_same_again_from_the_same_results():
    schedule = Schedule(players=6, games=2, format="contest")
    assert play_out(schedule) == play_out(schedule)


def test_players_meet_again_when_there_is_no_other_way():
    met = {frozenset(pair) for pair in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]}
    pairs = pair_neighbours([0, 1, 2, 3], met, set())
    assert sorted(player for pair in pairs for player in pair) == [0, 1, 2, 3]


def test_one_player_schedule_gives_everybody_the_same_deals():
    (games,) = play_out_solo(Schedule(players=2, games=3, seats=1))
    assert Counter((game.seats[0], game.opening) for game in games) == Counter(
        (player, deal) for player in range(2) for deal in range(3)
    )


def play_out_solo(schedule):
    return list(schedule.rounds({}))


class TestOpenings:
    def test_all_different_legal_and_not_over(self):
        book = OpeningBook(GAME, 3, 4)
        texts = set()
        for index in range(200):
            opening = book[index]
            position = GAME.play_line(opening.moves)
            assert len(opening.moves) >= 4
            assert not position.is_over
            texts.add(position.text)
        assert len(texts) == 200

    def test_longer_ones_when_the_short_ones_are_used_up(self):
        tiny = make_game("connect4", {"width": 4, "height": 4, "mean": "none"})
        book = OpeningBook(tiny, 1, 1)
        lengths = Counter(len(book[index].moves) for index in range(15))
        assert lengths[1] == 4
        assert lengths[2] >= 10

    def test_without_plies_every_game_starts_at_the_start(self):
        book = OpeningBook(GAME, 1, 0)
        assert book[0] == book[7]
        assert book[0].moves == ()

    def test_same_seed_same_openings_in_any_order(self):
        one, other = OpeningBook(GAME, 3, 4), OpeningBook(GAME, 3, 4)
        assert one[30] == other[30]
        assert [one[i] for i in range(30)] == [other[i] for i in range(30)]
        assert OpeningBook(GAME, 4, 4)[0] != one[0]

    def test_file_first_then_random_from_the_file(self, tmp_path):
        starts = [GAME.play_line(line).text for line in ("4 4", "1 2 3")]
        path = tmp_path / "openings.txt"
        path.write_text("# mine\n\n" + "\n".join(starts) + "\n")
        book = OpeningBook(GAME, 1, 2, read_openings(path, GAME))
        assert [book[0].start, book[1].start] == starts
        assert book[2].start in starts
        assert len(book[2].moves) == 2

    def test_bad_files_are_explained(self, tmp_path):
        path = tmp_path / "openings.txt"
        path.write_text("hello world, this is no position!\n")
        with pytest.raises(PositionError, match="line 1"):
            read_openings(path, GAME)
        path.write_text("\n")
        with pytest.raises(InputError, match="no position"):
            read_openings(path, GAME)
        with pytest.raises(InputError, match="cannot read"):
            read_openings(tmp_path / "missing.txt", GAME)


def test_everybody_meets_an_anchor_on_the_same_openings():
    schedule = Schedule(players=5, games=4, format="anchors", anchors=2, own_openings=True)
    (games,) = schedule.rounds({})
    openings = {
        (student, anchor): [game.opening for game in games if set(game.seats) == {student, anchor}]
        for student in range(3)
        for anchor in (3, 4)
    }
    assert openings[0, 3] == openings[1, 3] == openings[2, 3] == [0, 0, 1, 1]
    assert openings[0, 4] == openings[1, 4] == [2, 2, 3, 3]
