"""What a student's games tell: why they were lost, where they turned, what to work on.

Rewards depend only on which squares are filled, so all of this is counted on the board itself: what
a move earned, what lay open instead, and whether it prepared a region for the opponent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from plyground.core.errors import PlygroundError
from plyground.core.game import Position as GamePosition
from plyground.core.outcome import Termination
from plyground.core.record import GameRecord
from plyground.core.registry import make_game
from plyground.course.decision import Ending, find_decision
from plyground.course.host.oracle import REWARDS
from plyground.course.host.position import Position, read_position
from plyground.course.host.solving import units

PHASES = ("opening", "middle", "end")
"""Thirds of the squares that are filled in a game."""

MOST_SUGGESTIONS = 3
_IDLE_SHARE = 0.1
_BRINK_SHARE = 0.95
_DECISION_WEIGHT = 20.0
"""What a game that was given away counts for, in points."""


@dataclass(frozen=True)
class Turn:
    """A move as the board saw it. `number` counts the moves of the game from 1."""

    number: int
    seat: int
    move: str
    earned: int
    open_reward: int
    """The most that any square would have earned."""
    open_square: str
    gave: int
    """Points of the reply by regions that this move left with one empty square, although another
    square was worth as much and left none."""
    seconds: float | None
    phase: str
    chosen: bool = True
    """Whether a player chose it: opening moves are drawn."""

    @property
    def passed(self) -> bool:
        return self.move.endswith("!")

    @property
    def missed(self) -> int:
        return self.open_reward - self.earned

    @property
    def cost(self) -> int:
        return self.missed + self.gave


@dataclass(frozen=True)
class StudentGame:
    """A game from one seat. `opponent` is its name, `score` 1, 1/2 or 0."""

    id: str
    opponent: str
    seat: int
    score: float
    termination: str
    detail: str
    points: tuple[float, float]
    """Own and the opponent's."""
    turns: tuple[Turn, ...] = field(repr=False)
    limit: float | None = None
    ending: Ending | None = None
    """Of a game that was lost by points."""

    @cached_property
    def own_turns(self) -> list[Turn]:
        return [turn for turn in self.turns if turn.seat == self.seat and turn.chosen]

    @property
    def lost(self) -> bool:
        return self.score == 0.0

    @property
    def failed(self) -> bool:
        """Whether it was lost by a failure: then no square was to blame."""
        return self.lost and self.termination != str(Termination.NORMAL)

    @property
    def reason(self) -> str:
        """Why it was lost: a failure by its name, else the phase in which the points went."""
        if self.termination != str(Termination.NORMAL):
            return self.termination
        margins = {phase: self.margin(phase) for phase in PHASES}
        worst = min(PHASES, key=lambda phase: margins[phase])
        return f"points in the {worst} ({margins[worst]:+d})"

    def margin(self, phase: str) -> int:
        """Points that it earned more than the opponent in a phase."""
        return sum(
            turn.earned if turn.seat == self.seat else -turn.earned
            for turn in self.turns
            if turn.phase == phase
        )

    @property
    def hopeless(self) -> bool:
        """Whether it is known that best play of the opponent left it no chance in any turn."""
        own = self.own_turns
        return self.ending is not None and bool(own) and own[0].number >= self.ending.lost_from

    @cached_property
    def turning_point(self) -> tuple[Turn, str] | None:
        """Its own move that decided a lost game or else cost most, and in words what it cost.

        None if none cost anything. Moves in a position that was lost anyway are not to blame.
        """
        if self.failed:
            return None
        ending = self.ending
        if ending is not None and ending.decided:
            decided = (turn for turn in self.own_turns if turn.number == ending.decided)
            return next(((turn, ending.words) for turn in decided), None)
        open_turns = (
            turn for turn in self.own_turns if ending is None or turn.number < ending.lost_from
        )
        turn = max(open_turns, key=lambda each: (each.cost, -each.number), default=None)
        if turn is None or turn.cost <= 0:
            return None
        words = []
        if turn.missed > 0:
            words.append(
                f"earned {turn.earned} where {turn.open_square} was worth {turn.open_reward}"
            )
        if turn.gave:
            words.append(f"opened {turn.gave} for the opponent while a harmless square was free")
        return turn, " and ".join(words)


@dataclass(frozen=True)
class Suggestion:
    """Something to work on, with the numbers behind it."""

    weight: float
    text: str


def look_at(
    game_id: str, names: tuple[str, str], seat: int, record: GameRecord, limit: float | None
) -> StudentGame:
    """A stored game from one seat."""
    outcome = record.outcome
    assert outcome is not None
    scores = outcome.scores or (0.0, 0.0)
    positions, ending = _positions(record), None
    if outcome.score(seat) == 0.0 and outcome.termination == Termination.NORMAL and positions:
        ending = find_decision(record, positions, seat)
    return StudentGame(
        id=game_id,
        opponent=names[1 - seat],
        seat=seat,
        score=outcome.score(seat),
        termination=str(outcome.termination),
        detail=outcome.detail,
        points=(float(scores[seat]), float(scores[1 - seat])),
        turns=tuple(_turns(record, [read_position(each.text) for each in positions])),
        limit=limit,
        ending=ending,
    )


def _positions(record: GameRecord) -> list[GamePosition]:
    """Those before every move, and the last one; none if the rules do not allow the moves."""
    try:
        return list(record.positions(make_game(record.game, record.options)))
    except PlygroundError:
        return []


def _turns(record: GameRecord, positions: Sequence[Position]) -> Iterator[Turn]:
    if not positions:
        return
    empty = max(1, positions[0].cells.count(0))
    for number, (entry, before) in enumerate(zip(record.moves, positions, strict=False), 1):
        after, later = (positions[min(k, len(positions) - 1)] for k in (number, number + 1))
        filled = positions[0].cells.count(0) - before.cells.count(0)
        best, square = _best_reward(before)
        earned = after.scores[entry.player] - before.scores[entry.player]
        yield Turn(
            number=number,
            seat=entry.player,
            move=entry.move,
            earned=earned,
            open_reward=max(best, earned),
            open_square=square,
            gave=_given(before, after, later),
            seconds=entry.time,
            phase=PHASES[min(2, 3 * filled // empty)],
            chosen=number > record.opening_plies,
        )


def _open_squares(position: Position) -> list[int]:
    """The empty squares on which the player to move may play."""
    empty = [cell for cell, value in enumerate(position.cells) if not value]
    if position.allowed is None:
        return empty
    size = position.size
    reach = set(position.allowed[position.player])
    for cell in position.occupied[position.player]:
        row, column = divmod(cell, size)
        reach |= {
            r * size + c
            for r in range(max(0, row - 1), min(size, row + 2))
            for c in range(max(0, column - 1), min(size, column + 2))
        }
    return [cell for cell in empty if cell in reach]


def _gaps(position: Position, cell: int) -> list[int]:
    """How many squares are empty in each region of a square."""
    regions = units(position.rows, position.columns)[cell]
    return [sum(not position.cells[other] for other in region) for region in regions]


def _best_reward(position: Position) -> tuple[int, str]:
    best, where = 0, 0
    for cell in _open_squares(position):
        reward = REWARDS[_gaps(position, cell).count(1)]
        if reward > best:
            best, where = reward, cell
    return best, f"({where // position.size},{where % position.size})"


def _given(before: Position, after: Position, later: Position) -> int:
    """What the reply to a move earned by regions that the move need not have opened.

    They are those that it left with a single empty square, while another square was worth as much
    and would have left none.
    """
    cell, reply = _filled(before, after), _filled(after, later)
    if cell is None or reply is None or before.player == after.player:
        return 0
    worth = _gaps(before, cell).count(1)
    others = (_gaps(before, other) for other in _open_squares(before) if other != cell)
    if not any(2 not in gaps and gaps.count(1) >= worth for gaps in others):
        return 0
    regions = units(before.rows, before.columns)[reply]
    filled = [region for region in regions if sum(not after.cells[c] for c in region) == 1]
    older = [region for region in filled if cell not in region]
    return REWARDS[len(filled)] - REWARDS[len(older)]


def _filled(before: Position, after: Position) -> int | None:
    """The square that a move has filled; None for a pass."""
    new = (c for c, value in enumerate(before.cells) if not value and after.cells[c])
    return next(new, None)


def suggest(games: Sequence[StudentGame], advice: dict[str, str]) -> list[str]:
    """The most useful things to work on, at most three; `advice` is by the name of a failure."""
    whole = [game for game in games if not game.failed]
    found = [
        *_failures(games, advice),
        *_decisions(whole),
        *_points(whole),
        *_time(whole),
    ]
    found.sort(key=lambda each: -each.weight)
    return [each.text for each in found[:MOST_SUGGESTIONS]]


def _failures(games: Sequence[StudentGame], advice: dict[str, str]) -> Iterator[Suggestion]:
    lost = Counter(game.termination for game in games if game.lost and game.termination in advice)
    for name, count in lost.items():
        example = next(game for game in games if game.lost and game.termination == name)
        yield Suggestion(
            100.0 * count,
            f"{_count(count, 'game was', 'games were')} lost by {name} (for example {example.id}): "
            f"{advice[name]}.",
        )


def _decisions(games: Sequence[StudentGame]) -> Iterator[Suggestion]:
    given = [(game, game.ending) for game in games if game.ending and game.ending.decided]
    if not given:
        return
    game, ending = given[0]
    (move,) = (turn.move for turn in game.turns if turn.number == ending.decided)
    passes = sum(ending.best.endswith("!") for _, ending in given)
    yield Suggestion(
        _DECISION_WEIGHT * len(given),
        f"Search to the end when few squares are left: {_count(len(given), 'game', 'games')} could "
        f"still be held and went by one move, {passes} of them where a pass was right. In game "
        f"{game.id}, move {ending.decided}, {move} {ending.words}.",
    )


def _worst(
    turns: Sequence[tuple[StudentGame, Turn]], cost: Callable[[Turn], int]
) -> tuple[int, int, StudentGame, Turn] | None:
    """How many turns cost something and how much in all, and the dearest one with its game."""
    dear = [(game, turn) for game, turn in turns if cost(turn) > 0]
    if not dear:
        return None
    game, turn = max(dear, key=lambda each: cost(each[1]))
    return len(dear), sum(cost(turn) for _, turn in dear), game, turn


def _points(games: Sequence[StudentGame]) -> Iterator[Suggestion]:
    turns = [(game, turn) for game in games for turn in game.own_turns]
    if missed := _worst(turns, lambda turn: 0 if turn.passed else turn.missed):
        number, total, game, turn = missed
        yield Suggestion(
            float(total),
            f"Take the points that lie open: in {_count(number, 'turn', 'turns')} another "
            f"square was worth more, {total} points in all. In game {game.id}, move {turn.number}, "
            f"{turn.open_square} was worth {turn.open_reward}, {turn.move} earned {turn.earned}.",
        )
    if given := _worst(turns, lambda turn: turn.gave):
        number, total, game, turn = given
        yield Suggestion(
            float(total),
            f"Leave no region with a single empty square while a square that is worth as much "
            f"leaves none: {_count(number, 'move', 'moves')} did, and the opponent took "
            f"{total} points in reply. In game {game.id}, move {turn.number}, {turn.move} gave "
            f"away {turn.gave}.",
        )
    passes = [(game, turn) for game, turn in turns if turn.passed and turn.open_reward > 0]
    if passes:
        total = sum(turn.open_reward for _, turn in passes)
        game, turn = passes[0]
        yield Suggestion(
            float(total),
            f"{_count(len(passes), 'proposal', 'proposals')} left the board without a solution and "
            f"so passed the turn while {total} points lay open (game {game.id}, move "
            f"{turn.number}): test whether a move can still be solved, at least one that scores.",
        )


def _time(games: Sequence[StudentGame]) -> Iterator[Suggestion]:
    shares = [
        turn.seconds / game.limit
        for game in games
        for turn in game.own_turns
        if turn.seconds is not None and game.limit
    ]
    if not shares:
        return
    mean = sum(shares) / len(shares)
    losses = sum(game.lost for game in games)
    if mean < _IDLE_SHARE and losses:
        yield Suggestion(
            2.0 * losses,
            f"It uses {100 * mean:.0f} % of its time: search deeper, and propose every better move "
            "as soon as it is found.",
        )
    brink = sum(share > _BRINK_SHARE for share in shares)
    if brink > len(shares) / 4:
        yield Suggestion(
            1.0,
            f"{_count(brink, 'turn', 'turns')} of {len(shares)} went to the end of the time: it "
            "depends on being stopped, so make sure that the best move is proposed before.",
        )


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
