"""Players of Blockudoku. Each plans a whole turn at its first placement and then plays the plan."""

from __future__ import annotations

import types
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from plyground import kernels
from plyground.core.agent import Agent, Report, Stop, no_report, no_stop
from plyground.core.errors import InputError, UnsupportedError
from plyground.core.game import CHANCE, Game, Position, Words
from plyground.core.limits import Limit
from plyground.core.registry import register_agent
from plyground.core.search import MoveValue, Score, SearchInfo, SearchResult
from plyground.games.blockudoku import Blockudoku
from plyground.games.blockudoku.notation import format_move, hand_pieces
from plyground.games.blockudoku.pieces import EMPTY_PIECE, placement_tables
from plyground.games.blockudoku.players.lookahead import MAX_CANDIDATES, MAX_DEALS
from plyground.games.blockudoku.players.outlook import SAMPLES, Outlook
from plyground.games.blockudoku.players.planning import make_planning
from plyground.games.blockudoku.players.room import new_turn
from plyground.games.blockudoku.players.settings import (
    Lookahead,
    learned_weights,
    occupancy_weights,
)
from plyground.games.blockudoku.players.turns import WORST
from plyground.games.blockudoku.rules import HIGH, LOW
from plyground.search.timing import Stopwatch

Hand = tuple[int, ...]

LOOKAHEAD_SHARE = 0.1
"""Of an analysis's limit, for choosing among the best boards; the rest values them."""
REPORT_SECONDS = 0.1
MARGIN_SECONDS = 0.1

CROWDED_BOARD = "....#.#.#" + ".#.#.#.#.#.#.#.#.#" * 4
"""Crowded enough that planning a turn on it calls every kernel."""


def turn_moves(hand: Hand, indices: list[int]) -> list[str]:
    """Placement indices in the order of play as moves; the empty piece is no move."""
    slots = list(hand)
    moves = []
    for index in indices:
        piece, anchor = divmod(index, 81)
        if piece != EMPTY_PIECE:
            slot = slots.index(piece)
            slots[slot] = -1
            moves.append(format_move(81 * slot + anchor))
    return moves


def reduced_hands(hand: Hand) -> Iterator[list[Hand]]:
    """The hand itself, then the hands with one piece left out, then with two, then three."""
    held = [slot for slot in range(3) if hand[slot] != EMPTY_PIECE]
    for kept in range(len(held), 0, -1):
        yield [
            tuple(hand[slot] if slot in chosen else EMPTY_PIECE for slot in range(3))
            for chosen in _subsets(held, kept)
        ]


def _subsets(items: list[int], size: int) -> list[set[int]]:
    if size == 0:
        return [set()]
    return [
        {item} | rest
        for place, item in enumerate(items)
        for rest in _subsets(items[place + 1 :], size - 1)
    ]


class TurnPlanner(Agent):
    """Common to all planners: keeps the plan of the turn; subclasses find one in `plan_turn`."""

    def new_game(self, game: Game, seed: int) -> None:
        if not isinstance(game, Blockudoku):
            raise UnsupportedError(f"agent {self.name} plays blockudoku, not {game.info.name}")
        super().new_game(game, seed)
        self.deck = game.deck
        self.placements, self.covers = placement_tables()
        self.plan: dict[bytes, SearchResult] = {}

    def warm_up(self) -> None:
        module = self.kernel_module()
        position = self.game.parse_position(f"{CROWDED_BOARD} 0 1 2")
        with kernels.compilation(module), kernels.compilation(self.game.rules):
            self.search(position, Limit(nodes=1))
        self.plan.clear()

    def kernel_module(self) -> types.ModuleType:
        """The compiled module that plans turns."""
        raise NotImplementedError

    def search(
        self, position: Position, limit: Limit, report: Report = no_report, stop: Stop = no_stop
    ) -> SearchResult:
        if position.turn == CHANCE:
            raise InputError("the position waits for a deal: add the three pieces in hand to it")
        known = self.plan.get(position.state.tobytes())
        if known is None:
            self.plan.clear()
            started = limit.now()
            result = self.plan_turn(position, limit, report, stop)
            known = result_with_time(result, limit.now() - started)
            self._remember(position, known)
        return known

    def analyse(
        self, position: Position, limit: Limit, report: Report = no_report, stop: Stop = no_stop
    ) -> SearchResult:
        """As `search`; every turn also says how likely it survives the next deals (`outlook`).

        First values come at once, from the evaluation alone.
        """
        watch = Stopwatch(limit, stop)
        self.plan.clear()
        result = self.search(position, Limit(nodes=1))
        outlook = Outlook(self.deck, position, result)
        outlook.sample()
        report(outlook.info(result))
        self.plan.clear()
        result = self.search(position, limit.part(LOOKAHEAD_SHARE), no_report, stop)
        told = watch.elapsed
        while outlook.samples < SAMPLES and watch.remaining > MARGIN_SECONDS and not stop():
            outlook.sample()
            if watch.elapsed - told > REPORT_SECONDS:
                told = watch.elapsed
                report(outlook.info(result))
        return result_with_time(outlook.applied_to(result), watch.elapsed)

    def _remember(self, position: Position, result: SearchResult) -> None:
        """Keep what is left of the plan for the positions after each placement."""
        for number, move in enumerate(result.line):
            position = position.play(move)
            rest = result.line[number + 1 :]
            if rest:
                self.plan[position.state.tobytes()] = SearchResult(
                    rest[0], result.score, rest, note="as planned"
                )

    def plan_turn(
        self, position: Position, limit: Limit, report: Report, stop: Stop
    ) -> SearchResult:
        """The moves of the turn from here on, in `line`."""
        raise NotImplementedError


def result_with_time(result: SearchResult, elapsed: float) -> SearchResult:
    """The result with its duration filled in."""
    return SearchResult(
        result.move,
        result.score,
        result.line,
        result.moves,
        result.nodes,
        result.depth,
        elapsed,
        result.note,
    )


@register_agent("blockudoku")
class RoomAgent(TurnPlanner):
    """The source document's agent: most placements left over all 47 pieces."""

    name = "placements"
    summary = "keeps the most placements of all pieces open; early exit above a threshold"

    def __init__(self, threshold: int = 1800) -> None:
        if threshold < 0:
            raise InputError(f"threshold must be at least 0, not {threshold}")
        self.threshold = threshold

    def kernel_module(self) -> types.ModuleType:
        return kernels.compiled("plyground.games.blockudoku.players.room")

    def plan_turn(
        self, position: Position, limit: Limit, report: Report, stop: Stop
    ) -> SearchResult:
        module = self.kernel_module()
        turn = new_turn()
        best, line = -1, [""]
        for hands in reduced_hands(tuple(hand_pieces(position.state))):
            for hand in hands:
                room = module.roomiest_turn(
                    (position.state[LOW], position.state[HIGH]),
                    np.array(hand, np.int64),
                    np.int64(self.threshold),
                    self.placements,
                    turn,
                )
                if room > best:
                    best = int(room)
                    line = turn_moves(hand, [int(index) for index in turn.moves])
            if best >= 0:
                break
        score = Score(0, points=float(best))
        return SearchResult(line[0], score, tuple(line), nodes=int(turn.evaluated[0]))


class ShapeAgent(TurnPlanner):
    """Plays by an evaluation; looks ahead where the board is dangerous and the limit allows."""

    def weights(self) -> npt.NDArray[np.int64]:
        """The weights of the evaluation."""
        raise NotImplementedError

    def lookahead(self) -> Lookahead:
        """How hard to look ahead."""
        return Lookahead(candidates=1, deals=0)

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        self.work = make_planning(self.deck, self.weights(), self.lookahead())
        self.values, self.boards, self.moves = self.work.best
        self.module = self.kernel_module()

    def warm_up(self) -> None:
        super().warm_up()
        with kernels.compilation(self.module):
            self.module.compare_candidates(
                np.zeros((MAX_CANDIDATES, MAX_DEALS)), np.int64(1), 1.0, np.ones(2, np.bool_)
            )

    def kernel_module(self) -> types.ModuleType:
        return kernels.compiled("plyground.games.blockudoku.players.lookahead")

    def _best_boards(self, state: Words, hand: Hand, places: int) -> int:
        return int(
            self.module.best_boards(
                (state[LOW], state[HIGH]),
                np.array(hand, np.int64),
                np.int64(places),
                self.work.search,
                self.work.best,
            )
        )

    def plan_turn(
        self, position: Position, limit: Limit, report: Report, stop: Stop
    ) -> SearchResult:
        plan = self.lookahead()
        hand = tuple(hand_pieces(position.state))
        nodes = self._best_boards(position.state, hand, plan.candidates)
        if self.values[0] == WORST:
            return self._salvage(position, nodes)
        shown = self._candidates(hand, plan.candidates)
        note = ""
        chosen = 0
        if len(shown) > 1 and self._deals() > 0:
            chosen, sampled, deals = self._look_ahead(plan, len(shown), limit, report, stop)
            nodes += sampled
            note = f"{deals} deals sampled for {len(shown)} boards"
        score, line = shown[chosen]
        ranked = [shown[chosen], *(entry for place, entry in enumerate(shown) if place != chosen)]
        moves = tuple(MoveValue(" ".join(moves), value) for value, moves in ranked)
        return SearchResult(line[0], score, line, moves, nodes, note=note)

    def _deals(self) -> int:
        return int(self.module.deals_for(self.values[0], self.work.counts, self.work.scales))

    def _candidates(self, hand: Hand, places: int) -> list[tuple[Score, tuple[str, ...]]]:
        return [
            (
                Score(0, points=-float(self.values[place])),
                tuple(turn_moves(hand, [int(index) for index in self.moves[place]])),
            )
            for place in range(places)
            if self.values[place] != WORST
        ]

    def _salvage(self, position: Position, nodes: int) -> SearchResult:
        """No order places everything: place as many pieces as possible."""
        best: tuple[int, list[str]] | None = None
        for hands in reduced_hands(tuple(hand_pieces(position.state))):
            for hand in hands:
                nodes += self._best_boards(position.state, hand, 1)
                value = int(self.values[0])
                if value != WORST and (best is None or value < best[0]):
                    best = value, turn_moves(hand, [int(index) for index in self.moves[0]])
            if best is not None:
                break
        assert best is not None  # the game would be over
        score = Score(0, points=-float(best[0]))
        return SearchResult(
            best[1][0], score, tuple(best[1]), nodes=nodes, note="not all pieces fit"
        )

    def _look_ahead(
        self, plan: Lookahead, found: int, limit: Limit, report: Report, stop: Stop
    ) -> tuple[int, int, int]:
        """The candidate to play, boards evaluated, deals sampled."""
        deadline = self._deadline(limit)
        active, chances = self.work.active, self.work.chances
        active[:] = np.arange(MAX_CANDIDATES) < found
        self.module.weigh_candidates(self.work)
        most = MAX_DEALS if limit.timed or limit.nodes is not None else self._deals()
        source = np.random.default_rng([self.seed, *(int(word) for word in self.boards[0])])
        seed = np.uint64(source.integers(2**63))
        chosen = sampled = done = 0
        while done < most and active.sum() > 1:
            if stop() or limit.now() >= deadline:
                break
            if limit.nodes is not None and sampled >= limit.nodes:
                break
            upto = min(most, done + 1)
            sampled += int(
                self.module.sample_deals(seed, np.int64(done), np.int64(upto), self.work)
            )
            done = upto
            if done % plan.round == 0 or done == most:
                chosen = int(
                    self.module.compare_candidates(chances, np.int64(done), plan.doubt, active)
                )
                report(SearchInfo(nodes=sampled, note=f"{done} deals sampled"))
        return chosen, sampled, done

    def _deadline(self, limit: Limit) -> float:
        """When to stop, with a little room for what follows."""
        seconds = float("inf")
        if limit.time is not None:
            seconds = limit.time
        if limit.clock is not None:
            seconds = min(seconds, limit.clock.remaining / 100 + limit.clock.increment / 2)
        return limit.now() + 0.9 * seconds - 0.002


@register_agent("blockudoku")
class OccupancyAgent(ShapeAgent):
    """Leaves as few filled cells as it can."""

    name = "occupancy"
    summary = "fewest filled cells after the turn"

    def weights(self) -> npt.NDArray[np.int64]:
        return occupancy_weights()


@register_agent("blockudoku")
class ChampionAgent(ShapeAgent):
    """Learned shape evaluation; the best boards meet sampled deals where there is danger."""

    name = "champion"
    summary = "learned shape evaluation, samples the next deal on dangerous boards"

    def __init__(self, candidates: int = 10, alarm: int = 280_000, lookahead: bool = True) -> None:
        if not 1 <= candidates <= MAX_CANDIDATES:
            raise InputError(f"candidates must be 1 to {MAX_CANDIDATES}, not {candidates}")
        self.candidates, self.alarm, self.looks_ahead = candidates, alarm, lookahead
        self.learned = learned_weights()

    def weights(self) -> npt.NDArray[np.int64]:
        return self.learned

    def lookahead(self) -> Lookahead:
        if not self.looks_ahead:
            return super().lookahead()
        return Lookahead(candidates=self.candidates, alarm=self.alarm)
