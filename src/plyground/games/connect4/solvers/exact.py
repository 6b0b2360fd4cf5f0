"""Exact values of every move: plain Connect 4 by the solver, small mean boards by their tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import msgspec
import numpy as np

from plyground.core.agent import Report, Stop, no_report, no_stop
from plyground.core.errors import PlygroundError, UnsupportedError
from plyground.core.game import Game, Position
from plyground.core.limits import Limit
from plyground.core.search import MoveValue, Score, SearchInfo, SearchResult
from plyground.games.connect4.solvers import tablebase
from plyground.games.connect4.solvers.certified import CertifiedPlay
from plyground.games.connect4.solvers.perfect import (
    Continue,
    Interrupted,
    PerfectSolver,
    as_value,
    discs,
)
from plyground.games.connect4.solvers.proof_values import value_by_proof
from plyground.games.connect4.solvers.tablebase import Tablebase, TableKey, Value
from plyground.search.question import Question
from plyground.search.timing import Stopwatch

QUICK_TABLE = 1 << 28
"""Tables of boards up to this many column numbers take seconds; they are made when asked for."""

LINE_NODES = 100_000
"""How long to look for the rest of the best line once all moves are valued."""

PROOF_LIMIT = Limit(time=60.0)
"""A proof search may take days: unless told otherwise it gives up after a minute."""


MEAN_OPTIONS = frozenset({"mean", "simultaneous"})
"""Who sets one of these means the game with mean moves."""

WIN_AT_ONCE = (Score(0, "win", 1), Score(1, "win", 1))
"""No certificate is needed for these."""


def rank(value: Value) -> float:
    """Larger is better: quick wins, then draws, then late losses."""
    if value.distance is None:
        return 0.0
    return 1.0 / (value.distance + 1) if value.kind == "win" else -1.0 / (value.distance + 1)


class ExactSource(Protocol):
    """Where exact values come from."""

    @property
    def nodes(self) -> int:
        """Positions searched so far."""

    def warm_up(self) -> None:
        """Load what the first question needs."""

    def forget(self) -> None:
        """Drop what earlier questions left behind, so that the next search is repeatable."""

    def move_value(self, position: Position, code: int, keep_on: Continue | None) -> Value:
        """The value of a move for the side that plays it; Interrupted if told to end."""


class TableSource:
    """Values from a tablebase."""

    nodes = 0

    def __init__(self, table: Tablebase) -> None:
        self.table = table

    def warm_up(self) -> None:
        """Nothing to load: the table has been opened."""

    def forget(self) -> None:
        """Nothing to drop: a lookup leaves only unpacked blocks behind."""

    def move_value(self, position: Position, code: int, keep_on: Continue | None) -> Value:
        return tablebase.move_value(self.table, position, code)


class SolverSource:
    """Values of plain Connect 4 from the solver."""

    def __init__(self, game: Game, index_bits: int = 24) -> None:
        self.solver = PerfectSolver(
            int(game.options["width"]), int(game.options["height"]), index_bits
        )

    @property
    def nodes(self) -> int:
        return self.solver.nodes

    def warm_up(self) -> None:
        self.solver.warm_up()

    def forget(self) -> None:
        self.solver.table = np.zeros(self.solver.table.shape, self.solver.table.dtype)

    def move_value(self, position: Position, code: int, keep_on: Continue | None) -> Value:
        child = position.play(code)
        if child.is_over:
            value = tablebase.finished_value(child)
        else:
            own, mask = discs(child)
            score = self.solver.score(own, mask, keep_on)
            value = as_value(
                score, mask.bit_count(), self.solver.cells, tablebase.plies_left(child)
            )
        opposite = {"win": "loss", "loss": "win", "draw": "draw"}[value.kind]
        return Value(opposite, None if value.distance is None else value.distance + 1)


def source_for(
    game: Game, make: bool = False, tell: Callable[[str], None] | None = None
) -> ExactSource | None:
    """Where exact values of this game come from, if anywhere. `make`: build a quick table first."""
    if str(game.options["mean"]) == "none":
        return SolverSource(game)
    key = TableKey.of(game)
    if make and key.possible and not key.path.exists():
        if 1 << (key.width * (key.height + 1)) > QUICK_TABLE:
            raise UnsupportedError(
                f"there is no table of this board yet; make it with `plyground tablebase connect4 "
                f"--option width={key.width} --option height={key.height} "
                f"--option mean={game.options['mean']} "
                f"--option simultaneous={game.options['simultaneous']}`"
            )
        tablebase.build(key, tell)
    table = tablebase.open_for(game)
    return TableSource(table) if table is not None else None


def has_table(game: Game) -> bool:
    """Whether a table with the value of every move is there, or made in seconds."""
    key = TableKey.of(game)
    quick = key.possible and 1 << (key.width * (key.height + 1)) <= QUICK_TABLE
    return str(game.options["mean"]) != "none" and (quick or (key.possible and key.path.exists()))


def value_moves(
    source: ExactSource,
    position: Position,
    limit: Limit,
    report: Report = no_report,
    stop: Stop = no_stop,
    with_line: bool = False,
) -> SearchResult:
    """The exact value of every move, best first; raises Interrupted if the limit comes first.

    `with_line` goes on to the best line, as far as that is quick.
    """
    watch = Stopwatch(limit, stop)

    def keep_on(nodes: int) -> bool:
        watch.spent(nodes)
        return watch.next_slice() > 0

    player = position.turn
    values: dict[int, Value] = {}
    for code in position.move_codes:
        values[code] = source.move_value(position, code, keep_on)
        best = max(values, key=lambda code: rank(values[code]))
        report(SearchInfo(move=position.format_move(best), nodes=watch.nodes))
    order = sorted(values, key=lambda code: -rank(values[code]))
    scores = {code: Score(player, values[code].kind, values[code].distance) for code in order}  # type: ignore[arg-type]
    line = [position.format_move(order[0])]
    if with_line and values[order[0]].distance is not None:
        line += _best_line(source, position.play(order[0]))
    return SearchResult(
        move=position.format_move(order[0]),
        score=scores[order[0]],
        line=tuple(line),
        moves=tuple(MoveValue(position.format_move(code), scores[code]) for code in order),
        nodes=watch.nodes,
        elapsed=watch.elapsed,
        note="exact",
    )


def _best_line(source: ExactSource, position: Position) -> list[str]:
    """The best line from a decided position, as far as a small number of nodes gives it."""
    line: list[str] = []
    end = source.nodes + LINE_NODES
    while not position.is_over:
        values: dict[int, Value] = {}
        for code in position.move_codes:
            try:
                values[code] = source.move_value(position, code, lambda _: source.nodes < end)
            except Interrupted:
                return line
        best = max(values, key=lambda code: rank(values[code]))
        line.append(position.format_move(best))
        position = position.play(best)
    return line


def _plain_game(game: Game, text: str | None) -> Game | None:
    """The game without mean moves; None if the position cannot be one of it."""
    plain = type(game)({**game.options, "mean": "none"})
    try:
        plain.parse_position(text or "")
    except PlygroundError:
        return None
    return plain


def solve(question: Question) -> tuple[Position, SearchResult]:
    """Solve a position given as text.

    Tables of small boards answer first, then certificates, for every position in them. Elsewhere
    boards too large for a table are plain Connect 4, unless mean moves were asked for, by their
    own option or by that of simultaneous fours, or have been played.
    """
    game, text, limit, tell = question.game, question.text, question.limit, question.note
    position = game.parse_position(text) if text else game.start()
    if position.is_over:
        value = tablebase.finished_value(position)
        score = Score(position.turn, value.kind, value.distance)  # type: ignore[arg-type]
        return position, SearchResult("", score, note="the game is over")
    plain = None if question.given & MEAN_OPTIONS else _plain_game(game, text)
    certified = None if has_table(game) else CertifiedPlay(game)
    known = certified.solve(position) if certified else None
    if known is not None and not (plain and known.score == WIN_AT_ONCE[position.turn]):
        tell(f"mean={game.options['mean']}: answered by a certificate")
        return position, known
    if plain and not TableKey.of(game).possible:
        tell("plain Connect 4 (mean=none): with mean moves this position has no known solution")
        start, result = solve(replace(question, game=plain, given=frozenset({"mean"})))
        return start, msgspec.structs.replace(
            result, note=f"plain Connect 4; {result.note}".rstrip("; ")
        )
    source = source_for(game, make=True, tell=tell)
    if source is None and limit.endless:
        limit = PROOF_LIMIT
    try:
        if source is None:
            return position, value_by_proof(position, limit, tell)
        source.warm_up()
        return position, value_moves(source, position, limit, with_line=True)
    except Interrupted:
        raise UnsupportedError(f"not solved within the limit of {limit}; give more") from None
