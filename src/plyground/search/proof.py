"""Proof search around its kernel: can the attacker force a win within n plies, and by which moves?

The search works for any game of two players who move in turn, by the hooks of `contract.proof`. Its
table may lie in a file; a search that was stopped, in whatever way, goes on from that file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

import numpy as np

from plyground import kernels
from plyground.core.errors import InputError, PlygroundError
from plyground.search import proof_kernel as layout
from plyground.search.perft import RULES_HOOKS
from plyground.search.proof_table import BUCKET_WORDS, TAG_BITS
from plyground.search.proof_verdict import NOT_PROVEN

SEARCH = "plyground.search.proof_kernel"
STRATEGY = "plyground.search.proof_strategy_kernel"
PROOF_HOOKS = "plyground.search.contract.proof"
SLICE = 20_000
"""Judged positions between two looks at whether to go on: some 20 ms."""
CHUNK = 4096
HEADER_BYTES = 4096
MOST_PLIES = layout.MOST_PLIES

Continue = Callable[[int], bool]
"""Told the positions judged since the last call; False ends the search."""


class Answer(IntEnum):
    """What is known about a question."""

    OPEN = layout.OPEN
    PROVEN = layout.PROVEN
    REFUTED = layout.REFUTED


class Hooks(NamedTuple):
    """A game as the proof search sees it.

    module      the kernel module with the functions of `contract.proof`
    params      passed to each of them; fixes rules and attacker
    state_words words of a state
    max_moves   most moves of a position
    key_bits    bits of a key
    rules       the rules that the module is over, if it is one for any game
    """

    module: str
    params: np.ndarray
    state_words: int
    max_moves: int
    key_bits: int = 64
    rules: str = ""

    @property
    def modules(self) -> dict[str, str]:
        """What the kernels of the search are compiled with."""
        return {PROOF_HOOKS: self.module} | ({RULES_HOOKS: self.rules} if self.rules else {})


class Strategy(NamedTuple):
    """One move for each position of the attacker, sorted by key.

    `plies[i]` is within how many plies the attacker wins from there, the move itself included.
    Positions that are won at once are left out, and so are replies that allow it.
    """

    keys: np.ndarray
    moves: np.ndarray
    plies: np.ndarray


NOTHING_KNOWN = Strategy(np.zeros(0, np.uint64), np.zeros(0, np.uint8), np.zeros(0, np.uint8))


class ForgottenError(PlygroundError):
    """A proof could not be found again: the table is too small to hold its strategy."""


class ProofSearch:
    """Questions about one game with one attacker; the table keeps what earlier ones found."""

    def __init__(self, hooks: Hooks, megabytes: float = 64.0, path: Path | None = None) -> None:
        self.hooks = hooks
        self.kernel = kernels.compiled(SEARCH, hooks.modules)
        bucket_bits = max(hooks.key_bits - TAG_BITS, int(megabytes * 2**20 / 64).bit_length() - 1)
        shape = (1 << max(0, bucket_bits), BUCKET_WORDS)
        table = np.zeros(shape, np.uint64) if path is None else open_table(path, hooks, shape)
        depth, most = layout.MOST_PLIES + 2, hooks.max_moves
        self.work = layout.Workspace(
            params=hooks.params,
            states=np.zeros((depth, hooks.state_words), np.uint64),
            moves=np.zeros((depth, most), np.int64),
            keys=np.zeros((depth, most), np.uint64),
            facts=np.zeros((depth, most), np.uint64),
            phis=np.zeros((depth, most), np.int64),
            deltas=np.zeros((depth, most), np.int64),
            frames=np.zeros((depth, layout.FRAME_WORDS), np.int64),
            scratch=np.zeros(2 * most, np.int64),
            table=table,
            control=np.zeros(layout.CONTROL_WORDS, np.int64),
        )

    @property
    def evaluations(self) -> int:
        """Positions judged so far."""
        return int(self.work.control[layout.EVALUATIONS])

    @property
    def numbers(self) -> tuple[int, int]:
        """How much is at least left to do at the root: for its player to move, for the other."""
        control = self.work.control
        return int(control[layout.ROOT_PHI]), int(control[layout.ROOT_DELTA])

    def warm_up(self, state: np.ndarray) -> None:
        """Load or compile the search."""
        with kernels.compilation(self.kernel):
            self.prove(state, True, 5, lambda judged: False)

    def prove(
        self, state: np.ndarray, attacking: bool, plies: int, keep_on: Continue | None = None
    ) -> Answer:
        """Whether the attacker wins an unfinished position within so many plies.

        `attacking` says whether it is the attacker's move. OPEN if told to end before the answer;
        the same question goes on from the table.
        """
        if not 0 < plies <= MOST_PLIES:
            raise InputError(f"a proof search takes 1 to {MOST_PLIES} plies, not {plies}")
        self.work.states[0] = state
        answer = self.kernel.begin(self.work, np.int64(attacking), np.int64(plies))
        while answer == layout.OPEN:
            before = self.evaluations
            answer = self.kernel.run(self.work, np.int64(SLICE))
            if answer == layout.OPEN and keep_on and not keep_on(self.evaluations - before):
                break
        return Answer(int(answer))

    def strategy(
        self,
        roots: np.ndarray,
        plies: int,
        report: Callable[[int], None] | None = None,
        guide: Strategy | None = None,
    ) -> Strategy:
        """The moves by which the attacker, to move in each of `roots`, wins within so many plies.

        The roots must be won. Where `guide` has a move it is taken; everything else is looked up in
        the table or searched again. `report` is told the number of positions so far.
        """
        walk = StrategyWalk(self, guide or NOTHING_KNOWN)
        return walk.collect(roots, plies, report or (lambda count: None))


class StrategyWalk:
    """Collects a strategy layer by layer, from a guide, the table, and by asking again."""

    def __init__(self, search: ProofSearch, guide: Strategy) -> None:
        self.search, self.guide = search, guide
        self.kernel = kernels.compiled(STRATEGY, search.hooks.modules)

    def collect(self, roots: np.ndarray, plies: int, report: Callable[[int], None]) -> Strategy:
        """See `ProofSearch.strategy`."""
        known = NOTHING_KNOWN
        states = np.array(roots, np.uint64)
        open_ones = np.zeros(len(states), bool)
        self.kernel.prepare_roots(self.search.work, states, open_ones)
        bounds = np.full(len(states), plies, np.int64)
        keys, states, bounds = self._distinct(states[open_ones], bounds[open_ones])
        while len(keys):
            found = self._find_moves(keys, states, bounds)
            known = _merge(known, found)
            report(len(known.keys))
            states, bounds = self._replies(states, found)
            keys, states, bounds = self._distinct(states, bounds)
            new = _least_plies(known, keys) > bounds
            keys, states, bounds = keys[new], states[new], bounds[new]
        return known

    def _find_moves(self, keys: np.ndarray, states: np.ndarray, bounds: np.ndarray) -> Strategy:
        """A winning move for each of these positions, and the plies within which it wins."""
        plies = _least_plies(self.guide, keys)
        moves = np.zeros(len(keys), np.int64)
        guided = plies <= bounds
        places = np.searchsorted(self.guide.keys, keys[guided])
        moves[guided] = self.guide.moves[places]
        rest = ~guided
        plies[rest] = self._describe(states[rest], bounds[rest])
        moves[rest] = self._choose(states[rest], plies[rest])
        return Strategy(keys, moves.astype(np.uint8), plies.astype(np.uint8))

    def _distinct(
        self, states: np.ndarray, bounds: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Each position once, with its least bound, sorted by key."""
        keys = np.zeros(len(states), np.uint64)
        self.kernel.list_keys(self.search.work, states, keys)
        order = np.lexsort((bounds, keys))
        keys, states, bounds = keys[order], states[order], bounds[order]
        first = np.ones(len(keys), bool)
        first[1:] = keys[1:] != keys[:-1]
        return keys[first], states[first], bounds[first]

    def _describe(self, states: np.ndarray, bounds: np.ndarray) -> np.ndarray:
        """Within how many plies each position is known to be won."""
        plies = np.zeros(len(states), np.uint64)
        self.kernel.describe(self.search.work, states, bounds, plies)
        for index in np.flatnonzero(plies > bounds.astype(np.uint64)):
            self._prove_again(states[index], int(bounds[index]))
            plies[index] = bounds[index]
        return plies.astype(np.int64)

    def _choose(self, states: np.ndarray, plies: np.ndarray) -> np.ndarray:
        moves = np.zeros(len(states), np.int64)
        if self.kernel.choose_moves(self.search.work, states, plies, moves):
            for index in np.flatnonzero(moves < 0):
                one = slice(index, index + 1)
                self._prove_again(states[index], int(plies[index]))
                if self.kernel.choose_moves(self.search.work, states[one], plies[one], moves[one]):
                    raise ForgottenError("the table of the proof is too small for its strategy")
        return moves

    def _prove_again(self, state: np.ndarray, plies: int) -> None:
        if self.search.prove(state, True, plies) is not Answer.PROVEN:
            raise ForgottenError(f"a position is not won within {plies} plies as it should be")

    def _replies(self, states: np.ndarray, chosen: Strategy) -> tuple[np.ndarray, np.ndarray]:
        """The positions of the attacker two plies later, with the plies left for them."""
        moves, plies = chosen.moves.astype(np.int64), chosen.plies.astype(np.int64)
        found, bounds = [], []
        room = np.zeros((CHUNK * self.search.hooks.max_moves, states.shape[1]), np.uint64)
        owners = np.zeros(len(room), np.int64)
        for start in range(0, len(states), CHUNK):
            part = slice(start, start + CHUNK)
            count = self.kernel.list_replies(
                self.search.work, states[part], moves[part], room, owners
            )
            _, replies, left = self._distinct(room[:count], plies[part][owners[:count]] - 2)
            found.append(replies)
            bounds.append(left)
        return np.concatenate(found), np.concatenate(bounds)


def _least_plies(known: Strategy, keys: np.ndarray) -> np.ndarray:
    """The plies of these positions in a strategy; NOT_PROVEN for those that are not in it."""
    if not len(known.keys):
        return np.full(len(keys), int(NOT_PROVEN), np.int64)
    places = np.minimum(np.searchsorted(known.keys, keys), len(known.keys) - 1)
    found = known.keys[places] == keys
    return np.where(found, known.plies[places].astype(np.int64), int(NOT_PROVEN))


def _merge(known: Strategy, new: Strategy) -> Strategy:
    """Both strategies in one; `new` counts where both know a position."""
    stay = _least_plies(new, known.keys) == int(NOT_PROVEN)
    parts = [np.concatenate((a[stay], b)) for a, b in zip(known, new, strict=True)]
    order = np.argsort(parts[0], kind="stable")
    return Strategy(*(part[order] for part in parts))


def _mismatch(found: bytes, about: Mapping[str, object], path: Path) -> str:
    """What is wrong with the file of a table."""
    try:
        kept = json.loads(found)
        rows, words = kept.pop("shape")
    except (ValueError, KeyError, TypeError, AttributeError):
        return "is no proof table; choose another file"
    if kept != about:
        return "was made for another board or other rules; choose another file"
    size = rows * words * 8
    if path.stat().st_size != HEADER_BYTES + size:
        return "is damaged: its length is not what it says; delete it or choose another file"
    return f"has {size / 2**20:g} megabytes; go on with --megabytes {size / 2**20:g}"


def open_table(path: Path, hooks: Hooks, shape: tuple[int, int]) -> np.ndarray:
    """The table in a file, made if need be; InputError if it belongs to another question."""
    about = {"hooks": hooks.module, "params": [int(word) for word in hooks.params]}
    header = json.dumps({**about, "shape": shape}).encode()
    size = HEADER_BYTES + shape[0] * shape[1] * 8
    try:
        if not path.exists():
            with path.open("wb") as file:
                file.write(header.ljust(HEADER_BYTES))
                file.truncate(size)
        with path.open("rb") as file:
            found = file.read(HEADER_BYTES)
        if found.rstrip() != header or path.stat().st_size != size:
            raise InputError(f"the proof table {path} {_mismatch(found, about, path)}")
        return np.memmap(path, np.uint64, "r+", HEADER_BYTES, shape)
    except OSError as error:
        raise InputError(f"cannot use the proof table {path}: {error}") from error
