"""Positions as the page needs them."""

from __future__ import annotations

from plyground.core.game import Game, Position
from plyground.core.outcome import Outcome
from plyground.web.messages import Board, Snapshot


def take_snapshot(position: Position, outcome: Outcome | None = None) -> Snapshot:
    """A position with its board and moves; `outcome` where a referee has ended the game."""
    view = position.view
    ending = outcome or position.outcome
    return Snapshot(
        text=position.text,
        board=Board(view.width, view.height, view.shapes, view.caption),
        turn=-1 if ending else position.turn,
        legal=() if ending else tuple(position.legal_moves),
        last=position.last_move,
        outcome=ending,
        epilogue=_epilogue(position) if ending else None,
    )


def take_sketch(game: Game, text: str) -> Snapshot:
    """A position as it is written, without moves: it is there before the rules are compiled."""
    view = game.sketch(text)
    board = Board(view.width, view.height, view.shapes, view.caption)
    return Snapshot(text=text, board=board, turn=0)


def _epilogue(position: Position) -> Board | None:
    view = position.game.epilogue(position)
    return Board(view.width, view.height, view.shapes, view.caption) if view else None
