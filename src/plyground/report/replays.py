"""Games to step through inside a report: every position as a picture, packed small.

Pictures of one game share most of their shapes. Each distinct shape is stored once; a frame is a
list of shape numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plyground.core.errors import PlygroundError
from plyground.core.game import CHANCE, Game
from plyground.core.registry import make_game
from plyground.core.view import LIGHT, shape_svg
from plyground.report.evaluation import graph, turning_move
from plyground.report.games import PlayedGame

PAGE_PALETTE = {name: f"var(--board-{name})" for name in LIGHT}
MOST_SHAPES = 250_000
"""Shape numbers in one game's frames; a longer game skips frames evenly."""


@dataclass(frozen=True)
class Replay:
    """A game as frames; `captions[i]` says what led to frame i. It opens `at` one (-1: last)."""

    id: str
    title: str
    width: float
    height: float
    shapes: tuple[str, ...]
    frames: tuple[tuple[int, ...], ...]
    captions: tuple[str, ...]
    moves: str
    graph: str = ""
    """What the players thought, as an SVG picture."""
    turn: str = ""
    """A sentence about the move that turned the game."""
    logs: tuple[tuple[str, str], ...] = ()
    """Titles and texts of what its programs said."""
    at: int = -1

    def data(self) -> dict[str, object]:
        """What the page's script needs."""
        return {
            "size": [self.width, self.height],
            "shapes": self.shapes,
            "frames": self.frames,
            "captions": self.captions,
        }


def losses_first(games: Sequence[PlayedGame], player: str) -> list[PlayedGame]:
    """The games as the author of `player` wants to see them: failures and losses first."""

    def rank(row: PlayedGame) -> int:
        if player not in (row.first, row.second):
            return 4
        return 0 if row.failed else 1 if row.winner not in ("", player) else 3 if row.winner else 2

    return sorted(games, key=rank) if player else list(games)


def choose_games(games: Sequence[PlayedGame], most: int = 12, player: str = "") -> list[PlayedGame]:
    """The games worth a look: failures, losses of `player`, the shortest, the longest, then one of
    each pairing.
    """
    chosen: dict[str, PlayedGame] = {}
    lost = [row for row in games if row.second and row.winner not in ("", player)]
    lost = [row for row in lost if player in (row.first, row.second) and row.record.moves]
    playable = [row for row in games if row.record.moves]
    by_length = sorted(playable, key=lambda row: row.plies)
    for row in [
        *[row for row in playable if row.failed][:4],
        *lost[: most // 2],
        *by_length[:1],
        *by_length[-1:],
    ]:
        chosen.setdefault(row.id, row)
    pairings = {(row.first, row.second): row for row in reversed(playable)}
    for row in [*pairings.values(), *playable]:
        if len(chosen) >= most:
            break
        chosen.setdefault(row.id, row)
    return list(chosen.values())[:most]


def make_replay(row: PlayedGame, game: Game | None = None) -> Replay | None:
    """The replay of a game; None if its record cannot be replayed by the rules."""
    try:
        game = game or make_game(row.record.game, row.record.options)
        positions = list(row.record.positions(game))
        views = [position.view for position in positions]
    except PlygroundError:
        return None
    keep = _frames_to_keep([len(view.shapes) for view in views])
    numbers: dict[str, int] = {}
    frames = []
    captions = []
    for index in keep:
        drawn = [shape_svg(shape, PAGE_PALETTE) for shape in views[index].shapes]
        frames.append(tuple(numbers.setdefault(text, len(numbers)) for text in drawn))
        captions.append(_caption(row, index, views[index].caption))
    return Replay(
        id=row.id,
        title=_title(row),
        width=max(view.width for view in views),
        height=max(view.height for view in views),
        shapes=tuple(numbers),
        frames=tuple(frames),
        captions=tuple(captions),
        moves=" ".join(entry.move for entry in row.record.moves),
        graph=graph(row.record),
        turn=_turn(row),
        logs=_logs(row),
    )


def _turn(row: PlayedGame) -> str:
    number = turning_move(row.record)
    if number is None:
        return ""
    entry = row.record.moves[number - 1]
    return f"The game turned at move {number}: {(row.first, row.second)[entry.player]} {entry.move}"


def _logs(row: PlayedGame) -> tuple[tuple[str, str], ...]:
    return tuple(
        (f"{title} of {name}", said)
        for seat, name in enumerate((row.first, row.second))
        for tag, title in (("stderr", "standard error"), ("protocol", "protocol"))
        if (said := row.record.tags.get(f"{tag} {seat}"))
    )


def _frames_to_keep(sizes: list[int]) -> list[int]:
    step = max(1, -(-sum(sizes) // MOST_SHAPES))
    keep = list(range(0, len(sizes), step))
    if keep[-1] != len(sizes) - 1:
        keep.append(len(sizes) - 1)
    return keep


def _title(row: PlayedGame) -> str:
    players = f"{row.first} – {row.second}" if row.second else row.first
    if row.second:
        result = {1.0: "1 – 0", 0.5: "½ – ½", 0.0: "0 – 1"}[row.score]
    else:
        result = f"{row.turns} turns"
    result += f", {row.points} points" if row.points else ""
    ending = "" if row.termination == "normal" else f", {row.termination}"
    where = f" ({', '.join(part for part in (row.setting, row.limit) if part)})"
    return f"{row.id}  {players}  {result}{ending}" + (where if where != " ()" else "")


def _caption(row: PlayedGame, index: int, caption: str) -> str:
    if index == 0:
        return f"start · {caption}" if caption else "start"
    entry = row.record.moves[index - 1]
    names = (row.first, row.second)
    by = "deal" if entry.player == CHANCE else names[entry.player]
    if index <= row.record.opening_plies:
        by = f"arena for {by}"
    parts = [f"{index}. {by}: {entry.move}"]
    if entry.score is not None:
        parts.append(f"says {entry.score}")
    if entry.time is not None:
        parts.append(f"{entry.time:.3f} s")
    if entry.nodes:
        parts.append(f"{entry.nodes:,} nodes")
    return " · ".join([*parts, caption] if caption else parts)
