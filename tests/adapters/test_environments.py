"""The learning environments: the libraries' own checkers, agreement with the games, batches."""

from __future__ import annotations

import random

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="needs the extra rl")
pytest.importorskip("pettingzoo", reason="needs the extra rl")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test, seed_test  # noqa: E402

import plyground as pg  # noqa: E402
import plyground.adapters  # noqa: E402
from plyground.adapters.aec import (  # noqa: E402
    codecup_sudoku_v0,
    competitive_sudoku_v0,
    connect4_v0,
)
from plyground.core.registry import make_game  # noqa: E402
from plyground.games.blockudoku.environment.vector import BlockudokuVector  # noqa: E402
from plyground.games.connect4.environment.batch import ILLEGAL, Connect4Batch  # noqa: E402

ENVIRONMENTS = {
    "connect4": lambda **kw: connect4_v0.env(width=5, height=4, **kw),
    "competitive": lambda **kw: competitive_sudoku_v0.env(board="empty-2x2", **kw),
    "codecup": codecup_sudoku_v0.env,
}


def test_blockudoku_passes_gymnasiums_checker():
    for mode in (None, "ansi", "rgb_array"):
        env = gymnasium.make("plyground/Blockudoku-v0", render_mode=mode)
        check_env(env.unwrapped, skip_render_check=mode is None)


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_two_player_games_pass_pettingzoos_checkers(name):
    """They raise what they find, and a warning is an error in this suite."""
    api_test(ENVIRONMENTS[name](), num_cycles=60)
    seed_test(ENVIRONMENTS[name], num_cycles=20)


def test_the_mask_can_be_part_of_the_observation():
    env = connect4_v0.env(mask_in="observation")
    env.reset()
    observation = env.observe("player_0")
    assert env.observation_space("player_0").contains(observation)
    assert np.flatnonzero(observation["action_mask"]).tolist() == list(range(7))
    assert not env.observe("player_1")["action_mask"].any()
    assert "action_mask" not in env.infos["player_0"]


PIG = """
from plyground.board import CHANCE, BoardGame

class Pig(BoardGame):
    shape = 3
    players = PLAYERS
    move_names = "hold", "roll"
    banked = 0

    def moves(self):
        if self.cells[2]:
            yield 0
        yield 1

    def play(self, move):
        if move == 1:
            return CHANCE
        self.cells[self.player - 1] += self.cells[2]
        self.banked += 1
        self.cells[2] = 0

    def chance(self):
        for eyes in range(1, 7):
            yield eyes, 1

    def deal(self, eyes):
        if eyes == 1:
            self.cells[2] = 0
            return self.opponent if PLAYERS == 2 else self.player
        self.cells[2] += eyes
        return self.player

    def result(self):
        for player in 1, 2:
            if self.cells[player - 1] >= 12:
                return player if PLAYERS == 2 else 20 - self.banked
        return None
"""


@pytest.fixture
def pig(tmp_path):
    def write(players):
        path = tmp_path / f"pig{players}.py"
        path.write_text(PIG.replace("PLAYERS", str(players)))
        return str(path)

    return write


def test_a_game_file_with_dice_is_a_pettingzoo_environment(pig):
    file = pig(2)
    api_test(plyground.adapters.make(file), num_cycles=60)
    seed_test(lambda: plyground.adapters.make(file), num_cycles=20)
    env = plyground.adapters.make(pg.game(file), render_mode="ansi")
    env.reset(seed=1)
    assert env.infos["player_0"]["action_mask"].tolist() == [0, 1, 0]
    assert env.action_space("player_0").n == 3


def test_a_game_file_for_one_is_a_gymnasium_environment(pig):
    env = plyground.adapters.make(pig(1))
    check_env(env, skip_render_check=True)
    observation, _ = env.reset(seed=2)
    over, steps = False, 0
    while not over:
        hold = observation["action_mask"][0]
        observation, reward, over, _, _ = env.step(0 if hold else 1)
        steps += 1
    assert 20 - steps <= reward < 20


def test_agents_see_what_a_described_game_stores(pig):
    game = pg.game(pig(2))
    position = game.apply_chance(game.start().play("roll"), "5").play("hold")
    assert position.cells.tolist() == [5, 0, 0] and position.board.tolist() == [5, 0, 0]
    assert position.banked == 1 and position.player == 2 and position.turn == 1
    position.cells[0] = 99
    assert position.play("roll").cells[0] == 5
    with pytest.raises(AttributeError, match=r"has no 'bank'; .* banked"):
        _ = position.bank


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_a_random_policy_plays_whole_games(name):
    env = ENVIRONMENTS[name](render_mode="rgb_array")
    source = random.Random(1)
    env.reset(seed=1)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter(max_iter=400):
        _, reward, termination, truncation, info = env.last()
        totals[agent] += reward
        legal = np.flatnonzero(info["action_mask"])
        env.step(None if termination or truncation else int(source.choice(list(legal))))
    assert sum(totals.values()) == 0
    assert all(total in (-1, 0, 1) for total in totals.values())
    picture = env.render()
    assert picture.ndim == 3 and picture.shape[2] == 3 and picture.std() > 0


def test_an_illegal_action_loses():
    env = connect4_v0.env()
    env.reset()
    env.step(7 + 1)  # a mean move on the empty board
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": -1.0, "player_1": 1.0}


def test_the_connect4_environment_follows_the_game():
    env, source = connect4_v0.env(mean="both"), random.Random(3)
    env.reset()
    position = make_game("connect4").start()
    while not position.is_over:
        mask = env.infos[env.agent_selection]["action_mask"]
        assert mask.sum() == len(position.legal_moves)
        action = int(source.choice(list(np.flatnonzero(mask))))
        position = position.play(env.encoding.code(position, action))
        env.step(action)
        mine = env.observe("player_0").reshape(3, -1)
        assert (mine.sum(axis=0) == 1).all()
        shown = "".join("xo."[plane] for plane in mine.argmax(axis=0))
        assert shown == position.text.split()[0].replace("/", "")
    winner = position.outcome.winner
    assert env.rewards["player_0"] == (0 if winner is None else 1 if winner == 0 else -1)


def test_a_batch_of_connect4_plays_the_same_games():
    batch, source = Connect4Batch(16, width=5, height=4), random.Random(5)
    encoding = connect4_v0.env(width=5, height=4).encoding
    positions = [batch.game.start() for _ in range(16)]
    finished = 0
    for _ in range(80):
        actions = np.array([source.choice(list(np.flatnonzero(mask))) for mask in batch.masks])
        movers = [position.turn for position in positions]
        rewards, ended = batch.step(actions)
        for number, position in enumerate(positions):
            after = position.play(encoding.code(position, int(actions[number])))
            assert ended[number] == after.is_over
            if after.is_over:
                finished += 1
                winner = after.outcome.winner
                expected = 0 if winner is None else 1 if winner == movers[number] else -1
                assert rewards[number] == expected
                after = batch.game.start()
            assert np.array_equal(batch.states[number], after.state)
            assert np.array_equal(batch.planes[number], encoding.planes(after, after.turn))
            assert np.array_equal(batch.masks[number], encoding.mask(after))
            positions[number] = after
    assert finished > 16


def test_a_batch_leaves_illegal_actions_unplayed():
    batch = Connect4Batch(3)
    before = batch.states.copy()
    rewards, ended = batch.step(np.array([8, -1, 10_000]))
    assert rewards.tolist() == [ILLEGAL] * 3 and not ended.any()
    assert np.array_equal(batch.states, before)


def test_blockudoku_vector_follows_the_game():
    vector, source = BlockudokuVector(4, pieces="24-46"), random.Random(9)
    observation, _ = vector.reset(seed=[11, 12, 13, 14])
    game = make_game("blockudoku", {"pieces": "24-46"})
    positions = []
    for seed in (11, 12, 13, 14):
        start = game.start()
        positions.append(game.apply_chance(start, game.chance_event(start, seed)))
    ended_before = np.zeros(4, bool)
    restarts = 0
    for _ in range(150):
        actions = [
            source.choice(list(np.flatnonzero(mask))) if mask.any() else 0
            for mask in observation["action_mask"]
        ]
        observation, rewards, ended, _, _ = vector.step(np.array(actions))
        for number, action in enumerate(actions):
            if ended_before[number]:
                restarts += 1
                start = game.start()
                event = game.chance_event(start, int(vector.seeds[number]))
                positions[number] = game.apply_chance(start, event)
                assert rewards[number] == 0
            else:
                before = int(positions[number].state[3])
                after = positions[number].play(action)
                if after.turn == -1:
                    event = game.chance_event(after, int(vector.seeds[number]))
                    after = game.apply_chance(after, event)
                assert rewards[number] == int(after.state[3]) - before
                positions[number] = after
            assert np.array_equal(vector.states[number], positions[number].state)
            assert ended[number] == positions[number].is_over
            legal = positions[number].move_codes
            assert np.flatnonzero(observation["action_mask"][number]).tolist() == sorted(legal)
        ended_before = ended
    assert restarts > 0


def test_blockudoku_refuses_illegal_actions_without_harm():
    env = gymnasium.make("plyground/Blockudoku-v0").unwrapped
    observation, _ = env.reset(seed=1)
    bad = int(np.flatnonzero(observation["action_mask"] == 0)[0])
    after, reward, ended, _, facts = env.step(bad)
    assert reward == -1 and not ended and facts["illegal"]
    assert all(np.array_equal(after[name], observation[name]) for name in after)
