"""Messages between page and server over the WebSocket: JSON objects told apart by `type`."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from plyground.core.outcome import Outcome
from plyground.core.record import MoveRecord
from plyground.core.search import Score
from plyground.core.view import Shape
from plyground.web.requests import Identity, Name, Options, Text

Speed = Literal["off", "slow", "normal", "fast", "max"]
Count = Annotated[int, msgspec.Meta(ge=0, le=10_000_000)]


class Asked(msgspec.Struct, tag_field="type", forbid_unknown_fields=True):
    """What every message of a page is."""


class Join(Asked, tag="join"):
    """Send me this game now and whenever it changes."""

    id: Identity


class Leave(Asked, tag="leave"):
    """No longer."""

    id: Identity


class Move(Asked, tag="move"):
    """Play a move when `ply` moves have been played.

    `judged` leaves the verdict to the referee, so that a wrong move loses as in a contest; without
    it an illegal move is only refused.
    """

    id: Identity
    move: Name
    ply: Count
    judged: bool = False


class Undo(Asked, tag="undo"):
    """Take back the last move of a person, and what followed it."""

    id: Identity


class Resign(Asked, tag="resign"):
    """The person to move (or the only person) gives up."""

    id: Identity


class Hint(Asked, tag="hint"):
    """What would a strong agent play here?"""

    id: Identity


class Autoplay(Asked, tag="autoplay"):
    """How fast agents move by themselves; in a one-player game also instead of the person."""

    id: Identity
    speed: Speed
    agent: Name = ""


class Step(Asked, tag="step"):
    """Pause the agents after one more move."""

    id: Identity


class Analyse(Asked, tag="analyse"):
    """Search a position and report on the way. `key` names the search in the answers."""

    key: Identity
    game: Name
    position: Text
    options: Options = {}
    agent: Name = ""
    seconds: float = 10.0


class StopAnalysis(Asked, tag="stop-analysis"):
    """Enough of that search."""

    key: Identity


class Review(Asked, tag="review"):
    """Value every position of a game and mark the mistakes."""

    id: Identity
    seconds: float = 0.3
    agent: Name = ""


class FollowRun(Asked, tag="follow-run"):
    """Tell me how this tournament goes."""

    id: Name


FromPage = (
    Join
    | Leave
    | Move
    | Undo
    | Resign
    | Hint
    | Autoplay
    | Step
    | Analyse
    | StopAnalysis
    | Review
    | FollowRun
)
_from_page: msgspec.json.Decoder[FromPage] = msgspec.json.Decoder(FromPage)


class Told(msgspec.Struct, tag_field="type", omit_defaults=True):
    """What every message to a page is."""


class Board(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a page draws: size in cells, shapes from back to front."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    caption: str = ""


class Snapshot(msgspec.Struct, frozen=True, omit_defaults=True):
    """A position for the page. `turn` is -1 before a random event and at the end."""

    text: str
    board: Board
    turn: int
    legal: tuple[str, ...] = ()
    last: str = ""
    outcome: Outcome | None = None
    epilogue: Board | None = None


class GameUpdate(Told, tag="game"):
    """Where a game stands. The page keeps its first `keep` moves and appends `moves`."""

    id: str
    game: str
    options: dict[str, int | float | str | bool]
    seats: tuple[str, ...]
    seconds: float
    seed: int
    keep: int
    moves: list[MoveRecord]
    position: Snapshot
    used: tuple[float, ...]
    kind: str = "game"
    title: str = ""
    thinking: bool = False
    preparing: bool = False
    """Whether the agent to move is still being loaded; no clock runs meanwhile."""
    speed: Speed = "normal"
    outcome: Outcome | None = None
    best: float | None = None
    review: list[ReviewedMove] = []
    start: str = ""
    """The position that the game was set up with; empty: the usual one."""


class ScoreView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A score for people, seen by `player`: a text, a short one for boards and bars, and a number
    from -1 (lost) to 1 (won)."""

    player: int
    text: str
    expectation: float
    exact: bool = False
    short: str = ""
    distance: int | None = None
    cost: float | None = None
    """What the evaluation says beside a probability; less is better."""


class MoveView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A root move with its value for the side to move."""

    move: str
    score: ScoreView | None = None
    visits: int | None = None
    kept: float | None = None


class AnalysisUpdate(Told, tag="analysis"):
    """Progress or end (`done`) of a search."""

    key: str
    move: str = ""
    score: ScoreView | None = None
    depth: int | None = None
    nodes: int = 0
    elapsed: float = 0.0
    line: tuple[str, ...] = ()
    moves: list[MoveView] = []
    agent: str = ""
    note: str = ""
    done: bool = False
    error: str = ""


class HintAnswer(Told, tag="hint"):
    """A suggestion for the position after `ply` moves."""

    id: str
    ply: int
    move: str
    score: ScoreView | None = None
    agent: str = ""
    worth: str = ""
    """The value in words."""


class ReviewedMove(msgspec.Struct, frozen=True, omit_defaults=True):
    """A position of a reviewed game: its value, the best move, and how bad the played one was."""

    ply: int
    score: ScoreView | None = None
    best: str = ""
    loss: float = 0.0
    mark: str = ""
    why: str = ""
    """One sentence about a marked move."""


class ReviewUpdate(Told, tag="review"):
    """Progress of a review; `total` positions in all."""

    id: str
    moves: list[ReviewedMove]
    total: int
    done: bool = False
    error: str = ""


class RunUpdate(Told, tag="run"):
    """A tournament's table changed; details by HTTP."""

    id: str
    games: int
    total: int
    running: bool
    error: str = ""


class ErrorMessage(Told, tag="error"):
    """A message could not be served."""

    kind: str
    message: str
    id: str = ""
    request: str = ""


def decode(data: str | bytes) -> FromPage:
    """What a page said; msgspec errors if it is no message."""
    return _from_page.decode(data)


def view_score(score: Score | None) -> ScoreView | None:
    """A score as the page shows it."""
    if score is None:
        return None
    exact = score.value is not None
    return ScoreView(
        score.player,
        _text(score),
        score.expectation,
        exact,
        short_score(score),
        score.distance,
        -score.points if score.points is not None and score.probability is not None else None,
    )


def _text(score: Score) -> str:
    """A score for a list: points have as many decimals as their neighbours."""
    if score.value is not None or score.probability is not None or score.points is None:
        return str(score)
    return f"{score.points:+.1f}" if abs(score.points) >= 10 else f"{score.points:+.2f}"


def short_score(score: Score) -> str:
    """A score in at most five characters: `W7`, `L12`, `=`, `63%`, `+0.90`, `-12`."""
    if score.value is not None:
        sign = {"win": "W", "loss": "L", "draw": "="}[score.value]
        return sign + (str(score.distance) if score.distance and score.value != "draw" else "")
    if score.probability is not None:
        percent = 100 * score.probability
        return f"{percent:.0f}%" if percent < 99.5 or percent == 100 else f"{percent:.1f}%"
    if score.points is None:
        return ""
    return f"{score.points:+.0f}" if abs(score.points) >= 10 else f"{score.points:+.2f}"
