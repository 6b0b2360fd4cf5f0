"""Whether a record can be true: its game replayed by the rules, its numbers those of a game."""

from __future__ import annotations

import math

from plyground.core.errors import PlygroundError, RecordError
from plyground.core.files import short_name
from plyground.core.game import CHANCE, Game, Position
from plyground.core.outcome import Outcome, Termination
from plyground.core.record import GameRecord, MoveRecord
from plyground.core.registry import make_game

MOST_MOVES = 100_000
MOST_COUNTED = 2**63 - 1
"""What a database can keep of a number."""

MOST_CHARACTERS = 20_000
"""Of any text in a record that is not a move."""

_BOARD_DECIDES = (Termination.NORMAL,)
"""Endings that only the rules can give."""


def check_record(record: GameRecord, game: Game | None = None) -> Position:
    """The last position of a record that contradicts nothing; RecordError says what does.

    `game` is the game of the record where it is made already. A record need not have an outcome.
    """
    try:
        game = game or make_game(record.game, record.options)
        return _checked(record, game)
    except RecordError:
        raise
    except (PlygroundError, ValueError, OverflowError) as error:
        raise RecordError(str(error)) from error


def _checked(record: GameRecord, game: Game) -> Position:
    if len(record.players) not in (0, game.info.players):
        raise RecordError(
            f"{len(record.players)} players in a game for {game.info.players}: "
            f"{short_name(record.game)}"
        )
    if len(record.moves) > MOST_MOVES:
        raise RecordError(f"the record has more than {MOST_MOVES} moves")
    _check_texts(record)
    position = game.parse_position(record.start) if record.start else game.start()
    for number, entry in enumerate(record.moves, 1):
        try:
            _check_entry(entry, position)
            position = entry.follow(position)
        except PlygroundError as error:
            raise RecordError(f"move {number} of the record: {error}") from error
    if record.outcome is not None:
        _check_outcome(record.outcome, position, game)
    return position


def _check_texts(record: GameRecord) -> None:
    texts = [*record.players, record.date, *record.tags, *record.tags.values()]
    if record.outcome is not None:
        texts.append(record.outcome.detail)
    if max(map(len, texts), default=0) > MOST_CHARACTERS:
        raise RecordError(f"a text of more than {MOST_CHARACTERS} characters")
    opening = record.tags.get("opening", "0")
    if not (opening.isascii() and opening.isdecimal() and len(opening) < 7):
        raise RecordError(f"the tag opening is {opening[:20]!r}, not a number of moves")
    if int(opening) > len(record.moves):
        raise RecordError(f"an opening of {opening} moves in a game of {len(record.moves)}")


def _check_entry(entry: MoveRecord, position: Position) -> None:
    if position.is_over:
        raise RecordError("the game was over before it")
    if entry.player != position.turn:
        due = "a random event" if position.turn == CHANCE else f"player {position.turn}"
        said = "a random event" if entry.player == CHANCE else f"player {entry.player}"
        raise RecordError(f"by {said}, when {due} was due")
    if entry.time is not None and not (math.isfinite(entry.time) and entry.time >= 0):
        raise RecordError(f"a time of {entry.time} seconds")
    for name, count in (("nodes", entry.nodes), ("depth", entry.depth)):
        if count is not None and not 0 <= count <= MOST_COUNTED:
            raise RecordError(f"{name} that cannot be counted")
    if (score := entry.score) is not None:
        numbers = (score.points or 0.0, score.probability or 0.0, score.distance or 0)
        if (
            score.player not in (0, 1)
            or not all(math.isfinite(number) for number in numbers)
            or not (0.0 <= numbers[1] <= 1.0 and 0 <= numbers[2] <= MOST_COUNTED)
        ):
            raise RecordError("a score that no player can have")


def _check_outcome(outcome: Outcome, position: Position, game: Game) -> None:
    players = game.info.players
    if outcome.winner is not None and not (players == 2 and 0 <= outcome.winner < players):
        raise RecordError(f"player {outcome.winner} cannot win: the players are 0 to {players - 1}")
    for name, numbers in (("scores", outcome.scores), ("points", outcome.points)):
        if numbers is not None and (
            len(numbers) != players
            or not all(math.isfinite(number) and abs(number) < MOST_COUNTED for number in numbers)
        ):
            raise RecordError(f"{name} that are not a number for each player")
    ended = position.outcome
    if ended is not None and _summary(ended) != _summary(outcome):
        raise RecordError(
            f"it says {_words(outcome)}, but its moves end the game with {_words(ended)}"
        )
    if ended is None and outcome.termination in _BOARD_DECIDES:
        raise RecordError(f"it says {_words(outcome)}, but after its moves the game goes on")


def _summary(outcome: Outcome) -> tuple[object, ...]:
    return outcome.winner, outcome.termination, outcome.scores, outcome.points


def _words(outcome: Outcome) -> str:
    winner = "no winner" if outcome.winner is None else f"player {outcome.winner} the winner"
    scores = "" if outcome.scores is None else f" by {' : '.join(f'{s:g}' for s in outcome.scores)}"
    return f"{winner}{scores} ({outcome.termination})"
