"""Exact values by proof-number search: does either player force a win, and within how many plies?

Both players are attackers in turn, each with ever more work, until one is proven to win or both are
proven never to. It finds long narrow wins that a search by depth does not reach.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from plyground import kernels
from plyground.core.errors import UnsupportedError
from plyground.core.game import Game, Position
from plyground.core.limits import Limit
from plyground.core.search import MoveValue, Score, SearchResult, Value
from plyground.search.proof import MOST_PLIES, Answer, Hooks, ProofSearch
from plyground.search.proof_verdict import FOREVER

HOOKS = "plyground.search.proof_rules"
FIRST_WORK = 20_000
"""Judged positions for each attacker before the other one's first turn; then twice as many."""


class Attack:
    """The question whether one player can force a win."""

    def __init__(self, game: Game, attacker: int) -> None:
        self.attacker = attacker
        params = np.append(game.params, np.array([0, attacker], np.uint64))
        self.search = ProofSearch(
            Hooks(HOOKS, params, game.state_words, game.max_moves, rules=game.rules_module)
        )

    @property
    def alternating(self) -> bool:
        """Whether the players moved in turn in everything that was seen: then plies are plies."""
        return not self.search.hooks.params[-2]

    def ask(self, position: Position, plies: int, go_on: Callable[[], bool], work: int) -> Answer:
        """Whether the win comes within so many plies; OPEN after so much work or if told to end."""
        until = self.search.evaluations + work
        attacking = position.turn == self.attacker
        with kernels.compilation(self.search.kernel):
            return self.search.prove(
                position.state,
                attacking,
                plies,
                lambda _: go_on() and self.search.evaluations < until,
            )

    def never(self, position: Position) -> bool:
        """Whether a refuted win is known to be out of reach for ever, not for some plies only."""
        kernel, work = self.search.kernel, self.search.work
        mixed = kernel.mix(np.uint64(position.key))
        facts = kernel.look_up(work, mixed, np.int64(position.turn == self.attacker))
        return bool((int(facts) >> 8) & 63 == int(FOREVER))


def solve_by_proof(position: Position, limit: Limit, note: Callable[[str], None]) -> SearchResult:
    """The value of a position if one player forces a win, or neither ever can; else what is known.

    A result without a score (and a note) is not proven.
    """
    game = position.game
    if not game.info.for_two_without_chance:
        raise UnsupportedError(
            f"{game.info.title} cannot be solved: only two-player games without chance can"
        )
    began = time.monotonic()
    attacks = [Attack(game, position.turn), Attack(game, 1 - position.turn)]

    def go_on() -> bool:
        judged = sum(attack.search.evaluations for attack in attacks)
        in_time = limit.time is None or time.monotonic() - began < limit.time
        return in_time and (limit.nodes is None or judged < limit.nodes)

    winner, refuted = _find_winner(position, attacks, go_on, note)
    nodes = sum(attack.search.evaluations for attack in attacks)
    if winner is not None:
        return _won(position, winner, go_on, nodes)
    move = position.legal_moves[0]
    if len(refuted) == 2 and all(attack.never(position) for attack in attacks):
        words = "proven: neither player can force a win"
        score: Score | None = Score(position.turn, "draw")
    else:
        names = [game.info.player_names[attack.attacker] for attack in refuted]
        known = f": no win of {' or '.join(names)} within {MOST_PLIES} plies" if names else ""
        words, score = f"not proven{known}", None
    return SearchResult(move, score, nodes=nodes, elapsed=time.monotonic() - began, note=words)


def _find_winner(
    position: Position,
    attacks: list[Attack],
    go_on: Callable[[], bool],
    note: Callable[[str], None],
) -> tuple[Attack | None, list[Attack]]:
    """Who forces a win, if anybody is found to; and those who are known not to within the plies."""
    refuted: list[Attack] = []
    work = FIRST_WORK
    while len(refuted) < len(attacks):
        for attack in attacks:
            if attack in refuted:
                continue
            answer = attack.ask(position, MOST_PLIES, go_on, work)
            if answer is Answer.PROVEN:
                return attack, refuted
            if answer is Answer.REFUTED:
                refuted.append(attack)
            name = position.game.info.player_names[attack.attacker]
            note(f"{name} to win: {answer.name.lower()}, {attack.search.evaluations:,} positions")
        if not go_on():
            break
        work *= 2
    return None, refuted


def _won(
    position: Position, attack: Attack, go_on: Callable[[], bool], before: int
) -> SearchResult:
    """The winner's moves, and the least plies as far as they can be found."""
    began = attack.search.evaluations
    low, plies = 0, MOST_PLIES
    while low + 1 < plies:
        middle = (low + plies) // 2
        answer = attack.ask(position, middle, go_on, 1 << 62)
        if answer is Answer.OPEN:
            break
        low, plies = (low, middle) if answer is Answer.PROVEN else (middle, plies)
    exact = low + 1 >= plies and attack.alternating
    value: Value = "win" if attack.attacker == position.turn else "loss"
    score = Score(position.turn, value, distance=plies if exact else None)
    moves = [
        MoveValue(move, found)
        for move in position.legal_moves
        if (found := _worth(position, move, attack, score, plies, go_on)) is not None
    ]
    moves.sort(key=lambda found: found.score is None or found.score.distance is None)
    best = moves[0].move if moves else position.legal_moves[0]
    return SearchResult(
        best,
        score,
        (best,),
        tuple(moves),
        before + attack.search.evaluations - began,
        note="proven by proof numbers" + ("" if exact else f", within {plies} plies"),
    )


def _worth(
    position: Position,
    move: str,
    attack: Attack,
    score: Score,
    plies: int,
    go_on: Callable[[], bool],
) -> Score | None:
    """What a move is proven to be worth: all moves lose a lost position, some win a won one."""
    without = Score(position.turn, score.value)
    if score.value == "loss":
        return without
    child = position.play(move)
    if child.outcome is not None:
        return score if child.outcome.winner == attack.attacker else None
    for within, found in ((plies - 1, score), (MOST_PLIES - 1, without)):
        if within and attack.ask(child, within, go_on, FIRST_WORK) is Answer.PROVEN:
            return found
    return None
