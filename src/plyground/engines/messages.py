"""The engine protocol: one JSON object per line, told apart by its field `type`.

`docs/protocol.md` describes it for authors of engines. Fields that a side does not know are
ignored, so that both can grow.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from plyground.core.game import OptionValue
from plyground.core.limits import Limit
from plyground.core.outcome import Outcome
from plyground.core.search import MoveValue, Score

PROTOCOL_VERSION = 1

MOST_COUNTED = 2**63 - 1
NOTE_CHARACTERS = 1000

LONG_LINE = 64 << 10
"""What is longer is read briefly unless the values of all moves were asked for: as objects they
would hold up all other games for a hundredth of a second."""

Want = Literal["position", "legal_moves"]


class Message(msgspec.Struct, omit_defaults=True, kw_only=True, tag_field="type"):
    """What every message is."""


# From the arena to the engine -----------------------------------------------------------------


class Hello(Message, tag="hello"):
    """The first message. The engine answers with `EngineHello`."""

    protocol: int = PROTOCOL_VERSION


class NewGame(Message, tag="new_game"):
    """A game begins: forget the last one. The engine answers `Ready`; no clock runs yet.

    `position` is the text of the start position, empty for the usual one; `moves` are the opening
    moves already played from there. `side` is the seat of the engine (0 moves first). `seed` is
    for all its random choices. `limit` is what the first `Go` will say.
    """

    id: str
    game: str
    options: dict[str, OptionValue] = {}
    position: str = ""
    moves: tuple[str, ...] = ()
    side: int = 0
    seed: int = 0
    limit: Limit = Limit()


class Go(Message, tag="go"):
    """Think and answer `BestMove`. The clock runs from here.

    `turn` numbers all turns of a process; the engine repeats it in what it says about this turn.
    `position` and `legal_moves` are there when the engine asked for them in its hello. `analyse`
    asks for the value of every move where the engine can tell, rather than for the best move only.
    """

    id: str
    turn: int | None = None
    limit: Limit = Limit()
    analyse: bool = False
    position: str | None = None
    legal_moves: tuple[str, ...] | None = None


class PlayedMove(Message, tag="move"):
    """A move was played, by whichever player (also the engine's own)."""

    id: str
    move: str
    player: int


class Deal(Message, tag="deal"):
    """A random event (the pieces dealt in a one-player game)."""

    id: str
    deal: str


class Stop(Message, tag="stop"):
    """Stop thinking and answer `BestMove` now."""

    id: str
    turn: int | None = None


class GameOver(Message, tag="game_over"):
    """The game has ended; the engine may forget it."""

    id: str
    outcome: Outcome


class Quit(Message, tag="quit"):
    """End the process."""


ToEngine = Hello | NewGame | Go | PlayedMove | Deal | Stop | GameOver | Quit


# From the engine to the arena -----------------------------------------------------------------


class EngineHello(Message, tag="hello"):
    """Who the engine is. An empty list of `games` means: I refuse what I cannot play.

    `wants` asks for extra fields in every `Go`.
    """

    name: str = ""
    version: str = ""
    protocol: int = PROTOCOL_VERSION
    games: tuple[str, ...] = ()
    wants: tuple[Want, ...] = ()


class Ready(Message, tag="ready"):
    """The engine can start; everything slow is behind it."""

    id: str = ""


class WireScore(msgspec.Struct, frozen=True, omit_defaults=True):
    """A score as engines send it; without `player` it is that of the engine itself."""

    player: int | None = None
    value: Literal["win", "loss", "draw"] | None = None
    distance: int | None = None
    points: float | None = None
    probability: float | None = None
    at_most: bool = False


class BriefInfo(Message, tag="info"):
    """`Info` without what can be long."""

    id: str = ""
    turn: int | None = None
    move: str | None = None
    score: WireScore | float | None = None
    depth: int | None = None
    nodes: int = 0
    elapsed: float = 0.0
    note: str = ""


class Info(BriefInfo, tag="info"):
    """Progress while thinking. One with a `move` is a proposal: it counts if time runs out."""

    line: tuple[str, ...] = ()
    moves: tuple[MoveValue, ...] = ()


class Answer(Message):
    """What is short in an answer."""

    id: str = ""
    turn: int | None = None
    move: str = ""
    resign: bool = False
    score: WireScore | float | None = None
    depth: int | None = None
    nodes: int | None = None
    elapsed: float | None = None
    note: str = ""


class BriefBestMove(Answer, tag="bestmove"):
    """`BestMove` without what can be long; only a sequence of moves is kept as it came."""

    moves: msgspec.Raw = msgspec.Raw(b"[]")


class BestMove(Answer, tag="bestmove"):
    """The answer: one `move`, or in a one-player game a sequence of `moves`; or resignation.

    `values` are the root moves with their scores, where the engine knows them.
    """

    moves: tuple[str, ...] = ()
    line: tuple[str, ...] = ()
    values: tuple[MoveValue, ...] = ()


class EngineComplaint(Message, tag="error"):
    """The engine cannot do what it was asked; the game is lost for it.

    With the kind `game-file` it says that the rules of the game are at fault; that is believed of
    players of our own.
    """

    id: str = ""
    message: str = ""
    kind: str = ""


FromEngine = EngineHello | Ready | Info | BestMove | EngineComplaint

_encoder = msgspec.json.Encoder()
_from_engine: msgspec.json.Decoder[FromEngine] = msgspec.json.Decoder(FromEngine)
_briefly: msgspec.json.Decoder[BriefInfo | BriefBestMove] = msgspec.json.Decoder(
    BriefInfo | BriefBestMove
)
_texts: msgspec.json.Decoder[tuple[str, ...]] = msgspec.json.Decoder(tuple[str, ...])
_to_engine: msgspec.json.Decoder[ToEngine] = msgspec.json.Decoder(ToEngine)


def encode(message: Message) -> bytes:
    """A message as a line."""
    return _encoder.encode(message) + b"\n"


def decode_from_engine(line: bytes) -> FromEngine:
    """What an engine said; msgspec.DecodeError if it is no message."""
    return _from_engine.decode(line)


def decode_briefly(line: bytes) -> FromEngine:
    """What an engine said in its turn, without lines of play and values of moves.

    For lines so long that other threads would wait while all of it became objects.
    """
    found = _briefly.decode(line)
    fields = msgspec.structs.asdict(found)
    if isinstance(found, BriefInfo):
        return Info(**fields)
    if len(found.moves) > LONG_LINE:
        raise msgspec.ValidationError("more moves than a turn can have")
    return BestMove(**fields | {"moves": _texts.decode(found.moves)})


def decode_to_engine(line: bytes) -> ToEngine:
    """What the arena said; msgspec.DecodeError if it is no message."""
    return _to_engine.decode(line)


def wire_score(score: Score | None) -> WireScore | None:
    """A score as it travels."""
    if score is None:
        return None
    fields: dict[str, Any] = msgspec.structs.asdict(score)
    return WireScore(**fields)


def read_score(score: WireScore | float | None, player: int) -> Score | None:
    """A score as it arrived from the engine in seat `player`; a bare number means points.

    Parts that no score can have are left out: what an engine says of itself costs it nothing.
    """
    if score is None:
        return None
    if not isinstance(score, WireScore):
        score = WireScore(points=float(score))
    probability = score.probability
    if probability is not None and not 0.0 <= probability <= 1.0:
        probability = None
    return Score(
        score.player if score.player in (0, 1) else player,
        score.value,
        read_count(score.distance),
        score.points,
        probability,
        score.at_most,
    )


def read_count(number: int | None) -> int | None:
    """A number of nodes or plies, None if it is none that could be."""
    return number if number is not None and 0 <= number <= MOST_COUNTED else None


def read_note(note: str) -> str:
    """An engine's remark, cut to what can be shown."""
    return note[:NOTE_CHARACTERS]
