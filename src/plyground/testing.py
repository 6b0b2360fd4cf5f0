"""One suite that every game must pass: run it on a game of your own as well.

    from plyground.testing import check_game
    check_game(MyGame())

Each check is also a function of its own, for use as a single test.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from plyground import kernels
from plyground.board import plain as author
from plyground.board.faults import authors_fault
from plyground.board.game import DescribedGame
from plyground.core.errors import GameOverError, MoveError, PlygroundError
from plyground.core.files import short_name
from plyground.core.game import CHANCE, Game, Position
from plyground.core.record import GameRecord, MoveRecord
from plyground.kernels.words import ONGOING
from plyground.search.contract import game as contract

MOST_PLIES = 5000
SEEDS = 3
"""Random games of every check."""
REQUIRED = ("legal_moves", "play", "mover", "outcome", "key")


def random_game(
    game: Game, seed: int, most_plies: int = MOST_PLIES
) -> Iterator[tuple[Position, str, int]]:
    """Positions of a random game, each with the move (or event) and the player that led to it."""
    source = random.Random(seed)
    position = game.start()
    yield position, "", CHANCE
    for _ in range(most_plies):
        if position.is_over:
            return
        player = position.turn
        if player == CHANCE:
            move = game.chance_event(position, seed)
            position = game.apply_chance(position, move)
        else:
            position = position.play(source.choice(position.move_codes))
            move = position.last_move
        yield position, move, player


def check_contract(game: Game) -> None:
    """The rules module defines every kernel of the contract, and the game its sizes."""
    for name in REQUIRED:
        assert hasattr(game.rules, name), f"{game.rules_module} does not define {name}"
        assert hasattr(contract, name)
    assert game.params.dtype == np.uint64, "params must be a row of uint64"
    state = game.start().state
    assert state.dtype == np.uint64 and state.shape == (game.state_words,)


def check_games_end(game: Game, seed: int) -> None:
    """A random game comes to an end, and then has no moves."""
    position = game.start()
    assert not position.is_over, "the game is over at the start"
    for position, _, _ in random_game(game, seed):  # noqa: B007
        pass
    assert position.is_over, f"a random game goes on after {MOST_PLIES} plies"
    assert position.legal_moves == []
    assert position.outcome is not None
    try:
        position.play(0)
    except GameOverError:
        return
    raise AssertionError("a move after the end was accepted")


def check_moves(game: Game, seed: int) -> None:
    """Legal moves are distinct, playable and survive their own notation; others are refused."""
    for position, _, _ in random_game(game, seed, most_plies=60):
        if position.is_over or position.turn == CHANCE:
            continue
        codes, texts = position.move_codes, position.legal_moves
        assert codes, "an ongoing position has no legal move"
        assert len(set(codes)) == len(codes), "a move is listed twice"
        assert len(codes) <= game.max_moves, "there are more moves than max_moves"
        assert len(set(texts)) == len(texts), "two moves have the same text"
        assert all(0 <= code < 2**22 for code in codes), "a move's code is not in 0..2**22-1"
        for code, text in zip(codes, texts, strict=True):
            assert position.parse_move(text) == code, f"{text!r} is not read back"
        for nonsense in ("", "nonsense", "-1", "99999", "\x00", "?" * 1000):
            try:
                position.play(nonsense)
            except MoveError:
                continue
            raise AssertionError(f"{nonsense!r} was accepted as a move")


def check_play_is_pure(game: Game, seed: int) -> None:
    """Playing a move changes nothing in the position it is played in."""
    for position, _, _ in random_game(game, seed, most_plies=40):
        if position.is_over or position.turn == CHANCE:
            continue
        before, key = position.state.copy(), position.key
        for code in position.move_codes[:8]:
            child = position.play(code)
            again = position.play(code)
            assert child == again and child.key == again.key, (
                f"{position.format_move(code)} played twice gives two positions"
            )
            assert np.array_equal(before, position.state), (
                f"{position.format_move(code)} changes the position that it is played in"
            )
        assert position.key == key, "the key of a position changes when moves are played"


def check_positions_round_trip(game: Game, seed: int) -> None:
    """The text of a position gives the same position back, with the same moves and key."""
    for position, _, _ in random_game(game, seed, most_plies=40):
        if position.is_over:
            continue
        back = game.parse_position(position.text)
        assert back == position, f"{position.text!r} gives another position"
        assert back.key == position.key and back.turn == position.turn
        if position.turn != CHANCE:
            assert back.move_codes == position.move_codes


def check_record_round_trip(game: Game, seed: int) -> None:
    """A record survives JSON, and its moves replay to the same end."""
    steps = list(random_game(game, seed))
    record = GameRecord(
        game=game.info.name,
        options=game.options,
        moves=tuple(MoveRecord(move, player) for _, move, player in steps[1:]),
        outcome=steps[-1][0].outcome,
    )
    back = GameRecord.from_json(record.to_json())
    assert back == record
    replayed = list(back.positions(game))
    assert [position.key for position in replayed] == [step[0].key for step in steps]
    assert replayed[-1].outcome == record.outcome


def check_plain_python_agrees(game: Game, seed: int, most_plies: int = 12) -> None:
    """The compiled kernels and the same functions as plain Python give the same results."""
    plain = kernels.plain(game.rules_module)
    params = game.params
    buffer = np.zeros(game.max_moves, np.int64)
    for position, _, _ in random_game(game, seed, most_plies):
        state = position.state
        assert int(plain.mover(params, state)) == position.turn, "who moves next differs"
        assert int(plain.key(params, state)) == position.key, "the keys differ"
        result = int(plain.outcome(params, state))
        assert (result == ONGOING) == (not position.is_over), "the outcomes differ"
        if position.is_over or position.turn == CHANCE:
            continue
        count = int(plain.legal_moves(params, state, buffer))
        assert [int(code) for code in buffer[:count]] == position.move_codes, "the moves differ"
        child = np.empty_like(state)
        for code in position.move_codes[:4]:
            plain.play(params, state, np.int64(code), child)
            assert np.array_equal(child, position.play(code).state), (
                f"{position.format_move(code)} leads to two positions"
            )


def check_description_agrees(game: Game, seed: int) -> None:
    """The compiled game does what the author's functions do when they run as they are."""
    if not isinstance(game, DescribedGame):
        return
    for position, _, _ in random_game(game, seed, most_plies=60):
        twin = game.plain(position.state)
        result = author.result(twin, game.layout)
        compiled = int(game.rules.outcome(game.params, position.state))
        assert (ONGOING if result is None else result) == compiled, (
            f"result() gives {result} in plain Python, "
            f"{None if compiled == ONGOING else compiled} compiled"
        )
        if position.is_over or position.turn == CHANCE:
            continue
        codes = author.legal_codes(twin, game.layout)
        only = sorted(set(codes) ^ set(position.move_codes))
        assert codes == position.move_codes, (
            f"moves() gives {len(codes)} moves in plain Python, {len(position.move_codes)} compiled"
            + (
                f"; {position.format_move(only[0])} is one of them only"
                if only
                else ", in another order"
            )
        )
        for code in codes[:8]:
            child = game.layout.pack(author.play(twin, game.layout, code))
            compiled_child = position.play(code).state
            assert np.array_equal(child, compiled_child), (
                f"{position.format_move(code)} leads to {game.format_position(child)} in plain "
                f"Python, to {game.format_position(compiled_child)} compiled"
            )


def check_views(game: Game, seed: int) -> None:
    """Every position can be drawn, in the terminal and as a well-formed picture."""
    from xml.etree import ElementTree

    for position, _, _ in random_game(game, seed, most_plies=20):
        assert str(position).strip()
        for theme in ("light", "dark"):
            ElementTree.fromstring(position.view.svg(theme))


CHECKS: tuple[Callable[[Game, int], None], ...] = (
    check_games_end,
    check_moves,
    check_play_is_pure,
    check_positions_round_trip,
    check_record_round_trip,
    check_plain_python_agrees,
    check_description_agrees,
    check_views,
)


@dataclass(frozen=True)
class Finding:
    """One check of the suite: whether it holds, and what was seen."""

    name: str
    ok: bool
    detail: str = ""


def positions_played(game: Game, seeds: int = SEEDS) -> int:
    """How many positions the random games of `findings` go through."""
    return sum(1 for seed in range(seeds) for _ in random_game(game, seed))


def findings(game: Game, seeds: int = SEEDS) -> Iterator[Finding]:
    """Run every check and say in plain words what does not hold, with the position drawn."""
    check_contract(game)
    for check in CHECKS:
        name = (check.__doc__ or check.__name__).split("\n")[0].rstrip(".")
        try:
            with np.errstate(over="ignore"):  # words wrap around in keys
                for seed in range(seeds):
                    check(game, seed)
        except Exception as error:
            expected = isinstance(error, AssertionError | PlygroundError)
            told = error if expected else authors_fault(error) or error
            yield Finding(name, False, _with_position(error, str(told)))
        else:
            yield Finding(name, True)


def _with_position(error: Exception, text: str) -> str:
    """What was wrong, and the position in which it was seen."""
    text = text.strip() or f"{type(error).__name__} without words"
    trace, seen = error.__traceback__, None
    while trace is not None:
        found = trace.tb_frame.f_locals.get("position")
        seen = found if isinstance(found, Position) else seen
        trace = trace.tb_next
    if seen is None:
        return text
    try:
        return f"{text}\n{seen}\nposition: {seen.text}"
    except PlygroundError:
        return text


def check_game(game: Game, seeds: int = SEEDS) -> None:
    """Run every check with several seeds; an AssertionError says what does not hold."""
    check_contract(game)
    for check in CHECKS:
        for seed in range(seeds):
            check(game, seed)


def playthrough(game: Game, seed: int) -> str:
    """A random game as text, to be kept and compared: it changes only when the rules change."""
    lines = [f"{short_name(game.info.name)} {sorted(game.options.items())}"]
    for position, move, player in random_game(game, seed):
        moves = 0 if position.is_over or position.turn == CHANCE else len(position.move_codes)
        lines.append(f"{player} {move} | {position.text} | {moves} moves")
    outcome = position.outcome
    lines.append(
        f"winner {outcome.winner} {outcome.termination.value}" if outcome else "unfinished"
    )
    return "\n".join(lines) + "\n"
