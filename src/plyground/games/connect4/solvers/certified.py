"""What certificates say about positions of a game: whoever they say wins, wins by their moves."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from plyground.core.game import Game, Position
from plyground.core.search import MoveValue, Score, SearchInfo, SearchResult
from plyground.games.connect4.solvers.certificate import Certificate, for_game
from plyground.games.connect4.solvers.tablebase import Value

Found = TypeVar("Found", SearchInfo, SearchResult)

PROVEN_NOTE = "proven by a certificate"
BOUND_NOTE = f"{PROVEN_NOTE}; within so many plies: perhaps sooner"


class CertifiedPlay:
    """The certificates that hold for a game; falsy if there are none."""

    def __init__(self, game: Game) -> None:
        self.certificates: list[Certificate] = for_game(game)

    def __bool__(self) -> bool:
        return bool(self.certificates)

    def winning_move(self, position: Position) -> tuple[int, int] | None:
        """The move of the side to move that wins, and within how many plies; None if not known."""
        for code in position.move_codes:
            outcome = position.play(code).outcome
            if outcome is not None and outcome.winner == position.turn:
                return code, 1
        answers = (certificate.find(position) for certificate in self.certificates)
        return next((found for found in answers if found is not None), None)

    def score(self, position: Position, value: Value) -> Score:
        """What a certificate promises of a position or a move from there, for who is to move.

        A win in one and a loss in two are seen at once, so exact; of a root it may be known that
        nobody wins sooner.
        """
        exact = value.distance is not None and value.distance <= 2
        for claim in (certificate.claim for certificate in self.certificates):
            exact = exact or (value.distance == claim.plies and claim.is_exact(position))
        kind: Any = value.kind
        return Score(position.turn, kind, value.distance, at_most=not exact)

    def value(self, position: Position) -> dict[int, Value]:
        """The values of moves for the side to move: the winning one, or all of a lost position."""
        found = self.winning_move(position)
        if found is not None:
            return {found[0]: Value("win", found[1])}
        losses = {}
        for code in position.move_codes:
            child = position.play(code)
            outcome = child.outcome
            if outcome is not None:
                if outcome.winner != 1 - position.turn:
                    return {}
                losses[code] = Value("loss", 1)
                continue
            reply = self.winning_move(child)
            if reply is None:
                return {}
            losses[code] = Value("loss", reply[1] + 1)
        return losses

    def solve(self, position: Position) -> SearchResult | None:
        """The value of an unfinished position with the line of the certificate; None if unknown."""
        values = self.value(position)
        if not values:
            return None
        order = sorted(values, key=lambda code: -(values[code].distance or 0))
        scores = {code: self.score(position, values[code]) for code in order}
        return SearchResult(
            move=position.format_move(order[0]),
            score=scores[order[0]],
            line=tuple(self._line(position)),
            moves=tuple(MoveValue(position.format_move(code), scores[code]) for code in order),
            note=_note(scores[order[0]]),
        )

    @staticmethod
    def correct(known: SearchResult | None, searched: Found) -> Found:
        """What a search says, with what is proven (by `solve`) in place of its opinions.

        A win or a loss that the search proved by itself stays: it may be a quicker one.
        """
        if known is None or searched.score is None or searched.score.value == "win":
            return searched
        assert known.score is not None
        moves = known.moves
        if known.score.value == "win":
            proven = {entry.move for entry in moves}
            moves += tuple(entry for entry in searched.moves if entry.move not in proven)
        elif searched.score.value == "loss":
            return searched
        return msgspec.structs.replace(
            searched,
            move=known.move,
            score=known.score,
            line=known.line,
            moves=moves,
            note=known.note,
        )

    def _line(self, position: Position) -> list[str]:
        """The strategy against the longest resistance that it allows."""
        line: list[str] = []
        while not position.is_over:
            values = self.value(position)
            if not values:
                break
            code = max(values, key=lambda code: values[code].distance or 0)
            line.append(position.format_move(code))
            position = position.play(code)
        return line


def _note(score: Score) -> str:
    """What to say beside a score of a certificate."""
    return BOUND_NOTE if score.at_most else PROVEN_NOTE
