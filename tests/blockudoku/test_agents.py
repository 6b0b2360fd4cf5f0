"""The agents: what they optimise, that limits are kept, and that plans are legal to the end."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import numpy as np
import pytest

from plyground import kernels
from plyground.core.errors import InputError
from plyground.core.game import CHANCE, Position
from plyground.core.limits import Limit
from plyground.core.registry import make_agent
from plyground.core.search import SearchResult
from plyground.games.blockudoku import Blockudoku
from plyground.games.blockudoku.players.lookahead import MAX_DEALS
from plyground.games.blockudoku.players.planning import make_planning
from plyground.games.blockudoku.players.settings import Lookahead, learned_weights
from plyground.games.blockudoku.players.turns import WORST
from plyground.testing import check_game

from . import naive

NAMES = ["occupancy", "placements", "champion"]

CROWDED_BOARD = "." * 27 + "#.#.#.#.#.#.#.#.#." * 3


def board_of(position: Position) -> naive.Board:
    return naive.cells(int(position.state[0]), int(position.state[1]))


def after(position: Position, line: tuple[str, ...]) -> Position:
    for move in line:
        position = position.play(move)
    return position


def crowded_positions(count: int) -> list[Position]:
    """Positions of careless games with few enough final boards to enumerate."""
    game = Blockudoku({"end": "no_order", "pieces": "9-46"})
    rng = random.Random(4)
    found: list[Position] = []
    for seed in range(1000):
        position = game.start()
        while not position.is_over and len(found) < count:
            if position.turn == CHANCE:
                position = game.apply_chance(position, game.chance_event(position, seed))
                hand = [int(piece) for piece in position.last_move.split()]
                board = board_of(position)
                sizes = [len(naive.places(board, piece)) for piece in hand]
                if not position.is_over and 8 < sizes[0] * sizes[1] * sizes[2] < 1500:
                    found.append(position)
                continue
            position = position.play(rng.choice(position.legal_moves))
        if len(found) >= count:
            return found
    raise AssertionError("not enough positions")


def test_the_game_keeps_the_contract() -> None:
    check_game(Blockudoku())
    check_game(Blockudoku({"end": "no_order", "pieces": "32-46"}))


def chosen_boards(
    name: str, count: int
) -> Iterator[tuple[SearchResult, naive.Board, set[naive.Board]]]:
    """What an agent answers in crowded positions, the board it leaves, and all it could leave."""
    agent = make_agent("blockudoku", name)
    for position in crowded_positions(count):
        agent.new_game(position.game, 0)
        result = agent.search(position, Limit(time=1.0))
        hand = tuple(int(piece) for piece in position.last_move.split())
        possible = naive.final_boards(board_of(position), hand)
        yield result, board_of(after(position, result.line)), possible


def test_occupancy_leaves_the_fewest_cells() -> None:
    for _, chosen, possible in chosen_boards("occupancy", 15):
        assert len(chosen) == min(len(board) for board in possible)


def test_placements_leaves_the_most_room() -> None:
    for result, chosen, possible in chosen_boards("placements", 6):
        rooms = {
            board: sum(len(naive.places(board, piece)) for piece in range(47)) for board in possible
        }
        assert rooms[chosen] == max(rooms.values())
        assert result.score is not None
        assert result.score.points == max(rooms.values())


def test_placements_stops_above_its_threshold() -> None:
    game = Blockudoku()
    position = game.parse_position("." * 81 + " 13 14 15")
    searched = {}
    for threshold in (0, 1800, 2656):
        agent = make_agent("blockudoku", f"placements:threshold={threshold}")
        agent.new_game(game, 0)
        searched[threshold] = agent.search(position, Limit(time=1.0)).nodes
    assert searched[0] == 1
    assert searched[0] <= searched[1800] < searched[2656]


@pytest.mark.parametrize("name", NAMES)
def test_agents_play_whole_games_by_the_rules(name: str) -> None:
    game = Blockudoku({"end": "stuck", "pieces": "24-46"})
    agent = make_agent("blockudoku", name)
    agent.new_game(game, 3)
    position = game.start()
    for _ in range(400):
        if position.is_over:
            break
        if position.turn == CHANCE:
            position = game.apply_chance(position, game.chance_event(position, 3))
        else:
            position = position.play(agent.search(position, Limit(nodes=2000)).move)
    assert int(position.state[4]) > 3


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_and_node_limit_give_the_same_game(name: str) -> None:
    game = Blockudoku({"pieces": "13-46"})
    lines = []
    for _ in range(2):
        agent = make_agent("blockudoku", name)
        agent.new_game(game, 9)
        position = game.start()
        for _ in range(60):
            if position.turn == CHANCE:
                position = game.apply_chance(position, game.chance_event(position, 5))
            if position.is_over:
                break
            position = position.play(agent.search(position, Limit(nodes=5000)).move)
        lines.append(position.text)
    assert lines[0] == lines[1]


def test_champion_stops_when_told_and_reports_on_the_way() -> None:
    game = Blockudoku()
    agent = make_agent("blockudoku", "champion")
    agent.new_game(game, 0)
    agent.warm_up()
    position = game.parse_position(f"{CROWDED_BOARD} 9 16 20")
    looks = 0

    def stop() -> bool:
        nonlocal looks
        looks += 1
        return looks > 24

    notes: list[str] = []
    result = agent.search(position, Limit(), lambda info: notes.append(info.note), stop)
    assert after(position, result.line).turn == CHANCE
    assert looks <= 40
    if looks > 8:
        assert notes


def test_champion_samples_more_with_more_nodes() -> None:
    game = Blockudoku()
    position = game.parse_position(f"{CROWDED_BOARD} 9 16 20")
    nodes = []
    for budget in (1, 200_000):
        agent = make_agent("blockudoku", "champion")
        agent.new_game(game, 0)
        nodes.append(agent.search(position, Limit(nodes=budget)).nodes)
    assert nodes[0] < nodes[1]


def test_salvage_places_what_fits() -> None:
    game = Blockudoku({"end": "stuck"})
    checkered = ("#." * 41)[:81]
    position = game.parse_position(f"{checkered} 32 0 33")
    for name in NAMES:
        agent = make_agent("blockudoku", name)
        agent.new_game(game, 0)
        assert agent.search(position, Limit(time=0.1)).move.startswith("2@")


@pytest.mark.parametrize("spec", ["champion:candidates=0", "placements:threshold=-1"])
def test_bad_parameters_are_refused(spec: str) -> None:
    with pytest.raises(InputError):
        make_agent("blockudoku", spec)


def test_a_clearly_worse_candidate_drops_out_and_noise_does_not_overrule() -> None:
    module = kernels.compiled("plyground.games.blockudoku.players.lookahead")
    rng = np.random.default_rng(1)
    chances = np.zeros((16, MAX_DEALS))
    chances[0, :64] = rng.uniform(0.4, 0.6, 64)
    chances[1, :64] = chances[0, :64] + rng.normal(-0.0001, 0.05, 64)
    chances[2, :64] = chances[0, :64] + 0.2
    active = np.zeros(16, np.bool_)
    active[:3] = True
    assert module.compare_candidates(chances, np.int64(64), 2.0, active) == 0
    assert active[:3].tolist() == [True, True, False]
    chances[1, :64] = chances[0, :64] - 0.1
    assert module.compare_candidates(chances, np.int64(64), 2.0, active) == 1


def test_sampled_chances_have_the_mean_over_all_deals() -> None:
    module = kernels.compiled("plyground.games.blockudoku.players.lookahead")
    deck = np.array([7, 32, 46])
    plan = make_planning(deck, learned_weights(), Lookahead(centre=500_000.0))
    board = "#.#.#.#.#.#.#.#.#." * 4 + "." * 9
    state = Blockudoku().parse_position(f"{board} 7 32 46").state
    plan.best.boards[0] = state[:2]
    plan.active[0] = True
    module.weigh_candidates(plan)
    chances, lost = [], 0
    for hand in itertools.product(deck, repeat=3):
        module.best_boards(
            (state[0], state[1]), np.array(hand), np.int64(1), plan.search, plan.reply
        )
        dead = plan.reply.values[0] == WORST
        lost += dead
        chances.append(0.0 if dead else module.death_chance(plan.reply.values[0], plan.scales))
    assert 0 < lost < 27
    assert plan.risks[0] == lost / 27
    module.sample_deals(np.uint64(5), np.int64(0), np.int64(600), plan)
    mean = plan.chances[0, :600].mean()
    assert mean == pytest.approx(plan.risks[0] + np.mean(chances), rel=0.03)
    assert np.var(chances) > 0


def test_the_more_danger_the_more_deals() -> None:
    module = kernels.compiled("plyground.games.blockudoku.players.lookahead")
    plan = Lookahead(deals=10, most=50, alarm=1000.0, growth=100.0)
    values = [999, 1000, 1100, 1200, 1001 + 10**6, int(WORST)]
    deals = [module.deals_for(np.int64(value), plan.counts(), plan.scales()) for value in values]
    assert deals == [0, 10, 27, 50, 50, 0]


@pytest.mark.parametrize("name", NAMES)
def test_a_position_without_pieces_is_refused(name: str) -> None:
    game = Blockudoku()
    agent = make_agent("blockudoku", name)
    agent.new_game(game, 0)
    with pytest.raises(InputError, match="waits for a deal"):
        agent.search(game.start(), Limit(time=0.1))
