"""The strongest CodeCup Sudoku player: it steers the number of solutions, then solves the endgame.

Whoever first gets a set of solutions that he can solve in time nearly always has a winning move in
it, because only one or two of a hundred sets are lost. A move keeps between a twentieth and three
fifths of the solutions. So this player hands over sets that are just too large to be solved in the
time it would take itself: what comes back is at most three fifths of that, and within its reach.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import fmean

import msgspec

from plyground.core.agent import Report, Stop, no_report, no_stop
from plyground.core.game import Game, Position
from plyground.core.limits import Limit
from plyground.core.registry import register_agent
from plyground.core.search import MoveValue, Score, SearchResult
from plyground.games.codecup_sudoku import GridPosition
from plyground.games.codecup_sudoku.pencil_marks import marks_removed
from plyground.games.codecup_sudoku.players.estimate import Estimate, in_words
from plyground.games.codecup_sudoku.players.solution_search import (
    Choice,
    GridAgent,
    Pair,
    move_text,
)
from plyground.games.codecup_sudoku.solvers.budget import Budget, Share
from plyground.games.codecup_sudoku.solvers.endgame_solver import (
    LOSS,
    WIN,
    EndgameSolver,
    Refutation,
    RootMove,
)
from plyground.games.codecup_sudoku.solvers.exact import values
from plyground.games.codecup_sudoku.solvers.solutions import Digits, SolutionSet

CROWDED = 300
"""With more legal moves than this, even the narrowest move leaves too much to be of interest."""

DESCENTS = 200
MOST_DESCENTS = 20_000
SAMPLING_SHARE = 0.25
"""Of an analysis's limit, for estimating the number of solutions."""
REPORT_SECONDS = 0.1
FAR_TOO_MANY = 30
"""An estimate of so many times what can be listed needs no listing to be believed."""

LISTED_PER_SECOND = 600_000
"""Solutions that may be listed and laid out for a search, by the time left: a quarter of it."""


@register_agent("codecup-sudoku")
class Champion(GridAgent):
    """Steers the number of solutions, solves endgames exactly, complicates what is lost.

    `reach` is the number of solutions of a set that is usually solved within a second; it grows
    with the power 0.54 of the time. Sets within reach are attacked with the part `attack` of the
    clock, and sets between `low` and `high` times the reach are handed over. `large` is the most
    solutions that are listed, `defence` the part of the clock for choosing among open moves.
    """

    name = "champion"
    summary = "steers the number of solutions, solves endgames exactly, complicates when lost"

    def __init__(
        self,
        opening: int = 8,
        reach: int = 25_000,
        low: float = 1.2,
        high: float = 1.7,
        large: int = 400_000,
        attack: float = 0.65,
        defence: float = 0.3,
        megabytes: float = 128.0,
    ) -> None:
        super().__init__(megabytes)
        self.opening, self.reach, self.large = opening, reach, large
        self.low, self.high = low, high
        self.attack_part, self.defence_part = attack, defence

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        self.known: SolutionSet | None = None

    def decide(self, position: GridPosition, moves: list[Pair], budget: Budget) -> Choice:
        digits = position.digits
        if int((digits > 0).sum()) < self.opening:
            return Choice(self.random.choice(moves), note="opening")
        most = self.listable(budget)
        everything = self.still_known(position)
        if everything is None or len(everything) > most:
            removed = dict(zip(moves, marks_removed(digits, moves), strict=True))
            self.random.shuffle(moves)
            moves.sort(key=lambda move: removed[move])
            if len(moves) > CROWDED:
                return Choice(moves[0], note="middle game")
            everything = self.finder.solutions(digits, most, budget.share(0.15))
            if not everything.complete:
                return self.steer(digits, moves, budget)
        self.known = everything
        return self.endgame(everything, budget)

    def still_known(self, position: GridPosition) -> SolutionSet | None:
        """All solutions of the position, if they are known from an earlier turn."""
        if self.known is None:
            return None
        filled = position.digits > 0
        grids = self.known.grids
        self.known = SolutionSet(
            grids[(grids[:, filled] == position.digits[filled]).all(axis=1)], True
        )
        return self.known if len(self.known) else None

    def listable(self, budget: Budget) -> int:
        """The most solutions for which there is time to look at all of them."""
        left = budget.seconds_left
        return self.large if left is None else min(self.large, int(LISTED_PER_SECOND * left))

    def level(self, budget: Budget) -> float:
        """The number of solutions that can usually be solved with the time for an attack."""
        left = budget.seconds_left
        if left is None:
            return math.inf
        return float(self.reach * (left * (self.attack_part if budget.clock else 1.0)) ** 0.54)

    def steer(self, digits: Digits, moves: list[Pair], budget: Budget) -> Choice:
        """A move that leaves just too much, if a few counts find one.

        `moves` come with the widest first. If even narrow ones leave too much, a wide one is kept.
        """
        share = budget.share(0.3)
        proof = budget.share(self.defence_part)
        level = min(self.level(budget), float(self.large))
        least, most = int(self.low * level), int(self.high * level)
        too_wide = 0
        for move in moves[::-1]:
            count = self.count_after(digits, move, most, share)
            if count is None or too_wide == 4:
                break
            if least <= count < most:
                trial = digits.copy()
                trial[move[0]] = move[1]
                rest = self.finder.solutions(trial, most, share)
                if rest.complete and self.weakness(rest, proof.slice(0.4), budget) is None:
                    return Choice(move, count, note=f"steered to {count}")
            too_wide += count >= most
        for move in moves[:8]:
            count = self.count_after(digits, move, most, share)
            if count is None or count >= least:
                return Choice(move, note="kept wide")
        return Choice(moves[0], note="kept wide")

    def count_after(self, digits: Digits, move: Pair, most: int, share: Share) -> int | None:
        """The solutions that a move leaves, at most `most`; None when time ran out."""
        counts = self.finder.counts_after(digits, [move], most, share)
        return counts[0] if counts else None

    def waiting_move(
        self, everything: SolutionSet, moves: list[RootMove], budget: Budget
    ) -> RootMove | None:
        """The move that hands over just too much, if the set is too large to be attacked now."""
        level = self.level(budget)
        if len(everything) <= level:
            return None
        wide = [move for move in moves if move.count >= self.low * level]
        return self.defend(everything, wide, {}, budget)

    # Once all solutions are known ---------------------------------------------------------------

    def endgame(self, everything: SolutionSet, budget: Budget) -> Choice:
        """A winning move if there is one and time suffices, else the best defence."""
        solver = EndgameSolver(everything.grids, self.table)
        moves = sorted(solver.moves, key=lambda move: move.count)
        waiting = self.waiting_move(everything, moves, budget)
        if waiting is not None:
            note = f"{len(everything)} solutions, steered to {waiting.count}"
            return Choice(waiting.pairs[0], waiting.count, note=note)
        difficulty: dict[int, int] = {}
        unsolved: list[RootMove] = []
        share = budget.share(self.attack_part)
        for number, move in enumerate(moves):
            if move.index in difficulty:
                continue
            value = solver.value_after(move, share)
            if value == LOSS:
                budget.nodes += solver.nodes
                return Choice(
                    move.pairs[0],
                    move.count,
                    True,
                    f"{len(everything)} solutions, {number + 1} of {len(moves)}",
                )
            if value is None:
                unsolved = [rest for rest in moves[number:] if rest.index not in difficulty]
                break
            strike(difficulty, move, solver.refutations_seen())
        budget.nodes += solver.nodes
        note = f"{len(everything)} solutions, {len(unsolved)} of {len(moves)} unsolved"
        safe = self.defend(everything, unsolved[::-1], difficulty, budget)
        if safe is not None:
            return Choice(safe.pairs[0], safe.count, None, note)
        hardest = max(moves, key=lambda move: (difficulty.get(move.index, 0), move.count))
        return Choice(hardest.pairs[0], hardest.count, None if unsolved else False, note)

    def defend(
        self,
        everything: SolutionSet,
        moves: list[RootMove],
        difficulty: dict[int, int],
        budget: Budget,
    ) -> RootMove | None:
        """The first of these moves that no reply seems to beat; notes how hard the others are."""
        share = budget.share(self.defence_part)
        for move in moves:
            rest = everything.after(*move.pairs[0])
            beaten = self.weakness(rest, share.slice(0.4), budget)
            if beaten is None:
                return move
            difficulty[move.index] = beaten
        return None

    def weakness(self, rest: SolutionSet, trial: Share, budget: Budget) -> int | None:
        """The solutions left by a winning reply to this set, if one is found: smallest first."""
        solver = EndgameSolver(rest.grids, self.table)
        beaten = None
        for reply in sorted(solver.moves, key=lambda reply: reply.count):
            value = solver.value_after(reply, trial)
            if value == LOSS:
                beaten = reply.count
            if value != WIN:
                break
        budget.nodes += solver.nodes
        return beaten

    # For people -----------------------------------------------------------------------------

    def analyse(
        self, position: Position, limit: Limit, report: Report = no_report, stop: Stop = no_stop
    ) -> SearchResult:
        """Every move with the solutions it leaves (as visits) and its value, where time allows.

        While there are too many solutions to list, nobody is ahead: every move counts as even, with
        the part of the solutions that it keeps as far as samples tell, the widest first.
        """
        assert isinstance(position, GridPosition)
        budget = Budget(limit, stop)
        pairs = list(position.pairs)
        even = self._even(position, pairs)
        if even.moves:
            report(even.as_info())
        estimate = Estimate(position.digits)
        estimate.sample(DESCENTS)
        if estimate.solutions < FAR_TOO_MANY * self.large:
            found = self.finder.solutions(position.digits, self.large, budget.share(1.0))
            if found.complete:
                return values(position, found, budget, self.table, report)
        even = self._sampled(position, pairs, estimate, budget, report)
        if len(pairs) > CROWDED:
            return even
        result = self.search(position, limit, no_report, stop)
        if result.score is not None:
            return result
        return msgspec.structs.replace(even, nodes=result.nodes, elapsed=budget.elapsed)

    @staticmethod
    def _even(position: GridPosition, pairs: list[Pair]) -> SearchResult:
        """All moves as even, those that take fewest candidates away first."""
        removed = dict(zip(pairs, marks_removed(position.digits, pairs), strict=True))
        pairs.sort(key=lambda move: removed[move])
        score = Score(position.turn, probability=0.5)
        moves = tuple(MoveValue(move_text(pair), score) for pair in pairs)
        first = moves[0].move if moves else "!"
        return SearchResult(first, score, (first,), moves, note="counting the solutions")

    def _sampled(
        self,
        position: GridPosition,
        pairs: list[Pair],
        estimate: Estimate,
        budget: Budget,
        report: Report,
    ) -> SearchResult:
        """All moves as even with the part of the solutions that each keeps, the largest first.

        `pairs` come with those first that take fewest candidates away; what the samples do not
        tell apart stays in this order, and is said to keep the same part.
        """
        share = budget.share(1.0).slice(SAMPLING_SHARE)
        told = -REPORT_SECONDS
        while estimate.descents < MOST_DESCENTS and not share():
            if budget.elapsed - told > REPORT_SECONDS:
                told = budget.elapsed
                report(self._kept_open(position, pairs, estimate, budget).as_info())
            estimate.sample(DESCENTS)
            budget.nodes += DESCENTS
        result = self._kept_open(position, pairs, estimate, budget)
        report(result.as_info())
        return result

    def _kept_open(
        self, position: GridPosition, pairs: list[Pair], estimate: Estimate, budget: Budget
    ) -> SearchResult:
        score = Score(position.turn, probability=0.5)
        alike: dict[int, list[tuple[Pair, float]]] = {}
        for pair, part in zip(pairs, estimate.parts(pairs), strict=True):
            alike.setdefault(int(part / estimate.resolution), []).append((pair, part))
        moves = tuple(
            MoveValue(move_text(pair), score, kept=fmean(part for _, part in group))
            for _, group in sorted(alike.items(), reverse=True)
            for pair, _ in group
        )
        doubt = f" ±{100 * estimate.error:.0f} %" if math.isfinite(estimate.error) else ""
        note = (
            f"About {in_words(estimate.solutions)} solutions{doubt}, from {estimate.descents:,} "
            f"samples. Moves can be solved below about {self.large:,}: until then nobody is ahead, "
            "and the champion keeps the game wide."
        )
        first = moves[0].move
        return SearchResult(
            first, score, (first,), moves, estimate.descents, elapsed=budget.elapsed, note=note
        )


def strike(difficulty: dict[int, int], move: RootMove, seen: Iterable[Refutation]) -> None:
    """Note how hard it is to beat a move, and the moves that are beaten by it in turn.

    The opponent will look at the replies that leave fewest solutions first.
    """
    refutations = list(seen)
    difficulty[move.index] = min((entry.count for entry in refutations), default=0)
    for refutation in refutations:
        for other in refutation.moves:
            if other.count > refutation.count:
                difficulty.setdefault(other.index, refutation.count)
